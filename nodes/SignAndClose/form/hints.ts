import type { IDataObject } from 'n8n-workflow';

import { toCamelCase } from '../messages/situation';
import { joinSentences } from '../values/words';
import { NOTE_QUESTION } from '../messages/remedies';
import type { OperationCall } from '../run/operation';
import type { Params } from '../run/parameters/params';
import { isDraft } from '../transport/answers/transactionState';
import { asObjects } from '../values/json';
import { isBlank, type FieldDifference } from '../values/comparison';
import { toTitle } from './titles';

/* Hints beside a node's output. */

/**
 * Says what to do next with a draft.
 * @param state says that it's one
 */
export const describeNextStep = (transaction: IDataObject, state?: string) =>
	isDraft(transaction)
		? joinHints([state, "Before 'Transaction: Send', add the documents with 'Document: Add'"])
		: undefined;

/** The types of closings for which a lender decides it (docs/service/closings.md#when-an-enote-is-mandatory). */
export const TYPES_WITH_NOTE: ReadonlySet<unknown> = new Set(['refinance', 'purchase_buyer_loan']);

/** Whether a new closing has a title agency, or a contact in its place, as it was sent. */
export const namesTitleAgency = ({ title_agency_id: agency, contacts }: IDataObject): boolean =>
	agency !== undefined || asObjects(contacts).some(({ role }) => role === 'title_agent');

/**
 * Says what a new closing lacks if a lender sends it (docs/service/transactions.md#send), and asks for
 * its note. An answer shows the lender, or nobody knows which kind of organization the key belongs to.
 * @param body the closing as it was sent
 */
export function describeLenderNeeds(
	body: IDataObject,
	{ lender, transaction_type: type }: IDataObject,
	hasEnote: boolean,
) {
	const asks =
		!hasEnote && body.paper_note_consent !== true && (isBlank(type) || TYPES_WITH_NOTE.has(type));
	const isShown = !isBlank(lender);
	return joinHints([
		!namesTitleAgency(body) &&
			`There's no title agency, which ${isShown ? 'a lender needs' : "you need if you're a lender"}: add it with 'Transaction: Update'`,
		asks && (isShown ? NOTE_QUESTION : `If you're a lender: ${NOTE_QUESTION}`),
	]);
}

/** Says that a type was chosen in vain (docs/service/closings.md#type-of-a-closing-with-identity-assurance). */
export const describeMissingType = (
	type: string | undefined,
	{ transaction_type: answeredType }: IDataObject,
) =>
	type !== undefined && isBlank(answeredType)
		? 'The service shows no transaction type: closings whose signers have identity checks are created without it'
		: undefined;

/** Names of fields for messages. */
type Labels = Pick<Params, 'label'>;

/** What the form calls a field of the request. */
export function findFieldLabel(labels: Labels, field: string): string {
	const labeledName = [field, toCamelCase(field)].find((name) => labels.label(name) !== name);
	return labeledName === undefined ? toTitle(field) : labels.label(labeledName);
}

/**
 * Says which fields the service took and shows with another value than the one it was sent.
 * @returns undefined when there are none
 */
export const describeDifferences = (
	labels: Labels,
	differing: FieldDifference[],
): string | undefined =>
	joinHints(
		differing.map(
			({ field, expected, actual }) =>
				`'${findFieldLabel(labels, field)}': sent ${quoteValue(expected)}, the service shows ${quoteValue(actual)}`,
		),
	);

/** What a change of a draft didn't send back, by the names of answers. */
export interface NotSent {
	/** What a closing may have and the service didn't show. It counts as unset. */
	notShown: string[];
	/** What the service showed, and no request is known to have. */
	unknown: string[];
	/** Settings that no answer shows, and that are now those of the item, whatever they were. */
	hidden: string[];
}

/** Names what wasn't sent back. */
export function describeNotSent({
	notShown = [],
	unknown = [],
	hidden = [],
}: Partial<NotSent> = {}) {
	const formatNames = (names: string[]) => names.map((name) => name.replace(/_/g, ' ')).join(', ');
	return joinHints([
		notShown.length > 0 &&
			`The service shows no ${formatNames(notShown)} of this closing, so none was sent back`,
		unknown.length > 0 &&
			`The service shows ${formatNames(unknown)}, which the node doesn't know and didn't send back. Check whether the transaction still has it`,
		hidden.length > 0 &&
			"Identity checks and other settings that the service doesn't show are now as in the item. If somebody has changed them by hand, change them again",
	]);
}

/** Says what became of a change otherwise than it was wanted, and what it may have lost. */
export const describeChange = (
	labels: Labels,
	{ differing, notSent }: { differing: FieldDifference[]; notSent?: NotSent },
): string | undefined =>
	joinHints([describeDifferences(labels, differing), describeNotSent(notSent)]);

/** How much of a value a hint shows. */
const LONGEST_VALUE = 200;

/** A value in quotes, lists and objects as JSON. */
export function quoteValue(value: unknown): string {
	if (isBlank(value)) return 'nothing';
	const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
	return text.length > LONGEST_VALUE ? `'${text.slice(0, LONGEST_VALUE)}...'` : `'${text}'`;
}

/** Joins the sentences that are there; undefined when there are none. */
export const joinHints = (texts: Parameters<typeof joinSentences>): string | undefined =>
	joinSentences(...texts) || undefined;

/** Says that the service took the item without the node's reference. */
export const describeRefusedReference = ({ sending }: OperationCall): string | undefined =>
	sending.get()?.isRefused === true
		? "The service takes no reference of the node. If an answer gets lost, its outcome is unknown. To spare a request for each item, turn off 'Send Reference'"
		: undefined;
