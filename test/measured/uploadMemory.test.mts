import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { INodeExecutionData } from 'n8n-workflow';

import { LIMITS } from '../../nodes/SignAndClose/transport/service/limits.ts';
import { ADD_DOCUMENT, id } from '../support/closing.mts';
import { onePage } from '../support/pdfFile.mts';
import { credentialFor, runNode, storeFile, useBinaryMode } from '../support/engine.mts';

/**
 * How much memory many big uploads take, in whatever form n8n has the files. The service is another
 * process, so that what it receives doesn't count.
 */

const MEGABYTE = 1024 ** 2;
const FILES = 30;
const FILE = Buffer.alloc(30 * MEGABYTE, '%PDF-1.7 a deed of trust, again and again\n');
const SERVICE = join(import.meta.dirname, './documentService.mts');

let service: ReturnType<typeof spawn>;
let url: string;
beforeAll(async () => {
	await useBinaryMode('filesystem');
	const script = `import(${JSON.stringify(SERVICE)})
		.then(({ startDocumentService }) => startDocumentService(1))
		.then(({ url }) => console.log(url))`;
	service = spawn(process.execPath, ['-e', script], {
		env: { ...process.env, NODE_OPTIONS: '' },
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	url = String((await once(service.stdout!, 'data'))[0]).trim();
});
afterAll(() => {
	service.kill();
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Uploads the items, and says by how many bytes the process grows meanwhile. */
async function growth(items: INodeExecutionData[], parameters: object = {}): Promise<number> {
	const upload = async (some: INodeExecutionData[]) =>
		await runNode({
			credential: credentialFor(url),
			parameters: { ...ADD_DOCUMENT, transactionId: id('={{ $json.id }}'), ...parameters },
			items: some,
		});
	// What is loaded and compiled at the first one isn't the files'.
	await upload(items.slice(0, 1));
	collectGarbage();
	const before = process.memoryUsage.rss();
	let peak = before;
	const sampling = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5);
	try {
		const { items: added, error } = await upload(items);
		expect(error).toBeUndefined();
		expect(added).toHaveLength(items.length);
	} finally {
		clearInterval(sampling);
	}
	return peak - before;
}

const items = Array.from({ length: FILES }, (_, index) => ({ json: { id: `ot_${index}` } }));
const most = LIMITS.uploadBytes + 64 * MEGABYTE;

const mimeType = 'application/pdf';
type Way = [what: string, make: (file: Buffer) => Promise<INodeExecutionData>, parameters: object];
const WAYS: Way[] = [
	[
		'stored files',
		async (file) => ({ json: {}, binary: { data: await storeFile(file, 'a.pdf', mimeType) } }),
		{},
	],
	[
		'files in memory',
		async (file) => ({ json: {}, binary: { data: { data: file.toString('base64'), mimeType } } }),
		{},
	],
	[
		'texts',
		async (file) => ({ json: { file: file.toString('base64') } }),
		{ source: 'base64', fileBase64: '={{ $json.file }}' },
	],
];
test.each(WAYS)(
	'30 %s of 30 MB take no more than the budget and 64 MB beyond themselves',
	async (_what, make, parameters) => {
		const { json, binary } = await make(FILE);
		const all = items.map((item) => ({ json: { ...item.json, ...json }, binary }));
		expect(await growth(all, parameters)).toBeLessThanOrEqual(most);
	},
);

/** A page with a text, and much that isn't on it. */
const PDF = onePage('BT /F 10 Tf 100 700 Td (Notary) Tj ET', {
	objects: { 5: ['', Buffer.alloc(30 * MEGABYTE, 'a picture that nobody shows\n')] },
});
const AT_TEXT = {
	whereToSign: 'text',
	texts: { row: [{ text: 'Notary', signer_identifier: 'notary', type: 'seal' }] },
};
test.each(WAYS.filter(([what]) => what === 'stored files' || what === 'texts'))(
	'nor do those in which texts are found: %s',
	async (_what, make, parameters) => {
		const { json, binary } = await make(PDF);
		const all = items.map((item) => ({ json: { ...item.json, ...json }, binary }));
		expect(await growth(all, { ...parameters, ...AT_TEXT })).toBeLessThanOrEqual(most);
	},
);
