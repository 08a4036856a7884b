import { explain } from '../../../messages/explanations';
import { describeNewStart } from '../../../messages/transactionTexts';
import { isDraft, derivePhase, buildWrongState } from '../../../transport/answers/transactionState';
import { asText } from '../../../values/json';
import { toMilliseconds } from '../../../values/times';
import { findExpiry } from '../../../form/output';
import {
	leavesOutUnset,
	sayMissing,
	sayOk,
	sayUnknown,
	sayWarning,
	type CheckRule,
} from './findings';
import { findMark } from '../recallMark';

/* Whether a transaction can be sent now, and signed afterwards. */

/** docs/service/states.md#detailed-status */
export const checkDraft: CheckRule = ({ transaction }) => {
	if (isDraft(transaction))
		return findMark(asText(transaction.recall_reason)) === undefined
			? sayOk("It's a draft")
			: sayWarning(
					"It's a draft, recalled for new documents: nobody can sign it until it's sent",
					"If 'Transaction: Replace Documents' was cut off, run its workflow again",
				);
	const phase = derivePhase(transaction);
	if (phase === undefined) return sayUnknown("The service doesn't show whether it's a draft");
	return sayMissing(
		explain(buildWrongState('send', transaction)).message,
		phase === 'finished'
			? describeNewStart(transaction)
			: "To change it, take it back from its signers with 'Transaction: Recall'",
	);
};

/** Signers only read before it (docs/service/transactions.md#creation-fields). */
export const checkActivation: CheckRule = ({ transaction }) => {
	const begin = asText(transaction.activation_time);
	const end = findExpiry(transaction);
	if (begin === undefined || end === null)
		return leavesOutUnset(transaction)
			? sayOk('The time to sign has no beginning or no end')
			: sayUnknown("The service doesn't show when the time to sign begins and ends");
	const [from, until] = [begin, end].map((time) => toMilliseconds(time, 'zoned'));
	if (from === undefined || until === undefined)
		return sayUnknown(`The service shows times that can't be compared: ${begin} and ${end}`);
	return from < until
		? sayOk(`It can be signed from ${begin}, before it expires`)
		: sayMissing(
				`It can be signed from ${begin}, but expires at ${end}`,
				"Change one of the two with 'Transaction: Update'",
			);
};

/** After it, nobody signs or edits (docs/service/transactions.md#creation-fields). */
export const checkExpiration: CheckRule = ({ transaction, now }) => {
	const end = findExpiry(transaction);
	if (end === null)
		return leavesOutUnset(transaction)
			? sayOk("It doesn't expire")
			: sayUnknown("The service doesn't show whether it expires");
	const until = toMilliseconds(end, 'zoned');
	if (until === undefined)
		return sayUnknown(`The service shows an expiration that isn't a time with a zone: ${end}`);
	return until > now
		? sayOk(`It expires at ${end}`)
		: sayMissing(
				`It expired at ${end}`,
				'The service no longer sends or changes it: create a new transaction',
			);
};
