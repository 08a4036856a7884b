import { sleep, type IDataObject } from 'n8n-workflow';

import { asObject, isObject } from '../../values/json';
import { parseNumber } from '../../values/plainValues';
import type { Call, ServiceClient } from '../client';
import { ServiceFailure } from '../failure/failure';
import { extractMessages, namesError } from '../failure/refusal';
import type { EndpointName } from '../service/endpoints';
import {
	toAgency,
	toEntry,
	toJurisdiction,
	toListedTransaction,
	toRecord,
	toWebhook,
} from './shapes';

/*
 * Reads lists in answers. An answer that holds none is a failure that names what came: whoever reads
 * "no items" believes that there is nothing (docs/service/api.md#pagination).
 */

/** One page of a list. */
export interface ListPage {
	entries: IDataObject[];
	/** How many entries came, those without anything in them included. Else those of `entries`. */
	came?: number;
	/** How many entries the list has, where the service says it. */
	total?: number;
}

interface ListShape {
	/** What the list is called in answers that wrap it, besides the general names. */
	names: string[];
	/** Reads an entry; undefined when it can't be one. By default, an entry is any object. */
	readEntry?: (entry: unknown) => IDataObject | undefined;
	/** Whether entries without anything count, because a list that lacks one proves nothing. */
	keepsEmpty?: boolean;
}

/** Names under which any list may stand. */
export const WRAPPERS: readonly string[] = ['data', 'results', 'items'];

const LOCATIONS = {
	names: ['recording_locations', 'recording_jurisdictions'],
	readEntry: toJurisdiction,
};

/** The endpoints that answer with a list. */
const LISTS = {
	listEligibleNotaries: { names: ['notaries', 'eligible_notaries'] },
	listNotaries: { names: ['notaries'] },
	listRecords: { names: ['records', 'notarization_records'], readEntry: toRecord },
	listRecordingLocations: LOCATIONS,
	listTemplates: { names: ['templates'] },
	listTitleAgencies: { names: ['title_agencies', 'agencies'], readEntry: toAgency },
	listTitleUnderwriters: {
		names: ['eligible_title_underwriters', 'title_underwriters', 'underwriters'],
	},
	listTransactions: { names: ['transactions'], readEntry: toListedTransaction },
	listWebhookEvents: { names: ['events', 'webhook_events'] },
	// A documented-only service lists identifiers (docs/service/webhooks.md#list-webhooks).
	listWebhooks: {
		names: ['webhooks'],
		readEntry: (entry) =>
			['string', 'number'].includes(typeof entry) ? { id: String(entry) } : toWebhook(entry),
		keepsEmpty: true,
	},
	verifyAddress: LOCATIONS,
} satisfies Partial<Record<EndpointName, ListShape>>;

/** An endpoint that answers with a list. */
export type ListName = keyof typeof LISTS;

/**
 * Calls an endpoint and reads the list in its answer.
 * @throws ServiceFailure `unexpectedList` when the answer holds none
 */
export async function fetchList(
	service: ServiceClient,
	name: ListName,
	call: Call = {},
): Promise<ListPage> {
	const answer = await service.json(name, call);
	// A page may be megabytes: between parsing and reading it, the rest of n8n gets a turn.
	await sleep(0);
	return toList(name, answer, (text) => service.redact(text));
}

/**
 * Reads the list in an answer: the answer itself, or what stands under one of the list's names.
 * Entries without anything in them are left out.
 * @param clean removes secrets from a text of the service
 * @throws ServiceFailure `unexpectedList` when the answer holds none, holds entries that can't be
 *   read, or is empty and complains
 */
export function toList(
	name: ListName,
	answer: unknown,
	clean: (text: string) => string = (text) => text,
): ListPage {
	const { names, readEntry: parseEntry = toEntry, keepsEmpty = false }: ListShape = LISTS[name];
	const list = findList(answer, [...names, ...WRAPPERS]);
	if (list === undefined || (list.length === 0 && namesError(answer)))
		throw buildUnexpectedList(answer, clean);
	const buildUnreadable = (entry: unknown) =>
		buildUnexpectedList(answer, clean, `a list with ${describeAnswer(entry)} that can't be read`);
	const entries = list.flatMap((entry) => {
		if (isNothing(entry)) return keepsEmpty ? [{}] : [];
		const parsed = parseEntry(entry);
		if (parsed === undefined) throw buildUnreadable(entry);
		return [parsed];
	});
	if (list.length > 0 && entries.every(isNothing)) throw buildUnreadable(list[0]);
	const total = parseNumber(asObject(answer).total_count);
	return { entries, came: list.length, ...(Number.isFinite(total) && { total }) };
}

/**
 * Creates the failure for an answer without the list that was asked for.
 * @param clean removes secrets from a text of the service
 * @param came what came instead
 */
export function buildUnexpectedList(
	answer: unknown,
	clean: (text: string) => string,
	came = describeAnswer(answer),
): ServiceFailure {
	const { errors, error, message } = asObject(answer);
	const texts = extractMessages(namesError(answer) ? { errors, error } : { message }, clean);
	return new ServiceFailure({ code: 'unexpectedList', came, details: texts });
}

/** Finds a list in an answer, also in an object that wraps it twice. */
function findList(answer: unknown, names: string[], depth = 0): unknown[] | undefined {
	if (Array.isArray(answer)) return answer as unknown[];
	if (depth > 1) return undefined;
	const object = asObject(answer);
	for (const name of names) {
		const list = findList(object[name], names, depth + 1);
		if (list !== undefined) return list;
	}
	return undefined;
}

const isNothing = (entry: unknown) =>
	entry === null || (isObject(entry) && Object.keys(entry).length === 0);

const MOST_NAMES = 5;
const LONGEST_NAME = 40;

const KINDS: Partial<Record<string, string>> = {
	string: 'a text',
	number: 'a number',
	boolean: 'true or false',
};

/** Says what came, without values: they may be personal data. */
function describeAnswer(answer: unknown): string {
	if (answer === undefined) return 'nothing';
	if (Array.isArray(answer)) return answer.length === 0 ? 'an empty list' : 'another list';
	if (answer === null) return 'null';
	if (!isObject(answer)) return KINDS[typeof answer] ?? 'something else';
	const names = Object.keys(answer).map((name) => `'${name.slice(0, LONGEST_NAME)}'`);
	if (names.length === 0) return 'an empty object';
	const ending = names.length > MOST_NAMES ? ' and more' : '';
	return `an object with ${names.slice(0, MOST_NAMES).join(', ')}${ending}`;
}
