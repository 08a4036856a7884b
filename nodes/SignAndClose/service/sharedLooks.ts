/** A look that is under way, and the one that begins after it. */
interface Look {
	running: Promise<unknown>;
	next?: Promise<unknown>;
}

/**
 * Looks that several items share. Whoever asks while a look is under way gets the next one, which
 * begins when that one has ended, so that nobody gets an answer older than the question.
 */
export class SharedLooks {
	private readonly looks = new Map<string, Look>();

	/** How many wait for a look that somebody else began, or will begin. They send nothing. */
	waiting = 0;

	/**
	 * Looks, or waits for a look that hasn't begun.
	 * @param key names what is looked at
	 * @throws what the look throws
	 */
	async share<T>(key: string, look: () => Promise<T>): Promise<T> {
		const known = this.looks.get(key);
		if (known === undefined) return await this.begin(key, look);
		const begin = async () => await this.begin(key, look);
		known.next ??= known.running.then(begin, begin);
		this.waiting++;
		try {
			return (await known.next) as T;
		} finally {
			this.waiting--;
		}
	}

	private async begin<T>(key: string, look: () => Promise<T>): Promise<T> {
		const running = look();
		const own: Look = { running };
		this.looks.set(key, own);
		try {
			return await running;
		} finally {
			// The next one replaces it.
			if (own.next === undefined) this.looks.delete(key);
		}
	}
}
