import type { IDataObject } from 'n8n-workflow';

import { credentialFor, runNode } from '../../../support/engine.mts';
import type { KeptService, Platform, Sent, Write } from '../../../support/keptService/index.mts';
import { hints } from '../../../support/operations.mts';
import { inputOf, parametersOf, type Choices, type Item } from './item.mts';

/** What a run of the node came to. */
export interface Played {
	/** What the person reads if it failed. */
	failure?: string;
	json: IDataObject;
	/** Everything that says what differs: the failure, or the output's differences and plan. */
	said: string;
	hints: string;
	/** What this run wrote, and what it sent. */
	writes: Write[];
	sent: Sent[];
}

/** Runs Transaction: Create and Send with these parameters. */
export async function playWith(
	{ kept, url }: KeptService,
	parameters: IDataObject,
	items: Parameters<typeof runNode>[0]['items'],
): Promise<Played> {
	const [writes, sent] = [kept.writes.length, kept.sent.length];
	const outcome = await runNode({ credential: credentialFor(url), parameters, items });
	const { error } = outcome;
	const json = outcome.items[0]?.json ?? {};
	const failure = error && `${error.message}. ${error.description ?? ''}`;
	return {
		...(failure !== undefined && { failure }),
		json,
		said: failure ?? JSON.stringify([json.differences ?? [], json.plan ?? []]),
		hints: hints(outcome),
		writes: kept.writes.slice(writes),
		sent: kept.sent.slice(sent),
	};
}

/** Runs it with one item. */
export const play = async (
	service: KeptService,
	platform: Platform,
	number: string,
	item: Item,
	choices: Partial<Choices> = {},
): Promise<Played> =>
	await playWith(service, parametersOf(platform, number, item, choices), [await inputOf(item)]);
