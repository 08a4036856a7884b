import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../client';
import type { TransactionAnswer } from '../answers';
import type { Platform } from '../endpoints';
import { asError, ServiceFailure } from '../errors/failure';
import type { StepMemory } from '../goals';
import { fetchList, type Page } from '../lists';
import { sameId } from '../values/ids';
import { asText } from '../values/json';
import { readInstant } from '../values/times';

/*
 * What was there right before a write. When its answer is lost, what is new since then is what the
 * write made (docs/service/errors.md#nothing-twice). Clocks alone can't tell: an older entry may
 * have been made a moment before, and the service's clock shows seconds at best.
 */

/** What was there before a write. */
export interface Before {
	ids: string[];
	/**
	 * The IDs are complete from this date on, as the service writes dates, in milliseconds since 1970.
	 * Without it, they are all there were.
	 */
	since?: number;
}

/** What is known of the moment before a write. */
export interface Noted {
	/** What was there, where it could be seen. */
	before?: Before;
	/** This machine's time after the look and before the write, in milliseconds since 1970. */
	startedAt: number;
}

/**
 * Looks what is there, and remembers it for later tries. That it can't be seen doesn't prevent the
 * write. The look may take long, and what others make meanwhile isn't the write's.
 * @throws ServiceFailure `notSent` when the write couldn't be sent either
 */
export async function noteBefore(
	steps: StepMemory,
	look: () => Promise<Before | undefined>,
): Promise<Noted> {
	let before: Before | undefined;
	try {
		before = await look();
	} catch (thrown) {
		// What can't be sent at all holds for the write, too.
		if (thrown instanceof ServiceFailure && thrown.reason.code === 'notSent') throw asError(thrown);
	}
	const noted: Noted = { startedAt: Date.now(), ...(before && { before }) };
	steps.add(JSON.stringify(noted));
	return noted;
}

/**
 * What this or an earlier try has noted before the write.
 * @param startedAt when the item began, for a write that was interrupted before anything was noted
 */
export function notedBefore(steps: StepMemory, startedAt: number): Noted {
	const noted = steps.all().at(-1);
	return noted === undefined ? { startedAt } : (JSON.parse(noted) as Noted);
}

/** As many as show what was made in the last moments. */
const NEWEST = 10;

/**
 * Looks at the newest transactions (docs/service/transactions.md#list-transactions), once for all
 * items that are about to create one.
 */
export async function newestTransactions(
	service: ServiceClient,
	platform: Platform,
): Promise<Before | undefined> {
	const query = { limit: NEWEST, offset: 0 };
	// Nobody should wait long for what is only needed if an answer is lost.
	return await service.look(`newest ${platform}`, async () =>
		beforeOf(
			await fetchList(service, 'listTransactions', { platform, query, impatient: true }),
			NEWEST,
		),
	);
}

/**
 * Reads what the first page of a list says of what is there.
 * @param limit how many entries were asked for
 * @returns undefined when the list isn't whole and doesn't show its newest entries first
 */
export function beforeOf(
	{ entries, came = entries.length, total }: Page,
	limit: number,
): Before | undefined {
	const ids = entries.map(({ id }) => asText(id)).filter((id) => id !== undefined);
	if (ids.length < came) return undefined;
	if (total === came || (total === undefined && came < limit)) return { ids };
	const dates = entries.map(dateOf).filter((date) => date !== undefined);
	const descends = dates.every((date, index) => index === 0 || date <= dates[index - 1]);
	// Entries of one moment, or a single one, don't show the order.
	const shown = dates.length === came && descends && dates[0] > dates[came - 1];
	return shown ? { ids, since: dates[came - 1] } : undefined;
}

/** Reads which documents a transaction has; undefined when it doesn't show all of them. */
export function documentsBefore({ documents }: TransactionAnswer): Before | undefined {
	const ids = documents?.map(({ id }) => asText(id)).filter((id) => id !== undefined);
	return ids !== undefined && ids.length === documents?.length ? { ids } : undefined;
}

/**
 * Whether an entry was certainly made since a write was sent. An entry of the same moment as others
 * isn't certain: missing it leaves a doubt that a person can settle, but taking an older entry for
 * what was made would lose a transaction.
 * @param before what was there; where it wasn't seen, the clocks are compared
 * @param startedAt this machine's time when the write was sent, in milliseconds since 1970
 */
export function isMadeSince(
	service: Pick<ServiceClient, 'latestServiceTime'>,
	entry: IDataObject,
	{ before, startedAt }: { before?: Before; startedAt: number },
): boolean {
	const date = dateOf(entry);
	if (before !== undefined) {
		if (before.ids.some((id) => sameId(id, entry.id))) return false;
		return before.since === undefined || (date !== undefined && date > before.since);
	}
	const latest = service.latestServiceTime(startedAt);
	// A date without a zone may be of any zone.
	const sure = readInstant(entry.date_created, 'zoned');
	return sure !== undefined && latest !== undefined && sure >= latest;
}

/** What tells the work of a write in doubt from everything else. */
export interface Traces extends Noted {
	/** IDs that other items of this run have created. None of them is the one that is searched. */
	madeByOthers(): Promise<ReadonlySet<string>>;
}

/**
 * Waits until no other item of the run writes.
 * @returns whether an entry was certainly made since the write was sent, and by no other item
 */
export async function recognizeOwn(
	service: Pick<ServiceClient, 'latestServiceTime'>,
	traces: Traces,
): Promise<(entry: IDataObject) => boolean> {
	const others = await traces.madeByOthers();
	return (entry) => isMadeSince(service, entry, traces) && !others.has(String(entry.id));
}

const dateOf = ({ date_created: date }: IDataObject) => readInstant(date);
