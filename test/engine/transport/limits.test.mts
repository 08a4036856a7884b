import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import { LIMITS, type Limits } from '../../../nodes/SignAndClose/transport/service/limits.ts';
import { ADD_DOCUMENT, id } from '../../support/closing.mts';
import { readFile, runNode, storeFile, useBinaryMode } from '../../support/engine.mts';
import { liveClosing, liveDocument } from '../../support/live/answers.mts';
import {
	begin,
	cut,
	drip,
	flood,
	json,
	startRawService,
	upgrade,
	type RawHandler,
} from '../../support/live/rawService.mts';

/**
 * The limits of time, silence and size (docs/behaviour.md). Each test shortens the one that it is
 * about, so that a run that ignores it hangs or takes more than it may. No connection stays open.
 */

beforeAll(async () => await useBinaryMode('filesystem'));
afterAll(async () => await useBinaryMode('filesystem'));

const TRANSACTION = 'ot_od4kenk';
const GET: IDataObject = {
	resource: 'transaction',
	operation: 'get',
	platform: 'realEstate',
	transactionId: id(TRANSACTION),
};
const RECALL: IDataObject = { ...GET, operation: 'recall', evenIfSent: true };
const TRAIL: IDataObject = { ...GET, operation: 'getAuditTrail', binaryPropertyName: 'data' };

/** Runs an operation against a service that misbehaves, until no connection is left. */
async function run(
	handle: RawHandler,
	{
		parameters = GET,
		limits,
		items,
	}: {
		parameters?: IDataObject;
		limits?: Partial<Limits>;
		items?: Parameters<typeof runNode>[0]['items'];
	},
) {
	await using service = await startRawService(handle);
	const began = Date.now();
	const outcome = await runNode({
		credential: service.credential,
		parameters,
		limits: { ...limits },
		items,
	});
	const took = Date.now() - began;
	await service.untilLeft();
	const { error } = outcome;
	return {
		...outcome,
		took,
		asked: service.asked,
		sent: service.sent(),
		said:
			error === undefined
				? ''
				: [error.message, error.description, ...(error.messages ?? [])].join('. '),
	};
}

describe('an answer in JSON', () => {
	test.each<[string, RawHandler, Partial<Limits>, RegExp, number]>([
		['drips', (_, response) => drip(response), { answerMs: 200 }, /came too slowly\. .*Tried 2/, 2],
		['never ends', (_, response) => flood(response), { answerBytes: 1024 ** 2 }, /too big\./, 1],
		['stops', (_, response) => begin(response), { readMs: 200 }, /in time\. .*Tried 2 times/, 2],
		['switches protocols', upgrade, { readMs: 200 }, /in time\. .*Tried 2 times/, 2],
	])('that %s is given up', async (_what, handle, limits, expected, times) => {
		const { said, asked, sent } = await run(handle, { limits });
		expect(said).toMatch(expected);
		expect(asked).toHaveLength(times);
		expect(sent).toBeLessThan(40 * 1024 * 1024);
	});
	test('that breaks off is asked for again', async () => {
		let count = 0;
		const { error, asked, items } = await run((_request, response) => {
			if (++count === 1) cut(response);
			else json(response, liveClosing([]));
		}, {});
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		expect(asked).toHaveLength(2);
	});
});

