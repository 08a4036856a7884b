import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { TITLE, toForm } from '../../../support/closing.mts';
import { closingFile, writes } from '../../../support/createAndSend.mts';
import { search, type Entry } from '../../../support/dropdowns.mts';
import { forEachCase } from '../../../support/forEachCase.mts';
import { attempt, hints, run, transaction } from '../../../support/operations.mts';
import { sandbox, useSandbox } from '../../../support/useSandbox.mts';
import { BUSINESS, BY_ROLE, countAbsent, countLeftOut, LOANS, type Closing } from './closings.mts';
import { expectPlaces, packUp, readPlaces } from './papers.mts';
import { COUPLE } from './planted.mts';
import {
	closingColumns,
	emailOf,
	loanRow,
	OWNERS,
	roleRow,
	RULES,
	workflowOf,
} from './workflow.mts';

/**
 * Create and Send: one workflow for every loan. Its parameters are the same for all of them; a row
 * brings the people, and the papers come as they are.
 */

useSandbox();

const itemOf = async ({ row, papers }: Closing): Promise<INodeExecutionData> =>
	await packUp(row, papers);

const SHEETS: Array<[string, Closing[]]> = [
	['loans with one to four borrowers, and couples', LOANS],
	['trusts, sellers and buyers', BY_ROLE],
	['business transactions', BUSINESS],
];

describe.each(SHEETS)('a sheet of %s', (_name, closings) => {
	let outputs: IDataObject[];
	beforeAll(async () => {
		const items = await Promise.all(closings.map(itemOf));
		const { items: all } = await run(workflowOf(closings[0].platform), { items });
		outputs = all.map(({ json }) => json);
	});
	const cases = closings.map((closing, at): [string, number, Closing] => [
		closing.name,
		at,
		closing,
	]);

	test.each(cases)('%s: everybody has the places of their labels', (_case, at, closing) => {
		const { transaction_id: id, left_out: leftOut } = outputs[at];
		const sent = transaction(id);
		expect(sent.status).toBe('sent');
		expect(sent.signers.map(({ email }) => email).sort()).toEqual(
			Object.values(closing.people).sort(),
		);
		forEachCase(closing.papers, (paper) =>
			expect(readPlaces(sent, paper)).toEqual(expectPlaces(paper, closing.people)),
		);
		expect(countLeftOut(outputs[at])).toEqual(countAbsent(closing));
		forEachCase(leftOut as IDataObject[], (one) =>
			expect(one).toEqual({
				document: expect.any(String),
				rule: expect.any(Number),
				place: expect.stringContaining(`${String(one.signer)} Signature`),
				signer: expect.any(String),
				type: expect.any(String),
				why: expect.stringContaining(String(one.signer)),
			}),
		);
	});
});

test('one hint says in words who is not there, and how many places were left out', async () => {
	const [closing] = LOANS;
	const row = { ...closing.row, 'Loan Number': '5390' };
	const outcome = await run(workflowOf(), { items: [await itemOf({ ...closing, row })] });
	const said = hints(outcome);
	forEachCase(Object.entries(countAbsent(closing)), ([signer, count]) =>
		expect(said).toContain(`No ${signer} in this closing: ${count} places left out`),
	);
});

test('the list of signers offers the roles, so that nobody enters one by an expression', async () => {
	const parameters = workflowOf('realEstate', { documentRules: {} });
	const offered = (await search('getSigners', sandbox.url, { parameters })) as unknown as Entry[];
	expect(offered.map(({ value }) => value)).toEqual(
		expect.arrayContaining([...OWNERS, 'Buyer', 'Seller', 'Trustee', 'notary']),
	);
});

test('the plan says what a run would leave out, and writes nothing', async () => {
	const closing = LOANS[0];
	const row = { ...closing.row, 'Loan Number': '5399' };
	sandbox.requests.length = 0;
	const outcome = await run(workflowOf('realEstate', { then: 'plan' }), {
		items: [await itemOf({ ...closing, row })],
	});
	expect(countLeftOut(outcome.json)).toEqual(countAbsent(closing));
	expect(hints(outcome)).toContain('No Co-Borrower in this closing: ');
	expect(writes()).toEqual([]);
});

