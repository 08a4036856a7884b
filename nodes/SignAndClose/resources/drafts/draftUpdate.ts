import type { IDataObject } from 'n8n-workflow';

import { mapSeen, orLater, UNKNOWN, type Goal, type Seen } from '../../run/outcome/goals';
import { write } from '../../run/outcome/write';
import { toTransaction, type TransactionAnswer } from '../../transport/answers/answers';
import { retrieveTransaction } from '../../transport/answers/retrieveTransaction';
import type { Call, ServiceClient } from '../../transport/client';
import { ServiceFailure, type FailureReason } from '../../transport/failure/failure';
import type { Platform } from '../../transport/service/endpoints';
import { asObject, asObjects, asText } from '../../values/json';
import { isEmpty } from '../../values/same';
import type { NotSent } from '../shared/hints';
import { inCountry, phoneFields } from '../shared/phone';
import { inTransaction } from '../shared/toCheck';
import { chosenSigner, signerName } from '../signer/api';
import { judgeChanges, type Changed } from './changes';
import {
	signerFieldsNotShown,
	signerToRequest,
	transactionToRequest,
	unknownOfClosing,
	unknownOfSigners,
} from './requestFields';

/*
 * Changes drafts. A closing has no partial update, and its PUT may reset what isn't sent, so it is
 * read, merged and written as a whole (docs/service/transactions.md#update-a-draft). Some settings
 * aren't sure to be shown by any answer: a person says what they are, because whoever writes a closing
 * or signers back would remove them (docs/service/signers.md#signer-answer).
 */

/** The settings of a transaction that no answer shows, as a person has given them. */
export interface GivenSettings {
	/** Fields of the closing itself. */
	closing: IDataObject;
	/** Fields of signers, by ID, external ID or email address. Whoever isn't here has none. */
	signers: Array<{ signer: string; fields: IDataObject }>;
}

/** Whether to stop where settings aren't shown, or what they are. */
export type NotShown = 'ask' | GivenSettings;

/** Says that there are no settings but those that are shown. */
export const NONE: GivenSettings = { closing: {}, signers: [] };

/** A change of a draft that is ready to be sent: nothing of it can fail here any more. */
export interface DraftUpdate {
	transactionId: string;
	platform: Platform;
	/** Fields of the request that change; `signers` are all signers. */
	changes: IDataObject;
	/** The transaction as retrieved before. */
	before: TransactionAnswer;
	request: Pick<Call, 'body' | 'assurance'>;
	/** What may be lost by it, for a hint. */
	notSent: NotSent;
}

/** What a change of a draft consists of. */
interface Change {
	/** Fields of the request; `street_address` and `redirect` are merged by their parts. */
	fields: IDataObject;
	/** Fields of one of the signers in `before`. The others stay as they are. */
	correction?: { signer: IDataObject; changes: IDataObject };
	/** Signers in `before` whom the fields write back, with what changes of each of them. */
	writtenBack?: ReadonlyMap<IDataObject, IDataObject>;
	notShown: NotShown;
}

/** Fields of a closing that no answer shows. */
const CLOSING_FIELDS = ['paper_note_consent', 'require_new_signer_verification'];
/** What is left out of answers where it's unset (docs/service/transactions.md#unset-fields). */
const PLACES = ['street_address', 'recording_jurisdiction', 'title_agency', 'title_underwriter'];

const stop = (reason: FailureReason) => new ServiceFailure(reason, { final: true });

/**
 * Builds a change of a draft: a partial one on business, the whole transaction on real estate. What
 * is written back has to be known before.
 * @param before as retrieved a moment ago; it may still be sent, and be recalled before the change
 * @throws ServiceFailure `incompletelyRead`, `settingsNotShown`, or what keptSigners() finds
 */
export function planUpdate(
	before: TransactionAnswer,
	platform: Platform,
	assuranceField: string,
	{ fields, correction, writtenBack = new Map(), notShown }: Change,
): DraftUpdate {
	const onRealEstate = platform === 'realEstate';
	const { signers: newSigners, ...others } = fields;
	const keepsSigners = correction !== undefined || (onRealEstate && newSigners === undefined);
	if (onRealEstate || keepsSigners) requireWhole(before);
	const kept = (before.signers ?? []).map((signer): [IDataObject, IDataObject] => [
		signer,
		signer === correction?.signer ? correction.changes : {},
	]);
	const hidden = [
		...hiddenOfSigners(keepsSigners ? kept : [...writtenBack], platform, assuranceField),
		...(onRealEstate ? hiddenOfClosing(before, fields) : []),
	];
	if (notShown === 'ask' && hidden.length > 0)
		throw stop({ code: 'settingsNotShown', names: hidden });
	const settings = notShown === 'ask' ? NONE : notShown;
	const signers = keepsSigners
		? keptSigners(before, settings, assuranceField, correction)
		: asObjects(newSigners);
	const body: IDataObject = onRealEstate
		? { ...mergeClosing(before, others, settings), ...closingSigners(signers) }
		: { ...others, ...(signers.length > 0 && { signers }) };
	const assurance = signers.some((signer) => !isEmpty(signer[assuranceField]));
	// The interface asks for null where signers have identity checks
	// (docs/service/api.md#path-of-a-closing-with-identity-assurance).
	const { transaction_type: type } = before;
	if (onRealEstate && body.transaction_type === undefined)
		if (type === null || (type === undefined && assurance)) body.transaction_type = null;
	return {
		transactionId: before.id,
		platform,
		changes: correction === undefined ? fields : { ...fields, signers },
		before,
		request: onRealEstate ? { body, assurance } : { body },
		notSent: {
			notShown: onRealEstate
				? PLACES.filter(
						(name) => before[name] === undefined && !(name in fields) && !(`${name}_id` in fields),
					)
				: [],
			unknown: [
				...(onRealEstate ? unknownBeside(fields, before) : []),
				...unknownOfSigners(
					keepsSigners ? (before.signers ?? []) : [...writtenBack.keys()],
					assuranceField,
				).filter((name) => !signers.some((signer) => name in signer)),
			],
		},
	};
}

