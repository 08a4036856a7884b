import type { IDataObject } from 'n8n-workflow';

import { readTransaction, type TransactionAnswer } from '../answers';
import type { ServiceClient } from '../client';
import type { Platform } from '../endpoints';
import { asError, inDoubt, findFailure, refusesField } from '../errors/failure';
import {
	done,
	notDone,
	UNKNOWN,
	type Goal,
	type Seen,
	type Sending,
	type SendingMemory,
} from '../goals';
import { lookUntilFound, type LookUp } from '../lookUp';
import { listEntries } from '../pagination';
import { asText } from '../values/json';
import { newReference } from '../values/reference';
import { readInstant } from '../values/times';
import { addressesOf, peopleOf } from './transactionList/filters';
import { retrieveTransaction, showsTransaction } from './transactions';

/*
 * Creates whose answer was lost are found by their reference: one of the node's own, which nothing
 * else has, or the one that a person gave, which others may have, too
 * (docs/service/errors.md#nothing-twice).
 */

/** The field of a request that holds the client's reference. */
export type ReferenceField = 'external_id' | 'tracking_id';

/**
 * Sends a create with a reference of the node's own, where the person has given none. It's noted
 * before the request leaves. A service that refuses the field by name has made nothing, and gets the
 * request once more without it.
 * @param fields what is sent, without the reference
 * @param isWanted whether the person wants such a reference
 * @param send sends the request with more fields, and returns the parsed answer
 */
export async function sendWithReference(
	memory: SendingMemory,
	field: ReferenceField,
	{ fields, isWanted }: { fields: IDataObject; isWanted: boolean },
	send: (reference: IDataObject) => Promise<unknown>,
): Promise<unknown> {
	const earlier = memory.get();
	const isOwn = isWanted && asText(fields[field]) === undefined && earlier?.isRefused !== true;
	const reference = isOwn ? (earlier?.reference ?? newReference()) : undefined;
	const sending: Sending = { ...earlier, at: earlier?.at ?? Date.now(), reference };
	memory.set(sending);
	if (reference === undefined) return await send({});
	try {
		return await send({ [field]: reference });
	} catch (thrown) {
		if (!refusesField(thrown, field)) throw asError(thrown);
		// An earlier request may have taken the reference.
		if (earlier !== undefined) throw inDoubt(findFailure(thrown)!);
		memory.set({ at: sending.at, isRefused: true });
		return await send({});
	}
}

/** A transaction that was to be created. */
export interface Creation {
	service: ServiceClient;
	platform: Platform;
	/** What was sent, without a reference of the node's own. */
	body: IDataObject;
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
			const wanted = sending?.reference ?? asText(body.external_id);
			if (sending === undefined || wanted === undefined) return UNKNOWN;
			const retrieved = new Map<string, TransactionAnswer>();
			return await lookUntilFound(
				service,
				async () => await lookOnce(creation, sending, wanted, retrieved),
				lookUp,
			);
		},
	};
}

/**
 * How far back the list goes, in milliseconds. It only keeps the list short, so it is longer than
 * any clock is likely to be wrong.
 */
const LOOK_BACK_MS = 86_400_000;
/** How much the clocks may differ where more than the reference has to fit, in milliseconds. */
const CLOCK_MARGIN_MS = 60_000;
/** The most entries of the list that are read. */
const MOST_READ = 5_000;
/** The most transactions that are retrieved because the list doesn't show their references. */
const MOST_RETRIEVED = 25;

async function lookOnce(
	creation: Creation,
	{ reference, at }: Sending,
	wanted: string,
	retrieved: Map<string, TransactionAnswer>,
): Promise<Seen<TransactionAnswer> | undefined> {
	const { entries, isWhole } = await newestTransactions(creation, at, reference);
	const isShown = entries.some(({ external_id: shown }) => asText(shown) !== undefined);
	const all = isShown ? entries : await retrieveEach(creation, at, entries, retrieved);
	const matching = all.filter(({ external_id: shown }) => shown === wanted);
	const ours =
		reference === undefined
			? matching.filter((entry) => isMadeSince(at, entry) && fits(creation.body, entry))
			: matching;
	const [own, ...others] = ours.map(readTransaction);
	if (own !== undefined && others.length === 0) return done(own);
	const isAbsent = isShown && isWhole && matching.length === 0;
	return isAbsent ? notDone({ still: 'missing' }) : undefined;
}

/** @param reference ends the list, because nothing else has it */
async function newestTransactions(
	{ service, platform }: Creation,
	at: number,
	reference: string | undefined,
): Promise<{ entries: IDataObject[]; isWhole: boolean }> {
	const query = { created_date_start: new Date(at - LOOK_BACK_MS).toISOString() };
	const entries: IDataObject[] = [];
	const call = { platform, query, impatient: true };
	for await (const entry of listEntries(service, 'listTransactions', call)) {
		entries.push(entry);
		const isFound = reference !== undefined && entry.external_id === reference;
		if (isFound || entries.length === MOST_READ) return { entries, isWhole: false };
	}
	return { entries, isWhole: true };
}

/** Retrieves those that may be the one, where only single answers show references; each once. */
async function retrieveEach(
	{ service, platform, body }: Creation,
	at: number,
	entries: IDataObject[],
	retrieved: Map<string, TransactionAnswer>,
): Promise<TransactionAnswer[]> {
	const name = asText(body.transaction_name);
	const candidates = entries
		.filter((entry) => isMadeSince(at, entry))
		.filter(
			({ transaction_name: own }) => name === undefined || [name, undefined].includes(asText(own)),
		)
		.sort((one, other) => createdAt(other)! - createdAt(one)!)
		.slice(0, MOST_RETRIEVED);
	for (const { id } of candidates) {
		const transactionId = String(id);
		if (retrieved.has(transactionId)) continue;
		const shown = await retrieveTransaction(service, transactionId, platform, true);
		retrieved.set(transactionId, shown);
	}
	return [...retrieved.values()];
}

const createdAt = ({ date_created: date }: IDataObject) => readInstant(date);

/** Whether an entry was made since a request left, as far as the clocks agree. */
export function isMadeSince(at: number, entry: IDataObject): boolean {
	const created = createdAt(entry);
	return created !== undefined && created >= at - CLOCK_MARGIN_MS;
}

/** Whether type and signers are those that were sent: an order number may serve two closings. */
function fits(body: IDataObject, entry: IDataObject): boolean {
	const signers = (transaction: IDataObject) =>
		JSON.stringify((peopleOf(transaction) ?? []).flatMap(addressesOf).sort());
	return (
		(asText(body.transaction_type) ?? null) === (asText(entry.transaction_type) ?? null) &&
		signers(body) === signers(entry)
	);
}
