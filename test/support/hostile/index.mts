import type { RunOutcome } from '../engine.mts';
import { forEachCase } from '../forEachCase.mts';

/** Hostile values, and what holds whatever is done with them. */

/** IDs that try to leave their place in a path, a header or a message, by the name of the attack. */
export const HOSTILE_IDS: Record<string, string> = {
	slash: 'ot_1/documents',
	'parent folder': '..',
	'parent folders': '../../webhooks',
	'encoded parent folder': '%2e%2e%2f%2e%2e%2fwebhooks',
	'twice encoded parent folder': '%252e%252e%252fwebhooks',
	'parent folder after an ID': 'ot_1/../../webhooks',
	backslashes: '..\\..\\webhooks',
	'protocol-relative': '//evil.example/x',
	query: 'ot_1?organization_id=or_other',
	fragment: 'ot_1#x',
	'path parameters': 'ot_1;admin=true',
	'at sign': '@evil.example',
	'null byte': 'ot_1\0.pdf',
	'line end': 'ot_1\r\nX-Injected: 1\r\n\r\nDELETE /v2/webhooks/wh1 HTTP/1.1',
	'ANSI escape': '\u001b[31mot_1\u001b[0m',
	'C1 control': 'ot_1\u0085\u009b31m',
	'line separator': 'ot_1\u2028X-Injected: 1',
	'look-alike dots': '\uff0e\uff0e\uff0fwebhooks',
	'look-alike slash': 'ot_1\u2215documents',
	'right-to-left override': 'ot_1\u202efdp.exe',
	'zero width': 'o\u200bt\u200d_\ufeff1',
	'half of a surrogate pair': 'ot_1\ud800',
	'other half': '\udc00ot_1',
	blanks: '  ot_missing  ',
	markup: '<img src=x onerror=alert(1)>',
	'markup in an attribute': '"><script>alert(1)</script>',
	'name of the prototype': '__proto__',
	'name of the constructor': 'constructor',
	'template text': '{documentId}',
	'replacement pattern': "$&$'$`$1",
	'expression text': '{{ $env }}',
	percent: '%',
	'broken encoding': '%c0%ae%c0%ae',
};

/** A text that no log, message or request may hold as a whole. */
export const TEN_MEGABYTES = 'x'.repeat(10 * 1024 * 1024);

/** Longer than any sentence that a person reads. */
const MOST_CHARACTERS = 6_000;

/** Expects of a text that a person reads that it is text: short, on one line, without markup. */
export function expectPlain(text: string | undefined | null): void {
	const said = text ?? '';
	expect(said.length).toBeLessThan(MOST_CHARACTERS);
	expect(said).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
	// A browser begins an element here.
	expect(said).not.toMatch(/<[a-z/!?]/i);
	expect(said.isWellFormed()).toBe(true);
}

/** Errors of the JavaScript engine, which tell a person nothing. */
const ENGINE_WORDS =
	/Cannot (read|convert|set)|is not (a function|iterable|defined)|of undefined|of null|URI malformed|call stack|\[object |Invalid (URL|time|string)|undefined/;

/** Expects that whatever went wrong in a run was said in plain words. */
export function expectPlainRun({ run, error, items, errorItems }: RunOutcome): void {
	const texts = [
		error?.message,
		error?.description,
		...[...items, ...errorItems].map(({ json }) => json.error),
		...(run.data.resultData.runData.Tested?.[0].hints ?? []).map(({ message }) => message),
	];
	forEachCase(texts, (text) => {
		if (typeof text !== 'string') return;
		expectPlain(text);
		expect(text).not.toMatch(ENGINE_WORDS);
	});
}

/** What every object inherits, which no input or answer may change. */
const INHERITED = JSON.stringify(Object.getOwnPropertyNames(Object.prototype).sort());

/** Expects that nothing was added to what every object inherits. */
export function expectCleanPrototype(): void {
	expect(JSON.stringify(Object.getOwnPropertyNames(Object.prototype).sort())).toBe(INHERITED);
	expect(({} as Record<string, unknown>).polluted).toBeUndefined();
	expect(([] as unknown as Record<string, unknown>).polluted).toBeUndefined();
}

/** Expects of a value, and of all that is in it, that its prototype is the usual one. */
export function expectUsualPrototypes(value: unknown): void {
	if (typeof value !== 'object' || value === null) return;
	const prototype: unknown = Object.getPrototypeOf(value);
	// Objects of another realm have another Object.prototype, which has no prototype either.
	if (!Array.isArray(value) && prototype !== null)
		expect(Object.getPrototypeOf(prototype)).toBeNull();
	if ('polluted' in value) expect(Object.hasOwn(value, 'polluted')).toBe(true);
	expect(Object.hasOwn(value, '__proto__')).toBe(false);
	for (const entry of Object.values(value)) expectUsualPrototypes(entry);
}

/** Values that an expression may return where something else is expected, by what they are. */
export function oddValues(): Record<string, unknown> {
	const cyclic: Record<string, unknown> = { name: 'x' };
	cyclic.self = cyclic;
	return {
		'an object': { a: 1 },
		'an object without prototype': Object.assign(Object.create(null) as object, { a: 1 }),
		'an object that is no text': {
			toString: () => {
				throw new TypeError('Cannot convert');
			},
		},
		'a list': [1, 'two', { three: 3 }],
		'a list of lists': [[['x']]],
		'a list of nothing': [null, undefined],
		'an empty list': [],
		nothing: null,
		'no number': Number.NaN,
		'an infinite number': Number.POSITIVE_INFINITY,
		'a big number': 10n ** 30n,
		'a date': new Date(0),
		'no date': new Date(Number.NaN),
		bytes: Buffer.from('%PDF-1.7'),
		'a function as text': 'function () { return 1; }',
		'a symbol': Symbol('x'),
		'a cyclic object': cyclic,
		'an object of which a field fails': Object.defineProperty({ name: 'x' }, 'row', {
			enumerable: true,
			get: () => {
				throw new Error('undefined');
			},
		}),
		'a row of text': { row: 'text' },
		'rows of lists': { row: [[1], null, 'x'] },
		'keys of the prototype': JSON.parse(
			'{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}',
		),
		'JSON with keys of the prototype':
			'{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}',
	};
}
