/**
 * What can go wrong, as data: the item loop turns these into n8n's own error classes in one place
 * (toNodeError), so that everything below it stays free of n8n and can be tested without it. Texts
 * avoid blame and jargon and never hold a header or a key.
 */

export interface FailureDetails {
	/** What to do about it. */
	remedy: string;
	/** Status of the answer, where there was one. */
	httpStatus?: number;
	/** Display name of the parameter to change. */
	parameter?: string;
	/** A write may have been done although no answer came. */
	inDoubt?: boolean;
	/** Nothing that is repeated would help (wrong input, refused). */
	final?: boolean;
}

/** The service, or the way to it, did not do what was asked. */
export class ServiceFailure extends Error {
	readonly details: FailureDetails;

	constructor(message: string, details: FailureDetails) {
		super(message);
		this.name = 'ServiceFailure';
		this.details = details;
	}
}

/** The input can't be used; nothing was sent. */
export class InputFailure extends ServiceFailure {
	/**
	 * @param parameter display name as in the editor
	 * @param what continues the sentence that starts with the parameter's name
	 * @param remedy what to do, a sentence without final period
	 */
	constructor(parameter: string, what: string, remedy: string) {
		super(`'${parameter}'${what.startsWith(',') ? '' : ' '}${what}`, {
			remedy,
			parameter,
			final: true,
		});
		this.name = 'InputFailure';
	}
}

/**
 * What was thrown, when it is an explanation of ours (n8n and Node.js wrap what a stream or a
 * credential threw), else `otherwise`.
 */
export function asFailure(thrown: unknown, otherwise: ServiceFailure): ServiceFailure {
	return findFailure(thrown) ?? otherwise;
}

/** Our own explanation in a chain of causes. */
export function findFailure(thrown: unknown): ServiceFailure | undefined {
	for (
		let link = thrown, depth = 0;
		link instanceof Error && depth < 5;
		link = link.cause, depth++
	) {
		if (link instanceof ServiceFailure) return link;
	}
	return undefined;
}

/** Anything thrown, as an Error that can be thrown on. */
export function asError(thrown: unknown): Error {
	return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** Whether the service said that it does not have something. */
export function isNotFound(thrown: unknown): boolean {
	return findFailure(thrown)?.details.httpStatus === 404;
}
