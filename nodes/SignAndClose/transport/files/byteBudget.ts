import { sleep } from 'n8n-workflow';

/*
 * Keeps the files that are sent at the same time within a number of bytes. Where n8n streams them,
 * they take little memory; where it keeps them in its database, each is in memory as a whole.
 */

/** Milliseconds after which whoever waits looks again. */
const AGAIN_MS = 50;

/** Bytes that may be under way at once. Whoever waits is served in order. */
export class ByteBudget {
	private used = 0;

	private readonly line: object[] = [];

	/**
	 * Waits for room. Something bigger than all of it goes alone.
	 * @param maximum how many bytes may be under way at once
	 * @param signal ends the waiting
	 * @returns gives the room back, once
	 * @throws the reason of the signal when that is aborted
	 */
	async take(bytes: number, maximum: number, signal?: AbortSignal): Promise<() => void> {
		signal?.throwIfAborted();
		const place = {};
		this.line.push(place);
		try {
			while (this.line[0] !== place || (this.used > 0 && this.used + bytes > maximum))
				await sleep(AGAIN_MS, signal);
		} finally {
			this.line.splice(this.line.indexOf(place), 1);
		}
		this.used += bytes;
		return () => (this.used -= bytes);
	}
}

/**
 * The bodies with files that this process sends. State of this process; docs/architecture.md lists
 * all of it.
 */
export const uploads = new ByteBudget();
