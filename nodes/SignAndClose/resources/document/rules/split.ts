import { InputFailure } from '../../../messages/explainedFailure';
import type { OperationCall } from '../../../run/operation';
import { poll } from '../../../run/outcome/poll';
import type { DocumentAnswer } from '../../../transport/answers/answers';
import { retrieveTransaction } from '../../../transport/answers/retrieveTransaction';
import { phaseOf } from '../../../transport/answers/transactionState';
import { ServiceFailure } from '../../../transport/failure/failure';
import { documentsOf, fileOf, isEnote, withoutConsentForms } from '../api';
import type { Wish } from './applyForm';
import { planDocuments } from './replacing';

/*
 * Waits for the documents that a split makes. No answer shows that a split is running, so that only
 * their number tells that it's done; without it, that's unknown
 * (docs/service/documents.md#bookmarked-pdfs).
 */

/**
 * Retrieves the documents, when they are there.
 * @throws InputFailure when there are more than the person says
 * @throws ServiceFailure `splitRunning` when the limit is over
 */
export async function awaitDocuments(call: OperationCall, wish: Wish): Promise<Seen> {
	const { expected, limitMs } = wish;
	const began = Date.now();
	let last: Seen;
	const seen = await poll(
		call.service,
		async () => {
			last = await look(call, wish);
			return last.isWaiting && limitMs !== undefined ? undefined : last;
		},
		{ end: began + (limitMs ?? 0) },
	);
	if (seen !== undefined) return seen;
	const { documents, planned } = last!;
	throw new ServiceFailure(
		{
			code: 'splitRunning',
			shown: planned.length,
			expected,
			pending: pendingOf(documents),
			seconds: Math.round((Date.now() - began) / 1000),
		},
		{ final: false },
	);
}

const pendingOf = (documents: DocumentAnswer[]): string[] =>
	documents
		.filter(({ processing_state: state }) => state === 'pending')
		.map((document) => fileOf(document).name);

/** The documents of a transaction. */
export type Seen = Awaited<ReturnType<typeof look>>;

async function look({ service, params }: OperationCall, wish: Wish) {
	const { transactionId, platform, expected } = wish;
	const transaction = await retrieveTransaction(service, transactionId, platform);
	const documents = withoutConsentForms(documentsOf(transaction), platform).filter(
		(document) => !isEnote(document),
	);
	const planned = planDocuments(wish, documents);
	const count = planned.length;
	if (expected !== undefined && count > expected)
		throw new InputFailure(
			params.label('numberOfDocuments'),
			`is ${expected}, but the transaction has ${count}`,
			"Enter how many documents it has when the split is done, without the eNote and the service's consent forms",
		);
	const isSplitting = expected === undefined ? null : count < expected;
	// Nothing comes to a transaction that is sent.
	const phase = phaseOf(transaction);
	const isOpen = phase === undefined || phase === 'draft';
	const isIncomplete = isSplitting ?? count === 0;
	const isWaiting = isOpen && (isIncomplete || pendingOf(documents).length > 0);
	return {
		transaction,
		/** Without those of the service and the eNote. */
		documents,
		/** The same, without what is there twice only because it's being replaced. */
		planned,
		/** Whether a split is running; null where nothing tells it. */
		isSplitting: isOpen && isSplitting,
		/** Whether there is something to wait for. */
		isWaiting,
	};
}
