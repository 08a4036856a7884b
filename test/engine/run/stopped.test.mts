import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { ADD_DOCUMENT, CLOSING, createClosing, id, pdfItem } from '../../support/closing.mts';
import { withFiles } from '../../support/createAndSend.mts';
import { accounts, type RunOptions } from '../../support/engine.mts';
import { attempt, ownDocuments } from '../../support/operations.mts';
import { until } from '../../support/until.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** What a person reads of an execution that somebody stops, and what nobody knows because of it. */

useSandbox();
let closing: string;
beforeEach(async () => {
	closing = await createClosing(credential());
	sandbox.requests.length = 0;
});

/** Stops a run as soon as something is so, and gives what the person reads. */
async function stopped(
	parameters: IDataObject,
	isSo: () => boolean,
	more: Partial<RunOptions> = {},
): Promise<string> {
	const { error } = await attempt(parameters, { ...more, cancelled: until(isSo) });
	return `${error?.message}. ${error?.description}`;
}

const UNKNOWN = 'The execution was stopped after the request was sent, so the outcome is unknown';
const hang = (method: string, path: RegExp, more: object = {}) =>
	sandbox.faults.add({ method, path, delayMs: 3_600_000, times: Infinity, ...more });
const asked =
	(method: string, count = 1) =>
	() =>
		sandbox.requests.filter((request) => request.method === method).length >= count;
const GET = { resource: 'transaction', operation: 'get', platform: 'realEstate' };
const SEND = { ...GET, operation: 'send' };
const DOCUMENT = () => ({ ...ADD_DOCUMENT, transactionId: id(closing) });

describe('an execution that is stopped says so', () => {
	test('while a read is under way', async () => {
		hang('GET', /transactions/);
		expect(await stopped({ ...GET, transactionId: id(closing) }, asked('GET'))).toBe(
			'The execution was stopped. Run the workflow again to do the rest',
		);
	});

	test('while a write is under way, whose outcome nobody knows', async () => {
		hang('POST', /transactions$/);
		const said = await stopped(CLOSING, asked('POST'));
		expect(said.startsWith(`${UNKNOWN}. It may have been done`)).toBe(true);
		expect(said).toContain("If it wasn't done, run the workflow again for this item alone");
		// n8n doesn't retry what was stopped.
		expect(said).not.toContain('list of executions');
	});

	test('while a write waits to be sent, so that it was not sent', async () => {
		sandbox.faults.add({
			method: 'POST',
			path: /transactions$/,
			times: Infinity,
			status: 429,
			headers: { 'retry-after': '200' },
		});
		const isPausing = () =>
			[...accounts.values()].some(({ pace }) => pace.pausedUntil > Date.now());
		expect(await stopped(CLOSING, isPausing)).toBe(
			'The execution was stopped before the request was sent. Run the workflow again to do the rest',
		);
	});

	test('while it waits for what it has written', async () => {
		sandbox.world.settings.processingMs = 3_600_000;
		const parameters = { ...DOCUMENT(), additionalFields: { waitUntilProcessed: true } };
		const items = [await pdfItem()];
		const isLookedAt = () =>
			ownDocuments(closing).length > 0 && sandbox.requests.at(-1)?.method === 'GET';
		const said = await stopped(parameters, isLookedAt, { items });
		sandbox.world.settings.processingMs = 0;
		expect(said).toMatch(
			/^The execution was stopped while the item was written, so the outcome is unknown\. It may/,
		);
	});

	test('with every item whose outcome is unknown, and those that are done', async () => {
		const items = ['a', 'b', 'c', 'd'].map((name): INodeExecutionData => ({ json: { name } }));
		hang('POST', /transactions$/, { skip: 1 });
		const parameters = { ...CLOSING, transactionName: '={{ $json.name }}' };
		const said = await stopped(parameters, asked('POST', 3), { items });
		expect(said).toMatch(/^The execution was stopped/);
		const done = /Item (\d) is done: leave it out/.exec(said)?.[1];
		const unknown = [...said.matchAll(/The outcome of item (\d) is unknown/g)].map(
			([, one]) => one,
		);
		expect(said).not.toContain('aborted');
		expect(done).toBeDefined();
		expect(unknown.length).toBeGreaterThan(0);
		expect(unknown).not.toContain(done);
	});

	test('also where items go on after a failure', async () => {
		hang('POST', /place_order|send/);
		const parameters = { ...SEND, transactionId: id(closing) };
		sandbox.world.settings.processingMs = 0;
		const node = { onError: 'continueRegularOutput' } as const;
		expect(await stopped(parameters, asked('POST'), { node })).toContain(UNKNOWN);
	});

	test('between the parts of an item, with those that are done', async () => {
		hang('POST', /documents$/, { skip: 1 });
		const parameters = { ...DOCUMENT(), source: 'allFiles', binaryPropertyName: '' };
		const files = await withFiles({ 'A.pdf': '%1', 'B.pdf': '%2', 'C.pdf': '%3' });
		const said = await stopped(parameters, asked('POST', 2), files);
		expect(said.startsWith(`B.pdf: ${UNKNOWN}. `)).toBe(true);
		expect(said).toContain('Done: A.pdf. Unknown: B.pdf. Not done: C.pdf');
	});
});
