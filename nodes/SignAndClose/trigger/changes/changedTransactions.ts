import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../service/client';
import { asError, findFailure } from '../../service/errors/failure';
import { listEntries } from '../../service/pagination';
import { notePlatform } from '../../service/resources/transactionState';
import { plainId } from '../../service/values/ids';
import { asText } from '../../service/values/json';
import { readInstant } from '../../service/values/times';
import { stateOf } from './states';

/* Asks both platforms which transactions have changed (docs/service/transactions.md#filters-of-the-list). */

/** A transaction as a look has seen it. */
export interface Seen {
	/** Without its underscore, in the form in which IDs are compared. */
	id: string;
	transaction: IDataObject;
	state: string;
	/** Milliseconds since 1970; undefined where the service doesn't say it. */
	updated: number | undefined;
}

type Listed = 'business' | 'realEstate';
const PLATFORMS: readonly Listed[] = ['realEstate', 'business'];

/** Statuses with which a platform refuses an account that it isn't for. */
const NOT_FOR_THIS_ACCOUNT = new Set([401, 403, 404]);
/** How long such a platform isn't asked again. */
const REFUSED_MS = 3_600_000;
/** More transactions than this aren't read in one look. */
const MOST_READ = 20_000;

/**
 * Reads which transactions have changed. It remembers which platform isn't for this account, so that
 * it isn't asked at each look.
 */
export class ChangedTransactions {
	private readonly refusedUntil = new Map<Listed, number>();

	/**
	 * Lists the transactions that were updated since a time, on all platforms of the account, the oldest
	 * update first. One that is on both platforms comes once.
	 * @param since milliseconds since 1970
	 * @param now milliseconds since 1970
	 * @returns `complete` is false when there were more than one look reads
	 * @throws ServiceFailure when no platform could be asked, or when one failed that is for the account
	 */
	async list(
		service: ServiceClient,
		since: number,
		now: number,
	): Promise<{ seen: Seen[]; complete: boolean }> {
		const found = new Map<string, Seen>();
		let complete = true;
		let answered = 0;
		let refusal: Error | undefined;
		for (const platform of PLATFORMS) {
			if ((this.refusedUntil.get(platform) ?? 0) > now) continue;
			try {
				complete = (await readInto(found, service, platform, since)) && complete;
				this.refusedUntil.delete(platform);
				answered += 1;
			} catch (thrown) {
				const status = findFailure(thrown)?.flags.httpStatus;
				if (status === undefined || !NOT_FOR_THIS_ACCOUNT.has(status)) throw asError(thrown);
				refusal ??= asError(thrown);
				this.refusedUntil.set(platform, now + REFUSED_MS);
			}
		}
		if (answered === 0) {
			// Perhaps the key was refused: both are asked again next time.
			this.refusedUntil.clear();
			if (refusal !== undefined) throw refusal;
		}
		const seen = [...found.values()].sort((a, b) => (a.updated ?? now) - (b.updated ?? now));
		return { seen, complete };
	}
}

/** @returns whether the list was read to its end */
async function readInto(
	found: Map<string, Seen>,
	service: ServiceClient,
	platform: Listed,
	since: number,
): Promise<boolean> {
	const query = { last_updated_date_start: new Date(since).toISOString() };
	let read = 0;
	for await (const transaction of listEntries(
		service,
		'listTransactions',
		{ platform, query },
		Number.POSITIVE_INFINITY,
	)) {
		if (read++ >= MOST_READ) return false;
		const id = asText(transaction.id);
		const state = stateOf(transaction);
		if (id === undefined || state === undefined) continue;
		notePlatform(transaction, platform);
		const key = plainId(id);
		if (!found.has(key))
			found.set(key, {
				id: key,
				transaction,
				state,
				updated: readInstant(transaction.date_updated),
			});
	}
	return true;
}
