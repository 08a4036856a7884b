import type { IDataObject } from 'n8n-workflow';

import type { OperationCall } from '../../../run/operation';
import type { TransactionAnswer } from '../../../transport/answers/shapes';
import { fetchList } from '../../../transport/answers/lists';
import { streamPages } from '../../../transport/answers/pages';
import { retrieveTransaction } from '../../../transport/answers/transaction';
import { hasEndedUnfinished } from '../../../transport/answers/transactionState';
import type { Call, ServiceClient } from '../../../transport/client';
import { asError, ServiceFailure } from '../../../transport/failure/failure';
import { asText } from '../../../values/json';
import { toMilliseconds } from '../../../values/times';
import { buildSignersKey, type NewTransaction } from './creation';
import {
	describeCreateAnother,
	NUMBER_FIELDS,
	type ExistingOptions,
	type NumberKey,
	type NumberField,
} from './options';
import {
	describeTransaction,
	describePeople,
	buildRefusal,
	requireUsable,
	findTie,
	type IdentityTie,
} from './identity';

/* Finds the transaction that an item was created as before: by its number and its type, exactly. */

/** The number by which an item is recognized: the first of these that it has. */
export function findNumberKey(
	{ body }: NewTransaction,
	numbers: NumberField[],
): NumberKey | undefined {
	const keys = numbers.map((field) => ({ field, value: String(body[field] ?? '') }));
	return keys.find(({ value }) => value !== '');
}

/** The type that an item is to have, where that is known. */
export const readExpectedType = ({ body, type }: NewTransaction): string | undefined =>
	asText(body.transaction_type) ?? type;

/** The transaction that an item was created as, and what ties the two. */
export interface ExistingTransaction {
	transaction: TransactionAnswer;
	tie: IdentityTie;
}

const DAY_MS = 86_400_000;
/** How many transactions are retrieved one by one where the list doesn't show their numbers. */
export const MOST_RETRIEVED = 25;

/**
 * Finds the transaction that an item was created as, by the service's list, which the items of a run
 * read together, and by the single answer. Loan numbers are the only ones that the list can be filtered
 * by (docs/service/transactions.md#filters-of-the-list).
 * @returns undefined when there is none
 * @throws InputFailure when more than one is it, somebody else has the number, or nobody can tell
 * @throws ServiceFailure `existingUnknown` when the list can't be read to its end
 */
export async function findExistingTransaction(
	call: OperationCall,
	parsed: NewTransaction,
	key: NumberKey,
	options: ExistingOptions,
): Promise<ExistingTransaction | undefined> {
	const { service, params } = call;
	const { field, value } = key;
	const refuse = buildRefusal(call, key);
	const { matching, hidden, isFiltered } = await searchList(call, parsed, key, options);
	if (hidden.length > MOST_RETRIEVED)
		refuse(
			`and the service's list doesn't show this number of ${hidden.length} transactions`,
			`Set 'Created Within' to fewer days, so that there are ${MOST_RETRIEVED} at most: the node looks at those one by one`,
		);
	const candidates: TransactionAnswer[] = [];
	for (const id of [...matching, ...hidden]) {
		const candidate = await retrieveTransaction(service, id, parsed.platform);
		if (hasEndedUnfinished(candidate) || isOlder(candidate, options.since)) continue;
		const actual = readNumber(candidate, field);
		// Neither the list nor the answer says whether it's set.
		const isUnknown =
			!(field in candidate) &&
			findTie(parsed, readExpectedType(parsed), candidate, key) === 'people';
		if (actual === undefined && (isFiltered || isUnknown))
			refuse(
				`and the service lists ${id}${isFiltered ? ' for it' : ', for the same people,'} without its ${params.label(field)}`,
				`Look at it with 'Transaction: Get'${describeCreateAnother(params, 'and', " if it's another one")}`,
			);
		if (actual === value) candidates.push(candidate);
	}
	const existing = selectCandidate(call, candidates, parsed, key);
	if (existing !== undefined) await requireUsable(call, existing.transaction, parsed, key, options);
	return existing;
}

const isOlder = ({ date_created: createdAt }: TransactionAnswer, since: unknown): boolean =>
	(toMilliseconds(createdAt) ?? Infinity) < (toMilliseconds(since) ?? -Infinity);

const readNumber = (entry: IDataObject, field: NumberField): string | undefined => {
	const actual = entry[field];
	return typeof actual === 'number' ? String(actual) : asText(actual);
};

