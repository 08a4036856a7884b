import type { IDataObject } from 'n8n-workflow';

import {
	ADD_DOCUMENT,
	borrowers,
	createClosing,
	id,
	pdfItem,
	toForm,
} from '../../support/closing.mts';
import { runNode } from '../../support/engine.mts';
import { changingService, type Held } from '../../support/live/changingService.mts';
import { withService } from '../../support/live/service.mts';
import {
	answerFor,
	complaint,
	hints,
	ownDocuments,
	run,
	sendClosing,
	shownClosing,
	transaction,
	UPDATE_CLOSING,
} from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/**
 * Transaction: Update and Correct Signer write closings and signers back as a whole, at services that
 * reset what isn't sent. What isn't to change stays, and nothing is written from a short answer.
 */

useSandbox();
beforeAll(() => void (sandbox.world.settings.switches.put = 'replace'));
afterAll(() => void (sandbox.world.settings.switches.put = 'merge'));

const correct = (transactionId: string, more: IDataObject = {}): IDataObject => ({
	resource: 'transaction',
	operation: 'correctSigner',
	settingsNotShown: 'set',
	closingSettings: { paper_note_consent: true },
	platform: 'realEstate',
	transactionId: id(transactionId),
	signerId: id('borrower-1'),
	corrections: { email: 'right@example.com' },
	sendAgain: true,
	recallReason: 'Typo',
	...more,
});
const update = async (transactionId: string, updateFields: IDataObject) => {
	await run({ ...UPDATE_CLOSING, transactionId: id(transactionId), updateFields });
	return await shownClosing(transactionId);
};
const make = async (additionalFields: IDataObject = {}) =>
	await createClosing(credential(), {
		signers: borrowers(
			{
				details: {
					country_code: '1',
					address_line1: '12 Elm Street',
					address_city: 'Boston',
					address_state: 'MA',
					address_postal: '02110',
				},
			},
			{ email: 'joe@example.com', external_id: 'co' },
		),
		...toForm({ paper_note_consent: true, loan_number: '77', ...additionalFields }),
	});
async function sent(): Promise<string> {
	const transactionId = await make();
	await run({ ...ADD_DOCUMENT, transactionId: id(transactionId) }, { items: [await pdfItem()] });
	await sandbox.clock.advance(60_000);
	await run(sendClosing(id(transactionId)));
	return transactionId;
}
/** Answers reads of a transaction with other fields than it has. */
async function show(transactionId: string, fields: IDataObject, more: object = {}): Promise<void> {
	const body = { ...(await answerFor(transactionId)), ...fields };
	const path = new RegExp(`${transactionId}$`);
	sandbox.faults.add({ method: 'GET', path, status: 200, body, times: 9, ...more });
	sandbox.requests.length = 0;
}
const methods = () => sandbox.requests.map(({ method }) => method);

describe('an update of a closing', () => {
	test('keeps jurisdiction, agency, underwriter, contacts, redirect and signers', async () => {
		const transactionId = await make({
			file_number: 'F-1',
			contacts: {
				row: [{ role: 'title_agent', email: 'a@title.example', phone_number: 6175550100 }],
			},
			redirect_url: 'https://lender.example/done',
			require_secondary_photo_id: true,
		});
		const before = await shownClosing(transactionId);
		expect(before).toMatchObject({
			recording_jurisdiction: { id: 'rlboston' },
			title_agency: { name: expect.any(String) },
			title_underwriter: { name: expect.any(String) },
			redirect: { redirect_url: 'https://lender.example/done' },
			contacts: [{ email: 'a@title.example' }],
			signers: [{}, { email: 'joe@example.com', external_id: 'co' }],
		});
		// A list that was added without a row removes nothing.
		const changes = { transaction_name: 'Another', contacts: {}, signers: {}, documents: {} };
		expect(await update(transactionId, changes)).toEqual({
			...before,
			transaction_name: 'Another',
		});
	});
	test('changes parts of the address and of the redirect', async () => {
		const transactionId = await make({
			addressLine2: 'Unit 4',
			redirect_url: 'https://lender.example/done',
			redirect_message: 'Thank you',
		});
		const row = { line1: '1 Harbor Street', line2: '', zipCode: '02111' };
		const redirect_url = 'https://lender.example/other';
		expect(await update(transactionId, { street_address: { row }, redirect_url })).toMatchObject({
			street_address: {
				line1: '1 Harbor Street',
				line2: 'Unit 4',
				city: 'Boston',
				postal: '02111',
			},
			redirect: { redirect_url, redirect_msg: 'Thank you' },
		});
		const removed = { additionalJson: '{"street_address": {"line2": ""}}' };
		const { street_address: address } = await update(transactionId, removed);
		expect(address).toMatchObject({ line1: '1 Harbor Street', city: 'Boston' });
		expect((address as IDataObject).line2 ?? '').toBe('');
	});
	test('without a change is refused before anything is sent', async () => {
		sandbox.requests.length = 0;
		const parameters = { ...UPDATE_CLOSING, transactionId: id('ot_x'), updateFields: {} };
		expect(await complaint(parameters)).toMatch(/'Update Fields' is empty.*at least one field/);
		expect(methods()).toEqual([]);
	});
	test.each([
		['signers', undefined],
		['signers', null],
		['documents', undefined],
		['status', undefined],
	])('is refused where an answer shows %s as %s', async (name, value) => {
		const transactionId = await make();
		await show(transactionId, { [name]: value });
		const said = await complaint({
			...UPDATE_CLOSING,
			transactionId: id(transactionId),
			updateFields: { loan_number: '99' },
		});
		expect(said).toMatch(new RegExp(`without '${name}'.*Nothing was changed`));
		expect(methods()).toEqual(['GET']);
	});
});

