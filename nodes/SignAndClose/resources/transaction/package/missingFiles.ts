import type { IDataObject } from 'n8n-workflow';

import { ExplainedFailure, type Words } from '../../../messages/failures';
import { joinSentences } from '../../../values/words';
import { explain } from '../../../messages/explanations';
import type { OperationCall } from '../../../run/operation';
import { toPlainText } from '../../../values/plainText';
import { asError, findFailure } from '../../../transport/failure/failure';
import { getStatusMeaning } from '../../../transport/http/statuses';
import { findFirstText } from '../../../form/output';
import { packageProperties } from './form';

/* What a package lacks, and why. */

const situation = { operation: 'transaction/downloadPackage', properties: packageProperties };

/** Why something is missing, in a word and in words. */
interface FileLack {
	/**
	 * `not_completed`: there is none before the transaction is completed. `not_ready`: there will be one,
	 * e.g. after a payment. `failed`: it couldn't be read.
	 */
	why: 'not_completed' | 'not_ready' | 'failed';
	explanation: Words;
}

/** A file that is missing. */
export interface MissingFile {
	kind: string;
	id: string;
	label: string;
	lack: FileLack;
}

/**
 * What it means that a transaction has no file of a kind yet.
 * @param ifCompleted what is said of a completed one
 */
export function describeLack(
	{ status, detailed_status: detailed }: IDataObject,
	ifCompleted?: Words,
): FileLack {
	const state = findFirstText(detailed, status) ?? 'in an unknown state';
	if (/^complete/.test(findFirstText(status) ?? state))
		return {
			why: 'not_ready',
			explanation: ifCompleted ?? [
				`The service gives no link to it, although the transaction is completed (${state})`,
				"If the signer pays, the service releases documents after the payment: start this workflow with the 'Sign and Close Trigger' on 'Documents Released'. Otherwise, run the node again in a few minutes",
			],
		};
	return {
		why: 'not_completed',
		explanation: [
			`The transaction isn't completed (${state})`,
			"Start this workflow with the 'Sign and Close Trigger' on completed transactions",
		],
	};
}

/**
 * Reads why something couldn't be read. It's told in the output, so that it doesn't keep the other
 * files from being saved.
 * @throws what was thrown if somebody has stopped the execution, or if it's no failure of ours
 */
export function describeMissingFile(
	{ context, service }: OperationCall,
	thrown: unknown,
): FileLack {
	context.getExecutionCancelSignal()?.throwIfAborted();
	const failure = findFailure(thrown);
	if (failure === undefined) throw asError(thrown);
	const { message, remedy } = explain(failure, situation);
	const clean = (text: string) => toPlainText(service.redact(text));
	// Content that isn't ready yet (docs/service/documents.md#get-a-document), e.g. a late recording.
	const isLate = getStatusMeaning(failure.flags.httpStatus) === 'conflict';
	return { why: isLate ? 'not_ready' : 'failed', explanation: [clean(message), clean(remedy)] };
}

/** How many files a message names. */
const MOST_NAMED = 5;

/** Lists the files that are missing, e.g. "Deed, Note and 3 more". */
export function listLabels(missing: ReadonlyArray<{ label: string }>): string {
	const labels = missing.slice(0, MOST_NAMED).map(({ label }) => toPlainText(label, 100));
	const surplus = missing.length - labels.length;
	return [...labels, ...(surplus > 0 ? [`${surplus} more`] : [])].join(', ');
}

/**
 * The failure of an item whose package lacks files.
 * @param total how many files the package has if it's complete
 */
export function buildLackFailure(missing: readonly MissingFile[], total: number): ExplainedFailure {
	const [message, remedy] = missing[0].lack.explanation;
	if (missing.length === 1)
		return new ExplainedFailure(`${listLabels(missing)} is missing: ${message}`, remedy);
	// Many files may be missing for one reason.
	const byReason = new Map<string, MissingFile[]>();
	for (const file of missing) {
		const reason = joinSentences(...file.lack.explanation);
		byReason.set(reason, [...(byReason.get(reason) ?? []), file]);
	}
	return new ExplainedFailure(
		`${missing.length} of ${total} files are missing: ${listLabels(missing)}`,
		joinSentences(...[...byReason].map(([reason, files]) => `${listLabels(files)}: ${reason}`)),
	);
}
