import type { Delivery } from '../../service/resources/deliveries';

/* How old an event is, because the service's own answer may lag behind its events. */

/**
 * How long the service's answer may lag behind an event. In that time, an event that the answer
 * doesn't show yet is asked about again.
 */
export const SETTLING_MS = 10 * 60_000;

/** How many events this process keeps for all triggers together. */
const REMEMBERED = 5_000;

/**
 * When this process first asked about events that the service didn't show. The date of an event
 * alone wouldn't do: a documented-only service sends none, and the clocks may differ.
 */
class FirstSeen {
	private readonly times = new Map<string, number>();

	/**
	 * Whether the answer about an event may still lag behind it.
	 * @param since ISO 8601, when the service tried to deliver it, where that is known
	 */
	isSettling({ key, occurred }: Delivery, since?: string): boolean {
		const now = Date.now();
		const first = this.times.get(key) ?? now;
		this.times.set(key, first);
		if (this.times.size > REMEMBERED) {
			const [oldest] = this.times.keys();
			this.times.delete(oldest);
		}
		const times = [first, Date.parse(occurred ?? ''), Date.parse(since ?? '')];
		return now - Math.min(...times.filter((time) => !Number.isNaN(time))) < SETTLING_MS;
	}
}

/** State of this process; docs/architecture.md lists all of it. */
export const firstSeen = new FirstSeen();
