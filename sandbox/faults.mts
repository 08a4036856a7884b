/** Faults on demand: what a live service or the way to it does on a bad day. */
export interface FaultSpec {
	method?: string;
	/** Part of the path, or a pattern. */
	path?: string | RegExp;
	/** How many requests it hits; 1 unless told. */
	times?: number;
	/** How many matching requests pass first. */
	skip?: number;
	/**
	 * respond: answer with status, headers, body instead of working. cutBefore: hang up without working. cutAfter: work, then hang up without
	 * an answer. cutMidBody: answer with half of the body. stall: answer the head, then nothing.
	 */
	kind?: 'respond' | 'cutBefore' | 'cutAfter' | 'cutMidBody' | 'stall';
	status?: number;
	headers?: Record<string, string>;
	body?: unknown;
	delayMs?: number;
}

export class Faults {
	private list: Array<Required<Pick<FaultSpec, 'times' | 'skip'>> & FaultSpec> = [];

	add(spec: FaultSpec): void {
		this.list.push({ ...spec, times: spec.times ?? 1, skip: spec.skip ?? 0 });
	}

	clear(): void {
		this.list = [];
	}

	/** The fault that hits this request, if any. */
	take(method: string, path: string): FaultSpec | undefined {
		for (const fault of this.list) {
			if (fault.method !== undefined && fault.method !== method) continue;
			if (fault.path !== undefined && !(typeof fault.path === 'string' ? path.includes(fault.path) : fault.path.test(path))) continue;
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
