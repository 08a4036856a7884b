import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { id } from '../closing.mts';
import type { FaultService } from '../faultService/service.mts';
import type { Platform } from '../faultService/types.mts';

/** What the fault matrix needs to know about an operation. */

/**
 * What an operation does, as the table of outcomes has it (outcomes.mts): a reminder leaves no trace
 * at the service but its answer.
 */
export type Kind = 'read' | 'list' | 'download' | 'create' | 'write' | 'reminder';

/** One effect that an item has to have, once: its kind and marker in the ledger. */
export interface Wanted {
	kind: string;
	marker: string;
}

export interface Scene {
	parameters: IDataObject;
	/** One item for each that is asked for. */
	items: INodeExecutionData[];
	/** The effects of each item, in order; none for reads. */
	effects: Wanted[][];
	/** What somebody sets who does what the message says about an item that is done in part. */
	toGoOn?: IDataObject;
}

export interface FaultScene {
	kind: Kind;
	/** The platforms that the operation can work on; the first one is the usual one. */
	platforms: Platform[];
	/** Method and path of requests that all items share, so that what fails for one fails for all. */
	shares?: RegExp;
	build(service: FaultService, platform: Platform, count: number): Promise<Scene>;
}

export const BOTH: Platform[] = ['realEstate', 'business'];

/** Makes what each item needs, one after the other. */
export async function repeat<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
	const made: T[] = [];
	for (let index = 0; index < count; index++) made.push(await make(index));
	return made;
}

/** Makes what an item needs, and gives its fields. */
type Make = (service: FaultService, platform: Platform, index: number) => Promise<object>;

/** Something that is done with each of some things, which are made for it. */
export function sceneOf(
	kind: Kind,
	platforms: Platform[],
	{
		make,
		parameters,
		effects = () => [],
	}: {
		make: Make;
		parameters: (platform: Platform) => IDataObject;
		effects?: (index: number) => Wanted[];
	},
): FaultScene {
	return {
		kind,
		platforms,
		build: async (service, platform, count) => ({
			parameters: parameters(platform),
			items: itemsOf(await repeat(count, async (index) => await make(service, platform, index))),
			effects: Array.from({ length: count }, (_, index) => effects(index)),
		}),
	};
}

/** The effects of items that only read. */
export const noEffects = (count: number): Wanted[][] => Array.from({ length: count }, () => []);

/** A parameter that takes its ID from the item. */
export const chosen = (field: string) => id(`={{ $json.${field} }}`);

/** Items of these fields. */
export const itemsOf = (rows: object[]): INodeExecutionData[] =>
	rows.map((json) => ({ json: json as IDataObject }));

/** Items that differ in nothing but their number. */
export const numbered = (count: number): INodeExecutionData[] =>
	itemsOf(Array.from({ length: count }, (_, number) => ({ number })));
