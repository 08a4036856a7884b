import type { IDataObject } from 'n8n-workflow';

import { defineWrite, type OperationCall } from '../../run/operation';
import {
	done,
	ended,
	notDone,
	orLater,
	UNKNOWN,
	type Goal,
	type Seen,
} from '../../run/outcome/goals';
import { write } from '../../run/outcome/write';
import type { Params } from '../../run/parameters/params';
import { toTransaction, type TransactionAnswer } from '../../transport/answers/answers';
import { retrieveTransaction } from '../../transport/answers/retrieveTransaction';
import {
	hasLapsed,
	isDraft,
	phaseOf,
	wrongState,
	type Phase,
} from '../../transport/answers/transactionState';
import type { Call, ServiceClient } from '../../transport/client';
import { asError, findFailure, saysNotFound } from '../../transport/failure/failure';
import type { Platform } from '../../transport/service/endpoints';
import { withoutEmpty } from '../../values/json';
import { parsePlatform } from '../shared/commonFields';
import { inTransaction, outside } from '../shared/toCheck';
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
export function phaseGoal(
	service: ServiceClient,
	move: Move,
	{ transactionId, platform }: Target,
): Required<Pick<Goal<TransactionAnswer>, 'fromAnswer' | 'look' | 'toCheck'>> {
	const { reached, missed, toCheck } = MOVES[move];
	const judge = (shown: unknown): Seen<TransactionAnswer> => {
		const transaction = toTransaction(shown);
		const phase = transaction && phaseOf(transaction);
		if (!transaction || !phase) return UNKNOWN;
		const isEnded = phase === 'finished' && hasLapsed(transaction);
		if (isEnded) return ended(wrongState('ended', transaction));
		if (reached.some((one) => one === phase)) return done(transaction);
		return phase === missed ? notDone({ still: missed }) : UNKNOWN;
	};
	return {
		fromAnswer: judge,
		async look(how) {
			try {
				return orLater(judge(await retrieveTransaction(service, transactionId, platform)), how);
			} catch (thrown) {
				if (how.isLost && saysNotFound(thrown)) return ended(findFailure(thrown)!);
				throw asError(thrown);
			}
		},
		toCheck: inTransaction(transactionId, toCheck),
	};
}

/** Sends what moves a transaction into another phase. */
export const sendMove = async (
	service: ServiceClient,
	move: Move,
	{ transactionId, platform }: Target,
	more: Pick<Call, 'query' | 'body'> = {},
): Promise<unknown> => await service.json(move, { path: { transactionId }, platform, ...more });

/**
 * The request that sends a draft.
 * @param options suppress_email, require_new_signer_verification; real estate also skip_closing_ops
 */
export const sendBody = (options: IDataObject = {}): Pick<Call, 'body'> =>
	// The service publishes no body for this call, so there is one only with something in it.
	Object.keys(options).length > 0 ? { body: options } : {};

/** The request that makes a sent transaction a draft again. */
export const recallQuery = (reason?: string): Pick<Call, 'query'> => ({
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
	target: Target,
	more: Pick<Call, 'query' | 'body'>,
): Promise<TransactionAnswer> =>
	await write(
		service,
		async () => await sendMove(service, name, target, more),
		phaseGoal(service, name, target),
	);

/** Judges an answer by whether it is a transaction, whatever it holds. */
export function showsTransaction(shown: unknown): Seen<TransactionAnswer> {
	const transaction = toTransaction(shown);
	return transaction === undefined ? UNKNOWN : done(transaction);
}

/**
 * The write that sends a reminder. The service shows no trace of it but its answer, the transaction
 * (docs/service/transactions.md#resend-the-e-mail), so a lost answer can't be looked up, and nobody
 * is reminded twice.
 * @param what continues "Check", e.g. "whether the signer has received another email"
 * @param parse parses what goes along
 */
export const reminder = (
	endpoint: 'resendEmail' | 'resendSms' | 'resendToContacts',
	what: string,
	parse: (call: OperationCall) => Pick<Call, 'query' | 'body'>,
) =>
	defineWrite({
		parse: (call) => ({ ...parseTarget(call.params), more: parse(call) }),
		send: async ({ service }, { transactionId, platform, more }) =>
			await service.json(endpoint, { path: { transactionId }, platform, ...more }),
		goal: (): Goal<TransactionAnswer> => ({
			fromAnswer: (answer, answered = true) => (answered ? showsTransaction(answer) : UNKNOWN),
			toCheck: outside(what),
		}),
		result: ({ params }, transaction) => ({ json: transactionJson(params, transaction) }),
	});

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
