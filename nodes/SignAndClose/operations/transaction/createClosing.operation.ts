import type { IDataObject } from 'n8n-workflow';

import { readTogether } from '../../core/faults';
import { defineOperation, type OperationCall, type OperationResult } from '../../core/operation';
import { readAddress } from '../../fields/shared/address';
import { collection } from '../../fields/shared/builders';
import { readOrganization } from '../../fields/shared/organization';
import { assuranceHint, joined } from '../../fields/shared/outputHints';
import { showCreated } from '../../fields/shared/shownDone';
import {
	readTransactionForm,
	transactionJson,
	transactionOutput,
} from '../../fields/shared/transactionOutput';
import { withExternalIds } from '../../fields/signer/externalIds';
import {
	closingFields,
	noEffectHint,
	readClosingFields,
} from '../../fields/transaction/closingOptional';
import { closingFront, readClosingSigners } from '../../fields/transaction/closingRequired';
import { mapSeen, write } from '../../service/goals';
import { closingSigners } from '../../service/resources/drafts/draftUpdate';
import { newestTransactions, noteBefore, notedBefore } from '../../service/resources/before';
import { createdGoal } from '../../service/resources/transactions';
import { toStreetAddress } from '../../service/values/address';
import { withoutEmpty } from '../../service/values/json';

const NEXT =
	"This closing is a draft: add its documents with 'Document: Add', the eNote with 'eNote: Add', then use 'Transaction: Send'";

/**
 * Creates a closing, which is always a draft at first
 * (docs/service/transactions.md#create-a-closing).
 */
export const createClosing = defineOperation({
	resource: 'transaction',
	value: 'createClosing',
	name: 'Create Closing',
	action: 'Create closing',
	description: 'Create a real-estate closing as a draft, ready for its documents',
	kind: 'write',
	properties: [
		...closingFront,
		collection('Additional Fields', 'additionalFields', closingFields),
		...transactionOutput,
	],
	check: readTransactionForm,
	async execute(call) {
		const { body, assurance, signers } = readClosing(call);
		const noted = await noteBefore(
			call.steps,
			async () => await newestTransactions(call.service, 'realEstate'),
		);
		const closing = await write(
			call.service,
			async () =>
				await call.service.json('createTransaction', { platform: 'realEstate', assurance, body }),
			createdGoal({ ...call, ...noted }, 'realEstate', body),
		);
		return toResult(call, closing, signers);
	},
	async lookUp(call) {
		const { body, signers } = readClosing(call);
		const seen = await createdGoal(
			{ ...call, ...notedBefore(call.steps, call.startedAt) },
			'realEstate',
			body,
		).look();
		return mapSeen(seen, (closing) => toResult(call, closing, signers));
	},
	toCheck: 'whether the service has a new closing with this name or loan number',
	showDone: showCreated('realEstate'),
});

function toResult(
	{ params, service }: OperationCall,
	closing: IDataObject,
	signers: IDataObject[],
): OperationResult {
	return {
		json: transactionJson(params, closing),
		hint: joined([
			NEXT,
			assuranceHint(signers, [], service.settings.assuranceField),
			noEffectHint(params.object('additionalFields')),
		]),
	};
}

/**
 * Builds the body of a new closing. With identity assurance, the type is null and the request goes
 * to another prefix (docs/service/api.md#path-of-a-closing-with-identity-assurance).
 * @throws InputFailure naming the parameter
 */
function readClosing({ params, service: { settings } }: OperationCall): {
	body: IDataObject;
	assurance: boolean;
	signers: IDataObject[];
} {
	let assurance = false;
	const {
		read,
		type,
		address,
		optional: { fields, country },
		...named
	} = readTogether({
		read: () => {
			const all = readClosingSigners(params, settings.assuranceField);
			assurance = all.some(({ checks }) => checks > 0);
			return all;
		},
		type: () => (assurance ? null : params.required('transactionType')),
		transaction_name: () => params.required('transactionName'),
		address: () => toStreetAddress(readAddress(params)),
		recording_jurisdiction_id: () => params.locator('recordingJurisdictionId'),
		title_agency_id: () => params.locator('titleAgencyId'),
		title_underwriter_id: () => params.locator('titleUnderwriterId'),
		organization_id: () => readOrganization(params, settings),
		optional: () => readClosingFields(params, params.object('additionalFields')),
	});
	const signers = withExternalIds(read, params.typeVersion).map(({ signer }) => signer);
	const body: IDataObject = {
		...withoutEmpty({
			...named,
			...closingSigners(signers),
			street_address: withoutEmpty({ ...address, country }),
		}),
		transaction_type: type,
		...fields,
	};
	return { body, assurance, signers };
}
