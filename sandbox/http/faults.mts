/**
 * Faults on demand: what a live service, or the network before it, does on a bad day. This file
 * says which faults there are and which request each one hits. applyFault.mts carries them out.
 */

export type FaultKind =
	/** Answers with `status`, `headers` and `body` instead of doing the work. */
	| 'respond'
	/** Answers 200 with a page of HTML. */
	| 'notJson'
	/** Answers before it has read the body of the request. */
	| 'earlyRefusal'
	/** Does the work, then answers with `status`, `headers` and `body` instead of its own answer. */
	| 'respondAfter'
	/** Closes the connection before the work is done. */
	| 'cutBefore'
	/** Does the work, then closes the connection without an answer. */
	| 'cutAfter'
	/** Closes the connection in the middle of the answer. */
	| 'cutMidBody'
	/** Sends the head of the answer and a part of its body, then nothing more. */
	| 'stall';

export interface FaultSpec {
	/** By default, any method. */
	method?: string;
	/** Part of the path as the client wrote it, or a pattern. By default, any path. */
	path?: string | RegExp;
	/** How many requests it hits: by default 1, Infinity for all. */
	times?: number;
	/** How many matching requests pass before the first one is hit. */
	skip?: number;
	/** By default, `respond`. */
	kind?: FaultKind;
	status?: number;
	headers?: Record<string, string>;
	body?: unknown;
	/** Real milliseconds to wait before anything else happens. */
	delayMs?: number;
}

export class Faults {
	private list: Array<Required<Pick<FaultSpec, 'times' | 'skip'>> & FaultSpec> = [];

	add(spec: FaultSpec): void {
		this.begin(spec);
	}

	/** @returns a function that ends the fault */
	begin(spec: FaultSpec): () => void {
		const fault = { ...spec, times: spec.times ?? 1, skip: spec.skip ?? 0 };
		this.list.push(fault);
		return () => {
			this.list = this.list.filter((other) => other !== fault);
		};
	}

	clear(): void {
		this.list = [];
	}

	/** The fault that hits this request, if any. */
	take(method: string, path: string): FaultSpec | undefined {
		for (const fault of this.list) {
			if (fault.method !== undefined && fault.method.toUpperCase() !== method) continue;
			if (
				fault.path !== undefined &&
				!(typeof fault.path === 'string' ? path.includes(fault.path) : fault.path.test(path))
			)
				continue;
			if (fault.skip > 0) {
				fault.skip -= 1;
				continue;
			}
			if (fault.times <= 0) continue;
			fault.times -= 1;
			return fault;
		}
		return undefined;
	}
}
