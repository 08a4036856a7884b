import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs, promisify } from 'node:util';

import { failureReason } from '../host/clients/n8n/executionData.mts';
import { CREDENTIAL_TYPE } from '../host/clients/n8n/names.mts';
import { builtInNode, ourNode, workflowInARow } from '../host/clients/n8n/nodes.mts';
import type { WorkflowJson } from '../host/clients/n8n/types.mts';
import { startN8n, type RunningN8n } from '../host/run/n8n.mts';
import { RUN_DIR } from '../scripts/runtime.mjs';
import { median } from './statistics.mts';
import { inTemporaryFolder } from './temporaryFolder.mts';

/**
 * Measures how fast files pass through the node, and how much memory n8n takes for it, beside a raw
 * client that does the same without n8n: uploads of many files, and the download of a big one. Run:
 * node bench/files.mts [--rounds 5] [--files 20] [--megabytes 20], after npm start has installed
 * everything.
 */

const MEGABYTE = 1024 * 1024;
const SAMPLE_MS = 10;
const BIG_MEGABYTES = 300;
const RAW_AT_ONCE = 4;
const TIMEOUT_MS = 600_000;
const { values } = parseArgs({
	options: {
		rounds: { type: 'string', default: '5' },
		files: { type: 'string', default: '20' },
		megabytes: { type: 'string', default: '20' },
	},
});
const [rounds, files, megabytes] = [values.rounds, values.files, values.megabytes].map(Number);

