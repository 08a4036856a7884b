import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { ADD_DOCUMENT, createClosing, id, pdfItem } from '../../support/closing.mts';
import { addEnote } from '../../support/matrix/documents.mts';
import {
	complaint,
	hints,
	ownDocuments,
	run,
	sendClosing,
	attempt,
} from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Documents, an eNote and a sending that are done again by another run of the workflow. */

useSandbox();
let transactionId: string;
beforeEach(async () => {
	transactionId = await createClosing(credential());
	sandbox.requests.length = 0;
});

const skip = (more: IDataObject = {}): IDataObject => ({
	...ADD_DOCUMENT,
	transactionId: id(transactionId),
	...more,
	additionalFields: { ifExists: 'skip', ...((more.additionalFields ?? {}) as object) },
});
const files = async (...names: string[]): Promise<{ items: INodeExecutionData[] }> => ({
	items: await Promise.all(
		names.map(async (name) => await pdfItem('deed-of-trust', `${name}.pdf`)),
	),
});
const names = () => ownDocuments(transactionId).map(({ name }) => name);

test('two files of one name are both added, and neither of them by the second run', async () => {
	const first = await run(skip(), await files('Deed', 'Note', 'Deed'));
	expect(first.items.map(({ json }) => json.existing)).toEqual([false, false, false]);
	const second = await run(skip(), await files('Deed', 'Note', 'Deed', 'Rider'));
	expect(second.items.map(({ json }) => json.existing)).toEqual([true, true, true, false]);
	expect(new Set(second.items.map(({ json }) => json.document_id)).size).toBe(4);
	expect(names()).toEqual(['Deed', 'Note', 'Deed', 'Rider']);
	expect(hints(second)).toContain('1 added, 3 skipped');
});
const adding = (more: IDataObject = {}): IDataObject => ({ ...skip(more), ...more });
const PLAIN = { additionalFields: {} };

describe('without a choice', () => {
	test('what the transaction has is skipped', async () => {
		await run(adding(PLAIN), await files('Deed'));
		const again = await run(adding(PLAIN), await files('Deed', 'Note'));
		expect(again.items.map(({ json }) => json.existing)).toEqual([true, false]);
		expect(hints(again)).toContain('1 skipped');
		expect(names()).toEqual(['Deed', 'Note']);
	});
	test('a PDF that is split is added again, without looking, and a hint says so', async () => {
		const split = adding({ additionalFields: { pdf_bookmarked: true } });
		const outcome = await run(split, await files('Deed'));
		expect(hints(outcome)).toContain('Another run of the workflow would add its parts again');
		expect(sandbox.requests.map(({ method }) => method)).toEqual(['POST']);
	});
	test.each([401, 403])(
		'a key that may not read (%d) adds it, and a hint says so',
		async (status) => {
			const read = {
				method: 'GET',
				path: /ot_/,
				status,
				body: { errors: ['No'] },
				times: Infinity,
			};
			sandbox.faults.add(read);
			const added = await run(adding(PLAIN), await files('Deed'));
			expect(added.json.existing).toBe(false);
			expect(hints(added)).toContain(
				"The documents of the transaction can't be read, so the file was added without looking whether it's there",
			);
			expect(await complaint(skip(), await files('Deed'))).not.toBe('');
			expect(names()).toEqual(['Deed']);
		},
	);
	test("a service that can't be asked stops the item", async () => {
		sandbox.faults.add({ method: 'GET', path: /ot_/, status: 422, body: { errors: ['No'] } });
		expect(await complaint(adding(PLAIN), await files('Deed'))).toMatch(/No/);
		expect(names()).toEqual([]);
	});
});
test('of two files of one name, only the one that is missing is added', async () => {
	await run(skip(), await files('Deed'));
	await run(skip(), await files('Deed', 'Deed'));
	expect(names()).toEqual(['Deed', 'Deed']);
});
test('what an earlier try has skipped stays skipped', async () => {
	await run(skip(), await files('Deed'));
	sandbox.faults.add({ method: 'POST', path: /documents$/, status: 422, body: { errors: ['No'] } });
	const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
	await run(skip(), { ...(await files('Deed', 'Note', 'Deed')), node });
	expect(names().sort()).toEqual(['Deed', 'Deed', 'Note']);
	await run(skip(), await files('Deed', 'Deed', 'Note'));
	expect(names()).toHaveLength(3);
});
test('what a node before it in the same execution has added is no reason to skip', async () => {
	const first = await attempt(
		{ ...skip(), additionalFields: {} },
		{ ...(await files('Deed')), executionId: '81' },
	);
	const kept = structuredClone(first.run.data.executionData!.contextData);
	expect(kept).toMatchObject({ flow: expect.anything() });
	sandbox.faults.add({ method: 'GET', path: /ot_/, status: 422, body: { errors: ['No'] } });
	// A retry of an execution begins with what the failed one knew of all of its nodes.
	const failed = await attempt(skip(), { ...(await files('Deed')), executionId: '82' });
	failed.run.data.executionData!.contextData = kept;
	await run(skip(), { ...(await files('Deed')), executionId: '83', retryOf: failed });
	expect(names()).toEqual(['Deed', 'Deed']);
});
test('a Tracking ID comes before the name', async () => {
	const tracked = (tracking: string) => skip({ additionalFields: { tracking_id: tracking } });
	await run(tracked('1'), await files('Deed'));
	await run(tracked('2'), await files('Deed'));
	const { json } = await run(tracked('1'), await files('Other'));
	expect([json.existing, names()]).toEqual([true, ['Deed', 'Deed']]);
});
test('what nothing tells from others is refused before anything is sent', async () => {
	const url = { source: 'url', fileUrl: `${sandbox.url}/samples/deed-of-trust.pdf` };
	expect(await complaint(skip(url))).toMatch(/'Document Name' is empty, so that 'If It Exists'/);
	expect(
		await complaint(skip({ additionalFields: { pdf_bookmarked: true } }), await files('Deed')),
	).toMatch(/'If It Exists' can't be Skip together with 'Split at Bookmarks'/);
	expect(sandbox.requests).toEqual([]);
});
test('a sent transaction is returned where that is wanted, unless it has expired', async () => {
	await run({ ...skip() }, await files('Deed'));
	const note: IDataObject = {
		...addEnote('', `${sandbox.url}/samples/enote.xml`),
		transactionId: id(transactionId),
		ifExists: 'skip',
	};
	const [added, skipped] = [await run(note), await run(note)];
	expect([added.json.existing, skipped.json.existing]).toEqual([false, true]);
	expect(skipped.json.document_id).toBe(added.json.document_id);
	const send = {
		...sendClosing(id(transactionId)),
		additionalFields: { ifAlreadySent: 'return' },
	};
	await run(send);
	sandbox.requests.length = 0;
	const again = await run(send);
	expect(again.json).toMatchObject({ transaction_id: transactionId, status: 'sent' });
	expect(hints(again)).toContain('1 already sent');
	expect((await run(skip(), await files('Deed'))).json.existing).toBe(true);
	expect(sandbox.requests.filter(({ method }) => method === 'POST')).toEqual([]);
	expect(await complaint(sendClosing(id(transactionId)))).toMatch(/already sent/);
	Object.assign(sandbox.world.transactions.get(transactionId)!, { status: 'expired' });
	expect(await complaint(send)).toMatch(/The transaction has ended/);
});
