import type { IDataObject } from 'n8n-workflow';

import { phaseOf, type Phase } from '../transport/answers/transactionState';
import type { FailureReason } from '../transport/failure/failure';
import { asText } from '../values/json';
import type { Explanation } from './explainedFailure';
import type { ShownState, Situation } from './situation';

/*
 * The states of a transaction in words, and what to do when one isn't in the state that an operation
 * needs (docs/service/errors.md#errors-of-each-call, docs/service/states.md). No remedy takes
 * something back from its signers as the first thing to do.
 */

/** States whose names in the service don't say what is the case. The others read well. */
const WORDS: Record<string, string> = {
	started: 'draft',
	recalled: 'draft, recalled',
	sent_to_closing_ops: 'with the closing team',
	order_placed: 'with the closing team',
	sent_to_title_agency: 'with the title agency',
	sent_to_title_agent: 'with the title agency',
	viewed: 'opened by a signer',
	complete: 'completed',
	partially_complete: 'partially completed',
	complete_with_rejections: 'completed with rejections',
	esign_complete: 'signed electronically',
	wet_sign_complete: 'signed on paper',
	converted_to_wet_sign: 'to be signed on paper',
	identify_complete_idv_passed: 'completed, identity confirmed',
	identify_complete_idv_failed: 'completed, identity not confirmed',
};

/**
 * Says in words how far a transaction is. A draft whose detailed status is missing has the status
 * "started" (docs/service/states.md#detailed-status).
 * @returns undefined when the transaction doesn't say it
 */
export function stateInWords({
	detailed_status: detailed,
	status,
}: IDataObject): string | undefined {
	const state = asText(detailed) ?? asText(status);
	if (state === undefined) return undefined;
	// A detailed status of the same name belongs to a transaction that was sent.
	if (state === 'started' && status !== 'started') return state;
	return Object.hasOwn(WORDS, state) ? WORDS[state] : state.replaceAll('_', ' ');
}

/** What can't be done because of the state. */
export type StateRefusal =
	/** It isn't a draft. */
	| 'notDraft'
	| 'expired'
	/** A signer has completed. */
	| 'signed'
	| 'notRecallable'
	/** Nobody can be reminded. */
	| 'noReminder'
	| 'notCompletable'
	/** The form has a switch for doing it all the same. */
	| 'switchedOff';

/** The texts with which the service refuses because of the state. */
const TEXTS: Array<[RegExp, StateRefusal]> = [
	[/transaction has expired/i, 'expired'],
	[/already been completed by at least 1 signer/i, 'signed'],
	[/cannot be edited at this time|cannot be modified/i, 'notDraft'],
	[/cannot be recalled at this time/i, 'notRecallable'],
	[/cannot resend email for/i, 'noReminder'],
	[/unable to force complete/i, 'notCompletable'],
];

const NEW_ONE = 'Create a new transaction for what is still to be signed';
const INVITE_AGAIN = "To invite the signers again, use 'Transaction: Resend Email'";
const RECALL =
	"'Transaction: Recall' takes the transaction back from its signers, and 'Transaction: Send' sends it again after the change";
const FORCED = 'only a transaction that waits for its signers can be completed by force';

/** What to do next, by state; `any` where no other fits, or the state isn't known. */
type Next = Partial<Record<Phase | 'any', string>>;