/** Names what a closing shows, and its request leaves out because it isn't known here. */
function unknownBeside(fields: IDataObject, closing: TransactionAnswer): string[] {
	const { own, contacts } = unknownOfClosing(closing);
	return [...own.filter((name) => !(name in fields)), ...('contacts' in fields ? [] : contacts)];
}

/**
 * Checks that an answer is a whole one: these fields are never left out
 * (docs/service/transactions.md#answer-fields). A shorter one would wipe what it leaves out.
 */
function requireWhole(transaction: TransactionAnswer): void {
	const missing = ['signers', 'documents', 'status'].filter(
		// Null signers say only that they aren't shown.
		(name) => transaction[name] === undefined || (name === 'signers' && transaction[name] === null),
	);
	if (missing.length > 0) throw stop({ code: 'incompletelyRead', missing, toWriteBack: true });
}

/** Names the settings of a closing itself that aren't shown and don't change. */
function hiddenOfClosing(closing: TransactionAnswer, changes: IDataObject): string[] {
	return [
		...CLOSING_FIELDS.filter((name) => closing[name] === undefined),
		// It can be missing where signers have identity checks.
		...(isEmpty(closing.transaction_type) ? ['transaction_type'] : []),
	].filter((name) => changes[name] === undefined);
}

/**
 * Names the settings of signers that aren't shown and don't change.
 * @param signers each with what changes
 */
function hiddenOfSigners(
	signers: ReadonlyArray<[signer: IDataObject, changes: IDataObject]>,
	platform: Platform,
	assuranceField: string,
): string[] {
	const names = signers.flatMap(([signer, changes]) =>
		signerFieldsNotShown(signer, platform, assuranceField).filter(
			(name) => changes[name] === undefined,
		),
	);
	return [...new Set(names)].map((name) =>
		name === assuranceField ? 'assurance_requirement' : name,
	);
}

/**
 * Builds the signers of a transaction as they are, with given settings and a correction, as fields of
 * a request.
 * @throws ServiceFailure when settings are given for somebody who isn't one signer;
 *   `signerNotWritable` for a signer without an address; `externalIdInUse`, `externalIdTaken`,
 *   `signerIncomplete`
 */
function keptSigners(
	transaction: TransactionAnswer,
	{ signers: given }: GivenSettings,
	assuranceField: string,
	correction: Change['correction'],
): IDataObject[] {
	const settings = new Map<IDataObject, IDataObject>();
	for (const { signer, fields } of given) {
		const answer = chosenSigner(transaction, signer);
		settings.set(answer, { ...settings.get(answer), ...fields });
	}
	const answers: IDataObject[] = transaction.signers ?? [];
	const signers = answers.map((answer) => {
		const signer = { ...signerToRequest(answer, assuranceField), ...settings.get(answer) };
		return answer === correction?.signer ? correctedSigner(signer, correction.changes) : signer;
	});
	for (const [index, signer] of signers.entries()) {
		const answer = answers[index];
		if (isEmpty(signer.email) && isEmpty(signer.recipient_group))
			throw stop({ code: 'signerNotWritable', signer: signerName(answer) });
		requireComplete(signer, signerName(answer), assuranceField);
		const [former, own] = [asText(answer.external_id), asText(signer.external_id)];
		if (own === former) continue;
		if (former !== undefined) requireUnused(transaction, former);
		const other = answers.find((one) => one !== answer && asText(one.external_id) === own);
		if (own !== undefined && other !== undefined)
			throw stop({ code: 'externalIdTaken', externalId: own, signer: signerName(other) });
	}
	return signers;
}

/**
 * Checks fields that require each other (docs/service/transactions.md#rules-between-fields): after a
 * recall, a refusal of the service comes too late.
 */
