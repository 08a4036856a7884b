/**
 * Looks that several items share. Whoever asks while a look is under way gets the next one, which
 * begins when that one has ended, so that nobody gets an answer older than the question.
 */
export class SharedLooks {
	private readonly looks = new Map<
		string,
		{ running: Promise<unknown>; next?: Promise<unknown> }
	>();

	/**
	 * Looks, or waits for a look that hasn't begun.
	 * @param key names what is looked at
	 * @throws what the look throws
	 */
	async share<T>(key: string, look: () => Promise<T>): Promise<T> {
		const known = this.looks.get(key);
		if (known === undefined) return await this.begin(key, look);
		known.next ??= known.running.then(
			async () => await this.begin(key, look),
			async () => await this.begin(key, look),
		);
		return (await known.next) as T;
	}

	private async begin<T>(key: string, look: () => Promise<T>): Promise<T> {
		const own = { running: look() };
		this.looks.set(key, own);
		try {
			return await own.running;
		} finally {
			// Unless the next one has begun.
			if (this.looks.get(key) === own && !('next' in own)) this.looks.delete(key);
		}
	}
}
