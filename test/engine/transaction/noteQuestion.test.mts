import type { IDataObject } from 'n8n-workflow';

import { borrowers, CLOSING, fieldsIn, id, toForm } from '../../support/closing.mts';
import { businessFile, closingFile } from '../../support/createAndSend.mts';
import type { RunOutcome } from '../../support/engine.mts';
import { attempt, hints, lastBody, run } from '../../support/operations.mts';
import { sandbox, useSandbox } from '../../support/useSandbox.mts';

/** A lender is asked "eNote or paper note?", and nobody consents to a paper note without choosing it. */

useSandbox();
afterEach(() => void (sandbox.world.settings.account = 'lender'));

const QUESTION =
	"eNote or paper note? For an eNote, use 'eNote: Add'. For a paper note, turn on 'Paper Note Consent' with 'Transaction: Update'";
const create = async (more: IDataObject = {}) => await run({ ...CLOSING, ...more });

test.each<[string, IDataObject, boolean]>([
	['a refinance', {}, true],
	['a refinance with an eNote', { promissoryNote: 'enote' }, false],
	['a refinance on paper', { promissoryNote: 'paper' }, false],
	['a purchase in cash', { transactionType: 'purchase_buyer_cash' }, false],
])('Create Closing of %s: %j', async (_name, more, isAsked) => {
	const outcome = await create(more);
	expect(hints(outcome).includes(QUESTION)).toBe(isAsked);
	expect(lastBody().paper_note_consent).toBe(more.promissoryNote === 'paper' ? true : undefined);
});
test('who may be no lender is told for whom the question is', async () => {
	sandbox.world.settings.account = 'title';
	expect(hints(await create())).toContain(`If you're a lender: ${QUESTION}`);
});
test('Create and Send asks it of a closing without a choice', async () => {
	const form = (fields: IDataObject) => ({ ...closingFile({ documentRules: {} }), ...fields });
	const number = { numbers: { loan_number: '7001' } };
	expect(hints(await run(form({ ...number, promissoryNote: 'notChosen' })))).toContain(QUESTION);
	const paper = form({ numbers: { loan_number: '7002' }, promissoryNote: 'paper' });
	expect(hints(await run(paper))).not.toContain('paper note');
	const business = businessFile({ documentRules: {}, ...toForm({ external_id: 'case-1' }) });
	expect(hints(await run(business))).not.toContain('paper note');
});
test('a column says it for its row, whatever the form says', async () => {
	const rows = {
		...CLOSING,
		...toForm(fieldsIn(CLOSING)),
		fieldsFrom: 'row',
		promissoryNote: 'paper',
		ifExists: 'another',
	};
	const row = {
		borrower_name: 'Jane Borrower',
		borrower_email: 'jane@example.com',
		property_address: '100 Harbor Street',
		property_city: 'Boston',
		property_state: 'MA',
	};
	await run(rows, { items: [{ json: row }] });
	expect(lastBody().paper_note_consent).toBe(true);
	await run(rows, { items: [{ json: { ...row, paper_note: 'no' } }] });
	expect(lastBody().paper_note_consent).not.toBe(true);
});

describe('Check', () => {
	const checking = (closing: unknown) => ({
		resource: 'transaction',
		operation: 'check',
		platform: 'realEstate',
		transactionId: id(String(closing)),
	});
	const lastPut = () =>
		sandbox.requests.filter(({ method }) => method === 'PUT').at(-1)!.body as IDataObject;
	/** Checks the closing of a run in the same execution. */
	async function checkLater(before: RunOutcome) {
		const kept = structuredClone(before.run.data.executionData!.contextData);
		const check = checking(before.items[0].json.transaction_id);
		sandbox.faults.add({ method: 'GET', path: /ot_/, status: 422, body: { errors: ['No'] } });
		const failed = await attempt(check, { executionId: '82' });
		failed.run.data.executionData!.contextData = kept;
		return await run(check, { executionId: '83', retryOf: failed });
	}
	test('asks it of a lender, as no answer shows a consent', async () => {
		const { json } = await run(checking((await create()).json.transaction_id));
		expect(json.warning_list).toContain(QUESTION);
	});
	test('says first that a choice is kept', async () => {
		const { json } = await run(
			checking((await create({ promissoryNote: 'paper' })).json.transaction_id),
		);
		expect(json.warning_list).toMatch(
			/^There's no eNote, .* If you chose Paper Note, all is set\. If nobody has chosen yet: eNote/m,
		);
	});
	test.each<[string, IDataObject, IDataObject]>([
		[
			'Create and Send',
			closingFile({ documentRules: {}, ...toForm({ loan_number: '7011', ifItDiffers: 'update' }) }),
			{ then: 'check', signers: borrowers({ phone_number: '+16175550199' }) },
		],
		[
			'Create Closing',
			{
				...CLOSING,
				promissoryNote: 'paper',
				numbers: { loan_number: '7012', matchBy: 'loan_number', ifExists: 'update' },
			},
			{ transactionName: 'Another name' },
		],
	])('knows what %s has sent with a change', async (_name, parameters, changes) => {
		await run(parameters, { executionId: '71' });
		const changed = await attempt({ ...parameters, ...changes }, { executionId: '72' });
		expect(changed.error).toBeUndefined();
		expect(lastPut().paper_note_consent).toBe(true);
		const checked = changed.items[0].json.check ?? (await checkLater(changed)).json;
		expect(checked).toMatchObject({ ready: false });
		expect(JSON.stringify(checked)).not.toContain('paper note');
	});
	test('knows what this execution has consented to', async () => {
		const created = await attempt({ ...CLOSING, promissoryNote: 'paper' }, { executionId: '81' });
		const { json } = await checkLater(created);
		expect([json.warning_list, json.unknown_list].join()).not.toContain('paper note');
	});
});
