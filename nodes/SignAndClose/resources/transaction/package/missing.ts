import type { IDataObject } from 'n8n-workflow';

import { ExplainedFailure, sentences, type Words } from '../../../messages/explainedFailure';
import { explain } from '../../../messages/explanations';
import type { Situation } from '../../../messages/situation';
import type { OperationCall } from '../../../run/operation';
import { plainText } from '../../../transport/failure/plainText';
import { asError, findFailure } from '../../../transport/failure/failure';
import { meaningOf } from '../../../transport/http/statuses';
import { firstText } from '../../shared/output';
import { RECORDING_LATE } from '../../notarizationRecord/files';

/* What a package lacks, and why. */

/**
 * Why a file is missing. `not_completed`: there is none before the transaction is completed.
 * `not_ready`: there will be one, e.g. after a payment. `failed`: it couldn't be read.
 */
type Why = 'not_completed' | 'not_ready' | 'failed';

/** Why something is missing, in a word and in words. */
export interface Lack {
	why: Why;
	words: Words;
}

/** A file that is missing. */
export interface Missing extends Lack {
	kind: string;
	id: string;
	label: string;
}

/** What it means that a transaction has no file of a kind yet. */
export function lackOf(kind: string, { status, detailed_status: detailed }: IDataObject): Lack {
	if (kind === 'recording') return { why: 'not_ready', words: RECORDING_LATE };
	const state = firstText(detailed, status) ?? 'in an unknown state';
	return /^complete/.test(firstText(status) ?? state)
		? {
				why: 'not_ready',
				words: [
					`The service gives no link to it, although the transaction is completed (${state})`,
					"If the signer pays, the service releases documents after the payment: start this workflow with the 'Sign and Close Trigger' on 'Documents Released'. Otherwise, run the node again in a few minutes",
				],
			}
		: {
				why: 'not_completed',
				words: [
					`The transaction isn't completed (${state})`,
					"Start this workflow with the 'Sign and Close Trigger' on completed transactions",
				],
			};
}

/** What it means that the service doesn't show something that has to exist once a transaction is completed. */
export function lateOf(transaction: IDataObject, words: Words): Lack {
	const lack = lackOf('notarization_record', transaction);
	return lack.why === 'not_completed' ? lack : { why: 'not_ready', words };
}

/**
 * Reads why something couldn't be read. It's told in the output, so that it doesn't keep the other
 * files from being saved.
 * @throws what was thrown if somebody has stopped the execution, or if it's no failure of ours
 */
export function lackAfter(
	{ context, service }: OperationCall,
	thrown: unknown,
	situation: Situation,
): Lack {
	context.getExecutionCancelSignal()?.throwIfAborted();
	const failure = findFailure(thrown);
	if (failure === undefined) throw asError(thrown);
	const { message, remedy } = explain(failure, situation);
	const clean = (text: string) => plainText(service.redact(text));
	// Content that isn't ready yet (docs/service/documents.md#get-a-document), e.g. a late recording.
	const isLate = meaningOf(failure.flags.httpStatus) === 'conflict';
	return { why: isLate ? 'not_ready' : 'failed', words: [clean(message), clean(remedy)] };
}

/** How many files a message names. */
const MOST_NAMED = 5;

/** Names the files that are missing, e.g. "Deed, Note and 3 more". */
export function namesOf(missing: ReadonlyArray<{ label: string }>): string {
	const named = missing.slice(0, MOST_NAMED).map(({ label }) => plainText(label, 100));
	const more = missing.length - named.length;
	return [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/**
 * The failure of an item whose package lacks files.
 * @param total how many files the package has if it's complete
 */
export function lackFailure(missing: readonly Missing[], total: number): ExplainedFailure {
	const [{ words }] = missing;
	if (missing.length === 1)
		return new ExplainedFailure(`${namesOf(missing)} is missing: ${words[0]}`, words[1]);
	// Many files may be missing for one reason.
	const said = new Map<string, Missing[]>();
	for (const one of missing) {
		const why = sentences(...one.words);
		said.set(why, [...(said.get(why) ?? []), one]);
	}
	return new ExplainedFailure(
		`${missing.length} of ${total} files are missing: ${namesOf(missing)}`,
		sentences(...[...said].map(([why, files]) => `${namesOf(files)}: ${why}`)),
	);
}

/** Says below the output that something is missing. */
export function hintOf(missing: readonly Missing[]): string {
	const count = missing.length === 1 ? '1 file is' : `${missing.length} files are`;
	return `${count} missing: ${namesOf(missing)}. 'missing' in the output says why`;
}

/** Missing files, as outputs show them. */
export function shownMissing(transactionId: string, missing: readonly Missing[]): IDataObject[] {
	return missing.map(({ kind, id, label, why, words }) => ({
		transaction_id: transactionId,
		kind,
		id,
		document_name: label,
		why,
		message: sentences(...words),
	}));
}
