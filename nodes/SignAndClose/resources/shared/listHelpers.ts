import {
	NodeOperationError,
	type ILoadOptionsFunctions,
	type INodeListSearchItems,
} from 'n8n-workflow';

import { InputFailure } from '../../messages/explainedFailure';
import { toNodeError } from '../../messages/nodeError';
import { createService, type ServiceClient } from '../../transport/client';
import { idInLink } from '../../transport/links/links';
import type { Platform } from '../../transport/service/endpoints';

/* What all lists have in common. */

/** Connects to the service of the node's credential. */
export type Connect = () => Promise<ServiceClient>;

/**
 * Loads a list, without secrets in it, because n8n stores the name of what is chosen. A list that
 * can't be loaded says why instead of being empty.
 * @throws NodeOperationError with the remedy in its message, because the editor shows nothing else
 */
export async function withReason<T>(
	context: ILoadOptionsFunctions,
	load: (connect: Connect) => Promise<T>,
): Promise<T> {
	let service: ServiceClient | undefined;
	try {
		const list = await load(async () => (service = await createService(context)));
		return service === undefined ? list : service.hide(list);
	} catch (thrown) {
		const explanation = toNodeError(context.getNode(), thrown, undefined, []);
		const text = [explanation.message, explanation.description].filter((part) => part).join('. ');
		// n8n replaces the whole message by its own when it finds the code of a network fault in it.
		throw new NodeOperationError(context.getNode(), text.replace(/ \([A-Z_]{3,40}\)/g, ''));
	}
}

/**
 * Reads another parameter of the node; undefined when it is empty or an expression without data.
 */
export function chosenParameter(context: ILoadOptionsFunctions, name: string): string | undefined {
	const text = String(context.getCurrentNodeParameter(name, { extractValue: true }) ?? '').trim();
	return text === '' || text.startsWith('=') ? undefined : (idInLink(name, text) ?? text);
}

/**
 * Reads a parameter that the list can't do without.
 * @throws InputFailure that says whether it is empty or an expression without data
 */
export function requiredParameter(
	context: ILoadOptionsFunctions,
	name: string,
	label: string,
): string {
	const value = chosenParameter(context, name);
	if (value !== undefined) return value;
	const raw = context.getCurrentNodeParameter(name, { extractValue: true });
	if (raw === '')
		throw new InputFailure(label, 'is empty', `Fill in '${label}' first: the list depends on it`);
	throw new InputFailure(
		label,
		'uses an expression that has no data yet',
		"Execute the nodes before this one, then use 'Refresh List' in the menu beside the label of this list. Or choose 'By ID' or 'Expression' for this field, and enter the ID yourself",
	);
}

/** The platform that is chosen in the node. Operations without the choice work on real estate. */
export function currentPlatform(context: ILoadOptionsFunctions): Platform {
	return context.getCurrentNodeParameter('platform') === 'business' ? 'business' : 'realEstate';
}

/** An entry of a list before it is offered. Without an ID, there is nothing that could be chosen. */
export interface Choice {
	name: string;
	value: string | undefined;
	/** Texts by which the search finds it; name and value when nothing else is said. */
	texts?: unknown[];
}

/**
 * Returns the entries that can be chosen and that match the search. Two things never have the same
 * entry.
 * @param isLaterPage whether other entries are shown above these, which aren't known here
 */
export function offered(
	choices: readonly Choice[],
	filter: string | undefined,
	isLaterPage = false,
): INodeListSearchItems[] {
	const there = choices.filter((choice): choice is Choice & { value: string } => {
		return choice.value !== undefined;
	});
	return distinct(there, isLaterPage).flatMap(({ name, value, texts }) =>
		matches({ name, value, texts }, filter) ? [{ name, value }] : [],
	);
}

/** Whether an entry contains what the person typed into the search field. */
export function matches({ name, value, texts }: Choice, filter: string | undefined): boolean {
	return matchesSearch(filter, ...(texts ?? [name, value]));
}

/**
 * Tells entries of the same name apart by their values.
 * @param all whether to show the value of every entry
 */
export function distinct<T extends { name: string; value: string }>(
	entries: readonly T[],
	all = false,
): T[] {
	const counts = new Map<string, Set<string>>();
	for (const { name, value } of entries)
		counts.set(name, (counts.get(name) ?? new Set()).add(value));
	return entries.map((entry) =>
		entry.name !== entry.value && (all || counts.get(entry.name)!.size > 1)
			? { ...entry, name: nameFrom([entry.name, entry.value]) }
			: entry,
	);
}

/** Puts the parts of a name together that are there; `otherwise` when none is. */
export function nameFrom(
	parts: Array<string | undefined>,
	otherwise: string | undefined = undefined,
): string {
	return parts.filter((part) => part !== undefined).join(' · ') || (otherwise ?? '');
}

/** Whether any of the texts contains what the person typed into the search field. */
export function matchesSearch(filter: string | undefined, ...texts: unknown[]): boolean {
	const wanted = filter?.trim().toLowerCase() ?? '';
	return (
		wanted === '' ||
		texts.some((text) => typeof text === 'string' && text.toLowerCase().includes(wanted))
	);
}
