import { Failure, type FailureFlags } from '../transport/failure/failure';

/*
 * Failures that already carry the words a person reads. Failures of the service carry a code
 * instead; explanations.ts words those.
 */

/** What a person reads about a failure. */
export interface Explanation {
	/** What happened: a sentence without a final period. */
	message: string;
	/** What to do: a sentence without a final period. */
	remedy: string;
	/** What only an administrator or the service's support can use, e.g. a code. */
	details?: string;
}

/** The same in a row, without details and with them. */
export type Words = [message: string, remedy: string];
export type DetailedWords = [...Words, details?: string];

/** A failure in words that a person reads: what happened, and what to do about it. */
export class ExplainedFailure extends Failure {
	/**
	 * @param message what happened, a sentence without final period
	 * @param remedy what to do, a sentence without final period
	 */
	constructor(
		message: string,
		readonly remedy: string,
		flags: FailureFlags = {},
	) {
		super(message, flags);
	}

	override withFlags(flags: FailureFlags): ExplainedFailure {
		return new ExplainedFailure(this.message, this.remedy, flags);
	}
}

/** The input can't be used; nothing was sent. */
export class InputFailure extends ExplainedFailure {
	/**
	 * @param parameter display name as in the editor
	 * @param problem continues the sentence that starts with the parameter's name
	 * @param remedy what to do, a sentence without final period
	 * @param prefix begins the sentence, e.g. with the row
	 */
	constructor(
		readonly parameter: string,
		readonly problem: string,
		remedy: string,
		prefix = '',
	) {
		super(`${prefix}'${parameter}'${problem.startsWith(',') ? '' : ' '}${problem}`, remedy, {
			final: true,
		});
	}

	/** Each fault by itself. */
	get failures(): readonly InputFailure[] {
		return [this];
	}
}

/** A row of a sheet can't be used. The message says which one, as the person sees it. */
export class RowFailure extends InputFailure {
	/** @param fault without the row */
	constructor(
		readonly row: string,
		readonly fault: InputFailure,
	) {
		super(fault.parameter, fault.problem, fault.remedy, `${row}: `);
	}
}

/** A column that every row needs isn't there, so that no row is to blame. */
export class HeadingFailure extends InputFailure {}

/** Rows of other items can't be used either, so nothing was sent for any of them. */
export class RowsFailure extends ExplainedFailure {}
