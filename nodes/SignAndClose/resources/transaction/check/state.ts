import { explain } from '../../../messages/explanations';
import { isDraft, phaseOf, wrongState } from '../../../transport/answers/transactionState';
import { asText } from '../../../values/json';
import { toMilliseconds } from '../../../values/times';
import { expiryText } from '../../shared/output';
import { leavesOutUnset, missing, ok, unknown, type Rule } from './finding';

/* Whether a transaction can be sent now, and signed afterwards. */

/** docs/service/states.md#detailed-status */
export const draft: Rule = ({ transaction }) => {
	if (isDraft(transaction)) return ok("It's a draft");
	const phase = phaseOf(transaction);
	if (phase === undefined) return unknown("The service doesn't show whether it's a draft");
	return missing(
		explain(wrongState('send', transaction)).message,
		phase === 'finished'
			? 'Create a new transaction for what is still to be signed'
			: "To change it, take it back from its signers with 'Transaction: Recall'",
	);
};

/** Signers only read before it (docs/service/transactions.md#creation-fields). */
export const activation: Rule = ({ transaction }) => {
	const begin = asText(transaction.activation_time);
	const end = expiryText(transaction);
	if (begin === undefined || end === null)
		return leavesOutUnset(transaction)
			? ok('The time to sign has no beginning or no end')
			: unknown("The service doesn't show when the time to sign begins and ends");
	const [from, until] = [begin, end].map((time) => toMilliseconds(time, 'zoned'));
	if (from === undefined || until === undefined)
		return unknown(`The service shows times that can't be compared: ${begin} and ${end}`);
	return from < until
		? ok(`It can be signed from ${begin}, before it expires`)
		: missing(
				`It can be signed from ${begin}, but expires at ${end}`,
				"Change one of the two with 'Transaction: Update'",
			);
};

/** After it, nobody signs or edits (docs/service/transactions.md#creation-fields). */
export const expiration: Rule = ({ transaction, now }) => {
	const end = expiryText(transaction);
	if (end === null)
		return leavesOutUnset(transaction)
			? ok("It doesn't expire")
			: unknown("The service doesn't show whether it expires");
	const until = toMilliseconds(end, 'zoned');
	if (until === undefined)
		return unknown(`The service shows an expiration that isn't a time with a zone: ${end}`);
	return until > now
		? ok(`It expires at ${end}`)
		: missing(
				`It expired at ${end}`,
				'The service no longer sends or changes it: create a new transaction',
			);
};
