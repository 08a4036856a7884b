import { sleep, type IDataObject } from 'n8n-workflow';

import {
	done,
	goalOf,
	notDone,
	UNKNOWN,
	write,
	type Goal,
	type Seen,
} from '../../run/outcome/goals';
import { readTransaction, type TransactionAnswer } from '../../transport/answers/answers';
import { retrieveTransaction } from '../../transport/answers/retrieveTransaction';
import { phaseOf, recordIdOf, type Phase } from '../../transport/answers/transactionState';
import type { ServiceClient } from '../../transport/client';
import type { Platform } from '../../transport/service/endpoints';

/** The goal of a write that moves a transaction out of one phase: into another one. */
function phaseGoal(
	service: ServiceClient,
	transactionId: string,
	platform: Platform,
	{ reached, missed }: { reached: Phase[]; missed: 'draft' | 'sent' },
): Required<Goal<TransactionAnswer>> {
	return goalOf(
		(shown) => {
			const transaction = readTransaction(shown);
			const phase = transaction && phaseOf(transaction);
			if (transaction === undefined || phase === undefined) return UNKNOWN;
			if (reached.includes(phase)) return done(transaction);
			return phase === missed ? notDone({ still: missed }) : UNKNOWN;
		},
		async () => await retrieveTransaction(service, transactionId, platform),
	);
}

/** The goal of Send: the transaction is no draft any more. */
export function sentGoal(service: ServiceClient, transactionId: string, platform: Platform) {
	return phaseGoal(service, transactionId, platform, {
		reached: ['sent', 'finished'],
		missed: 'draft',
	});
}

/** The goal of Recall: the transaction is a draft. */
export function recalledGoal(service: ServiceClient, transactionId: string, platform: Platform) {
	return phaseGoal(service, transactionId, platform, { reached: ['draft'], missed: 'sent' });
}

/**
 * Sends a draft to its signers (docs/service/transactions.md#send).
 * @param options suppress_email, require_new_signer_verification; real estate also skip_closing_ops
 * @returns the transaction as it is now
 * @throws ServiceFailure `notDone` when it is still a draft; with `flags.inDoubt` when it may have
 *   been sent
 */
export async function sendDraft(
	service: ServiceClient,
	transactionId: string,
	platform: Platform,
	options: IDataObject = {},
): Promise<TransactionAnswer> {
	// The service publishes no body for this call, so there is one only with something in it.
	const body = Object.keys(options).length > 0 ? options : undefined;
	return await write(
		service,
		async () => await service.json('sendTransaction', { path: { transactionId }, platform, body }),
		sentGoal(service, transactionId, platform),
	);
}

/**
 * Makes a sent transaction a draft again (docs/service/transactions.md#recall).
 * @returns the transaction as it is now
 * @throws ServiceFailure `notDone` when it is still sent; with `flags.inDoubt` when it may have been
 *   recalled
 */
export async function recall(
	service: ServiceClient,
	transactionId: string,
	platform: Platform,
	reason?: string,
): Promise<TransactionAnswer> {
	const query = reason === undefined ? undefined : { recall_reason: reason };
	return await write(
		service,
		async () =>
			await service.json('recallTransaction', { path: { transactionId }, platform, query }),
		recalledGoal(service, transactionId, platform),
	);
}

/** Milliseconds between two looks at a transaction that is being completed. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
/** States that end a transaction without completing it (docs/service/states.md). */
const ENDED_OTHERWISE = new Set<unknown>(['expired', 'declined']);

/**
 * The goal of Force Complete: the transaction is completed. The service answers before it is
 * (docs/service/transactions.md#force-complete), so it's looked at for some time. Doing it again
 * can't do it twice: a completed transaction refuses it.
 * @param signal ends the wait when the execution is canceled
 */
export function completedGoal(
	service: ServiceClient,
	transactionId: string,
	platform: Platform,
	signal?: AbortSignal,
): Required<Goal<TransactionAnswer>> {
	const told = (shown: unknown): Seen<TransactionAnswer> => {
		const transaction = readTransaction(shown);
		const phase = transaction && phaseOf(transaction);
		if (phase === 'sent') return notDone({ still: phase });
		if (transaction === undefined || phase !== 'finished') return UNKNOWN;
		const { status, detailed_status: detailed } = transaction;
		return ENDED_OTHERWISE.has(status) || ENDED_OTHERWISE.has(detailed)
			? UNKNOWN
			: done(transaction);
	};
	const look = async () => {
		const end = Date.now() + service.limits.completionMs;
		for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
			const seen = told(await retrieveTransaction(service, transactionId, platform));
			if (seen.state !== 'notDone' || Date.now() + pause > end) return seen;
			await sleep(pause, signal);
		}
	};
	return { told, look };
}

/**
 * Completes a sent transaction without its signers. Only test environments do
 * (docs/service/transactions.md#force-complete).
 * @returns the completed transaction
 * @throws ServiceFailure `notDone` when it is still sent after a while; with `flags.inDoubt` when
 *   its state can't be seen
 */
export async function forceComplete(
	service: ServiceClient,
	transactionId: string,
	platform: Platform,
	signal?: AbortSignal,
): Promise<TransactionAnswer> {
	return await write(
		service,
		async () => await service.json('forceComplete', { path: { transactionId }, platform }),
		completedGoal(service, transactionId, platform, signal),
	);
}

/**
 * The goal of a reminder. The service shows no trace of it but its answer, the transaction
 * (docs/service/transactions.md#resend-the-e-mail).
 */
export const remindedGoal: Goal<TransactionAnswer> = {
	told: (answer, answered = true) => (answered ? showsTransaction(answer) : UNKNOWN),
};

/** Judges an answer by whether it is a transaction, whatever it holds. */
export function showsTransaction(shown: unknown): Seen<TransactionAnswer> {
	const transaction = readTransaction(shown);
	return transaction === undefined ? UNKNOWN : done(transaction);
}

/** Returns the whole transaction, with its IDs at top level. */
export function withTransactionIds(transaction: IDataObject): IDataObject {
	const recordId = recordIdOf(transaction);
	return {
		transaction_id: transaction.id,
		...(recordId !== undefined && { notarization_record_id: recordId }),
		...transaction,
	};
}
