import { sleep } from 'n8n-workflow';

import type { DocumentAnswer, TransactionAnswer } from '../../answers';
import type { ServiceClient } from '../../client';
import type { Platform } from '../../endpoints';
import { ServiceFailure } from '../../errors/failure';
import { asText } from '../../values/json';
import { retrieveTransaction } from '../transactions';

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
}

/**
 * Waits until no document is pending. Documents whose state isn't shown count as processed.
 * @returns the milliseconds that it waited
 * @throws ServiceFailure `documentFailed` when a document can't be processed, `documentsPending`
 *   when the limit is over
 */
export async function waitForDocuments(
	service: ServiceClient,
	transactionId: string,
	platform: Platform,
	{ limitMs, signal }: DocumentWait,
): Promise<number> {
	const began = Date.now();
	for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
		const { documents } = await retrieveTransaction(service, transactionId, platform);
		const pending = pendingDocuments(documents ?? []);
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
		if (why !== undefined)
			throw new ServiceFailure(
				{ code: 'documentFailed', document: nameOf(document), why },
				{ final: true },
			);
	}
	return documents.filter(({ processing_state: state }) => state === 'pending').map(nameOf);
}

const nameOf = ({ document_name: name, id }: DocumentAnswer) => asText(name) ?? String(id);
