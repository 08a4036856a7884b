import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { PDFDocument } from '@cantoo/pdf-lib';

import type { N8nClient } from '../host/clients/n8n/client.mts';
import { failureReason } from '../host/clients/n8n/executionData.mts';
import { CREDENTIAL_TYPE } from '../host/clients/n8n/names.mts';
import { builtInNode, ourNode, workflowInARow } from '../host/clients/n8n/nodes.mts';
import type { WorkflowJson } from '../host/clients/n8n/types.mts';
import { createDraftClosing, sandboxCredential } from '../host/clients/sandboxApi.mts';
import { startN8n } from '../host/run/n8n.mts';
import { RUN_DIR } from '../scripts/runtime.mjs';
import { startSandbox, type Sandbox } from '../sandbox/index.mts';
import { median } from './statistics.mts';
import { inTemporaryFolder } from './temporaryFolder.mts';

/**
 * Measures n8n's memory while a file passes through: the peak of its resident memory during one
 * execution of a workflow, in a fresh n8n each time. A streamed file must not raise the peak. Run:
 * node bench/memory.mts [--rounds 5], after npm start has installed everything.
 */

const MEGABYTE = 1024 * 1024;
const SAMPLE_MS = 10;
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const rounds = Number(values.rounds);

interface Case {
	name: string;
	/** Size of the small file in megabytes. */
	small: number;
	/** Size of the large file in megabytes. */
	large: number;
	makeWorkflow: (
		sandbox: Sandbox,
		folder: string,
		megabytes: number,
		credentials: WorkflowJson['nodes'][number]['credentials'],
	) => Promise<WorkflowJson>;
}

const locator = (value: string) => ({ __rl: true, mode: 'id', value });

async function post(sandbox: Sandbox, path: string, body: unknown): Promise<void> {
	const response = await fetch(sandbox.url + path, {
		method: 'POST',
		headers: { ApiKey: sandbox.keys.full, 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	if (!response.ok)
		throw new Error(`The sandbox answered ${response.status}: ${await response.text()}`);
}

async function createClosing(sandbox: Sandbox): Promise<string> {
	return await createDraftClosing(sandbox, {
		paper_note_consent: true,
		title_agency_id: 'or_agency_harbor',
		street_address: { line1: '1 Main St', city: 'Boston', state: 'MA' },
	});
}

/** A PDF of about this size: one page and an attachment of random bytes. */
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
		async makeWorkflow(sandbox, folder, megabytes, credentials) {
			writeFileSync(join(folder, 'upload.pdf'), await makePdf(megabytes));
			return workflowInARow('Upload', [
				builtInNode('Read', 'readWriteFile', 1, {
					fileSelector: join(folder, 'upload.pdf'),
					options: {},
				}),
				ourNode({ credentials }, 'File', {
					resource: 'document',
					operation: 'add',
					platform: 'realEstate',
					transactionId: locator(await createClosing(sandbox)),
					source: 'binary',
					binaryPropertyName: 'data',
					requirement: 'readonly',
				}),
			]);
		},
	},
	{
		name: 'download of a recording',
		small: 1,
		large: 300,
		async makeWorkflow(sandbox, _folder, megabytes, credentials) {
			const id = await createClosing(sandbox);
			await post(sandbox, `/mortgage/v1/transactions/${id}/documents`, {
				resource: (await makePdf(0.1)).toString('base64'),
				requirement: 'notarization',
			});
			await sandbox.clock.advance(sandbox.world.settings.processingMs);
			await post(sandbox, `/mortgage/v1/transactions/${id}/place_order`, {});
			await sandbox.act.sign(id);
			await sandbox.act.notarize(id);
			const { recordId } = sandbox.world.transactions.get(id)!;
			sandbox.world.records.get(recordId!)!.video = Buffer.alloc(megabytes * MEGABYTE, 'video');
			return workflowInARow('Download', [
				ourNode({ credentials }, 'File', {
					resource: 'notarizationRecord',
					operation: 'downloadVideo',
					platform: 'realEstate',
					recordId: locator(recordId!),
					binaryPropertyName: 'data',
				}),
			]);
		},
	},
];

/** The peak of n8n's resident memory in bytes while the workflow runs once in a fresh n8n. */
async function measurePeak(
	{ makeWorkflow }: Case,
	megabytes: number,
	userFolder: string,
): Promise<number> {
	const folder = join(userFolder, 'files');
	mkdirSync(folder);
	const sandbox = await startSandbox();
	const n8n = await startN8n({
		userFolder,
		tarball: join(RUN_DIR, 'package.tgz'),
		filesFolder: folder,
	});
	try {
		const credential = await n8n.api.credentials.save(
			'Sandbox',
			CREDENTIAL_TYPE,
			sandboxCredential(sandbox),
		);
		const { id } = await n8n.api.workflows.save(
			await makeWorkflow(sandbox, folder, megabytes, { [CREDENTIAL_TYPE]: credential }),
		);
		let peak = 0;
		const sampling = setInterval(() => (peak = Math.max(peak, n8n.residentBytes())), SAMPLE_MS);
		await runSuccessfully(n8n.api, id);
		clearInterval(sampling);
		return peak;
	} finally {
		await n8n.stop();
		await sandbox.close();
	}
}

async function runSuccessfully(api: N8nClient, id: string): Promise<void> {
	const execution = await api.executions.runToEnd(id);
	if (execution.status !== 'success') throw new Error(failureReason(execution));
}

const toMegabytes = (bytes: number) => (bytes / MEGABYTE).toFixed(0);

for (const testCase of CASES) {
	const peaks: Record<'small' | 'large', number[]> = { small: [], large: [] };
	for (let round = 0; round < rounds; round++) {
		for (const size of ['small', 'large'] as const) {
			const peak = async (folder: string) => await measurePeak(testCase, testCase[size], folder);
			peaks[size].push(await inTemporaryFolder(peak));
		}
	}
	const growth = median(peaks.large) - median(peaks.small);
	const list = (bytes: number[]) => bytes.map(toMegabytes).join(', ');
	process.stdout.write(
		`${testCase.name}: resident memory peaks at ${list(peaks.small)} MB with ${testCase.small} MB, at ${list(peaks.large)} MB with ${testCase.large} MB\n`,
	);
	process.stdout.write(`  the median grows by ${toMegabytes(growth)} MB (${rounds} rounds)\n`);
}
