import type { IDataObject } from 'n8n-workflow';

import { ADD_DOCUMENT, id } from '../../support/closing.mts';
import { withFiles } from '../../support/createAndSend.mts';
import { answerFor, run } from '../../support/operations.mts';
import {
	any,
	deed,
	document,
	documents,
	FILES,
	JANE,
	JOHN,
	kept,
	names,
	newLoan,
	note,
	play,
	RIDER,
	send,
	SENT,
	UPDATE,
} from '../../support/runAgain.mts';
import { sandbox, useSandbox } from '../../support/useSandbox.mts';

/** The documents of an item that is run again, and those that its rules and signers need. */

useSandbox();
beforeEach(() => void newLoan());

/** From now on, the service shows the documents as they are without these fields. */
async function hide(...fields: string[]) {
	await sandbox.clock.advance(sandbox.world.settings.processingMs);
	const body = await answerFor(kept().id);
	for (const one of body.documents as IDataObject[]) for (const name of fields) delete one[name];
	sandbox.faults.add({ method: 'GET', path: /ot_\w+$/, times: Infinity, status: 200, body });
}

test('documents that somebody added by hand stop what would be sent with them, unless they are left', async () => {
	await play({});
	const { json: rider } = await run(
		{ ...ADD_DOCUMENT, transactionId: id(kept().id), binaryPropertyName: 'file0' },
		await withFiles({ 'Rider.pdf': '%rider' }),
	);
	for (const choice of [{}, UPDATE]) {
		const stopped = await send({}, choice);
		expect(stopped.said).toContain('Rider is in ID, and not in the item');
		expect(stopped.writes).toEqual([]);
	}
	expect((await send({}, { documentsNotInTheItem: 'leave' })).writes).toEqual(SENT);
	expect(documents().map((one) => one.id)).toContain(rider.document_id);
});
test('documents that Document: Add has added are not added again', async () => {
	await play({ rules: [], files: {} });
	await run(
		{ ...ADD_DOCUMENT, transactionId: id(kept().id), binaryPropertyName: 'file0' },
		await withFiles(FILES),
	);
	await play({});
	expect(names()).toEqual(['Deed', 'Note']);
});
test('a document that is replaced: the new one is processed before the old one goes', async () => {
	await play({});
	const old = document('Deed');
	const now = { files: { ...FILES, 'Deed.pdf': '%other' } };
	sandbox.faults.add({ method: 'POST', path: /documents$/, status: 422, body: { errors: [] } });
	const refused = await send(now, UPDATE);
	expect([refused.writes, documents()]).toEqual([
		['POST /transactions/ID/documents'],
		expect.arrayContaining([old]),
	]);
	const { said, json, writes: wrote } = await send(now, UPDATE);
	expect([said, wrote]).toEqual([
		undefined,
		['POST /transactions/ID/documents', 'DELETE /documents/DO', ...SENT],
	]);
	expect((json.steps as IDataObject[]).map(({ action }) => action)).toEqual([
		...['keep', 'replace', 'keep', 'delete', 'send'],
	]);
	const asked = sandbox.requests.map(({ method, path }) => `${method} ${path}`);
	const [added, gone] = ['POST', 'DELETE'].map((one) => asked.findIndex((a) => a.startsWith(one)));
	expect(asked.slice(added, gone).filter((a) => /GET .*\/ot_\w+$/.test(a))).not.toEqual([]);
	expect(document('Deed')).toMatchObject({ position: old.position, requirement: 'notarization' });
	expect(names()).toEqual(['Deed', 'Note']);
});
test('documents that the node has added twice are sent once', async () => {
	await play({});
	kept().documents.push({ ...structuredClone(document('Note')), id: 'do_twin' });
	const { said, writes: wrote } = await send({});
	expect([said, wrote]).toEqual([undefined, ['DELETE /documents/DO', ...SENT]]);
	expect(names()).toEqual(['Deed', 'Note']);
});
test.each<[string, object]>([
	['name', { name: 'Note 2' }],
	['place', { designations: [] }],
])(
	'documents that the node has added twice stop the sending if somebody changed one: its %s',
	async (_what, changed) => {
		await play({});
		kept().documents.push({ ...structuredClone(document('Note')), id: 'do_twin', ...changed });
		const { said, writes } = await send({});
		expect(said).toMatch(/: Note( 2)? is in ID, and not in the item\./);
		expect([writes, documents().length]).toEqual([[], 3]);
	},
);
test('documents that the service could not process are replaced', async () => {
	await play({});
	document('Note').state = 'failed';
	const { said } = await send({});
	expect(said).toBeUndefined();
	expect(documents().map(({ name, state }) => [name, state])).toEqual([
		['Deed', 'done'],
		['Note', 'done'],
	]);
});
test('documents that an earlier version has added are known by their files', async () => {
	await play({});
	for (const [index, { flags }] of documents().entries())
		flags.tracking_id = `n8n-c56df2fd-f978-d573-0666-deef47d8ddc${index}`;
	await sandbox.clock.advance(sandbox.world.settings.processingMs);
	expect((await send({})).writes).toEqual(SENT);
	expect(names()).toEqual(['Deed', 'Note']);
});
test('documents of one content under two names: the same name comes first', async () => {
	const rules = [{ ...any, requirement: 'notarization' }];
	await play({ rules, files: { 'Form B.pdf': '%1' } });
	const { said } = await send({ rules, files: { 'Form A.pdf': '%1', 'Form B.pdf': '%1' } });
	expect([said, names()]).toEqual([undefined, ['Form A', 'Form B']]);
});
test('documents that were renamed are not doubled where neither references nor files are shown', async () => {
	const rules = [{ ...any, requirement: 'notarization' }];
	await play({ rules });
	for (const { flags } of documents()) delete flags.tracking_id;
	const hidden = { method: 'GET', path: /documents\/do_/, times: Infinity };
	sandbox.faults.add({ ...hidden, status: 404 });
	const { said, writes: wrote } = await send({
		rules,
		files: { 'Deed.pdf': '%deed', 'Promissory Note.pdf': '%note' },
	});
	expect(said).toContain('Note is in ID, and not in the item');
	expect(wrote).toEqual([]);
});

