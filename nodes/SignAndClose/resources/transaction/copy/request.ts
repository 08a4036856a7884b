import type { IDataObject } from 'n8n-workflow';

import type { OperationCall } from '../../../run/operation';
import type { TransactionAnswer } from '../../../transport/answers/shapes';
import { hasEndedUnfinished } from '../../../transport/answers/transactionState';
import { isBlank } from '../../../values/comparison';
import { isSameId, normalizeId } from '../../../values/ids';
import { asText, withoutEmpty } from '../../../values/json';
import { deriveReference, isPersonalReference } from '../../../values/reference';
import { toMilliseconds } from '../../../values/times';
import {
	listHiddenClosingFields,
	requireCompleteAnswer,
	requireHiddenSettings,
} from '../../draft/draftUpdate';
import { listHiddenSignerFields, toTransactionRequest } from '../../draft/requestFields';
import { buildClosingSigners, buildKeptSigners } from '../../draft/signerRequests';
import type { NewTransaction } from '../ifExists/creation';
import { findOwnOrganization } from '../ifExists/identity';
import type { CopyChoices } from './form';
import { listHidden, listUnknown, pickHiddenFields } from './hiddenFields';
import type { NotCopied } from './notCopied';

/* The request that creates a copy, from what an answer shows of the old transaction. */

/** A copy as it's created, and what it doesn't have. */
export interface CopyRequest {
	transaction: NewTransaction;
	notCopied: NotCopied[];
}

/** The reference of the copy of a transaction, by which every run finds it. */
export const deriveCopyReference = (transactionId: string): string =>
	deriveReference(`copy of ${normalizeId(transactionId)}`);

/**
 * Builds the request for the copy of a transaction, without its documents.
 * @throws ServiceFailure `incompletelyRead`, `settingsNotShown`, or what buildKeptSigners() finds
 */
export async function buildCopyRequest(
	call: OperationCall,
	old: TransactionAnswer,
	choices: CopyChoices,
): Promise<CopyRequest> {
	const { platform, notShown } = choices;
	const { assuranceField } = call.service.settings;
	requireCompleteAnswer(old);
	const isClosing = platform === 'realEstate';
	const settings = requireHiddenSettings(notShown, assuranceField, [
		...(old.signers ?? []).flatMap((signer) =>
			listHiddenSignerFields(signer, platform, assuranceField),
		),
		...(isClosing ? listHiddenClosingFields(old, {}) : []),
	]);
	const signers = buildKeptSigners(old, settings, assuranceField, new Map());
	const assurance = isClosing && signers.some((signer) => !isBlank(signer[assuranceField]));
	const fields: IDataObject = {
		...toTransactionRequest(old, platform),
		...withoutEmpty(pickHiddenFields(old, platform)),
		...(isClosing && settings.closing),
		...withoutEmpty({ organization_id: await findOtherOrganization(call, old) }),
	};
	const notCopied = [
		...takeTimes(call, choices, fields),
		...takeExternalId(old, choices, fields),
		...listUnknown(call, old, platform),
		...listHidden(call, old, { platform, fields, signers }),
	];
	const ownReference = deriveCopyReference(old.id);
	if (!isClosing)
		return {
			transaction: { platform, ownReference, body: { ...fields, draft: true, signers } },
			notCopied,
		};
	const type = asText(old.transaction_type) ?? asText(fields.transaction_type);
	const body = {
		...fields,
		...chooseType(old, fields, assurance),
		...buildClosingSigners(signers),
	};
	return { transaction: { platform, ownReference, body, type, assurance }, notCopied };
}

/** The type of a closing: null where signers have identity checks, as in every create. */
function chooseType(
	{ transaction_type: shownType }: TransactionAnswer,
	{ transaction_type: type }: IDataObject,
	assurance: boolean,
): IDataObject {
	if (assurance) return { transaction_type: null };
	return withoutUndefined({ transaction_type: asText(shownType) ?? type ?? shownType });
}

const withoutUndefined = (fields: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** The organization of the old transaction, unless a create has it by itself. */
async function findOtherOrganization(
	call: OperationCall,
	{ organization_id: organization }: TransactionAnswer,
): Promise<string | undefined> {
	const configuredId = call.service.settings.organizationId;
	const ownId = configuredId ?? (await findOwnOrganization(call));
	return ownId !== undefined && isSameId(ownId, organization)
		? configuredId
		: (organization ?? undefined);
}

/** Sets the new times, and takes away those that are over. */
function takeTimes(
	{ params }: OperationCall,
	{ platform, times: { expiry, ...otherTimes } }: CopyChoices,
	fields: IDataObject,
): NotCopied[] {
	const end = platform === 'realEstate' ? 'expiration_time' : 'expiry';
	const newTimes: IDataObject = withoutUndefined({ ...otherTimes, [end]: expiry });
	const overdue = [end, 'activation_time', 'notary_meeting_time'].filter((name) => {
		const time = toMilliseconds(fields[name]);
		return !isBlank(fields[name]) && !(time !== undefined && time > Date.now());
	});
	const notCopied = overdue
		.filter((name) => !(name in newTimes))
		.map((name): NotCopied => {
			const field = params.label(name === end ? 'expiry' : name);
			return { subject: '', field, value: fields[name], reason: 'past' };
		});
	for (const name of overdue) delete fields[name];
	Object.assign(fields, newTimes);
	return notCopied;
}

/** A number of a person is that of one transaction at a time; a loan number is that of a loan. */
function takeExternalId(
	old: TransactionAnswer,
	{ platform, externalId }: CopyChoices,
	fields: IDataObject,
): NotCopied[] {
	const oldId = isPersonalReference(old.external_id) ? old.external_id : undefined;
	const isKept = platform === 'business' && hasEndedUnfinished(old);
	const id = externalId ?? (isKept ? oldId : undefined);
	delete fields.external_id;
	Object.assign(fields, withoutEmpty({ external_id: id }));
	return oldId === undefined || id !== undefined
		? []
		: [{ subject: '', field: 'External ID', value: oldId, reason: 'keptByOld' }];
}
