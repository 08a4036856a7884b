import type { IDataObject } from 'n8n-workflow';

import type { OperationCall, OperationResult } from '../../run/operation';
import {
	done,
	notDone,
	referenceOf,
	UNKNOWN,
	type Goal,
	type Seen,
	type Sending,
} from '../../run/outcome/goals';
import { isAlike, isMadeSince, sendWithReference } from '../../run/outcome/sendWithReference';
import { toTransaction, type TransactionAnswer } from '../../transport/answers/answers';
import { fetchList } from '../../transport/answers/lists';
import { retrieveTransaction } from '../../transport/answers/retrieveTransaction';
import type { Call, ServiceClient } from '../../transport/client';
import { asError, isNotFound, refusesField } from '../../transport/failure/failure';
import type { Platform } from '../../transport/service/endpoints';
import { LIMITS, LIST_SIZES } from '../../transport/service/limits';
import { asObject, asText } from '../../values/json';
import { wantsReference } from '../shared/commonFields';
import { joined, lenderHint, nextStep, referenceHint, typeHint } from '../shared/hints';
import { byReference } from '../shared/toCheck';
import { addressesOf, peopleOf } from '../signer/people';
import { showsTransaction } from './api';
import { withSigningLinks } from './form/sendOptions';
import { transactionJson } from './output';
import type { RowNote } from './row/rowHint';

/** A new transaction as it was filled in. */
export interface NewTransaction {
	platform: Platform;
	/** What is sent, without a reference of the node's own. */
	body: IDataObject;
	/** The type that was chosen, where the body has null for it. */
	type?: string;
	/** Whether it's made at the prefix for identity assurance. Nobody says that the list has those. */
	assurance?: boolean;
	/** What its row tells of its columns, for the hint of the run. */
	note?: RowNote;
	/** Whether its row has no name, so that the node has made one. */
	isNamedByNode?: boolean;
}

/** A create, and what finds it. */
type Creation = NewTransaction & Pick<OperationCall, 'service' | 'sending' | 'isClaimed'>;

/**
 * Sends a new transaction, with a reference of the node's own where one is wanted.
 * @param send sends it with these further fields
 */
export const sendNew = async (
	{ params, sending }: OperationCall,
	{ body }: NewTransaction,
	send: (reference: IDataObject) => Promise<unknown>,
): Promise<unknown> => {
	const reference = { fields: body, isWanted: wantsReference(params) };
	return await sendWithReference(sending, 'external_id', reference, send);
};

/**
 * Sends a new closing. The interface asks for a type of null where signers have identity checks. A
 * service that refuses null by name has made nothing, and gets the type that was chosen
 * (docs/service/closings.md#type-of-a-closing-with-identity-assurance).
 */
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
	try {
		return await send(body);
	} catch (thrown) {
		const isNull = body.transaction_type === null && type !== undefined;
		if (!isNull || !refusesField(thrown, 'transaction_type')) throw asError(thrown);
		return await send({ ...body, transaction_type: type });
	}
}

/** The output of a create that was done. */
export function createdResult(
	call: OperationCall,
	transaction: TransactionAnswer,
	parsed: NewTransaction,
): OperationResult {
	const { platform, body, assurance, type } = parsed;
	// Other items may have the reference that a person gave, too, or find it by another number.
	call.claimKey(transaction.id);
	return resultOf(call, transaction, parsed, false, [
		platform === 'realEstate' ? lenderHint(body) : undefined,
		assurance === true ? typeHint(type, transaction) : undefined,
		referenceHint(call),
	]);
}

/**
 * The output of a create.
 * @param existing whether the transaction was there before
 */
export function resultOf(
	{ params }: OperationCall,
	transaction: TransactionAnswer,
	{ note }: NewTransaction,
	existing: boolean,
	hints: Array<string | undefined>,
): OperationResult {
	const { transaction_id: id, ...json } = transactionJson(params, transaction);
	const hint = joined([nextStep(transaction, existing ? undefined : 'Draft created'), ...hints]);
	const result = { json: { transaction_id: id, existing, ...json }, hint, note };
	return withSigningLinks(result, transaction, params);
}

/**
 * The goal of a create: the service shows the transaction. It may answer with nothing but an ID. A
 * lost one is found by its reference and by nothing else.
 */
