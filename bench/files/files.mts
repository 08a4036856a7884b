import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs, promisify } from 'node:util';

import { builtInNode, ourNode, workflowInARow } from '../../host/clients/n8n/nodes.mts';
import type { WorkflowJson, WorkflowNode } from '../../host/clients/n8n/types.mts';
import { startN8n, type RunningN8n } from '../../host/run/n8n.mts';
import { RUN_DIR } from '../../scripts/runtime.mjs';
import { locator, runMeasured, saveCredential } from '../parts.mts';
import { median } from '../statistics.mts';
import { inTemporaryFolder } from '../temporaryFolder.mts';
import { MEGABYTE, startDocumentService } from './documentService.mts';

/**
 * Measures how fast files pass through the node, and how much memory n8n takes for it: uploads of
 * many files, and the download of a big one. Beside it, n8n's HTTP Request node, which sends the same
 * files as they are instead of in base64, and a raw client that does what the node does without n8n.
 * Run: node bench/files/files.mts [--rounds 5] [--files 20] [--megabytes 20], after npm start has
 * installed everything.
 */

const SAMPLE_MS = 10;
const BIG_MEGABYTES = 300;
const RAW_AT_ONCE = 4;
const { values } = parseArgs({
	options: {
		rounds: { type: 'string', default: '5' },
		files: { type: 'string', default: '20' },
		megabytes: { type: 'string', default: '20' },
	},
});
const [rounds, files, megabytes] = [values.rounds, values.files, values.megabytes].map(Number);

interface Outcome {
	seconds: number;
	/** How far the peak of resident memory is above what n8n had before; NaN without n8n. */
	grownBytes: number;
}

/** Runs a workflow with a node named Measured. */
async function measure(n8n: RunningN8n, workflow: WorkflowJson): Promise<Outcome> {
	const { id } = await n8n.api.workflows.save(workflow);
	const before = n8n.residentBytes();
	let peak = before;
	const sampling = setInterval(() => (peak = Math.max(peak, n8n.residentBytes())), SAMPLE_MS);
	try {
		const { seconds } = await runMeasured(n8n, id);
		return { seconds, grownBytes: peak - before };
	} finally {
		clearInterval(sampling);
	}
}

async function rawDownload(url: string, file: string): Promise<Outcome> {
	const began = performance.now();
	const [response] = (await once(get(`${url}/recording.mp4`), 'response')) as [IncomingMessage];
	await pipeline(response, createWriteStream(file));
	return { seconds: (performance.now() - began) / 1000, grownBytes: NaN };
}

const print = (line: string) => process.stdout.write(`${line}\n`);

type Who = 'Sign and Close' | 'HTTP Request' | 'Raw client';

/** Prints a row for each of them. */
function report(what: string, totalMegabytes: number, outcomes: Map<Who, Outcome[]>): void {
	const secondsOf = (who: Who) => median((outcomes.get(who) ?? []).map(({ seconds }) => seconds));
	for (const [who, some] of outcomes) {
		const speed = `${(totalMegabytes / secondsOf(who)).toFixed(0)} MB/s`;
		const ratio = (secondsOf(who) / secondsOf('Sign and Close')).toFixed(2);
		const grown = median(some.map(({ grownBytes }) => grownBytes)) / MEGABYTE;
		print(
			`| ${what} | ${who} | ${speed} | ${ratio} | ${Number.isNaN(grown) ? '' : `${grown.toFixed(0)} MB`} |`,
		);
	}
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
	const service = await startDocumentService(BIG_MEGABYTES);
	const n8n = await startN8n({
		userFolder: join(folder, 'n8n'),
		tarball: join(RUN_DIR, 'package.tgz'),
		filesFolder: source,
	});
	const documentsUrl = `${service.url}/mortgage/v2/transactions/ot_1/documents`;
	try {
		const credentials = await saveCredential(n8n, service.url);
		const uploadBy = (measured: WorkflowNode) =>
			workflowInARow('Uploads', [
				builtInNode('Read', 'readWriteFile', 1, {
					fileSelector: join(source, '*.pdf'),
					options: {},
				}),
				measured,
			]);
		const upload = uploadBy(
			ourNode({ credentials }, 'Measured', {
				resource: 'document',
				operation: 'add',
				platform: 'realEstate',
				transactionId: locator('=ot_{{ $itemIndex }}'),
				source: 'binary',
				binaryPropertyName: 'data',
				requirement: 'readonly',
			}),
		);
		const uploadByHttp = uploadBy(
			builtInNode('Measured', 'httpRequest', 4.2, {
				method: 'POST',
				url: documentsUrl,
				sendBody: true,
				contentType: 'binaryData',
				inputDataFieldName: 'data',
				options: {},
			}),
		);
		const download = workflowInARow('Download', [
			ourNode({ credentials }, 'Measured', {
				resource: 'notarizationRecord',
				operation: 'downloadVideo',
				platform: 'business',
				recordId: locator('nr_1'),
				binaryPropertyName: 'data',
			}),
		]);
		const downloadByHttp = workflowInARow('Download', [
			builtInNode('Measured', 'httpRequest', 4.2, {
				url: `${service.url}/recording.mp4`,
				options: { response: { response: { responseFormat: 'file' } } },
			}),
		]);
		const rawUpload = async (): Promise<Outcome> => {
			const { stdout } = await promisify(execFile)(process.execPath, [
				join(import.meta.dirname, 'rawUploads.mts'),
				documentsUrl,
				String(RAW_AT_ONCE),
				...paths,
			]);
			return { seconds: Number(stdout) / 1000, grownBytes: NaN };
		};
		const works: Array<[what: string, megabytes: number, Array<[Who, () => Promise<Outcome>]>]> = [
			[
				`${files} uploads of ${megabytes} MB`,
				files * megabytes,
				[
					['Sign and Close', async () => await measure(n8n, upload)],
					['HTTP Request', async () => await measure(n8n, uploadByHttp)],
					['Raw client', rawUpload],
				],
			],
			[
				`Download of ${BIG_MEGABYTES} MB`,
				BIG_MEGABYTES,
				[
					['Sign and Close', async () => await measure(n8n, download)],
					['HTTP Request', async () => await measure(n8n, downloadByHttp)],
					['Raw client', async () => await rawDownload(service.url, join(folder, 'raw.mp4'))],
				],
			],
		];
		print(`Medians of ${rounds} rounds. Less than 1 means that ours is slower.\n`);
		print('| | | Speed | Time of this / ours | n8n grows by |');
		print('| --- | --- | --- | --- | --- |');
		for (const [what, total, candidates] of works) {
			const outcomes = new Map<Who, Outcome[]>(candidates.map(([who]) => [who, []]));
			// The first round only warms up.
			for (let round = 0; round <= rounds; round++)
				for (const [who, run] of candidates) {
					const outcome = await run();
					if (round > 0) outcomes.get(who)?.push(outcome);
				}
			report(what, total, outcomes);
		}
	} finally {
		await n8n.stop();
		service.close();
	}
});
