import { id as locator } from '../../../support/closing.mts';
import { ownDocuments, run, transaction } from '../../../support/operations.mts';
import { sandbox, useSandbox } from '../../../support/useSandbox.mts';
import { FILES, makeTransaction, names, NEW_NOTE, replace, RULES, type Files } from './scene.mts';

/** Transaction: Replace Documents: what an earlier run, or another one at the same time, has left. */

useSandbox();

const document = (id: string, name: string) => ownDocuments(id).find((one) => one.name === name)!;
const refuse = (method: string, path: RegExp) =>
	sandbox.faults.add({ method, path, status: 422, body: { errors: ['No'] }, times: 9 });

test('Check says first that a draft stands recalled', async () => {
	const id = await makeTransaction();
	refuse('POST', /documents/);
	await replace(id, NEW_NOTE);
	sandbox.faults.clear();
	const { json } = await run({
		...{ resource: 'transaction', operation: 'check', platform: 'realEstate' },
		...{ transactionId: locator(id), checkOutput: 'summary', binaryPropertyName: '' },
	});
	expect(String(json.warning_list)).toMatch(
		/^It's a draft, recalled for new documents: nobody can sign it until it's sent/,
	);
});

test('a new document that is there twice is deleted once, and not sent twice', async () => {
	const id = await makeTransaction();
	refuse('DELETE', /documents/);
	await replace(id, NEW_NOTE);
	sandbox.faults.clear();
	// Another process has added it at the same time.
	const added = ownDocuments(id)
		.filter(({ name }) => name === 'Note')
		.at(-1)!;
	transaction(id).documents.push({ ...added, id: `${added.id}b` });
	const done = await replace(id, NEW_NOTE);
	expect(done.said).toBeUndefined();
	expect(done.writes.map((write) => write.split(' ')[0])).toEqual(['DELETE', 'DELETE', 'POST']);
	expect(names(id)).toEqual(['Deed', 'Note', 'Rider']);
	expect(document(id, 'Note').uploaded.toString('latin1')).toContain('%new note');
});

test('a newer file replaces the one that a cut-off run has added', async () => {
	const id = await makeTransaction();
	refuse('DELETE', /documents/);
	await replace(id, NEW_NOTE);
	sandbox.faults.clear();
	expect(names(id)).toEqual(['Deed', 'Note', 'Note', 'Rider']);
	const files = { ...FILES, 'Note.pdf': '%newest' };
	const more = { sendAgainIfRecalled: true };
	// The name doesn't tell which of the two.
	expect((await replace(id, files, { then: 'plan', more })).plan).toContain(
		"Delete Note (DO): 'Note.pdf' takes its place",
	);
	const done = await replace(id, files, { more });
	expect(done.said).toBeUndefined();
	expect(done.writes.map((write) => write.split(' ')[0])).toEqual([
		...['POST', 'DELETE', 'DELETE', 'POST'],
	]);
	expect(names(id)).toEqual(['Deed', 'Note', 'Rider']);
	expect(document(id, 'Note').uploaded.toString('latin1')).toContain('%newest');
});

test('one that was recalled before and is sent again gets newer papers', async () => {
	const id = await makeTransaction();
	expect((await replace(id, NEW_NOTE)).said).toBeUndefined();
	expect(transaction(id)).toMatchObject({ status: 'sent', recallReason: expect.any(String) });
	const done = await replace(id, { ...FILES, 'Note.pdf': '%newest' });
	expect([done.said, transaction(id).status]).toEqual([undefined, 'sent']);
	expect(document(id, 'Note').uploaded.toString('latin1')).toContain('%newest');
});

