import { readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { PDFDocument } from '@cantoo/pdf-lib';

import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import { ADD_DOCUMENT, completedClosing, createClosing, id } from '../../support/closing.mts';
import {
	binaryFolder,
	credentialFor,
	readFile,
	runNode,
	storeFile,
	useBinaryMode,
	type RunOptions,
} from '../../support/engine.mts';

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
