import type { IDataObject } from 'n8n-workflow';

import { sentences } from '../../messages/explainedFailure';
import type { OperationCall } from '../../run/operation';
import type { Params } from '../../run/parameters/params';
import { isDraft } from '../../transport/answers/transactionState';
import { asObjects } from '../../values/json';
import { isEmpty, type Difference } from '../../values/same';
import { titleOf } from './titles';

/* Hints beside a node's output. */

/**
 * Says what to do next with a draft.
 * @param state says that it's one
 */
export const nextStep = (transaction: IDataObject, state = 'This is a draft') =>
	isDraft(transaction) ? `${state}. Next: 'Document: Add', then 'Transaction: Send'` : undefined;

/**
 * Says what a new closing lacks if a lender sends it (docs/service/transactions.md#send). Nobody
 * knows beforehand which kind of organization a key belongs to.
 * @param body the closing as it was sent
 */
export function lenderHint({ title_agency_id: agency, contacts, ...body }: IDataObject) {
	const hasAgency =
		agency !== undefined || asObjects(contacts).some(({ role }) => role === 'title_agent');
	const lacks = [
		!hasAgency && 'a title agency',
		body.paper_note_consent !== true && "an eNote or 'Paper Note Consent'",
	].filter((lack) => lack !== false);
	return lacks.length === 0 ? undefined : `Lenders also need ${lacks.join(' and ')}`;
}

/** Says that a type was chosen in vain (docs/service/closings.md#type-of-a-closing-with-identity-assurance). */
export const typeHint = (type: string | undefined, { transaction_type: shown }: IDataObject) =>
	type !== undefined && isEmpty(shown)
		? 'The service shows no transaction type: closings whose signers have identity checks are created without it'
		: undefined;

/** Names of fields for messages. */
export type Labels = Pick<Params, 'label'>;

/** What the form calls a field of the request. */
export function fieldLabel(labels: Labels, field: string): string {
	const inner = field.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
	const known = [field, inner].find((name) => labels.label(name) !== name);
	return known === undefined ? titleOf(field) : labels.label(known);
}

/**
 * Says which fields the service took and shows with another value than the one it was sent.
 * @returns undefined when there are none
 */
export const differenceHint = (labels: Labels, differing: Difference[]): string | undefined =>
	joined(
		differing.map(
			({ field, wanted, shown }) =>
				`'${fieldLabel(labels, field)}': sent ${inQuotes(wanted)}, the service shows ${inQuotes(shown)}`,
		),
	);

/** What a change of a draft didn't send back, by the names of answers. */
export interface NotSent {
	/** What a closing may have and the service didn't show. It counts as unset. */
	notShown: string[];
	/** What the service showed, and no request is known to have. */
	unknown: string[];
}

/** Names what wasn't sent back. */
export function notSentHint({ notShown = [], unknown = [] }: Partial<NotSent> = {}) {
	const inWords = (names: string[]) => names.map((name) => name.replace(/_/g, ' ')).join(', ');
	return joined([
		notShown.length > 0 &&
			`The service shows no ${inWords(notShown)} of this closing, so none was sent back`,
		unknown.length > 0 &&
			`The service shows ${inWords(unknown)}, which the node doesn't know and didn't send back. Check whether the transaction still has it`,
	]);
}

/** Says what became of a change otherwise than it was wanted, and what it may have lost. */
export const changeHint = (
	labels: Labels,
	{ differing, notSent }: { differing: Difference[]; notSent?: NotSent },
): string | undefined => joined([differenceHint(labels, differing), notSentHint(notSent)]);

/** How much of a value a hint shows. */
const LONGEST_VALUE = 200;

/** A value in quotes, lists and objects as JSON. */
export function inQuotes(value: unknown): string {
	if (isEmpty(value)) return 'nothing';
	const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
	return text.length > LONGEST_VALUE ? `'${text.slice(0, LONGEST_VALUE)}...'` : `'${text}'`;
}

/** Joins the sentences that are there; undefined when there are none. */
export const joined = (texts: Parameters<typeof sentences>): string | undefined =>
	sentences(...texts) || undefined;

/** Says that the service took the item without the node's reference. */
export const referenceHint = ({ sending }: OperationCall): string | undefined =>
	sending.get()?.isRefused === true
		? "The service takes no reference of the node. If an answer gets lost, its outcome is unknown. To spare a request for each item, turn off 'Send Reference'"
		: undefined;
