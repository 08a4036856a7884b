/** Runs tasks side by side: most of their time, they wait. */
export class Pool {
	private readonly waiting: Array<() => void> = [];
	private running = 0;
	private readonly size: number;

	constructor(size: number) {
		this.size = size;
	}

	async run<T>(task: () => Promise<T>): Promise<T> {
		if (this.running >= this.size) await new Promise<void>((go) => this.waiting.push(go));
		else this.running++;
		try {
			return await task();
		} finally {
			const next = this.waiting.shift();
			if (next) next();
			else this.running--;
		}
	}
}
