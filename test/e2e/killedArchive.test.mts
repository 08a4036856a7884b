import { execFileSync } from 'node:child_process';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { failureReason } from '../../host/clients/n8n/executionData.mts';
import { CREDENTIAL_TYPE } from '../../host/clients/n8n/names.mts';
import { builtInNode, ourNode, workflowInARow } from '../../host/clients/n8n/nodes.mts';
import { createDraftClosing, sandboxCredential } from '../../host/clients/sandboxApi.mts';
import { SandboxConsole } from '../../host/clients/sandboxConsole.mts';
import { checkArchive } from '../../host/demo/checkArchive.mts';
import { startN8n, type RunningN8n } from '../../host/run/n8n.mts';
import { freePort } from '../../host/run/ports.mts';
import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import { TARBALL } from '../support/tarball.mts';
import { until } from '../support/until.mts';

/**
 * n8n is killed while a workflow archives a closing, in the middle of the downloads and in the middle
 * of the writing. Run again, the archive has every file once, whole, and the manifest, which comes
 * last, is there only with all others.
 */

const userFolder = mkdtempSync(join(tmpdir(), 'sign-and-close-'));
const folder = join(userFolder, 'archive');
let sandbox: Sandbox;
let n8n: RunningN8n;
let port: number;
let workflowId: string;
let closing: string;

const start = async () =>
	await startN8n({
		userFolder,
		tarball: TARBALL,
		port,
		filesFolder: folder,
		env: { SIGN_AND_CLOSE_OUTSIDE: 'closed' },
	});

beforeAll(async () => {
	mkdirSync(folder);
	port = await freePort();
	sandbox = await startSandbox({ processingMs: 0 });
	n8n = await start();
	closing = await createDraftClosing(sandbox, {
		paper_note_consent: true,
		recording_jurisdiction_id: 'rlboston',
		title_agency_id: 'or_agency_harbor',
		title_underwriter_id: 'or_underwriter_atlantic',
	});
	const resource = `${sandbox.url}/samples/deed-of-trust.pdf`;
	// Two of the names are the same to many file systems.
	for (const filename of ['Deed of Trust', 'Deed of trust', 'Closing Disclosure'])
		await post('documents', { filename, resource, requirement: 'notarization' });
	await post('place_order');
	await sandbox.act.complete(closing);
	const credentials = {
		[CREDENTIAL_TYPE]: await n8n.api.credentials.save(
			'Sandbox',
			CREDENTIAL_TYPE,
			sandboxCredential(sandbox),
		),
	};
	const workflow = workflowInARow('Archive', [
		ourNode({ credentials }, 'Download package', {
			resource: 'transaction',
			operation: 'downloadPackage',
			platform: 'realEstate',
			transactionId: { __rl: true, mode: 'id', value: closing },
			include: ['document', 'audit_trail', 'identity_image', 'recording', 'manifest'],
			fileNames: '{transaction_id} {document_name}',
			ifMissing: 'fail',
		}),
		builtInNode('Save', 'readWriteFile', 1.1, {
			operation: 'write',
			fileName: `=${folder}/{{ $json.file_name }}`,
			options: {},
		}),
	]);
	workflowId = (await n8n.api.workflows.save(workflow)).id;
});
afterAll(async () => {
	await n8n?.stop();
	await sandbox?.close();
	rmSync(userFolder, { recursive: true, force: true });
});

/** Sends the sandbox a request about the closing. */
async function post(path: string, body: object = {}): Promise<void> {
	const response = await fetch(`${sandbox.url}/mortgage/v1/transactions/${closing}/${path}`, {
		method: 'POST',
		headers: { ApiKey: sandbox.keys.full, 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	expect([response.status, await response.text()]).toEqual([200, expect.anything()]);
}

const archived = () => readdirSync(folder).sort();
const isManifest = (name: string) => name.endsWith(' Manifest.json');

/** Runs the workflow to its end, and compares the archive with what the service has. */
async function archive(): Promise<string[]> {
	const run = await n8n.api.executions.runToEnd(workflowId);
	expect(failureReason(run)).toBe('');
	const files = await new SandboxConsole(sandbox.url).files(closing);
	const checked = await checkArchive(folder, closing, files);
	expect(checked.problems).toEqual([]);
	expect(checked.files).toHaveLength(files.length);
	expect(archived().filter(isManifest)).toHaveLength(1);
	return archived();
}

/** Starts the workflow, and kills n8n once it's there. */
async function killOnce(isThere: () => boolean): Promise<void> {
	await n8n.api.executions.run(workflowId);
	await until(isThere);
	await n8n.kill();
}

test('killed in the middle of the downloads: nothing is there, then everything once', async () => {
	// The recording begins, and doesn't end.
	sandbox.faults.add({ method: 'GET', path: 'download_asset', kind: 'stall' });
	await killOnce(
		() =>
			sandbox.fileRequests.length >= 4 &&
			sandbox.requests.some(({ path }) => path.includes('download_asset')),
	);
	expect(archived()).toEqual([]);
	n8n = await start();
	await archive();
});

test('killed in the middle of the writing: what is half is replaced, and nothing is there twice', async () => {
	const names = await archive();
	const whole = new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
	rmSync(folder, { recursive: true });
	mkdirSync(folder);
	// Whoever writes to a pipe that nobody reads waits for ever.
	const stuck = names.find((name) => name.includes('Audit trail'))!;
	execFileSync('mkfifo', [join(folder, stuck)]);
	const before = names.filter((name) => /Deed|Disclosure/.test(name));
	await killOnce(() =>
		before.every(
			(name) =>
				existsSync(join(folder, name)) && readFileSync(join(folder, name)).equals(whole.get(name)!),
		),
	);
	expect(archived().filter(isManifest)).toEqual([]);
	// As much of it as had come when n8n was killed.
	rmSync(join(folder, stuck));
	writeFileSync(join(folder, stuck), whole.get(stuck)!.subarray(0, 100));
	n8n = await start();
	expect(await archive()).toEqual(names);
	for (const [name, bytes] of whole)
		expect([name, readFileSync(join(folder, name)).equals(bytes)]).toEqual([name, true]);
});