test('a Tracking ID that a run has not set again stops a Send', async () => {
	const id = await makeTransaction(FILES, { then: 'draft' });
	document(id, 'Note').flags.tracking_id = 'DOC-4711';
	const more = { replaceAddedByHand: true, flagsNotShown: 'rule' };
	refuse('PATCH', /documents/);
	refuse('PUT', /documents/);
	const { said } = await replace(id, NEW_NOTE, { then: 'draft', more });
	expect(said).toContain('Tracking ID DOC-4711');
	sandbox.faults.clear();
	const done = await replace(id, NEW_NOTE, { more });
	expect(done.said).toBe(
		`The documents of ID can't be replaced like this. Nothing was changed. Note (${document(id, 'Note').id}) has replaced a document with a Tracking ID, and a run that was cut off hasn't set it again. Set it with 'Document: Update'`,
	);
	document(id, 'Note').flags.tracking_id = 'DOC-4711';
	expect((await replace(id, NEW_NOTE, { more })).said).toBeUndefined();
});

test.each([
	['have both', true],
	['have not both', false],
])('of two that %s got the Tracking ID, one with it stays', async (_which, isSet) => {
	const id = await makeTransaction(FILES, { then: 'draft' });
	document(id, 'Note').flags.tracking_id = 'DOC-4711';
	const more = { replaceAddedByHand: true, flagsNotShown: 'rule' };
	if (!isSet) refuse('PATCH', /documents/);
	await replace(id, NEW_NOTE, { then: 'draft', more });
	sandbox.faults.clear();
	// Another process has done the same at the same time.
	const added = document(id, 'Note');
	const flags = { ...added.flags, tracking_id: 'DOC-4711' };
	transaction(id).documents.push({ ...added, id: `${added.id}b`, flags });
	const done = await replace(id, NEW_NOTE, { more });
	expect([done.said, names(id)]).toEqual([undefined, ['Deed', 'Note', 'Rider']]);
	expect(document(id, 'Note').flags.tracking_id).toBe('DOC-4711');
});

