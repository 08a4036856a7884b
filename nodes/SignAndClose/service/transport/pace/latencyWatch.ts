/* Notices when a service becomes slower with more requests at once. Pure. */

/** How fast the usual time follows slower answers, so that a service that is slow now isn't held. */
const DRIFT = 0.0001;
const SMOOTHING = 0.2;
/** Times, as parts of the usual one, that count as slower, and as much slower. */
const SLOWER = 2;
const MUCH_SLOWER = 4;
/** Differences below this many milliseconds are noise. */
const NOISE_MS = 50;

/** How much slower a service has become. */
export type Slower = 'no' | 'somewhat' | 'much';

/**
 * Compares how long requests take with how long they usually take, for each kind of request by
 * itself, because a list takes longer than one transaction.
 */
export class LatencyWatch {
	private readonly usual = new Map<string, number>();

	private ratio = 1;

	/**
	 * Notes how long a request took.
	 * @param kind names requests that take about as long as each other
	 */
	judge(kind: string, tookMs: number): Slower {
		const known = this.usual.get(kind) ?? tookMs;
		const usual = tookMs < known ? tookMs : known + (tookMs - known) * DRIFT;
		this.usual.set(kind, usual);
		this.ratio += ((tookMs + NOISE_MS) / (usual + NOISE_MS) - this.ratio) * SMOOTHING;
		return this.ratio >= MUCH_SLOWER ? 'much' : this.ratio >= SLOWER ? 'somewhat' : 'no';
	}
}
