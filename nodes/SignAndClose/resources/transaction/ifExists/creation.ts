import type { IDataObject } from 'n8n-workflow';

import type { OperationCall, OperationResult } from '../../../run/operation';
import {
	reportDone,
	reportNotDone,
	findReference,
	UNCERTAIN,
	type Goal,
	type Verdict,
	type Sending,
} from '../../../run/goals';
import { isAlike, isMadeSince, sendWithReference } from '../../../run/write/reference';
import { toTransaction, type TransactionAnswer } from '../../../transport/answers/shapes';
import { fetchList } from '../../../transport/answers/lists';
import { retrieveTransaction } from '../../../transport/answers/transaction';
import { hasEndedUnfinished } from '../../../transport/answers/transactionState';
import type { Call, ServiceClient } from '../../../transport/client';
import { asError, isNotFound } from '../../../transport/failure/failure';
import { LIMITS, LIST_SIZES } from '../../../transport/service/limits';
import { asObject, asText } from '../../../values/json';
import { needsReference } from '../../../form/commonFields';
import {
	joinHints,
	describeLenderNeeds,
	describeNextStep,
	describeRefusedReference,
	describeMissingType,
} from '../../../form/hints';
import { describeReferenceCheck } from '../../../form/lostAnswers';
import { sendEitherType } from '../../draft/closingWriteBack';
import type { ExpectedTransaction } from '../../draft/signerComparison';
import { listAddresses, listPeople } from '../../signer/people';
import { showsTransaction } from '../api';
import { noteConsent } from '../executionNotes';
import { withSigningLinks } from '../sendOptions';
import { formatTransaction } from '../output';
import type { RowNote } from '../sheet/hint';

/** A new transaction as it was filled in. */
export interface NewTransaction extends ExpectedTransaction {
	/** The type that was chosen, where the body has null for it. */
	type?: string;
	/** Whether it's made at the prefix for identity assurance. Nobody says that the list has those. */
	assurance?: boolean;
	/** What its row tells of its columns, for the hint of the run. */
	note?: RowNote;
	/** Whether an eNote is chosen for it. */
	hasEnote?: boolean;
	/** The reference of the node's own, where what it's made of determines it. */
	ownReference?: string;
}

/** A create, and what finds it. */
type Creation = NewTransaction & Pick<OperationCall, 'service' | 'sending' | 'isClaimed'>;

/**
 * Sends a new transaction, with a reference of the node's own where one is wanted.
 * @param send sends it with these further fields
 */
export const sendNewTransaction = async (
	{ params, sending }: OperationCall,
	{ body, ownReference }: NewTransaction,
	send: (reference: IDataObject) => Promise<unknown>,
): Promise<unknown> => {
	const reference = { fields: body, isWanted: needsReference(params), ownReference };
	return await sendWithReference(sending, 'external_id', reference, send);
};

/** Sends a new closing: where null is refused as its type, with the type that was chosen. */
export async function sendClosing(
	service: ServiceClient,
	{ body, assurance, type }: NewTransaction,
	reference: IDataObject,
): Promise<unknown> {
	const send = async (fields: IDataObject) =>
		await service.json('createTransaction', {
			platform: 'realEstate',
			assurance,
			body: { ...fields, ...reference },
		});
	return await sendEitherType(send, body, body.transaction_type === null ? type : undefined);
}

/**
 * The output of a create that was done.
 * @param counted what the hint of the run says of it; without that, its own hint does
 */
export function buildCreatedResult(
	call: OperationCall,
	transaction: TransactionAnswer,
	parsed: NewTransaction,
	counted: string | undefined,
): OperationResult {
	const { platform, body, assurance, type } = parsed;
	// Other items may have the reference that a person gave, too, or find it by another number.
	call.claimKey(transaction.id);
	noteConsent(call, transaction, body);
	const result = buildCreateResult(call, transaction, parsed, false, [
		describeNextStep(transaction, counted === undefined ? 'Draft created' : undefined),
		platform === 'realEstate'
			? describeLenderNeeds(body, transaction, parsed.hasEnote === true)
			: undefined,
		assurance === true ? describeMissingType(type, transaction) : undefined,
		describeRefusedReference(call),
	]);
	return { ...result, counted };
}

/**
 * The output of a create.
 * @param existing whether the transaction was there before
 */
export function buildCreateResult(
	{ params }: OperationCall,
	transaction: TransactionAnswer,
	{ note }: NewTransaction,
	existing: boolean,
	hints: Parameters<typeof joinHints>[0],
): OperationResult {
	const { transaction_id: id, ...json } = formatTransaction(params, transaction);
	const result = {
		json: { transaction_id: id, existing, ...json },
		hint: joinHints(hints),
		note,
	};
	return withSigningLinks(result, transaction, params);
}

/**
 * The goal of a create: the service shows the transaction. It may answer with nothing but an ID. A
 * lost one is found by its reference and by nothing else.
 */