describe('a correction of a sent closing', () => {
	test('keeps everything else', async () => {
		const transactionId = await sent();
		const before = await shownClosing(transactionId);
		const { json } = await run(
			correct(transactionId, {
				corrections: { phone_number: '617 555 9999', details: { address_city: 'Cambridge' } },
			}),
		);
		expect(json).toMatchObject({
			detailed_status: 'sent_to_signer',
			correction_steps: ['recalled', 'corrected', 'sent'],
		});
		expect(transaction(transactionId).signers).toMatchObject([
			{
				phone_number: '6175559999',
				phone: { country_code: '1', number: '6175559999' },
				address: { line1: '12 Elm Street', city: 'Cambridge', state: 'MA', postal: '02110' },
			},
			{ email: 'joe@example.com', external_id: 'co' },
		]);
		const after = await shownClosing(transactionId);
		for (const answer of [before, after])
			for (const name of ['signers', 'signer_info', 'cosigner_info']) delete answer[name];
		expect(after).toEqual({ ...before, recall_reason: 'Typo' });
		expect(ownDocuments(transactionId)).toHaveLength(1);
	});
	test.each([
		[
			'an answer of Recall',
			{ method: 'POST', path: /recall$/, kind: 'respondAfter' },
			{ loan_number: null },
		],
		['null for signers', { skip: 1 }, { signers: null }],
		['an empty list of signers', { skip: 1 }, { signers: [] }],
	])('%s after the recall takes nobody out', async (_what, how, fields) => {
		const transactionId = await sent();
		const state = 'kind' in how ? { status: 'started', detailed_status: 'recalled' } : {};
		await show(transactionId, { ...fields, ...state }, { ...how, times: 'kind' in how ? 1 : 9 });
		const { json } = await run(correct(transactionId));
		expect(json.correction_steps).toEqual(['recalled', 'corrected', 'sent']);
		const { signers, fields: kept } = transaction(transactionId);
		expect(signers.map(({ email }) => email)).toEqual(['right@example.com', 'joe@example.com']);
		expect(kept.loan_number).toBe('77');
	});
	test('knows over the tries that it had been sent, also from a plain draft', async () => {
		const transactionId = await sent();
		const refusal = { status: 422, body: { errors: ['Not now'] } };
		sandbox.faults.add({ method: 'PUT', path: /\/transactions\//, ...refusal });
		const plain = { status: 'started', detailed_status: 'draft' };
		await show(transactionId, plain, { skip: 1, times: 1 });
		const { json } = await run(correct(transactionId), {
			node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 5 },
		});
		expect(json).toMatchObject({
			detailed_status: 'sent_to_signer',
			correction_steps: ['recalled', 'corrected', 'sent'],
		});
	});
});

/** Transactions as recorded answers show them: without the fields that only the schema has. */
describe.each(
	(['business', 'realEstate'] as const).flatMap((platform) =>
		(['merge', 'replace'] as const).map((put) => ({ platform, put })),
	),
)('settings that no answer shows ($platform, $put)', ({ platform, put }) => {
	const JANE = {
		email: 'jane@exmaple.com',
		last_name: 'De La Cruz',
		external_id: 's1',
		phone: { country_code: '44', number: '7700900123' },
		assurance_requirement: { knowledge_based_authentication: true },
		order: 1,
	};
	const JOE = { email: 'joe@example.com', last_name: 'Poe', external_id: 's2', order: 2 };
	const held = (more: Partial<Held> = {}): Held => ({
		fields: {
			transaction_name: 'A',
			...(platform === 'realEstate' && {
				loan_number: '77',
				paper_note_consent: true,
				transaction_type: 'refinance',
			}),
		},
		signers: structuredClone([JANE, JOE]),
		status: 'sent',
		detailed_status: 'sent_to_signer',
		...more,
	});
	const SETTINGS = {
		settingsNotShown: 'set',
		signerSettings: {
			row: [
				{ signerId: id('s1'), identityChecks: ['knowledge'] },
				{ signerId: id(JANE.email), details: { order: 1 } },
				{ signerId: id('joe@example.com'), details: { order: 2 } },
			],
		},
		closingSettings: { paper_note_consent: true },
	};
	const correction = (more: IDataObject = {}) =>
		correct('ot_held001', { platform, signerId: id('s1'), ...more });
	const change = (more: IDataObject = {}): IDataObject => ({
		...correction(more),
		operation: 'update',
		updateFields: { loan_number: '78' },
	});
	const runAt = async (now: Held, parameters: IDataObject) =>
		await withService(changingService(now, { put }), async ({ credential, requests }) => {
			const outcome = await runNode({ credential, parameters });
			return {
				said: outcome.error && `${outcome.error.message}. ${outcome.error.description}`,
				hint: hints(outcome),
				asked: requests.map(({ method }) => method),
			};
		});

	test.each<[string, IDataObject, RegExp]>([
		[
			'nobody says what they are',
			{ settingsNotShown: 'stop' },
			/: Identity Checks.*Order.*, others in 'Additional Fields \(JSON\)'\. .*'There Are None'\. .*'Set Below' and enter them/,
		],
		[
			'they are given for somebody else',
			{ ...SETTINGS, signerSettings: { row: [{ signerId: id('x') }] } },
			/'Signer' x isn't in this/,
		],
	])('nothing is touched while %s', async (_when, more, expected) => {
		const now = held();
		const { said, asked } = await runAt(now, correction(more));
		expect(said).toMatch(expected);
		expect(asked).toEqual(['GET']);
		expect(now).toEqual(held());
	});
	test('are kept by a correction as they are set below', async () => {
		const now = held();
		const { said, hint } = await runAt(
			now,
			correction({ ...SETTINGS, corrections: { email: 'jane@example.com' } }),
		);
		expect(said).toBeUndefined();
		if (platform === 'realEstate') expect(hint).toMatch(/shows no street address, recording/);
		expect(now).toMatchObject({
			...held(),
			signers: [{ ...JANE, email: 'jane@example.com' }, JOE],
		});
	});
	test('are lost only where they were said to be none', async () => {
		const now = held();
		const { said } = await runAt(now, correction({ settingsNotShown: 'none' }));
		expect(said).toBeUndefined();
		const { last_name, external_id, phone } = JANE;
		expect(now.signers).toMatchObject([
			{ last_name, external_id, phone },
			{ email: 'joe@example.com' },
		]);
		expect(now.status).toBe('sent');
	});
	if (platform === 'realEstate')
		test('are kept by an update of a draft, its type, too', async () => {
			const draft = { status: 'started', detailed_status: 'draft' };
			expect((await runAt(held(draft), change({ settingsNotShown: 'stop' }))).said).toMatch(
				/Paper Note Consent/,
			);
			const now = held(draft);
			expect((await runAt(now, change(SETTINGS))).said).toBeUndefined();
			expect(now.fields).toEqual({ ...held().fields, loan_number: '78' });
			expect(now.signers).toMatchObject([JANE, JOE]);
			now.fields.transaction_type = null;
			await runAt(now, change(SETTINGS));
			expect(now.fields.transaction_type).toBeNull();
			const closingSettings = { paper_note_consent: true, transaction_type: 'heloc' };
			await runAt(now, change({ ...SETTINGS, closingSettings }));
			expect(now.fields.transaction_type).toBe('heloc');
		});
});
