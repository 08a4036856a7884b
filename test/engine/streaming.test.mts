import { readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { PDFDocument } from '@cantoo/pdf-lib';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { INodeExecutionData } from 'n8n-workflow';

import { startLimitedService } from '../../bench/limitedService.mts';
import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import { ADD_DOCUMENT, completedClosing, createClosing, id } from '../support/closing.mts';
import {
	binaryFolder,
	credentialFor,
	readFile,
	runNode,
	storeFile,
	useBinaryMode,
	type RunOptions,
} from '../support/engine.mts';

/** Streams: refusals in the middle of an upload, repeats, silence, cut connections. */

let sandbox: Sandbox;
let transactionId: string;
let large: Buffer;
beforeAll(async () => {
	await useBinaryMode('filesystem');
	const pdf = await PDFDocument.create();
	pdf.addPage();
	await pdf.attach(
		new Uint8Array(20 * 1024 * 1024).map((_, index) => (index * 2654435761) >>> 13),
		'noise.bin',
	);
	large = Buffer.from(await pdf.save());
});
beforeEach(async () => {
	sandbox = await startSandbox({ switches: { consentForms: false } });
	transactionId = await createClosing(credentialFor(sandbox.url));
});
afterEach(async () => {
	await sandbox.close();
});

const upload = async (limits: RunOptions['limits'] = {}) =>
	await runNode({
		limits,
		credential: credentialFor(sandbox.url),
		parameters: { ...ADD_DOCUMENT, transactionId: id(transactionId) },
		items: [{ json: {}, binary: { data: await storeFile(large, 'large.pdf', 'application/pdf') } }],
	});
const documents = () => sandbox.world.transactions.get(transactionId)!.documents;

describe('uploads to several transactions', () => {
	const FILE = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(16 * 1024)]);
	/** The forms in which n8n has a file: in its binary store, in memory, and as a text. */
	const FORMS: Record<string, () => Promise<INodeExecutionData>> = {
		stored: async () => ({
			json: {},
			binary: { data: await storeFile(FILE, 'deed.pdf', 'application/pdf') },
		}),
		'in memory': async () =>
			await Promise.resolve({
				json: {},
				binary: { data: { data: FILE.toString('base64'), mimeType: 'application/pdf' } },
			}),
		'as base64 text': async () =>
			await Promise.resolve({ json: { file: FILE.toString('base64') } }),
	};
	/** Uploads four files of 16 kB at a service that takes a moment, and gives the times between them. */
	async function gaps(uploadBytes: number, form: string): Promise<number[]> {
		await using service = await startLimitedService(() => ({ accepted: true, headers: {} }), {
			answerMs: ANSWER_MS,
			answer: (method, path) =>
				method === 'POST'
					? { id: `do_${path.split('/').at(-2)}`, document_name: 'Deed' }
					: { id: path.split('/').at(-1), documents: [], signers: [] },
		});
		const { error } = await runNode({
			limits: { uploadBytes },
			credential: credentialFor(service.url),
			parameters: {
				...ADD_DOCUMENT,
				transactionId: id('={{ $json.id }}'),
				...(form === 'as base64 text' && { source: 'base64', fileBase64: '={{ $json.file }}' }),
			},
			items: await Promise.all(
				[1, 2, 3, 4].map(async (index) => {
					const { json, ...file } = await FORMS[form]();
					return { json: { ...json, id: `ot_${index}` }, ...file };
				}),
			),
		});
		expect(error).toBeUndefined();
		const times = service.requests.filter(({ method }) => method === 'POST').map(({ at }) => at);
		return times.slice(1).map((at, index) => at - times[index]);
	}
	const ANSWER_MS = 100;
	test.each(Object.keys(FORMS))('go side by side, %s', async (form) => {
		expect(Math.min(...(await gaps(1024 ** 2, form)))).toBeLessThan(ANSWER_MS);
	});
	test.each(Object.keys(FORMS))(
		'that are more than a budget go one after the other, %s',
		async (form) => {
			expect(Math.min(...(await gaps(30_000, form)))).toBeGreaterThanOrEqual(ANSWER_MS - 5);
		},
	);
});

