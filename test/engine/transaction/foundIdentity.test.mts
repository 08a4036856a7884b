import type { IDataObject } from 'n8n-workflow';

import { attempt, hints, run } from '../../support/operations.mts';
import { CLOSING, id, TITLE, toForm } from '../../support/closing.mts';
import { makeCheckedDraft } from '../../support/checkedDrafts.mts';
import { withFiles } from '../../support/createAndSend.mts';
import {
	allKept,
	any,
	deed,
	document,
	emails,
	FILES,
	JANE,
	JOHN,
	kept,
	newLoan,
	note,
	play,
	RIDER,
	send,
	SENT,
	UPDATE,
	type Item,
} from '../../support/runAgain.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Whose transaction it is that has the number of an item, and how far it is. */

useSandbox();
let loan: string;
beforeEach(() => void (loan = newLoan()));

const BOB = {
	email: 'bob@example.com',
	first_name: 'Bob',
	last_name: 'Builder',
	phone_number: '617 555 0188',
};
/** Bob's item with Jane's number. */
const bobs: Item = { signers: [BOB], line1: '7 Other Road' };
const child = { options: { credential: () => credential({ apiKey: sandbox.keys.childFull }) } };

describe('a number that two people share', () => {
	test.each([{}, UPDATE, { ifItDiffers: 'keep' }])(
		"brings nobody's papers into the other's closing: %o",
		async (choice) => {
			await play({});
			const before = structuredClone(kept().documents.map((one) => one.id));
			const { said, writes } = await send(bobs, choice);
			expect(said).toContain(
				`'Loan Number' is ${loan}, as in ID for Jane Borrower · jane@example.com, but the item is for Bob Builder · bob@example.com. Nothing was created`,
			);
			expect(said).toContain(
				"give each closing an External ID of its own and set 'Match By' to External ID",
			);
			expect(writes).toEqual([]);
			expect([emails(), kept().documents.map((one) => one.id)]).toEqual([[JANE.email], before]);
		},
	);
	test('is refused in a sheet, too, whose equal and differing rows are returned', async () => {
		const row = (number: string, who: IDataObject, more: IDataObject = {}) => ({
			json: {
				loan_number: loan + number,
				borrower_email: who.email,
				borrower_first_name: who.first_name,
				borrower_last_name: who.last_name,
				property_address: `${number} Main St`,
				property_city: 'Boston',
				property_state: 'MA',
				property_zip: '02110',
				...more,
			},
		});
		const rows = {
			resource: 'transaction',
			operation: 'createClosing',
			fieldsFrom: 'row',
			transactionType: 'refinance',
			columns: { mappingMode: 'autoMapInputData', value: null },
			...toForm(TITLE),
		};
		await run(rows, { items: [row('1', JANE), row('2', JANE), row('3', JANE)] });
		const now = [row('1', JANE), row('2', { ...JANE, email: 'jane.b@example.com' })];
		const returned = await run(rows, { items: now });
		expect(returned.items.map(({ json }) => json.differences)).toEqual([
			[],
			[
				{
					subject: 'Jane Borrower',
					field: 'Email',
					expected: 'jane.b@example.com',
					actual: 'jane@example.com',
					kind: 'different',
				},
			],
		]);
		expect(hints(returned)).toContain('1 different, 1 equal');
		const { error } = await attempt(rows, {
			items: [row('3', BOB, { property_address: '9 Elm' })],
		});
		expect(error?.message).toContain('but the item is for Bob Builder');
		expect(sandbox.world.transactions.size).toBeGreaterThan(2);
		expect(allKept()).toEqual([]);
	});
	test('and the property is the same closing, whose people change only by a choice', async () => {
		await play({});
		const same: Item = { signers: [BOB], line1: '100 Harbor St.' };
		const stopped = await send(same);
		expect(stopped.said).toContain('Bob Builder · bob@example.com');
		const updated = await send(same, UPDATE);
		expect(updated.said).toContain("turn on 'Remove Signers Not Named'");
		expect([stopped.writes, updated.writes, emails()]).toEqual([[], [], [JANE.email]]);
		const { said } = await send(same, { ...UPDATE, removeSignersNotNamed: true });
		expect([said, emails(), allKept().length]).toEqual([undefined, [BOB.email], 1]);
	});
	test('as buyer and seller of one loan makes two closings', async () => {
		await play({ more: { matchBy: 'loan_number' } });
		await run({
			...CLOSING,
			transactionType: 'purchase_seller',
			signers: { row: [BOB] },
			...toForm({ ...TITLE, loan_number: loan, ifExists: 'return' }),
		});
		expect(allKept()).toHaveLength(2);
	});
});

