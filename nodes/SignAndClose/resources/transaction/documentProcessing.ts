import { sleep, type IDataObject } from 'n8n-workflow';

import type { DocumentAnswer, TransactionAnswer } from '../../transport/answers/answers';
import { retrieveTransaction } from '../../transport/answers/retrieveTransaction';
import { isDraft, phaseOf, wrongState } from '../../transport/answers/transactionState';
import type { ServiceClient } from '../../transport/client';
import { asError, ServiceFailure } from '../../transport/failure/failure';
import type { Platform } from '../../transport/service/endpoints';
import { asText } from '../../values/json';
import { sendDraft } from './api';

/*
 * Waits until the service has processed the documents of a draft. A draft that is sent earlier is
 * refused or loses the text tags of its documents (docs/service/documents.md#processing).
 */

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** How long to wait. */
interface DocumentWait {
	/** The longest time in milliseconds. */
	limitMs: number;
	/** Ends the wait when the execution is canceled. */
	signal?: AbortSignal;
	/** When the wait began, in milliseconds since 1970; by default now. */
	began?: number;
}

/** Texts of a service that can't send a transaction yet. Nobody publishes one. */
const STILL_WORKING =
	/\bstill\b.*\b(split|process)|\b(being|is|are) (split|processed|processing)\b|\b(split|upload|processing)\w*\b.*\bin progress\b/i;
/** Statuses with which a service refuses what it may accept later. */
const NOT_YET = new Set([409, 422, 425]);

/**
 * Sends a draft when the service has processed its documents. Not every service shows how far they
 * are, and none shows that it is splitting a bookmarked PDF
 * (docs/service/documents.md#bookmarked-pdfs). A refusal that says so is waited for, too: it proves
 * that nothing was sent.
 * @returns the transaction as it is now, and the milliseconds that it waited
 * @throws ServiceFailure as waitForDocuments() and sendDraft()
 */
export async function sendWhenProcessed(
	service: ServiceClient,
	transactionId: string,
	platform: Platform,
	{ options, ...wait }: DocumentWait & { options: IDataObject },
): Promise<{ transaction: TransactionAnswer; waitedMs: number }> {
	const began = wait.began ?? Date.now();
	for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
		const waitedMs = await waitForDocuments(service, transactionId, platform, { ...wait, began });
		try {
			return {
				transaction: await sendDraft(service, transactionId, platform, options),
				waitedMs,
			};
		} catch (thrown) {
			const said = stillWorking(thrown);
			if (said === undefined) throw asError(thrown);
			const waited = Date.now() - began;
			if (waited + pause > wait.limitMs) throw notYet(said, waited);
		}
		await sleep(pause, wait.signal);
	}
}

function notYet(said: string[], waitedMs: number): ServiceFailure {
	const seconds = Math.round(waitedMs / 1000);
	return new ServiceFailure(
		{ code: 'documentsPending', documents: [], said, seconds },
		{ final: false },
	);
}

/** What a service says that can't send a transaction yet; undefined for any other failure. */
function stillWorking(thrown: unknown): string[] | undefined {
	if (!(thrown instanceof ServiceFailure) || thrown.reason.code !== 'refused') return undefined;
	const { status, said } = thrown.reason;
	return NOT_YET.has(status) && said.some((text) => STILL_WORKING.test(text)) ? said : undefined;
}

/**
 * Waits until no document is pending. Documents whose state isn't shown count as processed.
 * @returns the milliseconds that it waited
 * @throws ServiceFailure `documentFailed` when a document can't be processed, `documentsPending`
 *   when the limit is over, `wrongState` when it's no draft any more
 */
export async function waitForDocuments(
	service: ServiceClient,
	transactionId: string,
	platform: Platform,
	{ limitMs, signal, began = Date.now() }: DocumentWait,
): Promise<number> {
	for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
		const transaction = await retrieveTransaction(service, transactionId, platform);
		if (phaseOf(transaction) !== undefined && !isDraft(transaction))
			throw wrongState('send', transaction);
		const pending = pendingDocuments(transaction.documents ?? []);
		const waited = Date.now() - began;
		if (pending.length === 0) return waited;
		if (waited + pause > limitMs)
			throw new ServiceFailure(
				{ code: 'documentsPending', documents: pending, seconds: Math.round(waited / 1000) },
				{ final: false },
			);
		await sleep(pause, signal);
	}
}

function pendingDocuments(documents: NonNullable<TransactionAnswer['documents']>): string[] {
	for (const document of documents) {
		const why = asText(document.processing_error);
		// Business shows the reason in Get document only
		// (docs/service/documents.md#two-forms-of-the-answer).
		if (why !== undefined || document.processing_state === 'failed')
			throw new ServiceFailure(
				{ code: 'documentFailed', document: nameOf(document), why },
				{ final: true },
			);
	}
	return documents.filter(({ processing_state: state }) => state === 'pending').map(nameOf);
}

const nameOf = ({ document_name: name, id }: DocumentAnswer) => asText(name) ?? String(id);
