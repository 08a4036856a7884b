import type { IDataObject } from 'n8n-workflow';

import { defineWrite, type OperationCall } from '../../run/operation';
import {
	buildDeletedGoal,
	reportDone,
	reportEnded,
	reportNotDone,
	keepOpenIfLost,
	UNCERTAIN,
	type Goal,
	type Verdict,
} from '../../run/goals';
import { write } from '../../run/write/write';
import type { Params } from '../../run/parameters/params';
import { toTransaction, type TransactionAnswer } from '../../transport/answers/shapes';
import { retrieveTransaction } from '../../transport/answers/transaction';
import {
	hasEndedUnfinished,
	isDraft,
	derivePhase,
	buildWrongState,
	type Phase,
} from '../../transport/answers/transactionState';
import type { Call, ServiceClient } from '../../transport/client';
import { asError, findFailure, saysNotFound } from '../../transport/failure/failure';
import type { Platform } from '../../transport/service/endpoints';
import { withoutEmpty } from '../../values/json';
import { parsePlatform } from '../../form/commonFields';
import { describeTransactionCheck, describeOutsideCheck } from '../../form/lostAnswers';
import { formatTransaction } from './output';

/* What several operations of transactions share. */

/** Which transaction an operation works on. */
export interface TransactionTarget {
	transactionId: string;
	platform: Platform;
}

/** Parses which transaction an item works on. */
export const parseTransactionTarget = (params: Params): TransactionTarget => ({
	transactionId: params.getRequiredLocator('transactionId'),
	platform: parsePlatform(params),
});

/** The writes that move a transaction into another phase: where it is then, and where otherwise. */
const MOVES = {
	sendTransaction: {
		reached: ['sent', 'finished'],
		missed: 'draft',
		toCheck: 'whether the transaction is sent',
	},
	recallTransaction: {
		reached: ['draft'],
		missed: 'sent',
		toCheck: 'whether the transaction is a draft again',
	},
	forceComplete: {
		reached: ['finished'],
		missed: 'sent',
		toCheck: 'whether the transaction is completed',
	},
} as const satisfies Record<string, { reached: readonly Phase[]; missed: Phase; toCheck: string }>;
type Move = keyof typeof MOVES;

/**
 * The goal of a write that moves a transaction into another phase. One that has ended or is gone since
 * a lost answer is told as that: nobody knows whether it was sent before.
 */
export function buildPhaseGoal(
	service: ServiceClient,
	move: Move,
	{ transactionId, platform }: TransactionTarget,
): Required<Pick<Goal<TransactionAnswer>, 'fromAnswer' | 'look' | 'toCheck'>> {
	const { reached, missed, toCheck } = MOVES[move];
	const evaluatePhase = (answer: unknown): Verdict<TransactionAnswer> => {
		const transaction = toTransaction(answer);
		const phase = transaction && derivePhase(transaction);
		if (!transaction || !phase) return UNCERTAIN;
		const isEnded = phase === 'finished' && hasEndedUnfinished(transaction);
		if (isEnded) return reportEnded(buildWrongState('ended', transaction));
		if (reached.some((candidate) => candidate === phase)) return reportDone(transaction);
		return phase === missed ? reportNotDone({ still: missed }) : UNCERTAIN;
	};
	return {
		fromAnswer: evaluatePhase,
		async look(options) {
			try {
				return keepOpenIfLost(
					evaluatePhase(await retrieveTransaction(service, transactionId, platform)),
					options,
				);
			} catch (thrown) {
				if (options.isLost && saysNotFound(thrown)) return reportEnded(findFailure(thrown)!);
				throw asError(thrown);
			}
		},
		toCheck: describeTransactionCheck(transactionId, toCheck),
	};
}

/** Sends what moves a transaction into another phase. */
export const sendMove = async (
	service: ServiceClient,
	move: Move,
	{ transactionId, platform }: TransactionTarget,
	request: Pick<Call, 'query' | 'body'> = {},
): Promise<unknown> => await service.json(move, { path: { transactionId }, platform, ...request });

/**
 * The request that sends a draft.
 * @param options suppress_email, require_new_signer_verification; real estate also skip_closing_ops
 */
