/** Properties that hold for any input: links, signatures, refusals, ids, paths, pages. */

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { refusalBody } from '../../sandbox/domain/refusal.mts';
import { signature } from '../../sandbox/domain/webhooks/signature.mts';
import { toCanonicalPath } from '../../sandbox/http/pathLayouts.mts';
import { createLinks } from '../../sandbox/http/signedLinks.mts';
import { page } from '../../sandbox/operations/page.mts';
import { createIds } from '../../sandbox/world/ids.mts';
import { newDraft, reasonOf } from './support/client.mts';
import { client, useSandbox } from './support/useSandbox.mts';

let time = 1_800_000_000_000;

const links = createLinks({
	origin: () => 'http://files.example',
	now: () => time,
	secret: 'secret',
	lifetimeSeconds: 900,
});

const parts = (url: string) => {
	const { pathname, searchParams } = new URL(url);
	return {
		key: decodeURIComponent(pathname.slice('/files/'.length)),
		expires: searchParams.get('expires')!,
		nonce: searchParams.get('nonce')!,
		signature: searchParams.get('signature')!,
	};
};

/** What a query string can hold. */
function inText(value: unknown): string | undefined {
	return value === undefined
		? undefined
		: (JSON.stringify(value, (_key, entry) =>
				typeof entry === 'bigint' ? String(entry) : entry,
			) ?? undefined);
}

describe('signed links', () => {
	// A path can't hold "." and "..": whoever parses the link takes them out.
	const key = fc
		.string({ unit: 'grapheme', minLength: 1 })
		.filter((text) => text !== '.' && text !== '..');
	test('hold for exactly 900 seconds, whatever they lead to', () => {
		fc.assert(
			fc.property(key, fc.integer({ min: 0, max: 2000 }), (wanted, seconds) => {
				const link = parts(links.sign(wanted));
				expect(link.key).toBe(wanted);
				time += seconds * 1000;
				expect(links.check(link.key, link.expires, link.nonce, link.signature)).toBe(
					seconds < 900 ? undefined : 'expired',
				);
			}),
		);
	});
	test('can not be changed in any part', () => {
		fc.assert(
			fc.property(
				key,
				fc.constantFrom('key', 'expires', 'nonce', 'signature'),
				fc.string({ minLength: 1 }),
				(wanted, part, more) => {
					const link = parts(links.sign(wanted));
					const forged = { ...link, [part]: `${link[part as 'key']}${more}` };
					expect(links.check(forged.key, forged.expires, forged.nonce, forged.signature)).toBe(
						'forged',
					);
				},
			),
		);
	});
	test('are refused with any other expiry, nonce and signature', () => {
		fc.assert(
			fc.property(fc.anything(), fc.anything(), fc.anything(), (expires, nonce, given) =>
				expect(links.check('final/do_1', inText(expires), inText(nonce), inText(given))).toBe(
					'forged',
				),
			),
		);
	});
});

test('signatures of deliveries: 64 lower-case hex digits, different for any other body or key', () => {
	fc.assert(
		fc.property(
			fc.string(),
			fc.string({ minLength: 1 }),
			fc.string({ minLength: 1 }),
			(body, key, more) => {
				expect(signature(body, key)).toMatch(/^[0-9a-f]{64}$/);
				expect(signature(body, key)).toBe(signature(body, key));
				expect(signature(body + more, key)).not.toBe(signature(body, key));
			},
		),
	);
});

test('refusals: any text can be read out of any shape', () => {
	fc.assert(
		fc.property(
			fc.string(),
			fc.integer({ min: 400, max: 599 }),
			fc.string(),
			(operation, status, text) =>
				expect(reasonOf(refusalBody(operation, status, text))).toContain(text),
		),
	);
});

test('ids: never twice the same within a run', () => {
	fc.assert(
		fc.property(
			fc.string(),
			fc.array(fc.constantFrom('ot_' as const, 'do_' as const, 'wh' as const), { maxLength: 200 }),
			(seed, kinds) => {
				const newId = createIds(seed);
				const ids = kinds.map((kind) => newId(kind));
				expect(new Set(ids).size).toBe(ids.length);
			},
		),
	);
});

test('paths: both layouts come to the same, with and without a slash', () => {
	fc.assert(
		fc.property(
			fc.stringMatching(/^[a-z_]{1,12}(\/[\w%-]{1,12}){0,3}$/),
			fc.constantFrom('', '/'),
			(rest, slash) => {
				fc.pre(!/^(v1|mortgage)(\/|$)/.test(rest));
				expect(toCanonicalPath(`/v1/${rest}${slash}`).path).toBe(`/${rest}`);
				expect(toCanonicalPath(`/${rest}${slash}`).path).toBe(`/${rest}`);
				expect(toCanonicalPath(`/mortgage/v2/${rest}${slash}`).path).toBe(`/mortgage/v1/${rest}`);
			},
		),
	);
});

describe('pages', () => {
	test('of any size give everything once and in order', () => {
		fc.assert(
			fc.property(
				fc.array(fc.integer(), { maxLength: 60 }),
				fc.integer({ min: 1, max: 25 }),
				(all, limit) => {
					const seen = [];
					for (let offset = 0; offset <= all.length; offset += limit)
						seen.push(...page(all, { limit: String(limit), offset: String(offset) }, 10));
					expect(seen).toEqual(all);
				},
			),
		);
	});

	useSandbox();
	test('over HTTP: total_count, count and data agree', async () => {
		const ids: string[] = [];
		for (let index = 0; index < 13; index++) ids.unshift(await newDraft(client));
		expect(await client.ok('GET', '/transactions')).toMatchObject({ total_count: 13, count: 10 });
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 20 }),
				fc.integer({ min: 0, max: 20 }),
				async (limit, offset) => {
					const { total_count, count, data } = await client.ok(
						'GET',
						`/transactions?limit=${limit}&offset=${offset}`,
					);
					expect([total_count, count, data.map(({ id }: any) => id)]).toEqual([
						13,
						data.length,
						ids.slice(offset, offset + limit),
					]);
				},
			),
			{ numRuns: 25 },
		);
	});
});
