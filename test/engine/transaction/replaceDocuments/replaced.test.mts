import {
	hints,
	ownDocuments,
	run,
	sendClosing,
	transaction,
} from '../../../support/operations.mts';
import { id as locator } from '../../../support/closing.mts';
import { attempt } from '../../../support/operations.mts';
import { withFiles } from '../../../support/createAndSend.mts';
import { until } from '../../../support/until.mts';
import { sandbox, useSandbox } from '../../../support/useSandbox.mts';
import {
	FILES,
	makeTransaction,
	names,
	NEW_NOTE,
	replace,
	replacing,
	RULES,
	type Files,
} from './scene.mts';

/** Transaction: Replace Documents: what is written, and that nothing of it is lost, doubled or old. */

useSandbox();

const document = (id: string, name: string) => ownDocuments(id).find((one) => one.name === name)!;
const text = (id: string, name: string) => document(id, name).uploaded.toString('latin1').slice(-9);
const RECALL = 'POST /transactions/ID/recall';
const ADD = 'POST /transactions/ID/documents';
const DELETE = 'DELETE /documents/DO';
const SEND = {
	realEstate: 'POST /transactions/ID/place_order',
	business: 'POST /transactions/ID/notarization_ready',
};

describe.each(['realEstate', 'business'] as const)('on %s', (platform) => {
	const make = async (then = 'send') => await makeTransaction(FILES, { platform, then });
	test('a sent one is recalled, changed and sent again, and keeps its order and flags', async () => {
		const id = await make();
		const before = ownDocuments(id).map(({ name, requirement, position, flags }) => ({
			...{ name, requirement, position },
			flags: { ...flags, tracking_id: undefined },
		}));
		const done = await replace(id, NEW_NOTE, { platform });
		expect([done.said, done.writes]).toEqual([undefined, [RECALL, ADD, DELETE, SEND[platform]]]);
		const after = ownDocuments(id).map(({ name, requirement, position, flags }) => ({
			...{ name, requirement, position },
			flags: { ...flags, tracking_id: undefined },
		}));
		const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);
		expect(after.sort(byName)).toEqual(before.sort(byName));
		expect(text(id, 'Note')).toContain('%new note');
		expect(transaction(id).status).toBe('sent');
		expect(transaction(id).recallReason).toMatch(/^New documents \(n8n-papers-[\da-f]{6}\)$/);
		expect(done.hints).toContain('1 sent');
		const again = await replace(id, NEW_NOTE, { platform });
		expect([again.said, again.writes, again.reads]).toEqual([undefined, [], 1]);
		expect(again.hints).toContain('1 already sent');
	});
	test('a draft stays one', async () => {
		const id = await make('draft');
		const done = await replace(id, NEW_NOTE, { platform, then: 'draft', recalls: false });
		expect([done.said, done.writes]).toEqual([undefined, [ADD, DELETE]]);
		expect(transaction(id).status).toBe('started');
		expect(done.json.papers).toMatchObject([
			{ action: 'same', file: 'Deed.pdf' },
			{
				...{ action: 'replace', file: 'Note.pdf', document_id: document(id, 'Note').id },
				sha256: expect.stringMatching(/^[\da-f]{64}$/),
				added_at: expect.stringMatching(/^20/),
			},
			{ action: 'same', file: 'Rider.pdf' },
		]);
	});
});

test('of 50 documents three are new: three uploads and three deletions', async () => {
	const files: Files = Object.fromEntries(
		Array.from({ length: 50 }, (_, index) => [`Paper ${index + 1}.pdf`, `%${index}`]),
	);
	const id = await makeTransaction(files, { then: 'draft' });
	const changed = { 'Paper 7.pdf': '%7b', 'Paper 20.pdf': '%20b', 'Paper 50.pdf': '%50b' };
	const done = await replace(id, { ...files, ...changed }, { then: 'draft' });
	expect(done.said).toBeUndefined();
	expect(done.writes).toEqual([ADD, ADD, ADD, DELETE, DELETE, DELETE]);
	const again = await replace(id, { ...files, ...changed }, { then: 'draft' });
	expect([again.said, again.writes, again.reads]).toEqual([undefined, [], 1]);
});

test('two of five papers are replaced, and the others stay', async () => {
	const files = { ...FILES, 'Disclosure.pdf': '%1', 'Letter.pdf': '%2' };
	const id = await makeTransaction(files);
	const done = await replace(
		id,
		{ 'Note.pdf': '%new', 'Letter.pdf': '%new' },
		{ more: { documentsWithoutFile: 'leave' } },
	);
	expect(done.said).toBeUndefined();
	expect(done.writes).toEqual([RECALL, ADD, ADD, DELETE, DELETE, SEND.realEstate]);
	expect(names(id)).toEqual(['Deed', 'Disclosure', 'Letter', 'Note', 'Rider']);
});

