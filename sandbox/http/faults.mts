/**
 * What a fault does to the request that it hits: respond: answers with status, headers and body
 * instead of working. not-json: answers 200 with a page of HTML. early-refusal: answers before it
 * has read the request's body. cut-before: hangs up without working. cut-after: works, then hangs
 * up without an answer. cut-mid-body: hangs up in the middle of the answer. stall: sends the head
 * of the answer and a part of the body, then nothing.
 */
export type FaultKind =
	| 'respond'
	| 'not-json'
	| 'early-refusal'
	| 'cut-before'
	| 'cut-after'
	| 'cut-mid-body'
	| 'stall'
	| 'cutBefore'
	| 'cutAfter'
	| 'cutMidBody';

/** Faults on demand: what a live service or the way to it does on a bad day. */
export interface FaultSpec {
	method?: string;
	/** Part of the path as the client wrote it, or a pattern. */
	path?: string | RegExp;
	/** How many requests it hits; 1 unless told, Infinity for all. */
	times?: number;
	/** How many matching requests pass first. */
	skip?: number;
	kind?: FaultKind;
	status?: number;
	headers?: Record<string, string>;
	body?: unknown;
	/** Real milliseconds, before anything else happens. */
	delayMs?: number;
}

export class Faults {
	private list: Array<Required<Pick<FaultSpec, 'times' | 'skip'>> & FaultSpec> = [];

	add(spec: FaultSpec): void {
		const kind = spec.kind?.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) as
			FaultKind | undefined;
		this.list.push({
			...spec,
			kind: kind ?? 'respond',
			times: spec.times ?? 1,
			skip: spec.skip ?? 0,
		});
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