export function createdGoal(creation: Creation): Goal<TransactionAnswer> {
	const { body, sending: memory } = creation;
	return {
		fromAnswer: (answer) => showsTransaction(answer),
		async look({ isLost, isLate }) {
			const sending = memory.get();
			if (sending === undefined || referenceOf(memory, body.external_id) === undefined)
				return UNKNOWN;
			const read = await fetchNewest(creation, sending, isLost && isLate);
			if (read.entries.some(({ external_id: own }) => isAlike(own, sending.reference)))
				return judge(creation, sending, read);
			// Single answers may show references all the same.
			const entries = await retrieveNewest(creation, sending, read.entries);
			return judge(creation, sending, { entries, isWhole: false });
		},
		...byReference('transaction', creation, body.external_id),
	};
}

/** How far back the list goes, in milliseconds, where it isn't to prove that something is missing. */
const LOOK_BACK_MS = 3_600_000;
/** How far it goes where it is: longer than any clock is wrong. */
const LONG_LOOK_BACK_MS = 86_400_000;

/** What was read of the list. */
interface ListRead {
	entries: IDataObject[];
	/** Whether it was read at once, to the end that the service says it has. */
	isWhole: boolean;
}

async function fetchNewest(
	{ service, platform }: Creation,
	{ at, reference }: Sending,
	isLate: boolean,
): Promise<ListRead> {
	const since = new Date(at - (isLate ? LONG_LOOK_BACK_MS : LOOK_BACK_MS)).toISOString();
	// What proves that something is missing is read at once.
	const limit = isLate ? LIST_SIZES.wholePage : LIMITS.pageSize;
	const read = new Map<unknown, IDataObject>();
	for (let offset = 0; offset < LIST_SIZES.readForCreate;) {
		const query = { created_date_start: since, limit, offset };
		const call: Call = { platform, query, impatient: true };
		const { entries, came = 0, total } = await fetchList(service, 'listTransactions', call);
		// A list that grows meanwhile shows entries again on its next page.
		const fresh = entries.filter(({ id }) => !read.has(id));
		for (const entry of fresh) read.set(entry.id, entry);
		offset += came;
		const isEnd = fresh.length === 0 || (total === undefined ? came < limit : offset >= total);
		// Nothing else has a reference of the node.
		const isFound = reference && fresh.some(({ external_id: own }) => own === reference);
		// An entry that is deleted between two pages hides another one.
		const isWhole = isEnd && offset === came && total !== undefined && read.size >= total;
		if (isEnd || isFound) return { entries: [...read.values()], isWhole };
	}
	return { entries: [...read.values()], isWhole: false };
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

function judge(
	creation: Creation,
	{ reference, at }: Sending,
	{ entries, isWhole }: ListRead,
): Seen<TransactionAnswer> | undefined {
	const wanted = reference ?? asText(creation.body.external_id);
	// What another item of the run got isn't this one's.
	const free = entries.filter(({ id }) => !creation.isClaimed(String(id)));
	const matching = free.filter(({ external_id: own }) => own === wanted);
	const isOwn = (entry: IDataObject) => isMadeSince(at, entry) && fits(creation, entry);
	const ours =
		reference === undefined
			? matching.filter((entry) => isOwn(entry) && isNamed(creation, entry))
			: matching;
	const [own, ...others] = ours.map(toTransaction);
	if (own !== undefined && others.length === 0) return done(own);
	// The service may write a person's reference in a way of its own.
	const isRewritten = reference === undefined && free.some(isOwn);
	const isAbsent = creation.assurance !== true && isWhole && matching.length === 0 && !isRewritten;
	return isAbsent ? notDone({ still: 'missing' }) : undefined;
}

/** Whether type and signers are those that were sent: an order number may serve two closings. */
function fits({ body, type }: Creation, entry: IDataObject): boolean {
	const wanted = asText(body.transaction_type);
	const shown = asText(entry.transaction_type);
	const isOfType = shown === wanted || (wanted === undefined && shown === type);
	return isOfType && signersOf(body) === signersOf(entry);
}

/** Whether the name is the one that was sent, if one was. */
const isNamed = ({ body }: Creation, entry: IDataObject) =>
	asText(body.transaction_name) === undefined || entry.transaction_name === body.transaction_name;

/** The addresses of all signers, each once: some answers have a signer under two names. */
export function signersOf(transaction: IDataObject): string {
	const { signer, cosigner } = transaction;
	const people = [...(peopleOf(transaction) ?? []), asObject(signer), asObject(cosigner)];
	return JSON.stringify([...new Set(people.flatMap(addressesOf))].sort());
}
