import type { PaceRules } from '../../limits';

/* Which requests are open, and which of them hang. Pure: all times are given, in milliseconds. */

/** The requests that were sent and haven't ended. */
export class OpenRequests<T extends { readonly at: number }> {
	private readonly requests = new Set<T>();

	/** When the latest request that was answered was sent. */
	private lastAnswered = -Infinity;

	constructor(private readonly rules: Pick<PaceRules, 'hangMs' | 'mostAtOnce'>) {}

	get size(): number {
		return this.requests.size;
	}

	add(request: T): void {
		this.requests.add(request);
	}

	/** @param answered whether the service answered it */
	delete(request: T, answered: boolean): void {
		this.requests.delete(request);
		if (answered) this.lastAnswered = Math.max(this.lastAnswered, request.at);
	}

	/** How many requests take a place: one that hangs takes none, so that it doesn't keep others. */
	placesTaken(now: number): number {
		return [...this.requests].filter(({ at }) => now - at < this.rules.hangMs).length;
	}

	/** Whether none of so many places is left. */
	isFull(now: number, places: number): boolean {
		return this.placesTaken(now) >= places || this.size >= this.rules.mostAtOnce;
	}

	/** Whether the service has answered requests that were sent long after this one. */
	hangsAlone({ at }: T): boolean {
		return this.lastAnswered - at >= this.rules.hangMs;
	}
}
