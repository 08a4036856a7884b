import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { TITLE, toForm } from '../../../support/closing.mts';
import { search, type Entry } from '../../../support/dropdowns.mts';
import { forEachCase } from '../../../support/forEachCase.mts';
import { hints, run, transaction } from '../../../support/operations.mts';
import { sandbox, useSandbox } from '../../../support/useSandbox.mts';
import { BUSINESS, BY_ROLE, countAbsent, countLeftOut, LOANS, type Closing } from './closings.mts';
import { expectPlaces, packUp, readPlaces } from './papers.mts';
import { loanRow, OWNERS, workflowOf } from './workflow.mts';

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

test('a second run finds all of it, and writes nothing', async () => {
	const closing = LOANS[1];
	const items = [await itemOf({ ...closing, row: { ...closing.row, 'Loan Number': '5391' } })];
	await run(workflowOf(), { items });
	sandbox.requests.length = 0;
	const { json } = await run(workflowOf(), { items });
	expect(json).toMatchObject({ existing: true, status: 'sent' });
	expect(countLeftOut(json)).toEqual(countAbsent(closing));
	expect(sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('a co-borrower who comes later gets the places that were left out', async () => {
	const { papers, people } = LOANS[1];
	const { binary } = await packUp({}, papers);
	const runFor = async (names: string[], then: string) => {
		const form = { ...TITLE, paper_note_consent: true, ifItDiffers: 'update' };
		const parameters = workflowOf('realEstate', { ...toForm(form), then });
		return await run(parameters, { items: [{ json: loanRow('5392', names), binary }] });
	};
	const first = await runFor(['Jane Miller'], 'draft');
	expect(first.json.left_out).not.toEqual([]);
	const { json } = await runFor(['Jane Miller', 'John Miller'], 'send');
	expect(json).toMatchObject({ existing: true, status: 'sent' });
	const sent = transaction(json.transaction_id);
	forEachCase(papers, (paper) =>
		expect(readPlaces(sent, paper)).toEqual(expectPlaces(paper, people)),
	);
});