describe('the External ID of a business transaction', () => {
	const nameless: Item = { platform: 'business', signers: [{ email: 'jane@old.example.com' }] };
	const named: Item = { ...nameless, signers: [JANE] };
	const alone = { files: { 'Deed.pdf': '%deed' }, rules: [deed] };
	test('is enough where one side has no names: Stop names the difference, Update It mends it', async () => {
		await play({ ...nameless, ...alone });
		const stopped = await send({ ...named, ...alone });
		expect(stopped.said).toContain('jane@example.com');
		expect([stopped.writes, emails()]).toEqual([[], ['jane@old.example.com']]);
		const { said } = await send({ ...named, ...alone }, UPDATE);
		expect([said, emails(), kept().status]).toEqual([undefined, [JANE.email], 'sent']);
	});
	test('is not enough where both have other names', async () => {
		await play({ ...named, ...alone });
		const { said, writes } = await send({ ...named, ...alone, signers: [BOB] }, UPDATE);
		expect(said).toContain('but the item is for Bob Builder · bob@example.com');
		expect([writes, emails()]).toEqual([[], [JANE.email]]);
	});
	test('is looked up one by one where the list does not show it', async () => {
		await play({ ...named, ...alone });
		const entries = [{ id: kept().id, status: 'started', detailed_status: 'draft' }];
		const list = { method: 'GET', path: /\/transactions$/, times: Infinity, status: 200 };
		sandbox.faults.add({ ...list, body: { total_count: 1, count: 1, data: entries } });
		const { said } = await send({ ...named, ...alone });
		expect([said, allKept().length, kept().status]).toEqual([undefined, 1, 'sent']);
		const many = Array.from({ length: 26 }, (_, index) => ({ ...entries[0], id: `ot_${index}` }));
		sandbox.faults.clear();
		sandbox.faults.add({ ...list, body: { total_count: 26, count: 26, data: many } });
		const refused = await send({ ...named, ...alone });
		expect(refused.said).toContain("Set 'Created Within' to fewer days");
		expect([refused.writes, allKept().length]).toEqual([[], 1]);
	});
});

test("a branch's closing is not the parent's, unless the branches count", async () => {
	await play(child);
	const { said, writes } = await send({});
	expect(said).toContain('of the organization or_harbor_branch, but the item is for or_harbor');
	expect(said).toContain("turn on 'Look in Branches'");
	expect([writes, kept().status, allKept().length]).toEqual([[], 'started', 1]);
	expect((await send({}, { lookInBranches: true })).writes).toEqual(SENT);
});

test('a draft that somebody made by hand is used only by a choice', async () => {
	const byHand = { ...JANE, external_id: 'jane' };
	await makeCheckedDraft(sandbox, {
		platform: 'realEstate',
		documents: [],
		fields: {
			transaction_type: 'refinance',
			signers: [{ ...byHand, phone_number: '6175550123' }],
			loan_number: loan,
			title_underwriter_id: 'or_underwriter_atlantic',
			paper_note_consent: true,
		},
	});
	const { said, writes } = await send({ signers: [byHand], rules: [deed, note('jane')] });
	expect(said).toContain('which somebody has made by hand');
	expect([writes, allKept().length, kept().status]).toEqual([[], 1, 'started']);
	const now = { signers: [byHand], rules: [deed, note('jane')] };
	const used = await send(now, { useDraftsMadeByHand: true });
	expect([used.said, allKept().length, kept().status]).toEqual([undefined, 1, 'sent']);
});

describe('a closing that was declined, canceled, deleted or has expired', () => {
	test.each([
		{ status: 'sent', detailedStatus: 'declined' },
		{ status: 'expired', detailedStatus: 'expired' },
		{ status: 'canceled', detailedStatus: 'canceled' },
	])('is made again: %o', async (ended) => {
		await send({});
		Object.assign(kept(), ended);
		const { said } = await send({ signers: [{ ...JANE, email: 'jane.b@example.com' }] });
		expect([said, allKept().length, kept().status]).toEqual([undefined, 2, 'sent']);
		expect(emails()).toEqual(['jane.b@example.com']);
	});
});

