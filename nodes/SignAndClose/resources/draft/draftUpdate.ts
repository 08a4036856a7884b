import type { IDataObject } from 'n8n-workflow';

import { evaluateParts, mapVerdict, keepOpenIfLost, UNCERTAIN, type Goal } from '../../run/goals';
import { toTransaction, type TransactionAnswer } from '../../transport/answers/shapes';
import { retrieveTransaction } from '../../transport/answers/transaction';
import type { ServiceClient } from '../../transport/client';
import type { ServiceSettings } from '../../transport/service/credential';
import { ServiceFailure } from '../../transport/failure/failure';
import type { Platform } from '../../transport/service/endpoints';
import { asObjects } from '../../values/json';
import { isBlank, type FieldDifference } from '../../values/comparison';
import type { NotSent } from '../../form/hints';
import { describeTransactionCheck } from '../../form/lostAnswers';
import { buildClosingWriteBack, sendEitherType, type ClosingWriteBack } from './closingWriteBack';
import { compareChange } from './fieldComparison';
import { listHiddenSignerFields } from './requestFields';
import { buildKeptSigners, type HiddenValues, type SignerChanges } from './signerRequests';
import { listUnknownClosingFields, listUnknownSignerFields } from './unknownFields';

/*
 * Changes drafts. A closing has no partial update, and its PUT may reset what isn't sent, so it is
 * read, merged and written as a whole (docs/service/transactions.md#update-a-draft). Some settings
 * aren't sure to be shown by any answer: a person says what they are, because whoever writes a closing
 * or signers back would remove them (docs/service/signers.md#signer-answer).
 */

/** Whether to stop where settings aren't shown, or what they are. */
export type HiddenSettings = 'ask' | HiddenValues;

/** Says that there are no settings but those that are shown. */
export const NO_HIDDEN_SETTINGS: HiddenValues = { closing: {}, signers: [] };

/** A change of a draft that is ready to be sent: nothing of it can fail here any more. */
export interface DraftUpdate extends ClosingWriteBack {
	transactionId: string;
	platform: Platform;
	/** Fields of the request that change; `signers` are all signers. */
	changes: IDataObject;
	/** The transaction as retrieved before. */
	before: TransactionAnswer;
	/** What may be lost by it, for a hint. */
	notSent: NotSent;
}

/** A transaction that has been changed. */
export interface ChangedTransaction {
	transaction: TransactionAnswer;
	/** Fields that the service took and shows with another value. */
	differing: FieldDifference[];
	/** What wasn't sent back. */
	notSent?: NotSent;
}

/** What a change of a draft consists of. */
export interface DraftChange {
	/** Fields of the request; `street_address` and `redirect` are merged by their parts. */
	fields: IDataObject;
	/** Those of the signers in `before` whom the fields write back, or without signers among them, who change. */
	signerChanges?: SignerChanges;
	/** Signers of whom an item says all that the draft was made with, and so does it of the closing. */
	knownSigners?: ReadonlySet<IDataObject>;
	notShown: HiddenSettings;
}

/** Fields of a closing that no answer shows. */
const HIDDEN_CLOSING_FIELDS = ['paper_note_consent', 'require_new_signer_verification'];
/** What is left out of answers where it's unset (docs/service/transactions.md#unset-fields). */
export const OPTIONAL_PLACES = [
	'street_address',
	'recording_jurisdiction',
	'title_agency',
	'title_underwriter',
];

/**
 * Builds a change of a draft: a partial one on business, the whole transaction on real estate. What
 * is written back has to be known before.
 * @param before as retrieved a moment ago; it may still be sent, and be recalled before the change
 * @throws ServiceFailure `incompletelyRead`, `settingsNotShown`, also where nobody knows the type of a
 *   closing that is to be recalled, or what buildKeptSigners() finds
 */