describe('what the rules and the signers need', () => {
	const alone = { 'Note.pdf': '%note' };
	const MISSING = 'No document is for rule 1 (Deed)';
	test.each([
		['without the deed', alone, MISSING],
		[
			'with the deed as a document of Word',
			{ ...alone, 'Deed of Trust.docx': 'x' },
			'A rule is for Deed of Trust.docx, and only PDFs become documents',
		],
		['with a paper that no rule names', RIDER, 'No rule names Rider.pdf'],
	])('%s, nothing is sent, and the check says so', async (_what, files, expected) => {
		const { json } = await play({ files });
		const { ready, missing_list: missing } = json.check as IDataObject;
		expect([ready, missing]).toEqual([false, expect.stringContaining(expected)]);
		const { said, writes: wrote } = await send({ files });
		expect(said).toContain(expected);
		expect([wrote, kept().status]).toEqual([[], 'started']);
	});
	test('a rule that is not needed, or that an alternative fits, stops nothing', async () => {
		const { said } = await send({
			files: { 'Promissory Note.pdf': '%note' },
			rules: [
				{ ...deed, needed: false },
				{ ...note(), nameContains: 'Mortgage Note|Note' },
			],
		});
		expect([said, kept().status]).toEqual([undefined, 'sent']);
	});
	test('a rule whose file an earlier one took says which', async () => {
		const rules = [deed, { ...deed, nameContains: 'Deed of Gift' }];
		const { said } = await send({ files: { 'Deed of Gift.pdf': '%1' }, rules });
		expect(said).toContain(
			"No document is for rule 2 (Deed of Gift). Rule 1 comes before it and took 'Deed of Gift'",
		);
	});
	test('on business, a second signer with nothing to sign is missing, and nothing is sent', async () => {
		const item = {
			platform: 'business' as const,
			signers: [JANE, JOHN],
			rules: [note()],
			files: alone,
			more: { config_id: 'sign' },
		};
		const { json } = await play(item);
		expect((json.check as IDataObject).missing_list).toContain(
			'John Borrower · john@example.com has nothing to sign',
		);
		const { said, writes: wrote } = await send(item);
		expect(said).toContain('John Borrower · john@example.com has nothing to sign');
		expect([wrote, kept().status]).toEqual([[], 'started']);
	});
});

describe('Document: Apply Rules', () => {
	const apply = async (rules: IDataObject[], more: IDataObject = {}) =>
		await run({
			resource: 'document',
			operation: 'applyRules',
			platform: 'realEstate',
			transactionId: id(kept().id),
			documentRules: { row: rules },
			settingsNotShown: 'none',
			...more,
		});
	const add = async () =>
		await run(
			{ ...ADD_DOCUMENT, transactionId: id(kept().id), binaryPropertyName: 'file0' },
			await withFiles({ 'Note.pdf': '%note' }),
		);
	test('replaces nothing where no references are shown, and says why', async () => {
		await play({ rules: [], files: {} });
		await add();
		const before = structuredClone(documents());
		await hide('tracking_id');
		for (let time = 0; time < 2; time++) {
			const { items } = await apply([note()], { notUpdatable: 'replace' });
			expect(items.map(({ json }) => json.not_applied)).toMatchObject([
				[{ field: 'signing_designations', reason: expect.stringContaining('no references') }],
			]);
		}
		expect(documents().map((one) => one.id)).toEqual(before.map((one) => one.id));
	});
	test('is not ready before all documents are there and processed, and a needed rule has one', async () => {
		await play({ rules: [], files: {} });
		await add();
		await add();
		documents()[1].state = 'pending';
		const asked = { ifSplitRunning: 'return', numberOfDocuments: 2 };
		expect((await apply([note()], asked)).json).toMatchObject({
			split_running: true,
			ready: false,
		});
		for (const one of documents()) one.state = 'done';
		const rule = { ...any, requirement: 'notarization' };
		expect((await apply([rule], asked)).json).toMatchObject({ split_running: false, ready: true });
		const { json } = await apply([deed, rule], asked);
		expect(json).toMatchObject({
			ready: false,
			not_applied: [{ field: 'rule', reason: 'No document is for rule 1 (Deed)' }],
		});
	});
});

test('an eNote that a service may show under any name is not added a second time', async () => {
	const xml = '<SMART_DOCUMENT MISMOVersionIdentifier="1.02"></SMART_DOCUMENT>';
	const enote = { row: { enoteType: 'ENOTE', source: 'binary', binaryPropertyName: 'file2' } };
	const item = { files: { ...FILES, 'note.xml': xml }, more: { enote } };
	await play(item);
	for (const one of documents()) if (one.isEnote) one.name = 'Promissory Note';
	await hide('is_enote');
	const { said, writes: wrote } = await send(item);
	expect(said).toContain("The service doesn't show whether Promissory Note is the eNote");
	expect(wrote).toEqual([]);
	expect(documents().filter(({ isEnote }) => isEnote)).toHaveLength(1);
});

test("'Then' that an expression leaves empty is refused, and nothing is written", async () => {
	const { said, writes: wrote } = await play({ then: '={{ $json.none }}' });
	expect(said).toContain("'Then' is empty");
	expect([wrote, kept()]).toEqual([[], undefined]);
});
