import type { IDataObject } from 'n8n-workflow';

import { judgeParts, mapSeen, orLater, UNKNOWN, type Goal } from '../../run/outcome/goals';
import { toTransaction, type TransactionAnswer } from '../../transport/answers/answers';
import { retrieveTransaction } from '../../transport/answers/retrieveTransaction';
import type { Call, ServiceClient } from '../../transport/client';
import type { ServiceSettings } from '../../transport/credential/credential';
import { ServiceFailure } from '../../transport/failure/failure';
import type { Platform } from '../../transport/service/endpoints';
import { asObject, asObjects } from '../../values/json';
import { isEmpty, type Difference } from '../../values/same';
import type { NotSent } from '../shared/hints';
import { inTransaction } from '../shared/toCheck';
import { withExternalIds } from '../signer/people';
import { partsOfChange } from './changes';
import type { ComparedTransaction } from './comparison';
import { signerFieldsNotShown, signerToRequest, transactionToRequest } from './requestFields';
import {
	closingSigners,
	correctedSigner,
	keptSigners,
	type GivenSettings,
	type SignerChanges,
} from './signers';
import { unknownOfClosing, unknownOfSigners } from './unknownFields';

/*
 * Changes drafts. A closing has no partial update, and its PUT may reset what isn't sent, so it is
 * read, merged and written as a whole (docs/service/transactions.md#update-a-draft). Some settings
 * aren't sure to be shown by any answer: a person says what they are, because whoever writes a closing
 * or signers back would remove them (docs/service/signers.md#signer-answer).
 */

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

/** A transaction that has been changed. */
export interface Changed {
	transaction: TransactionAnswer;
	/** Fields that the service took and shows with another value. */
	differing: Difference[];
	/** What wasn't sent back. */
	notSent?: NotSent;
}

/** What a change of a draft consists of. */
export interface Change {
	/** Fields of the request; `street_address` and `redirect` are merged by their parts. */
	fields: IDataObject;
	/** Those of the signers in `before` whom the fields write back, or without signers among them, who change. */
	signerChanges?: SignerChanges;
	notShown: NotShown;
}

/** Fields of a closing that no answer shows. */
const CLOSING_FIELDS = ['paper_note_consent', 'require_new_signer_verification'];
/** What is left out of answers where it's unset (docs/service/transactions.md#unset-fields). */
const PLACES = ['street_address', 'recording_jurisdiction', 'title_agency', 'title_underwriter'];

/**
 * Builds a change of a draft: a partial one on business, the whole transaction on real estate. What
 * is written back has to be known before.
 * @param before as retrieved a moment ago; it may still be sent, and be recalled before the change
 * @throws ServiceFailure `incompletelyRead`, `settingsNotShown`, or what keptSigners() finds
 */
export function planUpdate(
	{ assuranceField }: Pick<ServiceSettings, 'assuranceField'>,
	before: TransactionAnswer,
	platform: Platform,
	{ fields, signerChanges = new Map(), notShown }: Change,
): DraftUpdate {
	const onRealEstate = platform === 'realEstate';
	const { signers: newSigners, ...others } = fields;
	const keepsSigners = newSigners === undefined && (onRealEstate || signerChanges.size > 0);
	if (onRealEstate || keepsSigners) requireWhole(before);
	const writtenBack = keepsSigners ? (before.signers ?? []) : [...signerChanges.keys()];
	const settings = requireKnown(notShown, [
		...writtenBack.flatMap((signer) =>
			signerFieldsNotShown(signer, platform, assuranceField)
				.filter((name) => signerChanges.get(signer)?.[name] === undefined)
				.map((name) => (name === assuranceField ? 'assurance_requirement' : name)),
		),
		...(onRealEstate ? hiddenOfClosing(before, fields) : []),
	]);
	const signers = keepsSigners
		? keptSigners(before, settings, assuranceField, signerChanges)
		: asObjects(newSigners);
	const unknown = unknownOfSigners(writtenBack, assuranceField).filter(
		(name) => !signers.some((signer) => name in signer),
	);
	const changes = keepsSigners && signerChanges.size > 0 ? { ...fields, signers } : fields;
	const update = { transactionId: before.id, platform, changes, before };
	if (!onRealEstate) {
		const request = { body: { ...others, ...(signers.length > 0 && { signers }) } };
		return { ...update, request, notSent: { notShown: [], unknown } };
	}
	const unset = PLACES.filter(
		(name) => before[name] === undefined && !(name in fields) && !(`${name}_id` in fields),
	);
	const assurance = signers.some((signer) => !isEmpty(signer[assuranceField]));
	const body = mergeClosing(before, others, settings, assurance);
	return {
		...update,
		request: { body: { ...body, ...closingSigners(signers) }, assurance },
		notSent: { notShown: unset, unknown: [...unknownOfClosing(before, fields), ...unknown] },
	};
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
	if (missing.length > 0)
		throw new ServiceFailure(
			{ code: 'incompletelyRead', missing, toWriteBack: true },
			{ final: true },
		);
}