describe('an upload of 20 MB', () => {
	test('arrives whole', async () => {
		const { error } = await upload();
		expect(error).toBeUndefined();
		expect(documents()).toHaveLength(1);
		expect(documents()[0].uploaded.equals(large)).toBe(true);
	});
	test('that is refused while it is under way adds nothing, and the message says so or that the outcome is unknown', async () => {
		sandbox.faults.add({
			method: 'POST',
			path: '/documents',
			kind: 'earlyRefusal',
			status: 422,
			body: { errors: ['Not this one'] },
		});
		const { error } = await upload();
		expect(error?.message).toMatch(/Not this one|outcome is unknown/);
		expect(documents()).toHaveLength(0);
	});
	test('is sent anew from the beginning after 429', async () => {
		sandbox.faults.add({
			method: 'POST',
			path: '/documents',
			status: 429,
			headers: { 'retry-after': '0' },
		});
		const { error } = await upload();
		expect(error).toBeUndefined();
		expect(documents()).toHaveLength(1);
		expect(documents()[0].uploaded.equals(large)).toBe(true);
	});
});

describe('a download', () => {
	const video = (recordId: string) => ({
		resource: 'notarizationRecord',
		operation: 'downloadVideo',
		platform: 'realEstate',
		recordId: id(recordId),
		binaryPropertyName: 'data',
	});
	const record = async () =>
		sandbox.world.transactions.get(await completedClosing(sandbox, credentialFor(sandbox.url)))!
			.recordId!;

	/** Downloads an audit trail whose link leads to these files. */
	const auditTrail = async (files: Server, path = '/trail') => {
		const url = `http://127.0.0.1:${(files.address() as AddressInfo).port}${path}`;
		const body = { id: transactionId, audit_trail_url: url };
		sandbox.faults.clear();
		sandbox.faults.add({ method: 'GET', path: transactionId, status: 200, body, times: 9 });
		return await runNode({
			credential: credentialFor(sandbox.url),
			parameters: {
				resource: 'transaction',
				operation: 'getAuditTrail',
				platform: 'realEstate',
				transactionId: id(transactionId),
				binaryPropertyName: 'data',
			},
		});
	};

	test('of 40 MB arrives whole', async () => {
		const recordId = await record();
		const bytes = Buffer.alloc(40 * 1024 * 1024, 'recording');
		sandbox.world.records.get(recordId)!.video = bytes;
		const { items, error } = await runNode({
			credential: credentialFor(sandbox.url),
			parameters: video(recordId),
		});
		expect(error).toBeUndefined();
		expect((await readFile(items[0].binary!.data)).equals(bytes)).toBe(true);
	});
	test('of which only a part comes is given up at its head, and nothing of it is stored', async () => {
		const size = 300 * 1024 ** 2;
		const piece = Buffer.alloc(64 * 1024, '%PDF-');
		let sent = 0;
		const files = createServer((_request, response) => {
			response.writeHead(206, {
				'content-range': `bytes 0-${size - 1}/${size + 1}`,
				'content-length': size,
			});
			const send = () => {
				while (sent < size && !response.destroyed) {
					sent += piece.length;
					if (!response.write(piece)) return void response.once('drain', send);
				}
				response.end();
			};
			send();
		});
		await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
		try {
			const before = stored();
			const { error } = await auditTrail(files);
			expect(error?.message).toMatch(/was cut while receiving/);
			expect(stored()).toBe(before);
			// What is on its way by then: buffers of both sides.
			expect(sent).toBeLessThan(size / 5);
		} finally {
			files.close();
		}
	});
	test('whose link another host refuses does not blame the API key, which was not sent', async () => {
		const keys: unknown[] = [];
		const files = createServer((request, response) => {
			keys.push(request.headers.apikey);
			response.writeHead(403, { 'content-type': 'application/xml' });
			response.end(
				'<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>',
			);
		});
		await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
		try {
			const { error } = await auditTrail(files);
			expect(error?.message).toBe('The link to the file was refused (status 403)');
			expect(error?.description).toMatch(/The service said: AccessDenied: Request has expired/);
			expect(error?.description).not.toMatch(/API Key/i);
			// The link is renewed once.
			expect(keys).toStrictEqual([undefined, undefined]);
		} finally {
			files.close();
		}
	});
	test.each(['stall', 'cutMidBody'] as const)(
		'whose connection ends in %s gives no item, and leaves at most one file',
		async (kind) => {
			const recordId = await record();
			sandbox.faults.add({ method: 'GET', path: 'download_asset', kind, times: 9 });
			const before = stored();
			const { items, error } = await runNode({
				limits: { stallMs: 200 },
				credential: credentialFor(sandbox.url),
				parameters: video(recordId),
			});
			expect(items).toEqual([]);
			expect(error?.message).toMatch(/was cut while receiving 'Notarization .*\.mp4'/);
			expect(stored() - before).toBeLessThanOrEqual(1);
		},
	);
});

/** Files in n8n's binary store. */
function stored(): number {
	return readdirSync(binaryFolder(), { recursive: true, withFileTypes: true }).filter(
		(entry) => entry.isFile() && entry.name.endsWith('.metadata'),
	).length;
}
