import type { AccountName } from './accounts.mts';
import type { PlannedDelivery } from './plan.mts';

/** A time in which the workflow uses an account, in milliseconds since 1970. */
interface Period {
	account: AccountName;
	from: number;
	until: number;
}

/**
 * What a storm has done, by the numbers of its events, and so what must become of them:
 *
 * - An event of which a delivery was answered 200 (`answered`), and one that nobody delivers but that
 *   the service shows (`due`), is passed on exactly once.
 * - An event that is neither isn't passed on. That is one which was over before the workflow
 *   was published, one which was over before the workflow used its account, and one whose deliveries
 *   were all rejected.
 * - While the workflow uses one account, it passes on no event of the other one, unless a delivery of
 *   it was answered 200 before: n8n may have stored its execution by then. The workflow can't ask about
 *   such an event, so its deliveries are rejected (401, 404 or 503) and come again later. If one of them
 *   is answered 200 all the same, its event counts as answered, so that it isn't lost either. Nothing
 *   is said about the seconds in which n8n publishes the change.
 * - What is forged is never passed on, and certainly not as confirmed.
 */
export class Ledger {
	/** When the call began that was answered 200, in milliseconds since 1970. */
	readonly answered = new Map<number, number>();
	/** Events without any delivery that was answered 200, which the service shows in another way. */
	readonly due = new Set<number>();
	readonly forged = new Set<number>();
	readonly ofOtherAccount = new Set<number>();
	/** The event of each transaction that was completed. Its payload has no number. */
	readonly completions = new Map<string, number>();
	private readonly periods: Period[] = [{ account: 'first', from: 0, until: Infinity }];
	private next: number;

	constructor(plan: readonly PlannedDelivery[]) {
		for (const { event, forgery } of plan) if (forgery !== undefined) this.forged.add(event);
		this.next = 1 + Math.max(...plan.map(({ event }) => event));
	}

	/** @returns the number of one more event */
	add(account: AccountName = 'first'): number {
		if (account === 'other') this.ofOtherAccount.add(this.next);
		return this.next++;
	}

	/** Notes that the workflow changes its account while `publish` runs. */
	async changeAccount(account: AccountName, publish: () => Promise<void>): Promise<void> {
		this.periods.at(-1)!.until = Date.now();
		await publish();
		this.periods.push({ account, from: Date.now(), until: Infinity });
	}

	/** Whether an event that was passed on then belongs to an account that the workflow didn't use. */
	isForeign(number: number, at: number): boolean {
		const period = this.periods.find(({ from, until }) => at >= from && at <= until);
		const owner = this.ofOtherAccount.has(number) ? 'other' : 'first';
		if (period === undefined || period.account === owner) return false;
		return !((this.answered.get(number) ?? Infinity) < period.from);
	}
}
