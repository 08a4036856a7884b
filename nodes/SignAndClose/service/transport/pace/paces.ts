import type { PaceRules } from '../../limits';
import { Turns } from './turns';

/**
 * The turns of every service and key that this process sends requests to, so that workflows which
 * run at the same time share one pace. State of this process; docs/architecture.md lists all of it.
 */
class Paces {
	private readonly byAccount = new Map<string, Turns>();

	/**
	 * The turns of one account. They're to be asked for before each request, because those of an
	 * account that is idle are forgotten.
	 * @param account names base URL and key, without giving the key away
	 */
	of(account: string, rules: PaceRules): Turns {
		for (const [name, turns] of this.byAccount) if (turns.isIdle) this.byAccount.delete(name);
		let turns = this.byAccount.get(account);
		if (turns === undefined) {
			turns = new Turns(rules);
			this.byAccount.set(account, turns);
		}
		return turns;
	}

	/** The accounts that are known at present. */
	get accounts(): string[] {
		return [...this.byAccount.keys()];
	}

	/** Forgets what was learned, as a restart does. */
	clear(): void {
		this.byAccount.clear();
	}
}

export const paces = new Paces();
