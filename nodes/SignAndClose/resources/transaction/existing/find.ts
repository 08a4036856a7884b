import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../../messages/explainedFailure';
import type { OperationCall } from '../../../run/operation';
import type { Params } from '../../../run/parameters/params';
import { fetchList } from '../../../transport/answers/lists';
import { walkPages } from '../../../transport/answers/pages';
import { hasLapsed } from '../../../transport/answers/transactionState';
import type { Call, ServiceClient } from '../../../transport/client';
import { asError, ServiceFailure } from '../../../transport/failure/failure';
import { asText } from '../../../values/json';
import { signersOf, type NewTransaction } from '../created';
import { ofOrganization } from '../list/conditions';
import { orAnother, type NumberField } from './form';

/* Finds the transaction that an item was created as before: by its number and its type, exactly. */

/** The number of an item. */
export interface Key {
	field: NumberField;
	value: string;
}

/** The number by which an item is recognized: the first of these that it has. */
export function keyOf({ body }: NewTransaction, numbers: NumberField[]): Key | undefined {
	const keys = numbers.map((field) => ({ field, value: String(body[field] ?? '') }));
	return keys.find(({ value }) => value !== '');
}

/** The type that an item is to have, where that is known. */
export const typeOf = ({ body, type }: NewTransaction): string | undefined =>
	asText(body.transaction_type) ?? type;

/** What is compared of an entry with the number. */
interface Candidate {
	id: string;
	type?: string;
	signers: string;
}

const DAY_MS = 86_400_000;

/**
 * Looks through the service's list, together with the other items of the run. Loan numbers are the
 * only ones that it can be filtered by (docs/service/transactions.md#filters-of-the-list).
 * @param days how far back it goes
 * @returns the ID; undefined when there is none
 * @throws InputFailure when more than one is it, or nobody can tell
 * @throws ServiceFailure `existingUnknown` when the list can't be read to its end
 */
export async function findExisting(
	{ service, walks, params }: OperationCall,
	parsed: NewTransaction,
	{ field, value }: Key,
	days: number,
): Promise<string | undefined> {
	const { platform, assurance = false, body } = parsed;
	const organization = asText(body.organization_id);
	const onRealEstate = platform === 'realEstate';
	// The same for all items, so that they share the list.
	const since = new Date((Math.floor(Date.now() / DAY_MS) - days) * DAY_MS).toISOString();
	const query: IDataObject = {
		created_date_start: since,
		...(onRealEstate && organization !== undefined && { organization_id: organization }),
		...(field === 'loan_number' && { loan_number: value }),
	};
	// Closings with identity checks are looked for where they're made.
	const call = { platform, query, assurance };
	const isOurs = organization === undefined ? () => true : ofOrganization(organization);
	const candidates: Candidate[] = [];
	/** Those that the service gives for the number, and that don't show it. */
	const hidden: string[] = [];
	let isFiltered = query.loan_number !== undefined;
	try {
		await walks.join(
			JSON.stringify(call),
			() => wholeList(service, call),
			Infinity,
			(entry) => {
				const shown = asText(entry[field]);
				if (shown === undefined) hidden.push(String(entry.id));
				else isFiltered &&= shown === value;
				if (entry[field] === value && !hasLapsed(entry) && isOurs(entry) !== false)
					candidates.push({
						id: String(entry.id),
						type: asText(entry.transaction_type),
						signers: signersOf(entry),
					});
				return true;
			},
		);
	} catch (thrown) {
		throw existingUnknown(thrown);
	}
	if (isFiltered && hidden.length > 0)
		throw new InputFailure(
			params.label(field),
			`is ${value}, for which the service lists ${hidden.join(', ')} without showing a loan number`,
			`Nothing was created. Look at it with 'Transaction: Get'${orAnother(params, 'and', " if it's another one")}`,
		);
	return oneOf(candidates, parsed, params, { field, value });
}

const existingUnknown = (thrown: unknown): Error =>
	thrown instanceof ServiceFailure
		? new ServiceFailure({ code: 'existingUnknown', cause: thrown }, thrown.flags)
		: asError(thrown);

/** @throws InputFailure when there are several, or one of which nobody can tell */
function oneOf(
	candidates: Candidate[],
	parsed: NewTransaction,
	params: Params,
	{ field, value }: Key,
): string | undefined {
	const wanted = typeOf(parsed);
	const signers = signersOf(parsed.body);
	const unclear: Candidate[] = [];
	const same = candidates.filter((one) => {
		// Answers of closings with identity checks may lack the type
		// (docs/service/closings.md#type-of-a-closing-with-identity-assurance); elsewhere, it's unset.
		const isKnown = parsed.platform === 'business' || (one.type && wanted);
		if (isKnown) return one.type === wanted;
		if (one.signers === signers) return true;
		unclear.push(one);
		return false;
	});
	const idsOf = (ones: Candidate[]) => ones.map(({ id }) => id).join(', ');
	const refuse = (what: string, remedy: string): never => {
		throw new InputFailure(params.label(field), what, `Nothing was created. ${remedy}`);
	};
	if (unclear.length > 0)
		refuse(
			`is ${value}, as in ${idsOf(unclear)}, which doesn't show its type and has other signers`,
			`If it's the same, correct it with 'Transaction: Update'. If it isn't, give the item another number${orAnother(params, 'or')}`,
		);
	if (same.length > 1)
		refuse(
			`is ${value}, as in ${same.length} transactions of this type: ${idsOf(same)}`,
			"Delete those you don't need, or give the item another number",
		);
	return same[0]?.id;
}

/** Fields that every entry has (docs/service/transactions.md#answer-fields): others may be unset. */
const OF_ALL = ['id', 'status'];

/**
 * Reads a list to its end.
 * @throws ServiceFailure when some of what the service says there is hasn't come, or isn't shown
 */
async function* wholeList(service: ServiceClient, call: Call): AsyncGenerator<IDataObject[]> {
	let read = 0;
	let total: number | undefined;
	const fetchPage = async (limit: number, offset: number) => {
		const query = { ...call.query, limit, offset };
		const page = await fetchList(service, 'listTransactions', { ...call, query });
		if (page.total === undefined) throw new ServiceFailure({ code: 'listBrokenOff', read });
		// What is deleted meanwhile needn't come.
		total = Math.min(total ?? page.total, page.total);
		return page;
	};
	for await (const entries of walkPages(fetchPage, service.limits.pageSize)) {
		const missing = OF_ALL.filter((name) => entries.some((entry) => !asText(entry[name])));
		if (missing.length > 0)
			throw new ServiceFailure({ code: 'incompletelyRead', missing, toWriteBack: false });
		read += entries.length;
		yield entries;
	}
	if (total !== undefined && read < total)
		throw new ServiceFailure({ code: 'listBrokenOff', read, total });
}
