import type { AnswerKind, Json, Platform } from '../types.mts';
import { bare, type TransactionRecord, type World } from '../state/world.mts';

/** One request that has been read, as the handlers get it. */
export interface Call {
	world: World;
	platform: Platform;
	params: Record<string, string>;
	query: URLSearchParams;
	body: Json;
	/** The request's number, for the ledger. */
	number: number;
	/** With the query. */
	path: string;
}

/** A file instead of JSON. */
export class File {
	readonly content: Buffer;
	readonly type: string;
	readonly name: string;

	constructor(content: Buffer, type: string, name: string) {
		this.content = content;
		this.type = type;
		this.name = name;
	}
}

export type Handler = (call: Call) => unknown;

export interface Route {
	method: string;
	/**
	 * B and R as in docs/service/api.md#path-layouts, N for the real-estate notaries, W for webhooks,
	 * F for files on their own host, V for the fixed prefix of videos.
	 */
	on: 'B' | 'R' | 'N' | 'W' | 'F' | 'V';
	path: string;
	kind: AnswerKind;
	handler: Handler;
}

/** Shorthand: `on` may hold several letters, `methods` several methods with a comma. */
export function route(
	methods: string,
	on: string,
	path: string,
	kind: AnswerKind | Partial<Record<string, AnswerKind>>,
	handler: Handler,
): Route[] {
	return methods.split(',').flatMap((method) =>
		[...on].map((letter) => ({
			method,
			on: letter as Route['on'],
			path,
			kind: typeof kind === 'string' ? kind : (kind[letter] ?? 'object'),
			handler,
		})),
	);
}

export class Refusal extends Error {
	readonly status: number;
	readonly body: unknown;
	readonly type: string;

	constructor(status: number, body: unknown, type = 'application/json') {
		super(JSON.stringify(body));
		this.status = status;
		this.body = body;
		this.type = type;
	}
}

/** The most common shape, docs/service/errors.md#common-answers. */
export function refuse(status: number, text: string): never {
	throw new Refusal(status, { errors: [text] });
}

export function noResource(): never {
	throw new Refusal(404, { errors: { request: 'resource not found' } });
}

export function findTransaction(call: Call, id = call.params.id): TransactionRecord {
	const found = call.world.transactions.get(bare(id));
	if (!found || found.platform !== call.platform) refuse(404, 'Transaction Not Found');
	return call.world.settle(found);
}

/** Strings, arrays and objects are checked (docs/service/errors.md#wrong-types). */
export function checkTypes(
	body: Json,
	types: { strings?: string[]; arrays?: string[]; objects?: string[] },
	status = 400,
): void {
	const wrong = (name: string, type: string): never =>
		refuse(status, `Invalid value for ${name} - expected ${type}`);
	const given = (name: string) => body[name] !== undefined && body[name] !== null;
	for (const name of types.strings ?? [])
		if (given(name) && typeof body[name] !== 'string') wrong(name, 'String');
	for (const name of types.arrays ?? [])
		if (given(name) && !Array.isArray(body[name])) wrong(name, 'Array');
	for (const name of types.objects ?? [])
		if (given(name) && !isObject(body[name])) wrong(name, 'Object');
}

export function checkLength(body: Json, limits: Record<string, number>): void {
	for (const [name, most] of Object.entries(limits))
		if (typeof body[name] === 'string' && body[name].length > most)
			refuse(400, `Invalid value for ${name} - at most ${most} characters`);
}

export function isObject(value: unknown): value is Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The part of a list that `limit` and `offset` ask for. */
export function page<Item>(
	call: Call,
	items: Item[],
	limits: { usual: number; most: number },
): Item[] {
	const limit = wholeNumber(call, 'limit', limits.usual);
	const offset = wholeNumber(call, 'offset', 0);
	if (limit < 1 || limit > limits.most) refuse(400, 'Invalid value for limit');
	return items.slice(offset, offset + limit);
}

function wholeNumber(call: Call, name: string, usual: number): number {
	const text = call.query.get(name);
	if (text === null) return usual;
	if (!/^\d+$/.test(text)) refuse(400, `Invalid value for ${name}`);
	return Number(text);
}
