import { createInflate, createGunzip } from 'node:zlib';

import { afterEach, describe, expect, test } from '@jest/globals';

import { FAULTS } from '../../support/faultService/faults.mts';
import { seeRaw, until, type Seen } from './support/clients.mts';
import { service, useFaultService } from './support/useFaultService.mts';

/** What some faults look like on the wire, by name. */

useFaultService({ interval: 3, slowMs: 40 }, 'file');
afterEach(() => service.clearFaults());

async function strike(
	name: string,
	limitMs = 150,
	enough?: RegExp,
	mostBytes?: number,
): Promise<Seen> {
	service.inject({ fault: name });
	const headers = { ApiKey: service.key, 'Content-Type': 'application/json' };
	const body = JSON.stringify({ draft: true, signers: [{ email: 'ann@example.com' }] });
	return await seeRaw(
		{ method: 'POST', url: `${service.url}/transactions`, headers, body },
		limitMs,
		enough && ((bytes) => enough.test(bytes.toString('latin1'))),
		mostBytes,
	);
}

/** Waits for the head of the answer, however long that takes. */
const headOf = async (name: string) => await strike(name, 20_000, /\r\n\r\n/);

describe('the connection', () => {
	test.each([
		['network:reset-before-headers', 'reset', /^$/],
		['network:close-before-headers', 'closed', /^$/],
		['network:reset-after-headers', 'reset', /\r\n\r\n$/],
		['network:close-after-headers', 'closed', /\r\n\r\n$/],
		['network:reset-within-body', 'reset', /\r\n\r\n\{.+[^}]$/],
		['network:close-within-body', 'closed', /\r\n\r\n\{.+[^}]$/],
		['network:chunk-cut', 'closed', /\r\n\r\n[0-9a-f]+\r\n\{.+[^\n]$/],
		['network:chunk-end-missing', 'closed', /\}\r\n$/],
		['network:status-line-garbage', 'closed', /^HELO/],
		['time:stalled-headers', 'open', /^$/],
		['time:stalled-body', 'open', /\r\n\r\n$/],
		['time:stalled-last-byte', 'open', /\r\n\r\n\{.+[^}]$/],
		['time:stalled-then-reset', 'reset', /^$/],
		['time:continue-forever', 'open', /^(HTTP\/1.1 100 Continue\r\n\r\n){5,}$/],
		['time:upgrade-101', 'open', /^HTTP\/1.1 101 .*Upgrade: nothing/s],
		['time:drip-headers-endless', 'open', /X-1: y\r\nX-2: y\r\nX-3: y/],
		['time:drip-spaces-endless', 'open', /(1\r\n \r\n){5,}$/],
		['time:drip-byte-by-byte', 'open', /\r\n\r\n {5,}$/],
	] as const)('of %s', async (name, end, bytes) => {
		for (const when of ['before', 'after']) {
			const seen = await strike(`${name}/${when}`, end === 'open' ? 20 : 20_000, bytes);
			expect(seen.end).toBe(end);
			expect(seen.bytes.toString('latin1')).toMatch(bytes);
		}
	});
	test.each([
		['network:length-too-long', 10],
		['network:length-too-short', -10],
	])('has a wrong length with %s', async (name, extra) => {
		const { head, body } = await strike(`${name}/after`);
		expect(Number(/content-length: (\d+)/.exec(head)?.[1])).toBe(body.length + extra);
	});
});

describe('the status', () => {
	const byName = FAULTS.filter(({ name }) => /^http:(status|gateway)-\d{3}/.test(name));
	test.each(byName.map(({ name }) => name))('is that of the name: %s', async (name) => {
		expect((await headOf(name)).status).toBe(Number(/\d{3}/.exec(name)?.[0]));
	});
	test.each([
		['in-1-second', /^1$/],
		['at-once', /^0$/],
		['by-date', /^\w{3}, .* gmt$/],
		['by-past-date', /2015/],
		['garbage', /soon/],
		['empty', /^$/],
	])('429 says when to try again: %s', async (name, value) => {
		const { head } = await headOf(`http:status-429-retry-${name}/before`);
		expect(/retry-after:([^\r]*)/.exec(head)?.[1].trim()).toMatch(value);
		expect((await headOf('http:status-429/before')).head).not.toContain('retry-after');
	});
});

describe('the body', () => {
	test.each([
		['shape:body-null/before', 'null'],
		['shape:body-empty/after', ''],
		['shape:wrapped-data/after', /^\{"data":\{"id":"ot_/],
		['shape:id-missing/after', /^(?!.*"id":"ot_)/],
		['shape:id-number/after', /"id":12345/],
		['shape:key-proto/after', /^\{"__proto__":\{/],
		['shape:nested-10000/after', /^\{"nested":(\{"a":){10000}1/],
		['shape:html-as-json/after', /^<!DOCTYPE html>/],
		['encoding:bom/after', /^\u00ef\u00bb\u00bf\{/],
		['encoding:utf-16-said/after', /^\u00ff\u00fe\{\0"\0/],
		['encoding:utf-8-invalid/after', /\u00ff\u00c3\(/],
		['errorFields:refusal-script/before', /<script>/],
		['errorFields:success-beside-errors/after', /"id":"ot_.*"errors":\["Trans/],
		['errorFields:success-only-success-false/before', '{"success":false}'],
	])('of %s', async (name, expected) => {
		const text = (await strike(name)).body.toString('latin1');
		if (typeof expected === 'string') expect(text).toBe(expected);
		else expect(text).toMatch(expected);
	});
	test('of an echo has the key in it', async () => {
		for (const { name } of FAULTS.filter((fault) =>
			/echo-key-(in-text|in-headers|in-url)/.test(fault.name),
		))
			expect((await strike(name)).body.toString()).toContain(service.key);
	});
});

describe('the size', () => {
	test('of a huge answer is 50 MB', async () => {
		for (const name of [
			'size:huge-text/after',
			'size:huge-refusal/before',
			'size:huge-list/after',
		]) {
			const { body, end } = await strike(name, 10_000);
			expect(end).toBe('closed');
			expect(body.length).toBeGreaterThan(50 * 1024 * 1024);
			expect(() => JSON.parse(String(body))).not.toThrow();
		}
	});
	test('of a bomb is small, and 200 MB when inflated', async () => {
		const { body } = await strike('compression:gzip-bomb/after', 20_000);
		expect(body.length).toBeLessThan(1024 * 1024);
		const gunzip = createGunzip();
		gunzip.end(body);
		let size = 0;
		for await (const chunk of gunzip) size += chunk.length;
		expect(size).toBeGreaterThan(200 * 1024 * 1024);
	});
	test('of an endless answer grows until the client hangs up', async () => {
		for (const name of ['time:body-endless/before', 'time:headers-endless/after']) {
			const { bytes, end } = await strike(name, 20_000, undefined, 1024 * 1024);
			expect(end).toBe('open');
			expect(bytes.length).toBeGreaterThan(1024 * 1024);
		}
		await until(() => service.openSockets() === 0);
	});
});

test('raw deflate is what inflate cannot read', async () => {
	const { body } = await strike('compression:deflate-raw/after');
	const inflate = createInflate();
	inflate.end(body);
	await expect(inflate.toArray()).rejects.toThrow('incorrect header check');
});
