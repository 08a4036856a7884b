import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import type { ICredentialType, INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import { SignAndCloseApi } from '../../credentials/SignAndCloseApi.credentials.ts';
import { operations } from '../../nodes/SignAndClose/resources/index.ts';
import { SignAndClose } from '../../nodes/SignAndClose/SignAndClose.node.ts';
import { SignAndCloseTrigger } from '../../nodes/SignAndClose/SignAndCloseTrigger.node.ts';
import type { Page } from './page.mts';

/**
 * What saved workflows and credentials hold, and so may never change: names of parameters, the values
 * of their choices, and defaults, because n8n doesn't store a value that equals the default.
 * `npm run generate` adds what is new to test/contract/stored.json and takes nothing out.
 */

const FILE = fileURLToPath(new URL('../../test/contract/stored.json', import.meta.url));

/** A parameter of an operation, or without one of the whole node. Written as JSON. */
type Key = [owner: string, path: string, operation: string, type: string, byDefault: unknown];
/** The values of the choices of each parameter, without any for one that isn't a choice. */
export type Stored = Map<string, Set<unknown>>;

/** A line of the file. */
interface Line {
	path: string;
	type: string;
	default?: unknown;
	values?: unknown[];
	/** The operations that have it. Without, it's there whatever is chosen. */
	in?: string[];
}

/** What a workflow and a credential can hold now. */
export function storedNow(): Stored {
	const stored: Stored = new Map();
	const node = new SignAndClose().description;
	const trigger = new SignAndCloseTrigger().description;
	for (const { name, version, credentials = [], properties } of [node, trigger]) {
		add(stored, [name, 'typeVersion', '', 'number', undefined], [version].flat());
		for (const { name: type } of credentials)
			add(stored, [name, 'credentials', '', 'string', undefined], [type]);
		walk(stored, { name }, properties, '', ['']);
	}
	const credential = new SignAndCloseApi();
	walk(stored, credential, credential.properties, '', ['']);
	return stored;
}

/** What has been recorded. */
export async function storedRecorded(): Promise<Stored> {
	const stored: Stored = new Map();
	const owners = JSON.parse(await readFile(FILE, 'utf8')) as Record<string, Line[]>;
	for (const [owner, lines] of Object.entries(owners))
		for (const { path, type, default: byDefault, values = [], in: names = [''] } of lines)
			for (const operation of names) add(stored, [owner, path, operation, type, byDefault], values);
	return stored;
}

/** What is recorded and isn't there any more: what a saved workflow would lose. */
export function lostFrom(recorded: Stored, now: Stored): string[] {
	return [...recorded].flatMap(([key, values]) => {
		const kept = now.get(key);
		if (kept === undefined) return [key];
		const lost = [...values].filter((value) => !kept.has(value));
		return lost.length === 0 ? [] : [`${key}: ${JSON.stringify(lost)}`];
	});
}

/** The record now, and with what has come to it. */
export async function storedPage(): Promise<Page> {
	const now = await readFile(FILE, 'utf8').catch(() => '{}');
	const all = now === '{}' ? new Map() : await storedRecorded();
	for (const [key, values] of storedNow()) add(all, JSON.parse(key) as Key, [...values]);
	return { file: FILE, now, text: written(all) };
}

function add(stored: Stored, key: Key, values: unknown[]): void {
	const name = JSON.stringify(key.map((part) => part ?? null));
	stored.set(name, new Set([...(stored.get(name) ?? []), ...values]));
}

type Owner = Pick<INodeTypeDescription | ICredentialType, 'name'>;

function walk(
	stored: Stored,
	owner: Owner,
	properties: INodeProperties[],
	inside: string,
	among: string[],
): void {
	for (const property of properties) {
		const { name, type, default: byDefault, options = [], modes = [] } = property;
		if (type === 'notice') continue;
		const path = inside + name;
		const values = [...options.flatMap((each) => ('value' in each ? [each.value] : []))];
		const names = operationsOf(property, among);
		for (const operation of names)
			add(
				stored,
				[owner.name, path, operation, type, byDefault],
				[...values, ...modes.map((mode) => mode.name)],
			);
		for (const option of options) {
			if ('values' in option) walk(stored, owner, option.values, `${path}.${option.name}.`, names);
			else if ('type' in option) walk(stored, owner, [option], `${path}.`, names);
		}
	}
}

const ALL = operations.map(({ resource, value }) => `${resource}/${value}`);

/** The operations among those of the form around it that have this parameter. */
function operationsOf({ displayOptions: { show = {} } = {} }: INodeProperties, among: string[]) {
	const resources = show.resource ?? show['/resource'];
	const values = show.operation ?? show['/operation'];
	if (resources === undefined && values === undefined) return among;
	const shown = ALL.filter((name) => {
		const [resource, value] = name.split('/');
		return (resources?.includes(resource) ?? true) && (values?.includes(value) ?? true);
	});
	return among[0] === '' ? shown : among.filter((name) => shown.includes(name));
}

/** One line for each parameter, however many operations have it. */
function written(stored: Stored): string {
	const owners: Record<string, Map<string, Line>> = {};
	for (const [key, set] of stored) {
		const [owner, path, operation, type, byDefault] = JSON.parse(key) as Key;
		const values = [...set].sort((a, b) => (String(a) < String(b) ? -1 : 1));
		const line: Line = { path, type, default: byDefault, ...(values.length > 0 && { values }) };
		const same = JSON.stringify(line);
		owners[owner] ??= new Map();
		const known = owners[owner].get(same) ?? line;
		if (operation !== '') known.in = [...(known.in ?? []), operation].sort();
		owners[owner].set(same, known);
	}
	const lines = Object.entries(owners).map(
		([owner, map]) =>
			`${JSON.stringify(owner)}: [\n${[...map.values()]
				.map((line) => JSON.stringify(line))
				.sort()
				.join(',\n')}\n]`,
	);
	return `{\n${lines.join(',\n')}\n}\n`;
}