describe('a Tracking ID of a person', () => {
	test('is set before the next document is deleted', async () => {
		const id = await makeTransaction(FILES, { then: 'draft' });
		document(id, 'Note').flags.tracking_id = 'Note 4711';
		const files = { ...FILES, 'Note.pdf': '%2', 'Rider.pdf': '%2' };
		const more = { replaceAddedByHand: true, flagsNotShown: 'rule' };
		const done = await replace(id, files, { then: 'draft', more });
		const update = expect.stringMatching(/^PATCH \/documents/);
		expect([done.said, done.writes]).toEqual([undefined, [ADD, ADD, DELETE, update, DELETE]]);
	});
	test('is set once the former document is gone', async () => {
		const id = await makeTransaction(FILES, { then: 'draft' });
		document(id, 'Note').flags.tracking_id = 'Note 4711';
		const files = { ...FILES, 'Note.pdf': '%2' };
		const more = { replaceAddedByHand: true, flagsNotShown: 'rule' };
		const done = await replace(id, files, { then: 'draft', more });
		expect(done.said).toBeUndefined();
		expect(done.writes).toEqual([ADD, DELETE, expect.stringMatching(/^(PUT|PATCH) \/documents/)]);
		expect(document(id, 'Note').flags.tracking_id).toBe('Note 4711');
		const again = await replace(id, files, { then: 'draft', more });
		expect([again.said, again.writes]).toEqual([undefined, []]);
	});
});

describe('somebody else', () => {
	test('completes between the look and the recall: nothing is replaced', async () => {
		const id = await makeTransaction();
		sandbox.faults.add({
			...{ method: 'POST', path: /recall/, status: 422 },
			body: { errors: ['Organization Transaction cannot be recalled at this time.'] },
			times: 1,
		});
		const done = await replace(id, NEW_NOTE);
		expect(done.writes).toEqual([RECALL]);
		expect(done.said).toContain('cannot be recalled at this time');
		expect(done.said).not.toContain('Run the workflow again');
		expect(text(id, 'Note')).toContain('%note');
	});
	test('has signed by the time of the recall: the message says it, and what else can be done', async () => {
		const id = await makeTransaction();
		const sign = until(() => sandbox.requests.some(({ path }) => path.endsWith('/recall'))).then(
			() => Object.assign(transaction(id).signers[0], { signing_status: 'complete' }),
		);
		sandbox.faults.add({
			...{ method: 'POST', path: /recall/, status: 422, delayMs: 200 },
			body: { errors: ['Organization Transaction cannot be recalled at this time.'] },
			times: 1,
		});
		const [done] = await Promise.all([replace(id, NEW_NOTE), sign]);
		expect(done.said).toBe(
			"Recall: Jane Borrower · jane.borrower@example.com has signed ID already. Send the new papers with 'Transaction: Create and Send' in another one, or start over with 'Transaction: Copy' once this one has ended. Nothing more was changed. Done: transaction, Deed.pdf, Rider.pdf. Not done: Recall, Note.pdf, The old Note, Send",
		);
	});
	test('has signed when the service has taken the recall: nothing is replaced', async () => {
		const id = await makeTransaction();
		const signers = [{ signer_id: 's1', email: 'jane@example.com', signing_status: 'complete' }];
		const body = { id, status: 'started', detailed_status: 'recalled', signers };
		sandbox.faults.add({ method: 'POST', path: /recall/, status: 200, body, times: 1 });
		const done = await replace(id, NEW_NOTE);
		expect(done.writes).toEqual([RECALL]);
		expect(done.said).toContain(
			"jane@example.com has signed ID already. Send the new papers with 'Transaction: Create and Send' in another one, or start over with 'Transaction: Copy' once this one has ended. It was recalled meanwhile, and none of its documents was replaced",
		);
		expect(done.said).not.toContain('Run the workflow again');
	});
	test('edits the draft meanwhile: it is not sent', async () => {
		const id = await makeTransaction();
		const edit = until(() => sandbox.requests.some(({ method }) => method === 'POST')).then(() => {
			document(id, 'Deed').requirement = 'esign';
		});
		const [done] = await Promise.all([replace(id, NEW_NOTE), edit]);
		expect(done.said).toContain('The draft was changed while the item was under way');
		expect(done.said).toContain('Deed was changed in ID');
		expect(done.said).toContain("ID was recalled, and nobody can sign it until it's sent");
		expect(transaction(id).status).toBe('started');
	});
	test('recalls it: it is not sent unless that is chosen', async () => {
		const id = await makeTransaction();
		const recall = { ...sendClosing(locator(id)), operation: 'recall', evenIfSent: true };
		await run({ ...recall, recallReason: 'The borrower has withdrawn' });
		const done = await replace(id, NEW_NOTE);
		expect([done.writes, done.said]).toEqual([
			[],
			expect.stringContaining('was recalled (The borrower has withdrawn)'),
		]);
		const sent = await replace(id, NEW_NOTE, { more: { sendAgainIfRecalled: true } });
		expect([sent.said, sent.writes.at(-1)]).toEqual([undefined, SEND.realEstate]);
	});
});

