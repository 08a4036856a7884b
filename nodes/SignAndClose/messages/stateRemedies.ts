import type { Phase } from '../transport/answers/transactionState';
import type { Place } from './situation';

/*
 * What to do when a transaction isn't in the state that an operation needs: one table of what was
 * refused, by which operation, in which state (docs/service/errors.md#errors-of-each-call,
 * docs/service/states.md). No remedy takes something back from its signers as the first thing to do.
 */

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

/** What is the case and what to do next. */
interface StateRemedy {
	/** Continues "The transaction"; undefined where the state isn't known. */
	is?: string;
	/** A sentence without a final period. */
	next: string;
}

interface Row {
	refused: StateRefusal;
	/** Resources and values of operations; without, all others. */
	by?: string[];
	/** Without, any state, also an unknown one. */
	in?: Phase;
	next: string;
}

const SEND = ['transaction/send'];
const RECALL = ['transaction/recall'];
const DELETE = ['transaction/delete'];

const NEW_ONE = 'Create a new transaction for what is still to be signed';
const AGAIN = 'Run the node again';
const INVITE_AGAIN = "To invite the signers again, use 'Transaction: Resend Email'";

/** The first row that fits counts. */
const ROWS: Row[] = [
	{ refused: 'notDraft', by: SEND, in: 'sent', next: INVITE_AGAIN },
	{ refused: 'notDraft', by: SEND, in: 'finished', next: NEW_ONE },
	{
		refused: 'notDraft',
		by: SEND,
		next: `It may be sent already: see its state with 'Transaction: Get'. ${INVITE_AGAIN}`,
	},
	{
		refused: 'notDraft',
		by: ['transaction/update', 'transaction/correctSigner'],
		in: 'sent',
		next: "Only a draft can be changed. For a signer, use 'Transaction: Correct Signer'. For anything else, 'Transaction: Recall' takes the transaction back from its signers, and 'Transaction: Send' sends it again after the change",
	},
	{
		refused: 'notDraft',
		in: 'sent',
		next: "Only a draft can be changed. If the change has to be made, 'Transaction: Recall' takes the transaction back from its signers, and 'Transaction: Send' sends it again after the change",
	},
	{ refused: 'notDraft', in: 'finished', next: `It can no longer be changed. ${NEW_ONE}` },
	{ refused: 'notDraft', in: 'draft', next: `${AGAIN}: a draft can be changed` },
	{
		refused: 'notDraft',
		next: "Only a draft can be changed: see the state with 'Transaction: Get'. If it's sent, 'Transaction: Recall' takes it back from its signers and makes it a draft. One that has expired or is completed can no longer be changed",
	},
	{
		refused: 'expired',
		next: "It can no longer be sent or changed: create a new transaction. A draft gets more time with a later 'Expiry' or 'Expiration Time' in 'Transaction: Update', before it expires",
	},
	{
		refused: 'signed',
		by: DELETE,
		in: 'sent',
		next: 'A signer has completed, so it can no longer be deleted. It ends when the other signers complete, or when it expires',
	},
	{ refused: 'signed', by: DELETE, next: 'A signer has completed, so it can no longer be deleted' },
	{ refused: 'signed', next: 'A signer has finished, so this can no longer be changed' },
	{
		refused: 'notRecallable',
		by: RECALL,
		in: 'draft',
		next: "There is nothing to recall: change it with 'Transaction: Update'",
	},
	{
		refused: 'notRecallable',
		in: 'sent',
		next: "Only a transaction that no signer has completed can be recalled: see who has with 'Signer: Get Many'",
	},
	{ refused: 'notRecallable', in: 'finished', next: `It can no longer be recalled. ${NEW_ONE}` },
	{
		refused: 'notRecallable',
		next: "Retrieve it with 'Transaction: Get': only a transaction that was sent and that no signer has completed can be recalled",
	},
	{
		refused: 'noReminder',
		in: 'draft',
		next: "Nobody was invited yet: send it with 'Transaction: Send'",
	},
	{ refused: 'noReminder', in: 'finished', next: 'There is nobody left to remind' },
	{
		refused: 'noReminder',
		in: 'sent',
		next: `The service sends no email in this state. ${AGAIN} when the transaction is with its signers`,
	},
	{
		refused: 'noReminder',
		next: "Send the transaction with 'Transaction: Send' first. After it has ended, nothing can be sent",
	},
	{
		refused: 'notCompletable',
		in: 'draft',
		next: "Send it with 'Transaction: Send' first: only a transaction that waits for its signers can be completed by force",
	},
	{ refused: 'notCompletable', in: 'finished', next: 'There is nothing left to complete' },
	{
		refused: 'notCompletable',
		in: 'sent',
		next: 'Only a transaction that waits for its signers can be completed by force',
	},
	{
		refused: 'notCompletable',
		next: "Send the transaction with 'Transaction: Send' first: only one that waits for its signers can be completed by force",
	},
	{
		refused: 'switchedOff',
		by: RECALL,
		next: "To take it back from its signers, turn on 'Recall from Signers': until it's sent again, they can't sign. To correct a signer, use 'Transaction: Correct Signer'",
	},
	{
		refused: 'switchedOff',
		next: "To delete it all the same, turn on 'Delete Even if Sent': its signers lose it, with everything they have filled in",
	},
];

/** Recognizes that the service refused something because of the state of a transaction. */
export function stateRefusalIn(said: readonly string[]): StateRefusal | undefined {
	return TEXTS.find(([pattern]) => said.some((text) => pattern.test(text)))?.[1];
}

/** Finds what to do about the state of a transaction, for the operation that met it. */
export function stateRemedy(refused: StateRefusal, { operation, state = {} }: Place): StateRemedy {
	const { next } = ROWS.find(
		(row) =>
			row.refused === refused &&
			(row.by === undefined || (operation !== undefined && row.by.includes(operation))) &&
			(row.in === undefined || row.in === state.phase),
	)!;
	const is = isIn(state);
	return { ...(is !== undefined && { is }), next };
}

function isIn({ phase, words }: NonNullable<Place['state']>): string | undefined {
	if (phase === undefined) return words && `has the state "${words}"`;
	const detail = words === undefined || phase === 'draft' ? '' : ` (${words})`;
	return `is ${PHASES[phase]}${detail}`;
}

const PHASES: Record<Phase, string> = { draft: 'a draft', sent: 'already sent', finished: 'over' };

/** The same as one text, after what the service said. */
export function stateRemedyText(refused: StateRefusal, place: Place): string {
	const { is, next } = stateRemedy(refused, place);
	return is === undefined ? next : `The transaction ${is}. ${next}`;
}
