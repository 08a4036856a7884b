import type { IDataObject } from 'n8n-workflow';

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
import type { Params } from '../../run/parameters/params';
import { toTransaction, type TransactionAnswer } from '../../transport/answers/answers';
import { retrieveTransaction } from '../../transport/answers/retrieveTransaction';
import { isDraft, phaseOf, wrongState, type Phase } from '../../transport/answers/transactionState';
import type { Call, ServiceClient } from '../../transport/client';
import type { Platform } from '../../transport/service/endpoints';
import { withoutEmpty } from '../../values/json';
import { parsePlatform } from '../shared/commonFields';
import { transactionJson } from './output';

/* What several operations of transactions share. */

/** Which transaction an operation works on. */
export interface Target {
	transactionId: string;
	platform: Platform;
}

/** Parses which transaction an item works on. */
export const parseTarget = (params: Params): Target => ({
	transactionId: params.requiredLocator('transactionId'),
	platform: parsePlatform(params),
});

/** The writes that move a transaction into another phase: where it is then, and where otherwise. */
const MOVES = {
	sendTransaction: { reached: ['sent', 'finished'], missed: 'draft' },
	recallTransaction: { reached: ['draft'], missed: 'sent' },
	forceComplete: { reached: ['finished'], missed: 'sent' },
} as const satisfies Record<string, { reached: readonly Phase[]; missed: Phase }>;

/** The goal of a write that moves a transaction into another phase. */
export function phaseGoal(
	service: ServiceClient,
	move: keyof typeof MOVES,
	{ transactionId, platform }: Target,
): Required<Goal<TransactionAnswer>> {
	const { reached, missed } = MOVES[move];
	return goalOf(
		(shown) => {
			const transaction = toTransaction(shown);
			const phase = transaction && phaseOf(transaction);
			if (transaction === undefined || phase === undefined) return UNKNOWN;
			if (reached.some((one) => one === phase)) return done(transaction);
			return phase === missed ? notDone({ still: missed }) : UNKNOWN;
		},
		async () => await retrieveTransaction(service, transactionId, platform),
	);
}

/**
 * Sends a draft.
 * @param options suppress_email, require_new_signer_verification; real estate also skip_closing_ops
 * @returns the transaction as it is now
 * @throws ServiceFailure `notDone` when it is still a draft; with `flags.unknownOutcome` when it may have
 *   been sent
 */
export async function sendDraft(
	service: ServiceClient,
	target: Target,
	options: IDataObject = {},
): Promise<TransactionAnswer> {
	// The service publishes no body for this call, so there is one only with something in it.
	const body = Object.keys(options).length > 0 ? options : undefined;
	return await move(service, 'sendTransaction', target, { body });
}

/**
 * Makes a sent transaction a draft again.
 * @returns the transaction as it is now
 * @throws ServiceFailure `notDone` when it is still sent; with `flags.unknownOutcome` when it may have been
 *   recalled
 */
export async function recall(
	service: ServiceClient,
	target: Target,
	reason?: string,
): Promise<TransactionAnswer> {
	const query = withoutEmpty({ recall_reason: reason });
	return await move(service, 'recallTransaction', target, { query });
}

async function move(
	service: ServiceClient,
	endpoint: keyof typeof MOVES,
	target: Target,
	more: Pick<Call, 'query' | 'body'>,
): Promise<TransactionAnswer> {
	const { transactionId, platform } = target;
	return await write(
		service,
		async () => await service.json(endpoint, { path: { transactionId }, platform, ...more }),
		phaseGoal(service, endpoint, target),
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
	more: Pick<Call, 'query' | 'body'> = {},
): Promise<OperationResult> {
	const { transactionId, platform } = parseTarget(params);
	const transaction = await write(
		service,
		async () => await service.json(endpoint, { path: { transactionId }, platform, ...more }),
		{ fromAnswer: (answer, answered = true) => (answered ? showsTransaction(answer) : UNKNOWN) },
	);
	return { json: transactionJson(params, transaction) };
}

/**
 * Makes sure that what takes a transaction from its signers is meant: the switch `evenIfSent` says
 * so. With it, the service is asked nothing: it refuses what can't be done.
 * @param step what is done: a deletion of a draft needs no switch, a recall is never of a draft
 * @throws InputFailure when the switch can't be read
 * @throws ServiceFailure `wrongState` when the switch is needed, or nothing can be recalled
 */
export async function requireMeant(
	{ service, params }: OperationCall,
	step: 'delete' | 'recall',
): Promise<void> {
	if (params.boolean('evenIfSent')) return;
	const { transactionId, platform } = parseTarget(params);
	const transaction = await retrieveTransaction(service, transactionId, platform);
	if (step === 'delete' && isDraft(transaction)) return;
	const phase = phaseOf(transaction);
	const isRecallable = step === 'delete' || phase === 'sent' || phase === undefined;
	throw wrongState(isRecallable ? 'unconfirmed' : 'recall', transaction);
}
