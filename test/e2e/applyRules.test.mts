import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { failureReason, outputJson } from '../../host/clients/n8n/executionData.mts';
import { CREDENTIAL_TYPE } from '../../host/clients/n8n/names.mts';
import { ourNode, workflowInARow } from '../../host/clients/n8n/nodes.mts';
import { createDraftClosing, sandboxCredential } from '../../host/clients/sandboxApi.mts';
import { startN8n, type RunningN8n } from '../../host/run/n8n.mts';
import { freePort } from '../../host/run/ports.mts';
import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import { makePdf } from '../sandbox/support/client.mts';
import { TARBALL } from '../support/tarball.mts';
import { until } from '../support/until.mts';

/**
 * A PDF with five bookmarks becomes five documents, each with what its rule says, although n8n is
 * killed in the middle: run again, the rest is done, and nothing is there or done twice.
 */

const userFolder = mkdtempSync(join(tmpdir(), 'sign-and-close-'));
let sandbox: Sandbox;
let n8n: RunningN8n;
let port: number;

const start = async () =>
	await startN8n({
		userFolder,
		tarball: TARBALL,
		port,
		env: { SIGN_AND_CLOSE_OUTSIDE: 'closed' },
	});

beforeAll(async () => {
	port = await freePort();
	// The parts of a split are there two seconds later.
	sandbox = await startSandbox({ processingMs: 0, splitSeconds: 2 });
	n8n = await start();
});
afterAll(async () => {
	await n8n?.stop();
	await sandbox?.close();
	rmSync(userFolder, { recursive: true, force: true });
});

const RULES: Array<[name: string, requirement: string, more?: object]> = [
	['Affidavit', 'identity_confirmation', { position: '4' }],
	['Note', 'esign'],
	['Closing Disclosure', 'readonly'],
	['Rider', 'non_essential'],
	['Deed of Trust', 'notarization', { position: '0', flags: ['signing_requires_meeting'] }],
];
const REQUIREMENTS = Object.fromEntries(
	RULES.map(([name, requirement]) => [`${name} (final)`, requirement]),
);

/** Saves a workflow of one node that works on a closing. */
async function save(name: string, closing: string, parameters: object): Promise<string> {
	const credentials = {
		[CREDENTIAL_TYPE]: await n8n.api.credentials.save(
			'Sandbox',
			CREDENTIAL_TYPE,
			sandboxCredential(sandbox),
		),
	};
	const node = ourNode({ credentials }, name, {
		resource: 'document',
		platform: 'realEstate',
		transactionId: { __rl: true, mode: 'id', value: closing },
		...parameters,
	});
	return (await n8n.api.workflows.save(workflowInARow(`${name} ${closing}`, [node]))).id;
}

/** Adds the PDF to a new closing, and saves the workflow that applies the rules. */
async function splitPackage(more: object): Promise<{ closing: string; rules: string }> {
	const closing = await createDraftClosing(sandbox);
	const bookmarks = Object.keys(REQUIREMENTS).map((name, page): [string, number] => [name, page]);
	const pdf = await makePdf(5, bookmarks);
	const adding = await save('Add', closing, {
		operation: 'add',
		source: 'base64',
		fileBase64: pdf.toString('base64'),
		documentName: 'Package',
		requirement: 'notarization',
		whereToSign: 'closingTeam',
		additionalFields: { pdf_bookmarked: true },
	});
	const added = await n8n.api.executions.runToEnd(adding);
	expect(failureReason(added)).toBe('');
	expect(outputJson(added, 'Add')).toMatchObject([{ upload_in_progress: true }]);
	const rules = await save('Rules', closing, {
		operation: 'applyRules',
		documentRules: {
			row: RULES.map(([nameContains, requirement, own]) => ({ nameContains, requirement, ...own })),
		},
		numberOfDocuments: 5,
		settingsNotShown: 'none',
		...more,
	});
	return { closing, rules };
}

/** The documents of the split, in their order. */
const documentsOf = (closing: string) =>
	sandbox.world.transactions
		.get(closing)!
		.documents.filter(({ isConsentForm }) => !isConsentForm)
		.sort((one, other) => one.position - other.position);
const requirementsOf = (closing: string) =>
	Object.fromEntries(documentsOf(closing).map(({ name, requirement }) => [name, requirement]));
/** What was written with this method since a request with this number. */
const written = (method: string, since = 0) =>
	sandbox.requests.slice(since).filter((request) => request.method === method);

/** Starts the workflow, and kills n8n once this many requests have come. */
async function killAfter(workflow: string, method: string, count: number): Promise<void> {
	const since = sandbox.requests.length;
	await n8n.api.executions.run(workflow);
	await until(() => written(method, since).length === count, 1_000);
	await n8n.kill();
	n8n = await start();
}

/** Runs the workflow to its end. */
async function runAgain(workflow: string) {
	const run = await n8n.api.executions.runToEnd(workflow);
	expect(failureReason(run)).toBe('');
	return outputJson(run, 'Rules');
}

test('five bookmarks become five documents with five requirements, killed in the middle', async () => {
	const { closing, rules } = await splitPackage({});
	sandbox.faults.add({ method: 'PATCH', path: '/documents/', kind: 'stall', skip: 1 });
	await killAfter(rules, 'PATCH', 2);
	const half = sandbox.requests.length;
	const outputs = await runAgain(rules);
	expect(outputs).toHaveLength(5);
	const byRule = [...outputs].sort((one, other) => Number(one.rule) - Number(other.rule));
	expect(byRule.map((one) => [one.document_name, one.rule, one.not_applied])).toEqual(
		RULES.map(([name], index) => [
			`${name} (final)`,
			index + 1,
			index === 4
				? [{ field: 'signing_requires_meeting', reason: expect.stringMatching(/Replace/) }]
				: [],
		]),
	);
	expect(requirementsOf(closing)).toEqual(REQUIREMENTS);
	const names = documentsOf(closing).map(({ name }) => name.replace(' (final)', ''));
	expect(names).toEqual(['Deed of Trust', 'Note', 'Closing Disclosure', 'Rider', 'Affidavit']);
	// The one that was under way wasn't done. The deed has its requirement from the start.
	const updated = written('PATCH').map(({ path }) => path);
	expect([updated.length, new Set(updated).size]).toEqual([5, 4]);
	expect(updated[2]).toBe(updated[1]);
	// The order was changed before n8n was killed.
	expect(written('PUT', half)).toEqual([]);
	const idle = sandbox.requests.length;
	await runAgain(rules);
	expect(sandbox.requests.slice(idle).every(({ method }) => method === 'GET')).toBe(true);
});

test('a document is replaced once, although n8n is killed between adding and deleting', async () => {
	const { closing, rules } = await splitPackage({ notUpdatable: 'replace' });
	sandbox.faults.add({ method: 'DELETE', path: '/documents/', kind: 'stall' });
	await killAfter(rules, 'DELETE', 1);
	expect(documentsOf(closing)).toHaveLength(6);
	const outputs = await runAgain(rules);
	expect(outputs.map(({ not_applied: left }) => left)).toEqual(RULES.map(() => []));
	expect(documentsOf(closing)).toHaveLength(5);
	expect(requirementsOf(closing)).toEqual(REQUIREMENTS);
	const deed = documentsOf(closing).find(({ name }) => name.startsWith('Deed'))!;
	expect(deed.flags.signing_requires_meeting).toBe(true);
});