test('a second run finds all of it, and writes nothing', async () => {
	const closing = LOANS[1];
	const items = [await itemOf({ ...closing, row: { ...closing.row, 'Loan Number': '5391' } })];
	await run(workflowOf(), { items });
	sandbox.requests.length = 0;
	const { json } = await run(workflowOf(), { items });
	expect(json).toMatchObject({ existing: true, status: 'sent' });
	expect(countLeftOut(json)).toEqual(countAbsent(closing));
	expect(writes()).toEqual([]);
});

describe('a draft that changes', () => {
	const { papers } = LOANS[1];
	let binary: INodeExecutionData['binary'];
	beforeAll(async () => void ({ binary } = await packUp({}, papers)));
	const optionsOf = (ifItDiffers: string) =>
		toForm({ ...TITLE, paper_note_consent: true, ifItDiffers, removeSignersNotNamed: true });
	const draftOf = async (json: IDataObject) =>
		await run(workflowOf('realEstate', { then: 'draft' }), { items: [{ json, binary }] });
	const sendAs = async (json: IDataObject, ifItDiffers = 'update') =>
		await attempt(workflowOf('realEstate', optionsOf(ifItDiffers)), { items: [{ json, binary }] });
	const [jane, john] = ['Jane Miller', 'John Miller'];
	const peopleOf = (...names: string[]) =>
		Object.fromEntries(names.map((name, at) => [OWNERS[at], emailOf(name)]));
	const roles = (loan: string, ...names: string[]) =>
		roleRow(
			closingColumns(loan),
			names.map((name, at) => [OWNERS[at], name]),
		);

	const CHANGES: Array<[string, IDataObject, IDataObject, Record<string, string>]> = [
		[
			'a co-borrower who comes later gets the places that were left out',
			loanRow('5392', [jane]),
			loanRow('5392', [jane, john]),
			peopleOf(jane, john),
		],
		[
			'the same with roles in columns',
			roles('5393', jane),
			roles('5393', jane, john),
			peopleOf(jane, john),
		],
		[
			'roles that are swapped: each has the places of the other',
			roles('5394', jane, john),
			roleRow(closingColumns('5394'), [
				['Co-Borrower', jane],
				['Borrower', john],
			]),
			peopleOf(john, jane),
		],
		[
			'a draft of the time when the sheet had no roles',
			loanRow('5395', [jane, john]),
			roles('5395', jane, john),
			peopleOf(jane, john),
		],
		[
			'a co-borrower who has left, and whose places go',
			roles('5398', jane, john),
			roles('5398', jane),
			peopleOf(jane),
		],
	];
	test.each(CHANGES)('%s', async (_name, before, after, people) => {
		const first = await draftOf(before);
		const { error, items } = await sendAs(after);
		expect(error?.message).toBeUndefined();
		const [{ json }] = items;
		expect(json).toMatchObject({ transaction_id: first.json.transaction_id, status: 'sent' });
		forEachCase(papers, (paper) =>
			expect(readPlaces(transaction(json.transaction_id), paper)).toEqual(
				expectPlaces(paper, people),
			),
		);
	});
	test('roles that are swapped stop an item that may change nothing', async () => {
		const { json } = await draftOf(roles('5396', jane, john));
		sandbox.requests.length = 0;
		const swapped = roleRow(closingColumns('5396'), [
			['Co-Borrower', jane],
			['Borrower', john],
		]);
		const { error } = await sendAs(swapped, 'stop');
		expect(`${error?.message} ${error?.description}`).toMatch(/Where to Sign of Deed/);
		expect(writes()).toEqual([]);
		expect(transaction(json.transaction_id).status).toBe('started');
	});
});

test('signers of the form have a role, too', async () => {
	const { papers, people } = LOANS[1];
	const row = COUPLE.map(([role, name]) => {
		const [first, last] = name.split(' ');
		return { role, first_name: first, last_name: last, email: emailOf(name) };
	});
	const parameters = closingFile({
		...toForm({ ...TITLE, paper_note_consent: true, loan_number: '5397' }),
		...{ signers: { row }, documentRules: { row: RULES }, then: 'send' },
	});
	const { json } = await run(parameters, { items: [await packUp({}, papers)] });
	forEachCase(papers, (paper) =>
		expect(readPlaces(transaction(json.transaction_id), paper)).toEqual(
			expectPlaces(paper, people),
		),
	);
});