describe('the answer to a write', () => {
	const recall = async (
		handle: (response: ServerResponse, request: Parameters<RawHandler>[0]) => void | Promise<void>,
		limits: Partial<Limits>,
	) => {
		const outcome = await run(
			(request, response, asked) =>
				asked.startsWith('GET')
					? json(response, { errors: ['Forbidden'] }, 403)
					: handle(response, request),
			{ parameters: RECALL, limits },
		);
		return { ...outcome, writes: outcome.asked.filter((what) => !what.startsWith('GET')) };
	};
	test.each<[string, Parameters<typeof recall>[0], Partial<Limits>, RegExp]>([
		['drips', (response) => drip(response), { answerMs: 200 }, /answer came too slowly/],
		['never ends', (response) => flood(response), { answerBytes: 100_000 }, /answer is too big/],
		['stops', (response) => begin(response), { writeMs: 200 }, /didn't answer in time/],
		['switches protocols', (_, request) => upgrade(request), { writeMs: 200 }, /didn't answer/],
		['breaks off', (response) => cut(response), {}, /answer broke off/],
	])('that %s leaves its outcome unknown', async (_what, handle, limits, expected) => {
		const { said, writes } = await recall(handle, limits);
		expect(said).toMatch(expected);
		expect(said).toMatch(/so the outcome is unknown/);
		expect(said).not.toMatch(/can't reach/);
		expect(writes).toHaveLength(1);
	});
});

describe('a refusal', () => {
	const refusal = { status: 422, first: '{"errors":["Not this one"], "more":"' };
	test.each<[string, (response: ServerResponse) => void | Promise<void>]>([
		['stops', (response) => begin(response, refusal)],
		['drips', (response) => drip(response, refusal)],
		['never ends', (response) => flood(response, refusal)],
	])('that %s is read in part', async (_what, handle) => {
		const { said, asked, sent } = await run((_request, response) => handle(response), {
			limits: { refusalMs: 300, refusalBytes: 4096 },
		});
		expect(said).toMatch(/Not this one/);
		expect(asked).toHaveLength(1);
		expect(sent).toBeLessThan(20 * 1024 * 1024);
	});
	test('of an upload that never ends is read in part', async () => {
		const { said, asked } = await run(
			async (request, response, what) => {
				if (what.startsWith('GET')) return json(response, liveClosing([]));
				request.resume();
				await flood(response, refusal);
			},
			{
				parameters: { ...ADD_DOCUMENT, transactionId: id(TRANSACTION) },
				items: [await bigPdf(200_000)],
				limits: { refusalMs: 300, refusalBytes: 4096 },
			},
		);
		expect(said).toMatch(/Not this one/);
		expect(asked.filter((what) => what.startsWith('POST'))).toHaveLength(1);
	});
	test.each([
		[503, {}],
		[429, { 'retry-after': '0' }],
		[522, {}],
	])('with %i whose body never ends is dropped, and the read repeated', async (status, more) => {
		let count = 0;
		const { error, asked, sent } = await run(
			(_request, response) =>
				++count === 1
					? flood(response, { status, headers: more as Record<string, string> })
					: json(response, liveClosing([])),
			{},
		);
		expect(error).toBeUndefined();
		expect(asked).toHaveLength(2);
		expect(sent).toBeLessThan(20 * 1024 * 1024);
	});
});

/** An item with a PDF of this size. */
async function bigPdf(bytes: number) {
	const pdf = Buffer.alloc(bytes, 'noise ');
	pdf.write('%PDF-1.7\n');
	return { json: {}, binary: { data: await storeFile(pdf, 'big.pdf', 'application/pdf') } };
}

/** What arrives slowly. The rest, most of which the system has taken from the node already, is fast. */
const SLOW_BYTES = 20 * 1024 * 1024;

/** Reads a request as over a slow line. */
async function slowly(
	request: AsyncIterable<Buffer>,
	onBytes?: (bytes: number) => void,
	pauseMs = 10,
) {
	let received = 0;
	for await (const chunk of request) {
		onBytes?.(chunk.length);
		received += chunk.length;
		if (received < SLOW_BYTES) await wait(pauseMs);
	}
}

describe.each(['filesystem', 'default'] as const)('an upload from binary mode %s', (mode) => {
	const upload = async (
		receive: (request: Parameters<RawHandler>[0]) => Promise<void>,
		limits: Partial<Limits> = {},
	) => {
		await useBinaryMode(mode);
		const outcome = await run(
			async (request, response, what) => {
				if (what.startsWith('GET')) return json(response, liveClosing([]));
				await receive(request);
				json(response, { documents: [liveDocument()], document_name: 'x' });
			},
			{
				parameters: { ...ADD_DOCUMENT, transactionId: id(TRANSACTION) },
				items: [await bigPdf(20 * 1024 * 1024)],
				limits: { writeMs: 2_500, ...limits },
			},
		);
		return outcome;
	};
	test('takes as long as it moves', async () => {
		let received = 0;
		const { took, said } = await upload(
			async (request) => await slowly(request, (bytes) => (received += bytes), 20),
			// Longer than a busy machine needs from one part to the next.
			{ writeMs: 5_000 },
		);
		expect(said).not.toMatch(/in time/);
		expect(received).toBeGreaterThan(20 * 1024 * 1024 * (4 / 3));
		expect(took).toBeGreaterThan(5_000);
	});
	test('does not take for ever', async () => {
		const { said } = await upload(async (request) => await slowly(request), { fileMs: 500 });
		expect(said).toMatch(/^The service didn't answer in time .*so the outcome is unknown/);
	});
	test('that stalls ends with an outcome that is unknown', async () => {
		const { said, asked } = await upload(
			async (request) => await new Promise((resolve) => void request.once('close', resolve)),
		);
		expect(said).toMatch(/^The service didn't answer in time .*so the outcome is unknown/);
		expect(asked.filter((what) => what.startsWith('POST'))).toHaveLength(1);
	});
});

describe('a file', () => {
	const PDF = '%PDF-1.7\nfinal\n%%EOF\n';
	const headers = { 'content-type': 'application/pdf' };
	/** Downloads the audit trail, which is a link of the transaction. */
	const trail = async (
		handle: (response: ServerResponse, url: string) => void | Promise<void>,
		limits: Partial<Limits> = {},
	) => {
		let url = '';
		return await run(
			(request, response, what) => {
				url = `http://${request.headers.host}`;
				return what === 'GET /file' || what === 'GET /moved'
					? handle(response, what.slice(4))
					: json(response, { ...liveClosing([]), audit_trail_url: `${url}/file` });
			},
			{ parameters: TRAIL, limits },
		);
	};
	test.each<[string, (response: ServerResponse) => void | Promise<void>, Partial<Limits>, RegExp]>([
		[
			'drips',
			(response) => drip(response, { first: PDF, headers }),
			{ fileMs: 300 },
			/^The service's answer came too slowly/,
		],
		[
			'never ends',
			(response) => flood(response, { first: PDF, headers }),
			{ fileBytes: 4 * 1024 * 1024 },
			/^The service's answer is too big/,
		],
		['stops', (response) => begin(response, { first: PDF, headers }), { stallMs: 200 }, /was cut/],
	])('that %s is given up', async (_what, handle, limits, expected) => {
		const { said, items } = await trail(handle, limits);
		expect(said).toMatch(expected);
		expect(items).toEqual([]);
	});
	test('behind a redirect whose body never ends arrives', async () => {
		const { error, items, sent } = await trail((response, path) =>
			path === '/file'
				? flood(response, { status: 302, headers: { location: '/moved' } })
				: void response.writeHead(200, headers).end(PDF),
		);
		expect(error).toBeUndefined();
		expect((await readFile(items[0].binary!.data)).toString()).toBe(PDF);
		expect(sent).toBeLessThan(20 * 1024 * 1024);
	});
	test('that is not read because of its beginning leaves no connection', async () => {
		const { said } = await trail((response) =>
			flood(response, { first: '<html>', headers: { 'content-type': 'text/html' } }),
		);
		expect(said).toMatch(/isn't a PDF/);
	});
});

test('docs/behaviour.md shows the limits', () => {
	const page = readFileSync(
		join(import.meta.dirname, '..', '..', '..', 'docs', 'behaviour.md'),
		'utf8',
	);
	const rows = [...page.matchAll(/^\|(.*)\|$/gm)].map(([, row]) =>
		row.split('|').map((cell) => cell.trim()),
	);
	const shown = new Map(rows.map(([what, silence, total, size]) => [what, [silence, total, size]]));
	const seconds = (ms: number) => `${ms / 1000} seconds`;
	const hours = `${LIMITS.fileMs / 3_600_000} hours`;
	const megabytes = `${LIMITS.answerBytes / 1024 ** 2} MB`;
	expect(Object.fromEntries(shown)).toMatchObject({
		'A read, until its answer begins': [seconds(LIMITS.readMs), '', ''],
		'A write, until its answer begins': [seconds(LIMITS.writeMs), '', ''],
		'An upload': [seconds(LIMITS.writeMs), hours, '50 MB'],
		'An answer with data': ['as above', `${LIMITS.answerMs / 60_000} minutes`, megabytes],
		'The body of a refusal': [
			seconds(LIMITS.refusalMs),
			seconds(LIMITS.refusalMs),
			`${LIMITS.refusalBytes / 1024} KB`,
		],
		'A file that is downloaded': [
			seconds(LIMITS.stallMs),
			hours,
			`${LIMITS.fileBytes / 1024 ** 3} GB`,
		],
		'A transaction completed by force': ['', seconds(LIMITS.completionMs), ''],
		'The question that confirms a delivery': [
			seconds(LIMITS.urgentMs),
			seconds(LIMITS.urgentMs),
			megabytes,
		],
	});
});
