import type { IDataObject } from 'n8n-workflow';

import {
	done,
	notDone,
	referenceOf,
	UNKNOWN,
	type Goal,
	type Seen,
	type Sending,
	type SendingMemory,
} from '../../run/outcome/goals';
import { lookUntilFound, type LookUp } from '../../run/outcome/lookUp';
import { createdAt, isAlike, isMadeSince } from '../../run/outcome/sendWithReference';
import { readTransaction, type TransactionAnswer } from '../../transport/answers/answers';
import { fetchList } from '../../transport/answers/lists';
import { retrieveTransaction } from '../../transport/answers/retrieveTransaction';
import type { ServiceClient } from '../../transport/client';
import { asError, isNotFound } from '../../transport/failure/failure';
import type { Platform } from '../../transport/service/endpoints';
import { LIMITS, LIST_SIZES } from '../../transport/service/limits';
import { asObject, asText } from '../../values/json';
import { showsTransaction } from './api';
import { addressesOf, peopleOf } from './list/conditions';

/** A transaction that was to be created. */
export interface Creation {
	service: ServiceClient;
	platform: Platform;
	/** What was sent, without a reference of the node's own. */
	body: IDataObject;
	/** The type that was chosen, where the body has null for it. */
	type?: string;
	/** Whether the list certainly has what the create makes, so that its absence counts. */
	isListed: boolean;
	/** When it was sent first, and with which reference. */
	sending: SendingMemory;
	lookUp: LookUp;
}

/**
 * The goal of a create: the service shows the transaction. It may answer with nothing but an ID. A
 * lost one is found by its reference and by nothing else.
 */
export function createdGoal(creation: Creation): Required<Goal<TransactionAnswer>> {
	const { service, lookUp, body } = creation;
	return {
		told: (answer) => showsTransaction(answer),
		look: async () => {
			const sending = creation.sending.get();
			const wanted = referenceOf(creation.sending, body.external_id);
			if (sending === undefined || wanted === undefined) return UNKNOWN;
			const retrieved = new Map<string, TransactionAnswer | undefined>();
			return await lookUntilFound(
				service,
				async (isLate) => {
					const seen = await searchList(creation, sending, wanted, isLate);
					if (seen.isShown) return judge(creation, sending, seen);
					await retrieveEach(creation, seen.entries, retrieved);
					const shown = [...retrieved.values()].filter((one) => one !== undefined);
					const matching = shown.filter(({ external_id: own }) => own === wanted);
					return judge(creation, sending, { ...seen, matching });
				},
				lookUp,
			);
		},
	};
}

/** How far back the list goes, in milliseconds, where it isn't to prove that something is missing. */
const LOOK_BACK_MS = 3_600_000;
/** How far it goes where it is: longer than any clock is wrong. */
const LONG_LOOK_BACK_MS = 86_400_000;

/** What the list shows of a create. */
interface ListSearch {
	/** Entries that have the reference. */
	matching: IDataObject[];
	/** Those that may be the one: made since, and under the same name. */
	entries: IDataObject[];
	/** Whether the list shows references like the one that is looked for. */
	isShown: boolean;
	/** Whether it was read at once, to the end that the service says it has. */
	isWhole: boolean;
}

async function searchList(
	{ service, platform, body }: Creation,
	{ at, reference }: Sending,
	wanted: string,
	isLate: boolean,
): Promise<ListSearch> {
	const since = new Date(at - (isLate ? LONG_LOOK_BACK_MS : LOOK_BACK_MS)).toISOString();
	const seen: ListSearch = { matching: [], entries: [], isShown: false, isWhole: false };
	const ids = new Set<unknown>();
	const name = asText(body.transaction_name);
	// What proves that something is missing is read at once.
	const limit = isLate ? LIST_SIZES.wholePage : LIMITS.pageSize;
	for (let offset = 0; offset < LIST_SIZES.readForCreate;) {
		const query = { created_date_start: since, limit, offset };
		const call = { platform, query, impatient: true };
		const { entries, came = 0, total } = await fetchList(service, 'listTransactions', call);
		// A list that grows meanwhile shows entries again on its next page.
		const fresh = entries.filter(({ id }) => !ids.has(id));
		for (const entry of fresh) {
			ids.add(entry.id);
			const { external_id: own, transaction_name: called } = entry;
			seen.isShown ||= isAlike(own, reference);
			if (own === wanted) seen.matching.push(entry);
			const mayBeNamedSo = name === undefined || [name, undefined].includes(asText(called));
			if (mayBeNamedSo && isMadeSince(at, entry)) seen.entries.push(entry);
		}
		// Nothing else has it.
		if (reference !== undefined && seen.matching.length > 0) return seen;
		offset += came;
		if (fresh.length === 0 || (total === undefined ? came < limit : offset >= total))
			// An entry that is deleted between two pages hides another one.
			return { ...seen, isWhole: offset === came && total !== undefined && ids.size >= total };
	}
	return seen;
}

function judge(
	creation: Creation,
	{ reference, at }: Sending,
	{ matching, entries, isShown, isWhole }: ListSearch,
): Seen<TransactionAnswer> | undefined {
	const isOwn = (entry: IDataObject) => isMadeSince(at, entry) && fits(creation, entry);
	const ours = reference === undefined ? matching.filter(isOwn) : matching;
	const [own, ...others] = ours.map(readTransaction);
	if (own !== undefined && others.length === 0) return done(own);
	// The service may write a person's reference in a way of its own.
	const isRewritten = reference === undefined && entries.some(isOwn);
	const isAbsent = creation.isListed && isShown && isWhole && matching.length === 0 && !isRewritten;
	return isAbsent ? notDone({ still: 'missing' }) : undefined;
}

/** Retrieves those that may be the one, where only single answers show references; each once. */
async function retrieveEach(
	{ service, platform }: Creation,
	entries: IDataObject[],
	retrieved: Map<string, TransactionAnswer | undefined>,
): Promise<void> {
	const newest = entries
		.sort((one, other) => createdAt(other)! - createdAt(one)!)
		.slice(0, LIST_SIZES.retrievedForCreate);
	for (const { id } of newest) {
		const transactionId = String(id);
		if (retrieved.has(transactionId)) continue;
		try {
			const shown = await retrieveTransaction(service, transactionId, platform, true);
			retrieved.set(transactionId, shown);
		} catch (thrown) {
			// Somebody has deleted it.
			if (!isNotFound(thrown)) throw asError(thrown);
			retrieved.set(transactionId, undefined);
		}
	}
}

/** Whether type and signers are those that were sent: an order number may serve two closings. */
function fits({ body, type }: Creation, entry: IDataObject): boolean {
	const wanted = asText(body.transaction_type);
	const shown = asText(entry.transaction_type);
	const isOfType = shown === wanted || (wanted === undefined && shown === type);
	return isOfType && signersOf(body) === signersOf(entry);
}

/** The addresses of all signers, each once: some answers have a signer under two names. */
function signersOf(transaction: IDataObject): string {
	const { signer, cosigner } = transaction;
	const people = [...(peopleOf(transaction) ?? []), asObject(signer), asObject(cosigner)];
	return JSON.stringify([...new Set(people.flatMap(addressesOf))].sort());
}