function requireComplete(fields: IDataObject, signer: string, assuranceField: string): void {
	const hasSms = !isEmpty(asObject(fields[assuranceField]).multi_factor_authentication);
	const required: Array<[given: boolean, missing: string, beside: string]> = [
		[!isEmpty(fields.capacity), 'entity', 'capacity'],
		[!isEmpty(fields.entity), 'capacity', 'entity'],
		[!isEmpty(fields.notary_id), 'order', 'notary'],
		[hasSms && isEmpty(fields.phone_number), 'phone', 'text message (SMS)'],
	];
	const lacking = required.find(([given, field]) => given && isEmpty(fields[field]));
	if (lacking === undefined) return;
	const [, missing, beside] = lacking;
	throw stop({ code: 'signerIncomplete', signer, missing, beside });
}

/**
 * Checks that no designation would lose its signer, because designations refer to the external ID
 * (docs/service/documents.md#signer-identifier). An answer may leave out to whom one belongs; then
 * it counts as the signer's.
 */
function requireUnused(transaction: TransactionAnswer, externalId: string): void {
	const documents = asObjects(transaction.documents)
		.filter(({ signing_designations: designations }) =>
			asObjects(designations).some(
				({ signer_identifier: signer }) => (asText(signer) ?? externalId) === externalId,
			),
		)
		.map(({ document_name: name, id }) => asText(name) ?? String(id));
	if (documents.length > 0) throw stop({ code: 'externalIdInUse', externalId, documents });
}

/**
 * Builds the signer fields of a request for a closing: `signer` for one, `signers` for several,
 * because the service refuses both together
 * (docs/service/transactions.md#signer-signers-and-cosigner).
 * @param signers request fields of each signer, the primary one first
 */
export function closingSigners(signers: IDataObject[]): IDataObject {
	if (signers.length === 0) return {};
	return signers.length === 1 ? { signer: signers[0] } : { signers };
}

/** The closing as it is, with the changes of its own fields. */
function mergeClosing(
	closing: TransactionAnswer,
	{ street_address: newAddress, redirect, ...changes }: IDataObject,
	settings: GivenSettings,
): IDataObject {
	const kept = transactionToRequest(closing, 'realEstate');
	const address = { ...asObject(kept.street_address), ...asObject(newAddress) };
	return {
		...kept,
		...settings.closing,
		...changes,
		...(redirect !== undefined && {
			redirect: { ...asObject(kept.redirect), ...asObject(redirect) },
		}),
		...(!isEmpty(address) && { street_address: address }),
	};
}

/**
 * A signer of a request with a correction. The address is merged by its parts. A number without a
 * country code is in the country that the former one had.
 */
export function correctedSigner(
	{ phone: formerPhone, phone_number: formerNumber, ...signer }: IDataObject,
	{ phone, phone_number: number, address, ...changes }: IDataObject,
): IDataObject {
	const country = asText(asObject(formerPhone).country_code)?.replace(/\D/g, '') || undefined;
	const numbers =
		phone !== undefined || isEmpty(number)
			? { phone, phone_number: number }
			: phoneFields(inCountry(String(number), country));
	const former = { phone: formerPhone, phone_number: formerNumber };
	return {
		...signer,
		...changes,
		...withoutUndefined(phone === undefined && number === undefined ? former : numbers),
		...(address !== undefined && {
			address: address === null ? null : { ...asObject(signer.address), ...asObject(address) },
		}),
	};
}

const withoutUndefined = (fields: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** Sends the request of a change of a draft. */
export const requestUpdate = async (
	service: ServiceClient,
	{ transactionId, platform, request }: DraftUpdate,
): Promise<unknown> =>
	await service.json('updateTransaction', { path: { transactionId }, platform, ...request });

/**
 * Changes a draft, as a step of a longer job.
 * @throws ServiceFailure `notDone` when the service shows no change; with `flags.unknownOutcome` when the
 *   change may have been made
 */
export const sendUpdate = async (service: ServiceClient, update: DraftUpdate): Promise<Changed> =>
	await write(
		service,
		async () => await requestUpdate(service, update),
		updatedGoal(service, update),
	);

/** The goal of an update: the transaction shows the changes. */
export function updatedGoal(
	service: ServiceClient,
	update: Pick<DraftUpdate, 'transactionId' | 'platform' | 'changes'> & Partial<DraftUpdate>,
	what = 'whether the transaction shows the change',
): Goal<Changed> {
	const { transactionId, platform, changes, before, notSent } = update;
	const { assuranceField } = service.settings;
	const judge = (transaction: TransactionAnswer, answered: boolean): Seen<Changed> =>
		mapSeen(
			judgeChanges(changes, transaction, { platform, assuranceField, before, answered }),
			(changed) => ({ ...changed, notSent }),
		);
	return {
		fromAnswer: (answer, answered = true) => {
			const transaction = toTransaction(answer);
			const seen = transaction === undefined ? UNKNOWN : judge(transaction, answered);
			// The answer of a write may leave out what it would show when it's retrieved.
			return seen.state === 'done' && seen.shown.differing.length === 0 ? seen : UNKNOWN;
		},
		look: async (how) =>
			orLater(
				judge(await retrieveTransaction(service, transactionId, platform), how.answered),
				how,
			),
		toCheck: inTransaction(transactionId, what),
	};
}