/** By what was refused, and for some operations in words of their own. */
const NEXT: Record<StateRefusal, Next> & Record<string, Next | undefined> = {
	'notDraft transaction/send': {
		sent: INVITE_AGAIN,
		finished: NEW_ONE,
		any: `It may be sent already: see its state with 'Transaction: Get'. ${INVITE_AGAIN}`,
	},
	'notDraft transaction/update': {
		sent: `Only a draft can be changed. For a signer, use 'Transaction: Correct Signer'. For anything else, ${RECALL}`,
	},
	notDraft: {
		draft: 'Run the node again: a draft can be changed',
		sent: `Only a draft can be changed. If the change has to be made, ${RECALL}`,
		finished: `It can no longer be changed. ${NEW_ONE}`,
		any: "Only a draft can be changed: see the state with 'Transaction: Get'. If it's sent, 'Transaction: Recall' takes it back from its signers and makes it a draft. One that has expired or is completed can no longer be changed",
	},
	expired: {
		any: "It can no longer be sent or changed: create a new transaction. A draft gets more time with a later 'Expiry' or 'Expiration Time' in 'Transaction: Update', before it expires",
	},
	signed: {
		any: 'A signer has completed, so this is no longer possible. The transaction ends when the other signers complete, or when it expires',
	},
	notRecallable: {
		draft: "There is nothing to recall: change it with 'Transaction: Update'",
		sent: "Only a transaction that no signer has completed can be recalled: see who has with 'Signer: Get Many'",
		finished: `It can no longer be recalled. ${NEW_ONE}`,
		any: "Retrieve it with 'Transaction: Get': only a transaction that was sent and that no signer has completed can be recalled",
	},
	noReminder: {
		draft: "Nobody was invited yet: send it with 'Transaction: Send'",
		finished: 'There is nobody left to remind',
		any: "The service sends no email in this state. Send a draft with 'Transaction: Send' first. After it has ended, nothing can be sent",
	},
	notCompletable: {
		draft: `Send it with 'Transaction: Send' first: ${FORCED}`,
		finished: 'There is nothing left to complete',
		any: `Send a draft with 'Transaction: Send' first: ${FORCED}`,
	},
	'switchedOff transaction/recall': {
		any: "To take it back from its signers, turn on 'Recall from Signers': until it's sent again, they can't sign. To correct a signer, use 'Transaction: Correct Signer'",
	},
	switchedOff: {
		any: "To delete it all the same, turn on 'Delete Even if Sent': its signers lose it, with everything they have filled in",
	},
};

/** Recognizes that the service refused something because of the state of a transaction. */
export function stateRefusalIn(said: readonly string[]): StateRefusal | undefined {
	return TEXTS.find(([pattern]) => said.some((text) => pattern.test(text)))?.[1];
}

function nextFor(refused: StateRefusal, operation = '', phase: Phase | undefined): string {
	const [own, all] = [NEXT[`${refused} ${operation}`], NEXT[refused]];
	const inState = (next: Next | undefined) => phase && next?.[phase];
	return inState(own) ?? own?.any ?? inState(all) ?? all.any!;
}

const PHASES: Record<Phase, string> = { draft: 'a draft', sent: 'already sent', finished: 'over' };

/** The transaction and its state; undefined where the service doesn't show it. */
function describeState({ phase, words }: ShownState): string | undefined {
	if (phase === undefined) return words && `The transaction has the state "${words}"`;
	const detail = words === undefined || phase === 'draft' ? '' : ` (${words})`;
	return `The transaction is ${PHASES[phase]}${detail}`;
}

/** What is the case and what to do next, after what the service said about the state. */
export function remedyForState(refused: StateRefusal, situation?: Situation): string {
	const { state = {}, operation } = situation ?? {};
	const next = nextFor(refused, operation, state.phase);
	const is = describeState(state);
	return is === undefined ? next : `${is}. ${next}`;
}

type WrongState = Extract<FailureReason, { code: 'wrongState' }>;

const REFUSED: Record<WrongState['step'], StateRefusal> = {
	send: 'notDraft',
	recall: 'notRecallable',
	unconfirmed: 'switchedOff',
};

/** Explains that an operation retrieved the state of a transaction, and sent nothing. */
export function explainWrongState({ step, shown }: WrongState, situation?: Situation): Explanation {
	const phase = phaseOf(shown);
	return {
		message:
			describeState({ phase, words: stateInWords(shown) }) ??
			"The transaction doesn't show whether it's sent",
		remedy: `Nothing was changed. ${nextFor(REFUSED[step], situation?.operation, phase)}`,
	};
}
