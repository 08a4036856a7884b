import { sleep } from 'n8n-workflow';

import { discard, isByteStream, OVER, stalled } from '../files/streams';

/* What one request holds on to until its answer is read: its connection and its streams. */

/**
 * One request and its answer. n8n's helper can't be relied on to end: it waits for ever for an
 * answer that switches protocols, it counts the time of an upload instead of its silence, and what
 * remains of an answer that nobody reads keeps its connection open. So the request is waited for
 * here, and end() leaves nothing behind.
 */
export class Exchange {
	private readonly connection = new AbortController();

	private readonly streams: unknown[] = [];

	private lastMove = Date.now();

	/** @param cancel ends the exchange, e.g. when somebody stops the execution */
	constructor(private readonly cancel?: AbortSignal) {
		cancel?.addEventListener('abort', this.end);
		if (cancel?.aborted === true) this.end();
	}

	/** Ends the connection when it is aborted. */
	get signal(): AbortSignal {
		return this.connection.signal;
	}

	/** Takes charge of a stream that belongs to the exchange. */
	hold(stream: unknown): void {
		if (this.signal.aborted) discard(stream);
		else this.streams.push(stream);
	}

	/** To be called when a part of the request has left. */
	readonly moved = (): void => {
		this.lastMove = Date.now();
	};

	/**
	 * Waits for an answer to begin.
	 * @param request whose late answer is dropped
	 * @param silenceMs milliseconds since anything has moved
	 * @param totalMs milliseconds in all
	 * @throws Error with the code ESTALLED, and what the request throws
	 */
	async answered<T extends { body: unknown }>(
		request: Promise<T>,
		silenceMs: number,
		totalMs: number,
	): Promise<T> {
		const until = Date.now() + totalMs;
		const settled = new AbortController();
		// Should the request end after it was given up, nobody else handles what it gives.
		request.then(
			({ body }) => this.signal.aborted && discard(body),
			() => undefined,
		);
		try {
			for (;;) {
				const leftMs = Math.min(this.lastMove + silenceMs, until) - Date.now();
				if (leftMs <= 0) throw stalled();
				const answer = await Promise.race([
					request,
					sleep(leftMs, settled.signal).then(() => undefined),
				]);
				if (answer === undefined) continue;
				if (isByteStream(answer.body)) this.hold(answer.body);
				return answer;
			}
		} finally {
			settled.abort(OVER);
		}
	}

	/**
	 * Ends the connection and the streams. The streams come first: a stream that is still open when
	 * its connection ends fails, although nobody reads it any more.
	 */
	readonly end = (): void => {
		this.cancel?.removeEventListener('abort', this.end);
		for (const stream of this.streams.splice(0).reverse()) discard(stream);
		this.connection.abort(OVER);
	};
}