export function buildCreateGoal(creation: Creation): Goal<TransactionAnswer> {
	const { body, sending: memory } = creation;
	return {
		fromAnswer: (answer) => showsTransaction(answer),
		async look({ isLost, isLate }) {
			const sending = memory.get();
			if (sending === undefined || findReference(memory, body.external_id) === undefined)
				return UNCERTAIN;
			const newest = await fetchNewest(creation, sending, isLost && isLate);
			if (
				newest.entries.some(({ external_id: shownReference }) =>
					isAlike(shownReference, sending.reference),
				)
			)
				return evaluateNewest(creation, sending, newest);
			// Single answers may show references all the same.
			const entries = await retrieveNewest(creation, sending, newest.entries);
			return evaluateNewest(creation, sending, { entries, isWhole: false });
		},
		...describeReferenceCheck('transaction', creation, body.external_id),
	};
}

/** How far back the list goes, in milliseconds, where it isn't to prove that something is missing. */
const LOOK_BACK_MS = 3_600_000;
/** How far it goes where it is: longer than any clock is wrong. */
const LONG_LOOK_BACK_MS = 86_400_000;

/** What was read of the list. */
interface NewestEntries {
	entries: IDataObject[];
	/** Whether it was read at once, to the end that the service says it has. */
	isWhole: boolean;
}

async function fetchNewest(
	{ service, platform }: Creation,
	{ at, reference }: Sending,
	isLate: boolean,
): Promise<NewestEntries> {
	const since = new Date(at - (isLate ? LONG_LOOK_BACK_MS : LOOK_BACK_MS)).toISOString();
	// What proves that something is missing is read at once.
	const limit = isLate ? LIST_SIZES.wholePage : LIMITS.pageSize;
	const entriesById = new Map<unknown, IDataObject>();
	for (let offset = 0; offset < LIST_SIZES.readForCreate;) {
		const query = { created_date_start: since, limit, offset };
		const call: Call = { platform, query, urgent: true };
		const { entries, came = 0, total } = await fetchList(service, 'listTransactions', call);
		// A list that grows meanwhile shows entries again on its next page.
		const fresh = entries.filter(({ id }) => !entriesById.has(id));
		for (const entry of fresh) entriesById.set(entry.id, entry);
		offset += came;
		const isEnd = fresh.length === 0 || (total === undefined ? came < limit : offset >= total);
		// Nothing else has a reference of the node.
		const isFound =
			reference && fresh.some(({ external_id: shownReference }) => shownReference === reference);
		// An entry that is deleted between two pages hides another one.
		const isWhole = isEnd && offset === came && total !== undefined && entriesById.size >= total;
		if (isEnd || isFound) return { entries: [...entriesById.values()], isWhole };
	}
	return { entries: [...entriesById.values()], isWhole: false };
}

/** Retrieves the newest entries that may be the one. */
async function retrieveNewest(
	{ service, platform }: Creation,
	{ at }: Sending,
	entries: IDataObject[],
): Promise<IDataObject[]> {
	const retrieved: IDataObject[] = [];
	const recent = entries.filter((entry) => isMadeSince(at, entry));
	for (const { id } of recent.slice(0, LIST_SIZES.retrievedForCreate))
		try {
			retrieved.push(await retrieveTransaction(service, String(id), platform, true));
		} catch (thrown) {
			// Somebody has deleted it.
			if (!isNotFound(thrown)) throw asError(thrown);
		}
	return retrieved;
}

function evaluateNewest(
	creation: Creation,
	{ reference, at }: Sending,
	{ entries, isWhole }: NewestEntries,
): Verdict<TransactionAnswer> | undefined {
	const expectedReference = reference ?? asText(creation.body.external_id);
	// What another item of the run got isn't this one's.
	const free = entries.filter(({ id }) => !creation.isClaimed(String(id)));
	const matching = free.filter(({ external_id: candidate }) => candidate === expectedReference);
	const isOwn = (entry: IDataObject) => isMadeSince(at, entry) && matchesSent(creation, entry);
	const isSent = (entry: IDataObject) =>
		reference !== undefined || (isOwn(entry) && hasSentName(creation, entry));
	// What has ended has its number still, and isn't what was just created.
	const matches = matching.filter((entry) => isSent(entry) && !hasEndedUnfinished(entry));
	const [candidate, ...furtherCandidates] = matches.map(toTransaction);
	if (candidate !== undefined && furtherCandidates.length === 0) return reportDone(candidate);
	// The service may write a person's reference in a way of its own.
	const isRewritten = reference === undefined && free.some(isOwn);
	const isAbsent = creation.assurance !== true && isWhole && matching.length === 0 && !isRewritten;
	return isAbsent ? reportNotDone({ still: 'missing' }) : undefined;
}

/** Whether type and signers are those that were sent: an order number may serve two closings. */
function matchesSent({ body, type }: Creation, entry: IDataObject): boolean {
	const expectedType = asText(body.transaction_type);
	const actualType = asText(entry.transaction_type);
	const isOfType =
		actualType === expectedType || (expectedType === undefined && actualType === type);
	return isOfType && buildSignersKey(body) === buildSignersKey(entry);
}

/** Whether the name is the one that was sent, if one was. */
const hasSentName = ({ body }: Creation, entry: IDataObject) =>
	asText(body.transaction_name) === undefined || entry.transaction_name === body.transaction_name;

/** The addresses of all signers, each once: some answers have a signer under two names. */
export function buildSignersKey(transaction: IDataObject): string {
	const { signer, cosigner } = transaction;
	const people = [...(listPeople(transaction) ?? []), asObject(signer), asObject(cosigner)];
	return JSON.stringify([...new Set(people.flatMap(listAddresses))].sort());
}