describe('what a cut-off run has put in the place of an old document', () => {
	const more = {
		...{ replaceAddedByHand: true, flagsNotShown: 'rule', sendAgainIfRecalled: true },
		documentsWithoutFile: 'leave',
	};
	const NEWEST = { ...FILES, 'Note.pdf': '%newest' };
	const LOST =
		"has replaced a document with a Tracking ID, and a run that was cut off hasn't set it again. Set it with 'Document: Update'";
	/** What a run leaves that can't make these requests. */
	const cutOff = async (id: string, files: Files, methods: string[], rules = RULES) => {
		for (const method of methods) refuse(method, /documents/);
		await replace(id, files, { then: 'draft', more, rules });
		sandbox.faults.clear();
	};
	const makeTracked = async () => {
		const id = await makeTransaction(FILES, { then: 'draft' });
		document(id, 'Note').flags.tracking_id = 'DOC-4711';
		return id;
	};
	const noteOf = (id: string) => {
		const { uploaded, flags } = document(id, 'Note');
		return [names(id), uploaded.toString('latin1').match(/%(new|note)\w*/)?.[0], flags.tracking_id];
	};

	test('hands the Tracking ID on to a newer file, if the old document is still there', async () => {
		const id = await makeTracked();
		await cutOff(id, NEW_NOTE, ['DELETE']);
		await cutOff(id, NEWEST, ['DELETE']);
		expect(names(id)).toEqual(['Deed', 'Note', 'Note', 'Note', 'Rider']);
		const done = await replace(id, NEWEST, { more });
		expect(done.said).toBeUndefined();
		expect(noteOf(id)).toEqual([['Deed', 'Note', 'Rider'], '%newest', 'DOC-4711']);
	});
	test('goes by the Tracking ID that a newer file is named after', async () => {
		const id = await makeTracked();
		const [first, second] = ['DOC 4711.pdf', 'DOC 4711 v2.pdf'];
		const rules = RULES.map((rule) => ({ ...rule, nameContains: '*' })).slice(1);
		await cutOff(id, { [first]: '%new note' }, ['DELETE'], rules);
		const done = await replace(id, { [second]: '%newest' }, { rules, more });
		expect(done.said).toBeUndefined();
		expect(noteOf(id)).toEqual([['Deed', 'Note', 'Rider'], '%newest', 'DOC-4711']);
	});
	test('stops a Send of a newer file, if the Tracking ID is lost, until it is set', async () => {
		const id = await makeTracked();
		await cutOff(id, NEW_NOTE, ['PATCH', 'PUT']);
		for (const then of ['send', 'draft', 'send'] as const) {
			const { said, hints } = await replace(id, NEWEST, { then, more });
			expect([then, then === 'send' ? said : hints]).toEqual([then, expect.stringContaining(LOST)]);
		}
		document(id, 'Note').flags.tracking_id = 'DOC-4711';
		expect((await replace(id, NEWEST, { more })).said).toBeUndefined();
		expect(noteOf(id)).toEqual([['Deed', 'Note', 'Rider'], '%newest', 'DOC-4711']);
	});
	test('is deleted, if the old file is the right one again', async () => {
		const id = await makeTracked();
		await cutOff(id, NEW_NOTE, ['DELETE']);
		const done = await replace(id, FILES, { more });
		expect(done.said).toBeUndefined();
		expect(noteOf(id)).toEqual([['Deed', 'Note', 'Rider'], '%note', 'DOC-4711']);
	});
	test('stays, and gets the Tracking ID, if no file is for it', async () => {
		const id = await makeTracked();
		await cutOff(id, NEW_NOTE, ['DELETE']);
		const done = await replace(id, { 'Deed.pdf': '%deed' }, { more });
		expect(done.said).toBeUndefined();
		expect(noteOf(id)).toEqual([['Deed', 'Note', 'Rider'], '%new', 'DOC-4711']);
	});
	test('stops a Send, if there are several of which no file tells which one holds', async () => {
		const id = await makeTracked();
		await cutOff(id, NEW_NOTE, ['DELETE']);
		await cutOff(id, NEWEST, ['DELETE']);
		const shown = await replace(id, { 'Deed.pdf': '%deed' }, { more });
		expect([shown.said, shown.writes]).toEqual([
			expect.stringMatching(
				/Note is there 3 times \(do_\S+, do_\S+, do_\S+\), and no file tells which one holds. Delete the others with 'Document: Delete'$/,
			),
			[],
		]);
	});
	test('stops a Send, if no file is for it and the Tracking ID is lost', async () => {
		const id = await makeTracked();
		await cutOff(id, NEW_NOTE, ['PATCH', 'PUT']);
		const shown = await replace(id, { 'Deed.pdf': '%deed' }, { more });
		expect([shown.said, shown.writes]).toEqual([expect.stringContaining(LOST), []]);
	});
});

describe('a service that shows no references', () => {
	const more = { replaceAddedByHand: true, flagsNotShown: 'rule' };
	const hide = (id: string) => {
		for (const one of ownDocuments(id)) delete one.flags.tracking_id;
	};
	test('is asked for the files, and nothing is replaced that is the same', async () => {
		const id = await makeTransaction();
		hide(id);
		const shown = await replace(id, FILES, { more });
		expect([shown.said, shown.writes, shown.reads]).toEqual([undefined, [], 1 + 3]);
		const done = await replace(id, NEW_NOTE, { more });
		expect(done.said).toBeUndefined();
		expect(names(id)).toEqual(['Deed', 'Note', 'Rider']);
	});
	test('gets no old document sent that a cut-off run has left', async () => {
		const id = await makeTransaction();
		hide(id);
		refuse('DELETE', /documents/);
		await replace(id, NEW_NOTE, { more });
		sandbox.faults.clear();
		hide(id);
		const done = await replace(id, NEW_NOTE, { more: { ...more, documentsWithoutFile: 'leave' } });
		expect(done.said).toContain("Note is there twice, and only one has the content of 'Note.pdf'");
		expect([done.writes, transaction(id).status]).toEqual([[], 'started']);
	});
});
