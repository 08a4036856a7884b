import type { IDataObject } from 'n8n-workflow';

import { CANCELED, isCanceled, phaseOf } from '../transport/answers/transactionState';
import type { FailureReason } from '../transport/failure/failure';
import { asText } from '../values/json';
import type { Words } from './explainedFailure';
import type { Situation } from './situation';

/*
 * The states of a transaction in words, and what to do when an operation finds one in another state
 * than it needs (docs/service/states.md).
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
	identify_complete_idv_passed: 'completed, identity check passed',
	identify_complete_idv_failed: 'completed, identity check failed',
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
	if (isCanceled({ detailed_status: detailed, status })) return CANCELED;
	const state = asText(detailed) ?? asText(status);
	if (state === undefined) return undefined;
	// A detailed status of the same name belongs to a transaction that was sent.
	if (state === 'started' && status !== 'started') return state;
	return Object.hasOwn(WORDS, state) ? WORDS[state] : state.replaceAll('_', ' ');
}

/** How to invite the signers of a transaction that is sent. */
export const INVITE_AGAIN = "To invite the signers again, use 'Transaction: Resend Email'";

type WrongState = Extract<FailureReason, { code: 'wrongState' }>;

/** Explains in which state a transaction is that an operation can't work on. */
export function explainWrongState({ step, shown }: WrongState, situation?: Situation): Words {
	// A request was lost before.
	const done =
		step === 'ended' ? "It's unknown what the request did before" : 'Nothing was changed';
	return [describeState(shown), `${done}. ${nextStep(step, shown, situation)}`];
}

const PHASES = { draft: 'is a draft', sent: 'is already sent', finished: 'has ended' };

function describeState(shown: IDataObject): string {
	const [phase, state] = [phaseOf(shown), stateInWords(shown)];
	if (phase !== undefined)
		return `The transaction ${PHASES[phase]}${phase === 'draft' ? '' : ` (${state})`}`;
	return state === undefined
		? "The transaction doesn't show whether it's sent"
		: `The transaction has the state "${state}"`;
}

function nextStep(step: WrongState['step'], shown: IDataObject, situation?: Situation): string {
	if (step === 'unconfirmed')
		return situation?.operation === 'transaction/recall'
			? "To take it back from its signers, turn on 'Recall from Signers': until it's sent again, they can't sign. To correct a signer, use 'Transaction: Correct Signer'"
			: "To delete it all the same, turn on 'Delete Even if Sent': its signers lose it, with everything they have filled in";
	if (phaseOf(shown) === 'finished')
		return 'Create a new transaction for what is still to be signed';
	return step === 'send'
		? INVITE_AGAIN
		: "There is nothing to recall: change it with 'Transaction: Update'";
}
