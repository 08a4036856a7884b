import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { PDFDocument } from '@cantoo/pdf-lib';

import {
	CREDENTIAL_TYPE,
	PACKAGE,
	whyFailed,
	type N8nApi,
	type WorkflowJson,
} from '../host/clients/n8nApi.mts';
import { sandboxCredential } from '../host/demo/setUp.mts';
import { startN8n } from '../host/run/n8n.mts';
import { RUN_DIR } from '../scripts/runtime.mjs';
import { startSandbox, type Sandbox } from '../sandbox/index.mts';

/**
 * Memory of a real n8n while a file goes through: the peak of its resident memory during one run of
 * a flow, in a fresh n8n each time, median of several. A streamed file must not show. Run: node
 * bench/memory.mts [--rounds 5]
 */

const MEGABYTE = 1024 * 1024;
const SAMPLE_MS = 10;
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const rounds = Number(values.rounds);

interface Case {
	name: string;
	small: number;
	large: number;
	flow: (
		sandbox: Sandbox,
		folder: string,
		megabytes: number,
		credentials: WorkflowJson['nodes'][number]['credentials'],
	) => Promise<WorkflowJson>;
}

const START = {
	id: 'a',
	name: 'Run',
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
	position: [0, 0] as [number, number],
	parameters: {},
};
const to = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });
const locator = (value: string) => ({ __rl: true, mode: 'id', value });

async function api(sandbox: Sandbox, method: string, path: string, body: unknown): Promise<any> {
	const answer = await fetch(sandbox.url + path, {
		method,
		headers: { ApiKey: sandbox.keys.full, 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	if (!answer.ok) throw new Error(`The sandbox answered ${answer.status}: ${await answer.text()}`);
	return await answer.json();
}

async function draft(sandbox: Sandbox): Promise<string> {
	const closing = {
		transaction_type: 'refinance',
		paper_note_consent: true,
		title_agency_id: 'or_agency_harbor',
		signer: { email: 'jane@example.com' },
		street_address: { line1: '1 Main St', city: 'Boston', state: 'MA' },
	};
	return (await api(sandbox, 'POST', '/mortgage/v1/transactions', closing)).id as string;
}

/** A real PDF of about this size: one page and an attachment of noise. */
async function makePdf(megabytes: number): Promise<Buffer> {
	const pdf = await PDFDocument.create();
	pdf.addPage();
	await pdf.attach(randomBytes(Math.round(megabytes * MEGABYTE) - 4096), 'noise.bin', {
		mimeType: 'application/octet-stream',
	});
	return Buffer.from(await pdf.save());
}

const CASES: Case[] = [
	{
		name: 'upload of a PDF',
		small: 1,
		large: 29.9,
		async flow(sandbox, folder, megabytes, credentials) {
			writeFileSync(join(folder, 'upload.pdf'), await makePdf(megabytes));
			return {
				name: 'Upload',
				nodes: [
					START,
					{
						id: 'b',
						name: 'Read',
						type: 'n8n-nodes-base.readWriteFile',
						typeVersion: 1,
						position: [200, 0],
						parameters: { fileSelector: join(folder, 'upload.pdf'), options: {} },
					},
					{
						id: 'c',
						name: 'File',
						type: `${PACKAGE}.signAndClose`,
						typeVersion: 1,
						position: [400, 0],
						parameters: {
							resource: 'document',
							operation: 'add',
							platform: 'realEstate',
							transactionId: locator(await draft(sandbox)),
							source: 'binary',
							binaryPropertyName: 'data',
							requirement: 'readonly',
						},
						credentials,
					},
				],
				connections: { Run: to('Read'), Read: to('File') },
				settings: { executionOrder: 'v1' },
			};
		},
	},
	{
		name: 'download of a recording',
		small: 1,
		large: 300,
		async flow(sandbox, _folder, megabytes, credentials) {
			const id = await draft(sandbox);
			await api(sandbox, 'POST', `/mortgage/v1/transactions/${id}/documents`, {
				resource: (await makePdf(0.1)).toString('base64'),
				requirement: 'notarization',
			});
			await api(sandbox, 'POST', `/mortgage/v1/transactions/${id}/place_order`, {});
			await sandbox.act.sign(id);
			await sandbox.act.notarize(id);
			const { recordId } = sandbox.world.transactions.get(id)!;
			sandbox.world.records.get(recordId!)!.video = Buffer.alloc(megabytes * MEGABYTE, 'video');
			return {
				name: 'Download',
				nodes: [
					START,
					{
						id: 'b',
						name: 'File',
						type: `${PACKAGE}.signAndClose`,
						typeVersion: 1,
						position: [200, 0],
						parameters: {
							resource: 'notarizationRecord',
							operation: 'downloadVideo',
							platform: 'realEstate',
							recordId: locator(recordId!),
							binaryPropertyName: 'data',
						},
						credentials,
					},
				],
				connections: { Run: to('File') },
				settings: { executionOrder: 'v1' },
			};
		},
	},
];

/** Peak of n8n's resident memory, in bytes, while the flow runs once in a fresh n8n. */
async function measure(one: Case, megabytes: number): Promise<number> {
	const place = mkdtempSync(join(tmpdir(), 'sign-and-close-'));
	const folder = join(place, 'files');
	mkdirSync(folder);
	const sandbox = await startSandbox();
	const n8n = await startN8n({
		userFolder: place,
		tarball: join(RUN_DIR, 'package.tgz'),
		filesFolder: folder,
	});
	try {
		const credential = await n8n.api.saveCredential(
			'Sandbox',
			CREDENTIAL_TYPE,
			sandboxCredential(sandbox),
		);
		const { id } = await n8n.api.saveWorkflow(
			await one.flow(sandbox, folder, megabytes, { [CREDENTIAL_TYPE]: credential }),
		);
		let peak = 0;
		const sampling = setInterval(() => (peak = Math.max(peak, n8n.rss())), SAMPLE_MS);
		await succeed(n8n.api, id);
		clearInterval(sampling);
		return peak;
	} finally {
		await n8n.stop();
		await sandbox.close();
		rmSync(place, { recursive: true, force: true });
	}
}

async function succeed(n8n: N8nApi, id: string): Promise<void> {
	const execution = await n8n.runToEnd(id);
	if (execution.status !== 'success') throw new Error(whyFailed(execution));
}

const median = (numbers: number[]) =>
	[...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
const inMegabytes = (bytes: number) => (bytes / MEGABYTE).toFixed(0);

for (const one of CASES) {
	const peaks: Record<'small' | 'large', number[]> = { small: [], large: [] };
	for (let round = 0; round < rounds; round++) {
		for (const size of ['small', 'large'] as const) peaks[size].push(await measure(one, one[size]));
	}
	const grown = median(peaks.large) - median(peaks.small);
	process.stdout.write(
		`${one.name}: ${one.small} MB peaks at ${peaks.small.map(inMegabytes).join(', ')}; ${one.large} MB at ${peaks.large.map(inMegabytes).join(', ')} MB resident\n`,
	);
	process.stdout.write(`  median growth ${inMegabytes(grown)} MB over ${rounds} rounds\n`);
}