describe('two runs', () => {
	test('at once in one process are one after the other', async () => {
		const id = await makeTransaction();
		const files = await withFiles(NEW_NOTE);
		const outcomes = await Promise.all([1, 2].map(async () => await attempt(replacing(id), files)));
		expect(outcomes.map(({ error }) => error)).toEqual([undefined, undefined]);
		const written = sandbox.requests.filter(({ method }) => method !== 'GET');
		expect(written.map(({ method }) => method)).toEqual(['POST', 'POST', 'DELETE', 'POST']);
		expect(outcomes.map(hints).join()).toContain('1 already sent');
	});
	test('of one item for each file are refused', async () => {
		const id = await makeTransaction();
		const [first, second] = await Promise.all([withFiles(NEW_NOTE), withFiles(FILES)]);
		const { error } = await attempt(replacing(id, { then: 'plan' }), {
			items: [...first.items, ...second.items],
		});
		expect(`${error?.message} ${error?.description}`).toContain(
			'Put all of its files into one item',
		);
	});
});

describe('a run that was cut off', () => {
	test('is gone on with by the next one, which says first that it stands recalled', async () => {
		const id = await makeTransaction();
		sandbox.faults.add({ method: 'POST', path: /documents/, status: 422, body: {}, times: 9 });
		const { said } = await replace(id, NEW_NOTE);
		sandbox.faults.clear();
		expect(said).toContain(
			"ID was recalled, and nobody can sign it until it's sent. Run the workflow again with the same files: it goes on where it stopped",
		);
		const shown = await replace(id, NEW_NOTE, { then: 'plan' });
		expect(shown.hints).toMatch(/^1 planned\. ID stands recalled for new documents/);
		const done = await replace(id, NEW_NOTE, { recalls: false });
		expect([done.said, done.writes]).toEqual([undefined, [ADD, DELETE, SEND.realEstate]]);
	});
	test('with other papers is not gone on with', async () => {
		const id = await makeTransaction();
		sandbox.faults.add({ method: 'POST', path: /documents/, status: 422, body: {}, times: 9 });
		await replace(id, NEW_NOTE);
		sandbox.faults.clear();
		const done = await replace(id, { ...FILES, 'Note.pdf': '%newest' });
		expect(done.said).toContain('ID stands recalled for other papers than these');
	});
});

describe('a fault of the item is told with what stands', () => {
	const STANDS = 'Nothing was changed, and ID is still with its signers';
	test('if no rule names a file', async () => {
		const id = await makeTransaction();
		const done = await replace(id, NEW_NOTE, { rules: [RULES[0]] });
		expect([done.writes, done.said]).toEqual([
			[],
			`'Document Rules' and the item's files don't fit: No rule names Note.pdf, Rider.pdf. ${STANDS}. Add a rule or set 'Files Without a Rule' to Leave Out`,
		]);
	});
	test('if a rule names no file, and other files no rule', async () => {
		const id = await makeTransaction();
		const rules = [{ ...RULES[0], nameContains: 'Affidavit', needed: true }, RULES[0]];
		const done = await replace(id, NEW_NOTE, { rules });
		expect(done.said).toMatch(
			/Add the file, correct the rule, or set its 'Needed' off\. Add a rule or set 'Files Without a Rule' to Leave Out$/,
		);
	});
	test("if a text isn't found, also in a draft", async () => {
		const rules = [{ ...RULES[0], whereToSign: 'text', texts: { row: [{ text: 'Sign here' }] } }];
		const sent = await makeTransaction({ 'Deed.pdf': '%deed' });
		const draft = await makeTransaction({ 'Deed.pdf': '%deed' }, { then: 'draft' });
		const said: unknown[] = [];
		for (const id of [sent, draft])
			said.push((await replace(id, { 'Deed.pdf': '%2' }, { rules })).said);
		expect(said).toEqual([
			expect.stringContaining(`. ${STANDS}. `),
			expect.stringMatching(/\. Nothing was changed\. /),
		]);
	});
});
