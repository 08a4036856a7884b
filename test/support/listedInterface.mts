import { readFileSync } from 'node:fs';

import { parse } from 'yaml';

/** The list of endpoints and fields (test/contract/interface.yaml), read and written out. */

export interface ListedEndpoint {
	/** e.g. `GET R/transactions/{transaction_id}` */
	title: string;
	method: string;
	platform: 'business' | 'realEstate' | 'webhooks';
	/** In the documented layout, with {placeholders}. */
	path: string;
	mark: string;
	/** The node's name of it; else `instead` or `link` say how the node does without. */
	node?: string;
	instead?: string;
	link?: string;
	query: ListedField[];
	body: ListedField[];
	answer: ListedField[];
	/** Name of the answer's type. */
	answerType?: string;
	/** The field of the answer whose entries become the node's items. */
	items?: string;
}

interface ListedField {
	/** Dotted, arrays with []: `signers[].email` */
	path: string;
	mark: string;
	/** Why the node does without it: does not send it, or does not hand it on. */
	leftOut?: string;
}

type Types = Record<string, Record<string, string>>;
interface Entry {
	mark: string;
	node?: string;
	instead?: string;
	link?: string;
	query?: string;
	body?: string;
	answer?: string;
	items?: string;
}

const FILE = new URL('../contract/interface.yaml', import.meta.url);
const list = parse(readFileSync(FILE, 'utf8')) as {
	endpoints: Record<string, Entry>;
	requests: Types;
	answers: Types;
};

export const MARKS = ['doc', 'pub', 'lik', 'def'];

export const ENDPOINT_LIST: ListedEndpoint[] = Object.entries(list.endpoints).map(
	([title, entry]) => {
		const [method, short] = title.split(' ');
		const platform = short.startsWith('R/')
			? 'realEstate'
			: short.startsWith('B/')
				? 'business'
				: 'webhooks';
		const path =
			platform === 'realEstate'
				? `/mortgage/v1${short.slice(1)}`
				: platform === 'business'
					? short.slice(1)
					: short;
		const { mark, node, instead, link, items } = entry;
		return {
			title,
			method,
			platform,
			path,
			mark,
			node,
			instead,
			link,
			items,
			query: expand(entry.query, list.requests),
			body: expand(entry.body, list.requests),
			answer: expand(entry.answer, list.answers),
			answerType: entry.answer,
		};
	},
);

/** All fields of a type, its objects included. */
function expand(
	name: string | undefined,
	types: Types,
	prefix = '',
	within: string[] = [],
): ListedField[] {
	if (name === undefined) return [];
	if (name.startsWith('each '))
		return expand(name.slice(5), types, `${prefix.replace(/\.$/, '')}[].`, within);
	if (types[name] === undefined) throw new Error(`interface.yaml has no type ${name}`);
	if (within.includes(name)) return [];
	return Object.entries(types[name]).flatMap(([field, value]) => {
		const [, mark, type, reason] = /^(\w+)(?: ((?:each )?\w+))?(?:; (.+))?$/.exec(value) ?? [];
		if (mark === undefined)
			throw new Error(`interface.yaml, ${name}.${field}: '${value}' can not be read`);
		const own: ListedField = {
			path: prefix + field,
			mark,
			...(reason !== undefined && { leftOut: reason }),
		};
		if (type === undefined) return [own];
		return [own, ...expand(type, types, `${prefix}${field}.`, [...within, name])];
	});
}

/** The paths of all fields of a JSON value, written as in ListedField. */
export function fieldPaths(value: unknown, prefix = ''): string[] {
	if (Array.isArray(value))
		return value.flatMap((entry) => fieldPaths(entry, `${prefix.replace(/\.$/, '')}[].`));
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, entry]) => [
		prefix + key,
		...fieldPaths(entry, `${prefix}${key}.`),
	]);
}

/** A pattern for the paths that a template stands for, in any layout. */
function pathPattern({ path, platform }: ListedEndpoint): RegExp {
	const tail = path.replace(/^\/mortgage\/v1|^\/v2/, '').replace(/\{\w+\}/g, '[^/]+');
	const prefix =
		platform === 'realEstate' ? '/mortgage/v[12]' : platform === 'webhooks' ? '/v2' : '(?:/v1)?';
	return new RegExp(`^${prefix}${tail}/?$`);
}

/** The endpoint a request was for; a fixed path goes before one with a placeholder. */
export function endpointOf(method: string, path: string): ListedEndpoint | undefined {
	const placeholders = (entry: ListedEndpoint) => entry.path.split('{').length;
	return ENDPOINT_LIST.filter(
		(entry) => entry.method === method && pathPattern(entry).test(path),
	).sort((a, b) => placeholders(a) - placeholders(b))[0];
}