/**
 * Returns the settings that a person has given.
 * @param hidden the names of those that aren't shown and don't change
 * @throws ServiceFailure `settingsNotShown` when there are some, and the person hasn't said what they are
 */
function requireKnown(notShown: NotShown, hidden: string[]): GivenSettings {
	if (notShown !== 'ask') return notShown;
	const names = [...new Set(hidden)];
	if (names.length > 0)
		throw new ServiceFailure({ code: 'settingsNotShown', names }, { final: true });
	return NONE;
}

/** Names the settings of a closing itself that aren't shown and don't change. */
function hiddenOfClosing(closing: TransactionAnswer, changes: IDataObject): string[] {
	return [
		...CLOSING_FIELDS.filter((name) => closing[name] === undefined),
		// It can be missing where signers have identity checks.
		...(isEmpty(closing.transaction_type) ? ['transaction_type'] : []),
	].filter((name) => changes[name] === undefined);
}

/** The closing as it is, with the changes of its own fields. */
function mergeClosing(
	closing: TransactionAnswer,
	{ street_address: newAddress, redirect, ...changes }: IDataObject,
	settings: GivenSettings,
	assurance: boolean,
): IDataObject {
	const kept = transactionToRequest(closing, 'realEstate');
	const address = { ...asObject(kept.street_address), ...asObject(newAddress) };
	// The interface asks for null where signers have identity checks
	// (docs/service/api.md#path-of-a-closing-with-identity-assurance).
	const { transaction_type: type } = closing;
	const isNull = type === null || (type === undefined && assurance);
	return {
		...(isNull && { transaction_type: null }),
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
 * Builds the change that makes a draft what the item wants. What the item doesn't say stays. What no
 * answer shows goes along with a change that is needed anyway.
 * @param removes whether the signers go whom the item doesn't name
 * @returns undefined if nothing has to change
 */
export function changesFor(
	{ transaction, fields, unseen, people, notNamed, differences }: ComparedTransaction,
	assuranceField: string,
	removes: boolean,
): Omit<Change, 'notShown'> | undefined {
	const changesPeople =
		(removes && notNamed.length > 0) ||
		differences.some(
			({ about, kind }) =>
				(about === 'signer' && kind === 'missing') || (about === 'person' && kind !== 'unknown'),
		);
	if (isEmpty(fields) && !changesPeople) return undefined;
	const all = { ...unseen, ...fields };
	if (!changesPeople) return { fields: all };
	const signerChanges = new Map<IDataObject, IDataObject>();
	for (const signer of asObjects(transaction.signers)) {
		const own = people.find(({ shown }) => shown === signer);
		const id = own?.id ?? signer.external_id;
		if (own !== undefined || !removes)
			signerChanges.set(signer, { ...own?.wanted, external_id: id });
	}
	const signers = [...signerChanges].map(([signer, changes]) =>
		correctedSigner(signerToRequest(signer, assuranceField), changes),
	);
	for (const { wanted, shown, id } of people)
		if (shown === undefined) signers.push({ ...wanted, external_id: id });
	return { fields: { ...all, signers: withExternalIds(signers) }, signerChanges };
}

/** Sends the request of a change of a draft. */
export const requestUpdate = async (
	service: ServiceClient,
	{ transactionId, platform, request }: DraftUpdate,
): Promise<unknown> =>
	await service.json('updateTransaction', { path: { transactionId }, platform, ...request });

/** The goal of an update: the transaction shows the changes. */
export function updatedGoal(
	service: ServiceClient,
	update: Pick<DraftUpdate, 'transactionId' | 'platform' | 'changes'> & Partial<DraftUpdate>,
	what = 'whether the transaction shows the change',
): Goal<Changed> {
	const { transactionId, platform, changes, before, notSent } = update;
	const context = { ...service.settings, platform, before };
	const judge = (transaction: TransactionAnswer, answered: boolean) =>
		mapSeen(
			judgeParts(partsOfChange(changes, transaction, context), answered),
			(differing): Changed => ({ transaction, differing, notSent }),
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
