import { explain } from '../../nodes/SignAndClose/messages/explanations.ts';
import { Failure } from '../../nodes/SignAndClose/transport/failure/failure.ts';

/** The sentence that a person reads when `work` throws; undefined when it doesn't. */
export function explainedMessage(work: () => unknown): string | undefined {
	try {
		work();
	} catch (thrown) {
		if (thrown instanceof Failure) return explain(thrown).message;
		throw thrown;
	}
	return undefined;
}
