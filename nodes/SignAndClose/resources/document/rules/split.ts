import { InputFailure } from '../../../messages/failures';
import type { OperationCall } from '../../../run/operation';
import { poll } from '../../../run/write/poll';
import type { DocumentAnswer } from '../../../transport/answers/shapes';
import { retrieveTransaction } from '../../../transport/answers/transaction';
import { derivePhase } from '../../../transport/answers/transactionState';
import { ServiceFailure } from '../../../transport/failure/failure';
import { listDocuments, describeFile, isEnote, withoutConsentForms } from '../api';
import type { ApplyForm } from './form';
import { planRules } from './replacement';
import { findRuleSigners } from './assignment';

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
export async function awaitDocuments(call: OperationCall, form: ApplyForm): Promise<RuledDraft> {
	const { expected, limitMs } = form;
	const began = Date.now();
	let latest: RuledDraft;
	const draft = await poll(
		call.service,
		async () => {
			latest = await retrieveDraft(call, form);
			return latest.isWaiting && limitMs !== undefined ? undefined : latest;
		},
		{ end: began + (limitMs ?? 0) },
	);
	if (draft !== undefined) return draft;
	const { documents, planned } = latest!;
	throw new ServiceFailure(
		{
			code: 'splitRunning',
			current: planned.length,
			expected,
			pending: listPending(documents),
			seconds: Math.round((Date.now() - began) / 1000),
		},
		{ final: false },
	);
}

const listPending = (documents: DocumentAnswer[]): string[] =>
	documents
		.filter(({ processing_state: state }) => state === 'pending')
		.map((document) => describeFile(document).name);

/** The documents of a transaction. */
export type RuledDraft = Awaited<ReturnType<typeof retrieveDraft>>;

async function retrieveDraft({ service, params }: OperationCall, form: ApplyForm) {
	const { transactionId, platform, expected } = form;
	const transaction = await retrieveTransaction(service, transactionId, platform);
	const documents = withoutConsentForms(listDocuments(transaction), platform).filter(
		(document) => !isEnote(document),
	);
	const rules = form.rules.map((rule) => findRuleSigners(rule, transaction));
	const planned = planRules({ ...form, rules }, documents);
	const count = planned.length;
	if (expected !== undefined && count > expected)
		throw new InputFailure(
			params.label('numberOfDocuments'),
			`is ${expected}, but the transaction has ${count}`,
			"Enter how many documents it has when the split is done, without the eNote and the service's consent forms",
		);
	const isSplitting = expected === undefined ? null : count < expected;
	// Nothing comes to a transaction that is sent.
	const phase = derivePhase(transaction);
	const isOpen = phase === undefined || phase === 'draft';
	const isIncomplete = isSplitting ?? count === 0;
	const isWaiting = isOpen && (isIncomplete || listPending(documents).length > 0);
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