export const buildSendRequest = (options: IDataObject = {}): Pick<Call, 'body'> =>
	// The service publishes no body for this call, so there is one only with something in it.
	Object.keys(options).length > 0 ? { body: options } : {};

/** The request that makes a sent transaction a draft again. */
export const buildRecallRequest = (reason?: string): Pick<Call, 'query'> => ({
	query: withoutEmpty({ recall_reason: reason }),
});

/**
 * Moves a transaction into another phase, as a step of a longer job.
 * @returns the transaction as it is now
 * @throws ServiceFailure `notDone` when it's still where it was; with `flags.unknownOutcome` when it may
 *   have moved
 */
export const move = async (
	service: ServiceClient,
	name: Move,
	target: TransactionTarget,
	request: Pick<Call, 'query' | 'body'>,
): Promise<TransactionAnswer> =>
	await write(
		service,
		async () => await sendMove(service, name, target, request),
		buildPhaseGoal(service, name, target),
	);

/** Deletes a transaction (docs/service/transactions.md#delete). */
export const sendDeletion = async (
	service: ServiceClient,
	{ transactionId, platform }: TransactionTarget,
): Promise<unknown> =>
	await service.json('deleteTransaction', { path: { transactionId }, platform });

/** The goal of a deletion: the service no longer has the transaction. */
export const buildGoneGoal = (
	service: ServiceClient,
	{ transactionId, platform }: TransactionTarget,
): Goal<true> =>
	buildDeletedGoal(
		async () => await retrieveTransaction(service, transactionId, platform),
		describeTransactionCheck(transactionId, 'whether the transaction is gone'),
	);

/** Judges an answer by whether it is a transaction, whatever it holds. */
export function showsTransaction(answer: unknown): Verdict<TransactionAnswer> {
	const transaction = toTransaction(answer);
	return transaction === undefined ? UNCERTAIN : reportDone(transaction);
}

/**
 * The write that sends a reminder. The service shows no trace of it but its answer, the transaction
 * (docs/service/transactions.md#resend-the-e-mail), so a lost answer can't be looked up, and nobody
 * is reminded twice.
 * @param toCheck continues "Check", e.g. "whether the signer has received another email"
 * @param parse parses what goes along
 */
export const defineReminder = (
	endpoint: 'resendEmail' | 'resendSms' | 'resendToContacts',
	toCheck: string,
	parse: (call: OperationCall) => Pick<Call, 'query' | 'body'>,
) =>
	defineWrite({
		parse: (call) => ({ ...parseTransactionTarget(call.params), more: parse(call) }),
		send: async ({ service }, { transactionId, platform, more: request }) =>
			await service.json(endpoint, { path: { transactionId }, platform, ...request }),
		goal: (): Goal<TransactionAnswer> => ({
			fromAnswer: (answer, isAnswered = true) =>
				isAnswered ? showsTransaction(answer) : UNCERTAIN,
			toCheck: describeOutsideCheck(toCheck),
		}),
		result: ({ params }, transaction) => ({ json: formatTransaction(params, transaction) }),
	});

/**
 * Makes sure that what takes a transaction from its signers is meant: the switch `evenIfSent` says
 * so. With it, the service is asked nothing: it refuses what can't be done.
 * @param action what is done: a deletion of a draft needs no switch, a recall is never of a draft
 * @throws InputFailure when the switch can't be read
 * @throws ServiceFailure `wrongState` when the switch is needed, or nothing can be recalled
 */
export async function requireConfirmation(
	{ service, params }: OperationCall,
	action: 'delete' | 'recall',
): Promise<void> {
	if (params.getBoolean('evenIfSent')) return;
	const { transactionId, platform } = parseTransactionTarget(params);
	const transaction = await retrieveTransaction(service, transactionId, platform);
	if (action === 'delete' && isDraft(transaction)) return;
	const phase = derivePhase(transaction);
	const isRecallable = action === 'delete' || phase === 'sent' || phase === undefined;
	throw buildWrongState(isRecallable ? 'unconfirmed' : 'recall', transaction);
}