export function planDraftUpdate(
	{ assuranceField }: Pick<ServiceSettings, 'assuranceField'>,
	before: TransactionAnswer,
	platform: Platform,
	{ fields, signerChanges = new Map(), knownSigners, notShown }: DraftChange,
): DraftUpdate {
	const onRealEstate = platform === 'realEstate';
	const { signers: newSigners, ...otherFields } = fields;
	const keepsSigners = newSigners === undefined && (onRealEstate || signerChanges.size > 0);
	if (onRealEstate || keepsSigners) requireCompleteAnswer(before);
	const writtenBack = keepsSigners ? (before.signers ?? []) : [...signerChanges.keys()];
	const isKnown = (signer: IDataObject) => knownSigners?.has(signer) === true;
	const listHidden = (signer: IDataObject) =>
		listHiddenSignerFields(signer, platform, assuranceField).filter(
			(name) => signerChanges.get(signer)?.[name] === undefined,
		);
	const settings = requireHiddenSettings(notShown, assuranceField, [
		...writtenBack.filter((signer) => !isKnown(signer)).flatMap(listHidden),
		...(onRealEstate && knownSigners === undefined ? listHiddenClosingFields(before, fields) : []),
	]);
	const hidden = notShown === 'ask' ? writtenBack.filter(isKnown).flatMap(listHidden) : [];
	const signers = keepsSigners
		? buildKeptSigners(before, settings, assuranceField, signerChanges)
		: asObjects(newSigners);
	const unknown = listUnknownSignerFields(writtenBack, assuranceField).filter(
		(name) => !signers.some((signer) => name in signer),
	);
	const changes = keepsSigners && signerChanges.size > 0 ? { ...fields, signers } : fields;
	const update = { transactionId: before.id, platform, changes, before };
	if (!onRealEstate) {
		const request = { body: { ...otherFields, ...(signers.length > 0 && { signers }) } };
		return { ...update, request, notSent: { notShown: [], unknown, hidden } };
	}
	return {
		...update,
		...buildClosingWriteBack(before, otherFields, settings, signers, assuranceField),
		notSent: {
			notShown: listUnshownPlaces(before, fields),
			unknown: [...listUnknownClosingFields(before, fields), ...unknown],
			hidden,
		},
	};
}

/** What is left out of an answer, so that it counts as unset, unless a change sets it. */
const listUnshownPlaces = (before: TransactionAnswer, changes: IDataObject): string[] =>
	OPTIONAL_PLACES.filter(
		(name) => before[name] === undefined && !(name in changes) && !(`${name}_id` in changes),
	);

/**
 * Checks that an answer is a whole one: these fields are never left out
 * (docs/service/transactions.md#answer-fields). A shorter one would wipe what it leaves out.
 */
export function requireCompleteAnswer(transaction: TransactionAnswer): void {
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
 * @param assuranceField the service's name for the identity-assurance object of a signer
 * @param hidden the names of those that aren't shown and don't change
 * @throws ServiceFailure `settingsNotShown` when there are some, and the person hasn't said what they are
 */
export function requireHiddenSettings(
	notShown: HiddenSettings,
	assuranceField: string,
	hidden: string[],
): HiddenValues {
	if (notShown !== 'ask') return notShown;
	const names = [
		...new Set(hidden.map((name) => (name === assuranceField ? 'assurance_requirement' : name))),
	];
	if (names.length > 0)
		throw new ServiceFailure({ code: 'settingsNotShown', names }, { final: true });
	return NO_HIDDEN_SETTINGS;
}

/** Names the settings of a closing itself that aren't shown and don't change. */
export function listHiddenClosingFields(
	closing: TransactionAnswer,
	changes: IDataObject,
): string[] {
	return [
		...HIDDEN_CLOSING_FIELDS.filter((name) => closing[name] === undefined),
		// It can be missing where signers have identity checks.
		...(isBlank(closing.transaction_type) ? ['transaction_type'] : []),
	].filter((name) => changes[name] === undefined);
}

/** Sends the request of a change of a draft. */
export const sendDraftUpdate = async (
	service: ServiceClient,
	{ transactionId, platform, request, otherType }: DraftUpdate,
): Promise<unknown> => {
	const send = async (body: IDataObject) =>
		await service.json('updateTransaction', {
			path: { transactionId },
			platform,
			...request,
			body,
		});
	return await sendEitherType(send, request.body, otherType);
};

/** The goal of an update: the transaction shows the changes. */
export function buildDraftUpdateGoal(
	service: ServiceClient,
	update: Pick<DraftUpdate, 'transactionId' | 'platform' | 'changes'> & Partial<DraftUpdate>,
	toCheck = 'whether the transaction shows the change',
): Goal<ChangedTransaction> {
	const { transactionId, platform, changes, before, notSent } = update;
	const context = { ...service.settings, platform, before };
	const evaluate = (transaction: TransactionAnswer, isAnswered: boolean) =>
		mapVerdict(
			evaluateParts(compareChange(changes, transaction, context), isAnswered),
			(differing): ChangedTransaction => ({ transaction, differing, notSent }),
		);
	return {
		fromAnswer: (answer, isAnswered = true) => {
			const transaction = toTransaction(answer);
			const verdict = transaction === undefined ? UNCERTAIN : evaluate(transaction, isAnswered);
			// The answer of a write may leave out what it would show when it's retrieved.
			return verdict.state === 'done' && verdict.value.differing.length === 0 ? verdict : UNCERTAIN;
		},
		look: async (look) =>
			keepOpenIfLost(
				evaluate(await retrieveTransaction(service, transactionId, platform), look.isAnswered),
				look,
			),
		toCheck: describeTransactionCheck(transactionId, toCheck),
	};
}
