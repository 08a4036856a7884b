import type { OperationCall, OperationResult } from '../../run/operation';
import {
	UNKNOWN,
	done,
	goalOf,
	notDone,
	write,
	type Goal,
	type Seen,
} from '../../run/outcome/goals';
import { toTransaction, type TransactionAnswer } from '../../transport/answers/answers';
import { retrieveTransaction } from '../../transport/answers/retrieveTransaction';
import { phaseOf, type Phase } from '../../transport/answers/transactionState';
import type { Call, ServiceClient } from '../../transport/client';
import type { Platform } from '../../transport/service/endpoints';
import { transactionJson } from './output';

/* What several operations of transactions share. */

/** The goal of a write that moves a transaction out of one phase: into another one. */
export function phaseGoal(
	service: ServiceClient,
	transactionId: string,
	platform: Platform,
	{ reached, missed }: { reached: readonly Phase[]; missed: 'draft' | 'sent' },
): Required<Goal<TransactionAnswer>> {
	return goalOf(
		(shown) => {
			const transaction = toTransaction(shown);
			const phase = transaction && phaseOf(transaction);
			if (transaction === undefined || phase === undefined) return UNKNOWN;
			if (reached.includes(phase)) return done(transaction);
			return phase === missed ? notDone({ still: missed }) : UNKNOWN;
		},
		async () => await retrieveTransaction(service, transactionId, platform),
	);
}

/** Judges an answer by whether it is a transaction, whatever it holds. */
export function showsTransaction(shown: unknown): Seen<TransactionAnswer> {
	const transaction = toTransaction(shown);
	return transaction === undefined ? UNKNOWN : done(transaction);
}

/**
 * Sends a reminder. The service shows no trace of it but its answer, the transaction
 * (docs/service/transactions.md#resend-the-e-mail), so a lost answer can't be looked up, and nobody
 * is reminded twice.
 */
export async function remind(
	{ service, params }: OperationCall,
	endpoint: 'resendEmail' | 'resendSms' | 'resendToContacts',
	call: Omit<Call, 'path'>,
): Promise<OperationResult> {
	const path = { transactionId: params.requiredLocator('transactionId') };
	const transaction = await write(
		service,
		async () => await service.json(endpoint, { ...call, path }),
		{ fromAnswer: (answer, answered = true) => (answered ? showsTransaction(answer) : UNKNOWN) },
	);
	return { json: transactionJson(params, transaction) };
}
