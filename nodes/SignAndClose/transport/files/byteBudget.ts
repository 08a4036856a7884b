import { asError } from '../failure/failure';
import { waitInLine } from './waitInLine';

/*
 * Keeps the files that are sent at the same time within a number of bytes. Where n8n streams them,
 * they take little memory; where it keeps them in its database, each is in memory as a whole.
 */

interface Waiting {
	bytes: number;
	begin: () => void;
}

/** Bytes that may be under way at once. Whoever waits is served in order. */
export class ByteBudget {
	private used = 0;

	private readonly waiting: Waiting[] = [];

	/**
	 * Waits for room. Something bigger than all of it goes alone.
	 * @param most how many bytes may be under way at once
	 * @param signal ends the waiting
	 * @returns gives the room back
	 * @throws the reason of the signal when that is aborted
	 */
	async take(bytes: number, most: number, signal?: AbortSignal): Promise<() => void> {
		const serve = () => {
			for (;;) {
				const [first] = this.waiting;
				if (first === undefined || (this.used > 0 && this.used + first.bytes > most)) return;
				this.waiting.shift();
				first.begin();
			}
		};
		try {
			await waitInLine<void, Waiting>(this.waiting, signal, ({ resolve }) => {
				const begin = () => {
					this.used += bytes;
					resolve();
				};
				const waiting = { bytes, begin };
				this.waiting.push(waiting);
				serve();
				return waiting;
			});
		} catch (cancelled) {
			// Who waited behind it may have room.
			serve();
			throw asError(cancelled);
		}
		let given = false;
		return () => {
			if (given) return;
			given = true;
			this.used -= bytes;
			serve();
		};
	}
}

/**
 * The bodies with files that this process sends. State of this process; docs/architecture.md lists
 * all of it.
 */
export const uploads = new ByteBudget();