/** A service that takes documents and gives a recording. */
async function startService() {
	const recording = Buffer.alloc(MEGABYTE, 'recording');
	const server = createServer(async (request, response) => {
		const path = (request.url ?? '').split('?')[0];
		if (path.endsWith('/recording.mp4')) {
			response.writeHead(200, {
				'content-type': 'video/mp4',
				'content-length': BIG_MEGABYTES * MEGABYTE,
			});
			for (let sent = 0; sent < BIG_MEGABYTES; sent++)
				if (!response.write(recording)) await once(response, 'drain');
			response.end();
			return;
		}
		await once(request.resume(), 'end');
		response.writeHead(200, { 'content-type': 'application/json' });
		response.end(JSON.stringify(answerTo(request, path)));
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	let made = 0;
	function answerTo({ method }: IncomingMessage, path: string): unknown {
		const id = path.split('/').at(-1);
		if (method === 'POST') return { id: `do_${made++}`, document_name: 'Deed' };
		if (path.includes('/notarization_records/'))
			return {
				id,
				notary_meetings: [{ id: 'mt_1', video_url: `${url}/recording.mp4` }],
				video_url: `${url}/recording.mp4`,
			};
		return { id, status: 'started', detailed_status: 'draft', documents: [], signers: [] };
	}
	return {
		url,
		close: () => {
			server.closeAllConnections();
			server.close();
		},
	};
}

const locator = (value: string) => ({ __rl: true, mode: 'id', value });

const uploads = (folder: string): WorkflowJson['nodes'] => [
	builtInNode('Read', 'readWriteFile', 1, { fileSelector: join(folder, '*.pdf'), options: {} }),
];

interface Outcome {
	seconds: number;
	/** How far the peak of resident memory is above what n8n had before. */
	grownBytes: number;
}

/** Runs a workflow with a node named Measured. */
async function measure(n8n: RunningN8n, workflow: WorkflowJson): Promise<Outcome> {
	const { id } = await n8n.api.workflows.save(workflow);
	const before = n8n.residentBytes();
	let peak = before;
	const sampling = setInterval(() => (peak = Math.max(peak, n8n.residentBytes())), SAMPLE_MS);
	const execution = await n8n.api.executions.runToEnd(id, TIMEOUT_MS);
	clearInterval(sampling);
	if (execution.status !== 'success') throw new Error(failureReason(execution));
	const [{ executionTime = NaN }] = execution.data.resultData.runData.Measured;
	return { seconds: executionTime / 1000, grownBytes: peak - before };
}

async function rawDownload(url: string, file: string): Promise<number> {
	const began = performance.now();
	const [response] = (await once(get(`${url}/recording.mp4`), 'response')) as [IncomingMessage];
	await pipeline(response, createWriteStream(file));
	return (performance.now() - began) / 1000;
}

const print = (line: string) => process.stdout.write(`${line}\n`);

function report(what: string, totalMegabytes: number, ours: Outcome[], raw: number[]): void {
	const [own, other] = [median(ours.map(({ seconds }) => seconds)), median(raw)];
	const grown = median(ours.map(({ grownBytes }) => grownBytes)) / MEGABYTE;
	print(
		`| ${what} | ${(totalMegabytes / own).toFixed(0)} MB/s | ${(totalMegabytes / other).toFixed(0)} MB/s | ${(other / own).toFixed(2)} | ${grown.toFixed(0)} MB |`,
	);
}

await inTemporaryFolder(async (folder) => {
	const source = join(folder, 'source');
	mkdirSync(source);
	const paths = Array.from({ length: files }, (_, index) => join(source, `${index}.pdf`));
	for (const path of paths)
		writeFileSync(
			path,
			Buffer.concat([
				Buffer.from('%PDF-1.7\n'),
				randomBytes(megabytes * MEGABYTE),
				Buffer.from('\n%%EOF\n'),
			]),
		);
	const service = await startService();
	const n8n = await startN8n({
		userFolder: join(folder, 'n8n'),
		tarball: join(RUN_DIR, 'package.tgz'),
		filesFolder: source,
	});
	try {
		const credentials = {
			[CREDENTIAL_TYPE]: await n8n.api.credentials.save('Bench', CREDENTIAL_TYPE, {
				baseUrl: service.url,
				apiKey: 'key-of-the-bench',
				organizationId: '',
				pathLayout: 'documented',
			}),
		};
		const upload = workflowInARow('Uploads', [
			...uploads(source),
			ourNode({ credentials }, 'Measured', {
				resource: 'document',
				operation: 'add',
				platform: 'realEstate',
				transactionId: locator('=ot_{{ $itemIndex }}'),
				source: 'binary',
				binaryPropertyName: 'data',
				requirement: 'readonly',
			}),
		]);
		const download = workflowInARow('Download', [
			ourNode({ credentials }, 'Measured', {
				resource: 'notarizationRecord',
				operation: 'downloadVideo',
				platform: 'business',
				recordId: locator('nr_1'),
				binaryPropertyName: 'data',
			}),
		]);
		const ours: Record<'upload' | 'download', Outcome[]> = { upload: [], download: [] };
		const raw: Record<'upload' | 'download', number[]> = { upload: [], download: [] };
		// The first round only warms up.
		for (let round = 0; round <= rounds; round++) {
			const outcomes = [await measure(n8n, upload), await measure(n8n, download)];
			const { stdout } = await promisify(execFile)(process.execPath, [
				join(import.meta.dirname, 'rawUploads.mts'),
				`${service.url}/mortgage/v2/transactions/ot_1/documents`,
				String(RAW_AT_ONCE),
				...paths,
			]);
			const rawOfDownload = await rawDownload(service.url, join(folder, 'raw.mp4'));
			if (round === 0) continue;
			ours.upload.push(outcomes[0]);
			ours.download.push(outcomes[1]);
			raw.upload.push(Number(stdout) / 1000);
			raw.download.push(rawOfDownload);
		}
		print(`Medians of ${rounds} rounds.\n`);
		print('| | Sign and Close | Raw client | Ratio | n8n grows by |');
		print('| --- | --- | --- | --- | --- |');
		report(`${files} uploads of ${megabytes} MB`, files * megabytes, ours.upload, raw.upload);
		report(`Download of ${BIG_MEGABYTES} MB`, BIG_MEGABYTES, ours.download, raw.download);
	} finally {
		await n8n.stop();
		service.close();
	}
});
