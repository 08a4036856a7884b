import type { IDataObject } from 'n8n-workflow';

import { writes } from '../../../support/createAndSend.mts';
import { attempt } from '../../../support/operations.mts';
import { useSandbox } from '../../../support/useSandbox.mts';
import { FILES, makeTransaction, NEW_NOTE, replace, replacing } from './scene.mts';

/** Transaction: Replace Documents: which file takes the place of which document, and what would be done. */

useSandbox();

describe('the plan of a sent closing', () => {
	test('names what is replaced, and writes nothing', async () => {
		const id = await makeTransaction();
		const shown = await replace(id, NEW_NOTE, { then: 'plan' });
		expect(shown.said).toBeUndefined();
		expect(shown.plan).toEqual([
			'Recall it from its signers',
			"Replace Note with 'Note.pdf'",
			"Delete Note: 'Note.pdf' takes its place",
			'Send it to Jane Borrower · jane.borrower@example.com. The service emails jane.borrower@example.com, after the closing team has prepared it',
		]);
		expect(shown.stops).toEqual([]);
		expect(shown.hints).toContain("Note would be replaced by 'Note.pdf'");
		expect(shown.json.papers).toMatchObject([
			{ action: 'same', file: 'Deed.pdf', document_name: 'Deed' },
			{ action: 'replace', file: 'Note.pdf', document_id: null, matched_by: 'name' },
			{ action: 'same', file: 'Rider.pdf' },
		]);
		// The other read is of the old Note: what stands around its places has to be the same.
		expect([shown.writes, shown.reads]).toEqual([[], 2]);
	});
	test('is empty if nothing has changed', async () => {
		const id = await makeTransaction();
		const shown = await replace(id, FILES, { then: 'plan' });
		expect([shown.plan, shown.stops, shown.writes, shown.reads]).toEqual([[], [], [], 1]);
		expect(shown.hints).toContain('ID has these papers already, nothing was replaced');
	});
	test("doesn't say that its signers have files that no rule names", async () => {
		const id = await makeTransaction();
		const shown = await replace(id, NEW_NOTE, { then: 'plan', rules: [] });
		expect([shown.plan, shown.writes]).toEqual([[], []]);
		expect(shown.stops).toContain(
			"No rule names Deed.pdf, Note.pdf, Rider.pdf. Add a rule or set 'Files Without a Rule' to Leave Out",
		);
		expect(shown.hints).not.toContain('has these papers already');
	});
});

test('a sent one whose note is new is sent again with it', async () => {
	const id = await makeTransaction();
	const done = await replace(id, NEW_NOTE);
	expect(done.said).toBeUndefined();
	expect(done.writes).toEqual([
		'POST /transactions/ID/recall',
		'POST /transactions/ID/documents',
		'DELETE /documents/DO',
		'POST /transactions/ID/place_order',
	]);
	expect(done.hints).toContain("Note was replaced by 'Note.pdf'");
	const again = await replace(id, NEW_NOTE);
	expect([again.said, again.writes]).toEqual([undefined, []]);
	expect(again.hints).toContain('ID has these papers already, nothing was replaced');
});

test('of many papers, three and the number of the others are told', async () => {
	const count = 5;
	const files = (content: string) =>
		Object.fromEntries(
			Array.from({ length: count }, (_, index) => [`P${index}.pdf`, `%${content}${index}`]),
		);
	const id = await makeTransaction(files('old'));
	const shown = await replace(id, files('new'), { then: 'plan' });
	expect(shown.hints).toContain(
		"P0 would be replaced by 'P0.pdf', P1 by 'P1.pdf', P2 by 'P2.pdf' and 2 more",
	);
});

test('documents that are left on purpose are no difference', async () => {
	const id = await makeTransaction();
	const files = { 'Note.pdf': '%new note' };
	const subjects = async (more: IDataObject) =>
		((await replace(id, files, { then: 'plan', more })).json.differences as IDataObject[]).map(
			({ subject, kind }) => `${String(subject)} ${String(kind)}`,
		);
	expect(await subjects({})).toEqual(['Note different', 'Deed extra', 'Rider extra']);
	expect(await subjects({ documentsWithoutFile: 'leave' })).toEqual(['Note different']);
});

test('as a tool, it writes nothing, whatever it is told', async () => {
	const id = await makeTransaction();
	const { error, items } = await attempt(replacing(id, { rules: [], then: 'send' }), {
		type: 'signAndCloseTool',
		items: [{ json: {} }],
	});
	expect(error).toBeUndefined();
	expect(items[0].json).toMatchObject({ transaction_id: id, plan: [] });
	expect(writes()).toEqual([]);
});