/** Reads the list. Those whose number it hides are to be retrieved. */
export async function searchList(
	{ service, lists }: OperationCall,
	{ platform, assurance = false, body }: NewTransaction,
	{ field, value }: NumberKey,
	{ days, looksInBranches }: Pick<ExistingOptions, 'days' | 'looksInBranches'>,
): Promise<{ matching: string[]; hidden: string[]; isFiltered: boolean }> {
	const organization = looksInBranches ? undefined : asText(body.organization_id);
	// The same for all items, so that they share the list.
	const createdAfter = new Date((Math.floor(Date.now() / DAY_MS) - days) * DAY_MS).toISOString();
	const query: IDataObject = {
		created_date_start: createdAfter,
		...(platform === 'realEstate' &&
			organization !== undefined && { organization_id: organization }),
		...(field === 'loan_number' && { loan_number: value }),
	};
	// Closings with identity checks are looked for where they're made.
	const call = { platform, query, assurance };
	const matching: string[] = [];
	const hidden: string[] = [];
	let [isShown, isFiltered] = [false, query.loan_number !== undefined];
	try {
		const open = () => readWholeList(service, call);
		for await (const entries of lists.readPages(JSON.stringify(call), open, Infinity))
			for (const entry of entries) {
				const actual = readNumber(entry, field);
				isShown ||= field in entry;
				if (actual !== undefined) isFiltered &&= actual === value;
				else if (!hasEndedUnfinished(entry)) hidden.push(String(entry.id));
				if (actual === value && !hasEndedUnfinished(entry)) matching.push(String(entry.id));
			}
	} catch (thrown) {
		throw toExistingUnknown(thrown);
	}
	// A list that shows the number of one shows it of all that have one.
	return { matching, hidden: isFiltered || !isShown ? hidden : [], isFiltered };
}

const toExistingUnknown = (thrown: unknown): Error =>
	thrown instanceof ServiceFailure
		? new ServiceFailure({ code: 'existingUnknown', cause: thrown }, thrown.flags)
		: asError(thrown);

/** @throws InputFailure when there are several, or one of which nobody can tell */
function selectCandidate(
	call: OperationCall,
	candidates: TransactionAnswer[],
	parsed: NewTransaction,
	key: NumberKey,
): ExistingTransaction | undefined {
	const { params } = call;
	const refuse = buildRefusal(call, key);
	const expectedType = readExpectedType(parsed);
	const listIds = (transactions: TransactionAnswer[]) =>
		transactions.map(({ id }) => id).join(', ');
	const unclear: TransactionAnswer[] = [];
	const ofType = candidates.filter((candidate) => {
		const type = asText(candidate.transaction_type);
		// Answers of closings with identity checks may lack the type
		// (docs/service/closings.md#type-of-a-closing-with-identity-assurance); elsewhere, it's unset.
		if (parsed.platform === 'business' || (type && expectedType)) return type === expectedType;
		if (buildSignersKey(candidate) === buildSignersKey(parsed.body)) return true;
		unclear.push(candidate);
		return false;
	});
	if (unclear.length > 0)
		refuse(
			`as in ${listIds(unclear)}, which doesn't show its type and has other signers`,
			`If it's the same, correct it with 'Transaction: Update'. If it isn't, give the item another number${describeCreateAnother(params, 'or')}`,
		);
	const tied = ofType.flatMap((transaction): ExistingTransaction[] => {
		const tie = findTie(parsed, expectedType, transaction, key);
		return tie === undefined ? [] : [{ transaction, tie }];
	});
	if (ofType.length > 0 && tied.length === 0)
		refuse(
			`as in ${ofType.map(describeTransaction).join(', ')}, but the item is for ${describePeople(parsed.body)}`,
			`If it's the same, correct it with 'Transaction: Update' or 'Transaction: Correct Signer'. If it isn't, give each ${parsed.platform === 'business' ? 'transaction' : 'closing'} an External ID of its own${key.field === 'external_id' ? '' : " and set 'Match By' to External ID"}${describeCreateAnother(params, 'or')}`,
		);
	if (tied.length > 1)
		refuse(
			`as in ${tied.length} transactions of this type: ${listIds(tied.map(({ transaction }) => transaction))}`,
			"Delete those you don't need, or give the item another number",
		);
	return tied[0];
}

/** Fields that every entry has (docs/service/transactions.md#answer-fields): others may be unset. */
const REQUIRED_FIELDS = ['id', 'status'];
/** What is compared of an entry. The rest of a long list doesn't stay in memory until the run ends. */
const COMPARED_FIELDS = [
	...REQUIRED_FIELDS,
	'detailed_status',
	...new Set(Object.values(NUMBER_FIELDS).flat()),
];

const selectComparedFields = (entry: IDataObject): IDataObject =>
	Object.fromEntries(
		COMPARED_FIELDS.filter((name) => name in entry).map((name) => [name, entry[name]]),
	);

/**
 * Reads a list to its end.
 * @throws ServiceFailure when some of what the service says there is hasn't come, or isn't shown
 */
async function* readWholeList(service: ServiceClient, call: Call): AsyncGenerator<IDataObject[]> {
	let readCount = 0;
	let total: number | undefined;
	const fetchPage = async (limit: number, offset: number) => {
		const query = { ...call.query, limit, offset };
		const page = await fetchList(service, 'listTransactions', { ...call, query });
		if (page.total === undefined)
			throw new ServiceFailure({ code: 'listBrokenOff', count: readCount });
		// What is deleted meanwhile needn't come.
		total = Math.min(total ?? page.total, page.total);
		return page;
	};
	for await (const entries of streamPages(fetchPage, service.limits.pageSize)) {
		const missing = REQUIRED_FIELDS.filter((name) => entries.some((entry) => !asText(entry[name])));
		if (missing.length > 0)
			throw new ServiceFailure({ code: 'incompletelyRead', missing, toWriteBack: false });
		readCount += entries.length;
		yield entries.map(selectComparedFields);
	}
	if (total !== undefined && readCount < total)
		throw new ServiceFailure({ code: 'listBrokenOff', count: readCount, total });
}
