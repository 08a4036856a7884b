import { phaseOf } from '../transport/answers/transactionState';
import type { FailureReason } from '../transport/failure/failure';
import type { Explanation } from './refusalExplanations';
import type { Place } from './situation';
import { stateRemedy, type StateRefusal } from './stateRemedies';
import { stateInWords } from './stateWords';

/* Explains that an operation looked at the state of a transaction, and sent nothing. */

type WrongState = Extract<FailureReason, { code: 'wrongState' }>;

const REFUSED: Record<WrongState['step'], StateRefusal> = {
	send: 'notDraft',
	recall: 'notRecallable',
	unconfirmed: 'switchedOff',
};

/** Explains a state in which the operation does nothing, in the words of the same table. */
export function explainState({ step, shown }: WrongState, place: Place): Explanation {
	const { is, next } = stateRemedy(
		REFUSED[step],
		place.inState({ phase: phaseOf(shown), words: stateInWords(shown) }),
	);
	return {
		message: `The transaction ${is ?? "doesn't show whether it's sent"}`,
		remedy: `Nothing was changed. ${next}`,
	};
}