describe('a closing that was recalled', () => {
	const recall = async () =>
		await attempt({
			resource: 'transaction',
			operation: 'recall',
			platform: 'realEstate',
			transactionId: id(kept().id),
			evenIfSent: true,
			recallReason: 'Jane withdrew',
		});
	test('is sent again only by a choice', async () => {
		await send({});
		await recall();
		const { said, writes } = await send({});
		expect(said).toContain(
			"ID was recalled (Jane withdrew). To send it again, turn on 'Send It Again if Recalled'",
		);
		expect([writes, kept().status]).toEqual([[], 'started']);
		expect((await send({}, { sendAgainIfRecalled: true })).writes).toEqual(SENT);
	});
	test('on business shows only the reason', async () => {
		const item: Item = { platform: 'business', files: { 'Deed.pdf': '%1' }, rules: [deed] };
		await send(item);
		await sandbox.act.recall(kept().id, { reason: 'Withdrawn' });
		const { said, writes } = await send(item);
		expect(said).toContain('ID was recalled (Withdrawn)');
		expect(writes).toEqual([]);
	});
	test('by the same execution is sent again', async () => {
		await send({});
		const { run: recalled } = await recall();
		sandbox.faults.add({ method: 'GET', status: 422, body: { errors: ['No'] } });
		const failed = await send({ options: { executionId: '91' } });
		// A retry begins with what the execution knew of all of its nodes.
		const data = failed.outcome.run.data.executionData!;
		data.contextData = structuredClone(recalled.data.executionData!.contextData);
		const again = await send({ options: { executionId: '92', retryOf: failed.outcome } });
		expect([again.said, again.writes]).toEqual([undefined, SENT]);
	});
});

describe('a closing that was sent', () => {
	const rider: Item = { files: RIDER, rules: [deed, note(), any] };
	test.each<[string, Item, string]>([
		['lacks a paper that came later', rider, "Rider isn't in ID, which is sent to signer"],
		['lacks somebody', { signers: [JANE, JOHN] }, "John Borrower · john@example.com isn't in ID"],
		['has another deed', { files: { ...FILES, 'Deed.pdf': '%2' } }, 'Content of Deed'],
		['is for another property', { line1: '9 Elm Road' }, 'Street Address'],
	])('and %s is red, and green only by a choice', async (_what, now, expected) => {
		await send({ rules: [deed, note(), any] });
		const item = { rules: [deed, note(), any], ...now };
		const { said, writes } = await send(item);
		expect(said).toContain(expected);
		const left = await send(item, { ifItDiffers: 'keep' });
		expect([left.said, left.json.status]).toEqual([undefined, 'sent']);
		expect(left.json.differences).not.toEqual([]);
		const updated = await send(item, UPDATE);
		expect(updated.said).toContain("take it back with 'Transaction: Recall' first");
		expect([writes, left.writes, updated.writes]).toEqual([[], [], []]);
	});
	test('and differs in less is green, with a hint', async () => {
		await send({});
		const now = { signers: [{ ...JANE, email: 'jane.b@example.com' }] };
		const { said, json, hints: told, writes } = await send(now);
		expect([said, writes]).toEqual([undefined, []]);
		expect(json.differences).toContainEqual(
			expect.objectContaining({ field: 'Email', actual: JANE.email, kind: 'different' }),
		);
		expect(told).toContain(
			"It differs from what is there: Email of Jane Borrower is 'jane@example.com'",
		);
	});
	test('in a sheet of such items is green each night, with one hint, and nothing is written', async () => {
		const [item] = (await withFiles({})).items;
		const rows = ['a', 'b', 'c'].map((one) => ({ ...item, json: { loan: loan + one } }));
		const more = { loan_number: '={{ $json.loan }}', skip_closing_ops: true };
		const files = (await withFiles(FILES)).items[0].binary;
		const sheet = { options: { items: rows.map((row) => ({ ...row, binary: files })) }, more };
		expect((await send(sheet)).said).toBeUndefined();
		const night = await send(sheet);
		expect([night.said, night.writes]).toEqual([undefined, []]);
		expect(night.hints.match(/\d already sent/)?.[0]).toBe('3 already sent');
	});
	test('and has all consent forms and more places of its closing team is as it was', async () => {
		await send({});
		expect(kept().documents.some(({ isConsentForm }) => isConsentForm)).toBe(true);
		document('Deed').designations.push({ ...document('Note').designations[0] });
		for (const choice of [{}, UPDATE, { ifItDiffers: 'keep' }]) {
			const { said, writes } = await send({}, choice);
			expect([choice, said, writes]).toEqual([choice, undefined, []]);
		}
	});
});

test('Show the Plan says each step, and writes nothing', async () => {
	const created = await play({ then: 'plan' });
	expect([created.writes, kept(), created.json.existing]).toEqual([[], undefined, false]);
	expect((created.json.plan as IDataObject[]).map(({ sentence }) => sentence)).toEqual([
		'Create the closing for Jane Borrower · jane@example.com',
		"Add 'Deed.pdf' by rule 1",
		"Add 'Note.pdf' by rule 2",
		'Send it to Jane Borrower · jane@example.com',
	]);
	await play({});
	const now = { files: { 'Deed.pdf': '%2', 'Note.pdf': '%note' }, then: 'plan' };
	const { json, writes } = await play(now, UPDATE);
	expect(writes).toEqual([]);
	expect((json.plan as IDataObject[]).map(({ action }) => action)).toEqual([
		...['replace', 'delete', 'send'],
	]);
	expect((await play(now)).json.stops).toMatchObject([expect.stringContaining('Content of Deed')]);
});
