import type { IDataObject } from 'n8n-workflow';

import { readTogether } from '../../core/faults';
import { defineOperation, type OperationCall, type OperationResult } from '../../core/operation';
import { checkRows } from '../../fields/row/checkRows';
import { leftOutHint } from '../../fields/row/leftOutHint';
import { readRow } from '../../fields/row/readRow';
import { readRowSigners } from '../../fields/row/rowSigners';
import { readAddress } from '../../fields/shared/address';
import { readOrganization } from '../../fields/shared/organization';
import { assuranceHint, joined } from '../../fields/shared/outputHints';
import { showCreated } from '../../fields/shared/shownDone';
import {
	readTransactionForm,
	transactionJson,
	transactionOutput,
} from '../../fields/shared/transactionOutput';
import { withExternalIds } from '../../fields/signer/externalIds';
import { noEffectHint, readClosingFields } from '../../fields/transaction/closingOptional';
import {
	closingAdditional,
	closingFront,
	readClosingSigners,
} from '../../fields/transaction/closingRequired';
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
	effect: "Creates a draft. Nobody is told of it before it's sent",
	properties: [...closingFront, ...closingAdditional, ...transactionOutput],
	check: readTransactionForm,
	async execute(call) {
		await checkRows(call, readClosing);
		const { body, assurance, signers, leftOut } = readClosing(call);
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
		return toResult(call, closing, signers, leftOut);
	},
	async lookUp(call) {
		const { body, signers, leftOut } = readClosing(call);
		const seen = await createdGoal(
			{ ...call, ...notedBefore(call.steps, call.startedAt) },
			'realEstate',
			body,
		).look();
		return mapSeen(seen, (closing) => toResult(call, closing, signers, leftOut));
	},
	toCheck: 'whether the service has a new closing with this name or loan number',
	showDone: showCreated('realEstate'),
});

function toResult(
	{ context, params, service }: OperationCall,
	closing: IDataObject,
	signers: IDataObject[],
	leftOut: string[],
): OperationResult {
	return {
		json: transactionJson(params, closing),
		hint: joined([
			NEXT,
			assuranceHint(signers, [], service.settings.assuranceField),
			noEffectHint(params.object('additionalFields')),
			leftOutHint(context, leftOut),
		]),
	};
}

/**
 * Builds the body of a new closing from the form or from the item's row. With identity assurance,
 * the type is null and the request goes to another prefix
 * (docs/service/api.md#path-of-a-closing-with-identity-assurance).
 * @throws InputFailure naming the parameter
 */
function readClosing(call: OperationCall): {
	body: IDataObject;
	assurance: boolean;
	signers: IDataObject[];
	leftOut: string[];
} {
	const { settings } = call.service;
	const row = readRow(call, 'closing');
	const params = row?.params ?? call.params;
	const additional = params.object('additionalFields');
	const chosen = (name: string) =>
		params.typeVersion >= 2 ? params.locatorOf(name, additional[name]) : params.locator(name);
	let assurance = false;
	const {
		read,
		type,
		address,
		optional: { fields, country },
		...named
	} = readTogether({
		read: () => {
			const all = row
				? readRowSigners(params, row.signers, settings.assuranceField)
				: readClosingSigners(params, settings.assuranceField);
			assurance = all.some(({ checks }) => checks > 0);
			return all;
		},
		type: () => (assurance ? null : params.required('transactionType')),
		transaction_name: () => params.required('transactionName'),
		// Since version 2, the second line is among the additional fields.
		address: () => {
			const { line2 = params.textOf(additional, 'addressLine2'), ...more } = readAddress(params);
			return { ...more, line2 };
		},
		recording_jurisdiction_id: () => chosen('recordingJurisdictionId'),
		title_agency_id: () => chosen('titleAgencyId'),
		title_underwriter_id: () => chosen('titleUnderwriterId'),
		organization_id: () => readOrganization(params, settings),
		optional: () => readClosingFields(params, additional),
	});
	const signers = withExternalIds(read, params.typeVersion).map(({ signer }) => signer);
	const body: IDataObject = {
		...withoutEmpty({
			...named,
			...closingSigners(signers),
			street_address: withoutEmpty({ ...toStreetAddress(address), country }),
		}),
		transaction_type: type,
		...fields,
	};
	return { body, assurance, signers, leftOut: row?.leftOut ?? [] };
}
