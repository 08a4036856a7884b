import type { IDataObject } from 'n8n-workflow';

import { makePdf } from '../../sandbox/support/client.mts';
import { ADD_DOCUMENT, createClosing, id, pdfItem } from '../../support/closing.mts';
import { storeFile } from '../../support/engine.mts';
import {
	attempt,
	BUSINESS,
	complaint,
	hints,
	ownDocuments,
	run,
	transaction,
} from '../../support/operations.mts';
import { until } from '../../support/until.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** A table of rules that is applied to the documents of a draft, at a live service. */

useSandbox();
let closing: string;
beforeEach(async () => {
	sandbox.world.settings.processingMs = 0;
	closing = await createClosing(credential());
});

const apply = (rows: IDataObject[], more: IDataObject = {}): IDataObject => ({
	resource: 'document',
	operation: 'applyRules',
	platform: 'realEstate',
	transactionId: id(closing),
	documentRules: { row: rows },
	ifSplitRunning: 'return',
	settingsNotShown: 'none',
	...more,
});
const rule = (nameContains: string, requirement: string, more: IDataObject = {}): IDataObject => ({
	nameContains,
	requirement,
	...more,
});
const add = async (name: string, more: IDataObject = {}) => {
	const { json } = await run(
		{ ...ADD_DOCUMENT, transactionId: id(closing), documentName: name, ...more },
		{ items: [await pdfItem()] },
	);
	sandbox.requests.length = 0;
	return String(json.document_id);
};
const writes = () =>
	sandbox.requests
		.filter(({ method }) => method !== 'GET')
		.map(({ method, path }) => `${method} ${path.split('/').at(-2)}`);
const shown = () =>
	[...ownDocuments(closing)]
		.sort((one, other) => one.position - other.position)
		.map(({ name, requirement }) => [name, requirement]);

describe('documents that are there', () => {
	test('get the requirement and flags of the first rule that fits', async () => {
		const ids = [await add('Deed of Trust'), await add('Warranty Deed'), await add('Invoice')];
		const outcome = await run(
			apply([
				rule('Deed of Trust', 'notarization', { flags: ['witness_required'] }),
				rule('Deed', 'esign'),
			]),
		);
		expect(outcome.items.map(({ json }) => json)).toMatchObject([
			{
				document_id: ids[0],
				rule: 1,
				applied: ['requirement', 'witness_required'],
				not_applied: [],
			},
			{ document_id: ids[1], rule: 2, applied: ['requirement'] },
			{ document_id: ids[2], rule: null, applied: [], not_applied: [] },
		]);
		expect(ownDocuments(closing).map(({ requirement }) => requirement)).toEqual([
			'notarization',
			'esign',
			'notarization',
		]);
		expect(ownDocuments(closing)[0].flags.witness_required).toBe(true);
		expect(hints(outcome)).toBe(
			"2 updated, 1 without a rule.<br>No rule names: Invoice. What isn't to stay as it is needs a rule",
		);
	});
	test('are written only where they differ from what is shown', async () => {
		await add('Deed');
		await add('Note');
		const rules = [rule('*', 'notarization', { flags: ['witness_required'] })];
		await run(apply(rules));
		expect(writes()).toEqual(['PATCH documents', 'PATCH documents']);
		sandbox.requests.length = 0;
		const again = await run(apply(rules));
		expect(writes()).toEqual([]);
		expect(again.json.applied).toEqual(['requirement', 'witness_required']);
		expect(hints(again)).toBe('2 unchanged');
	});
	test("without the service's own: consent forms and the eNote", async () => {
		await add('Deed');
		const forms = transaction(closing).documents.filter(({ isConsentForm }) => isConsentForm);
		expect(forms).toHaveLength(1);
		const { items } = await run(apply([rule('*', 'readonly')]));
		expect(items).toHaveLength(1);
		expect(forms[0].requirement).toBe('esign');
	});
	test('keep what is done before a failure, which a further try continues', async () => {
		for (const name of ['Deed', 'Note', 'Rider']) await add(name);
		const refusal = { status: 422, body: { errors: ['No'] } };
		const second = String(ownDocuments(closing)[1].id);
		sandbox.faults.add({ method: 'PATCH', path: new RegExp(second), ...refusal });
		const failed = await attempt(apply([rule('*', 'esign')]), {
			node: { onError: 'continueRegularOutput' },
		});
		expect(failed.items.map(({ json }) => json.document_name ?? json.error)).toEqual([
			expect.stringMatching(/^Note: .*Done: Deed\. Not done: Note, Rider\. A new run/),
		]);
		sandbox.requests.length = 0;
		await run(apply([rule('*', 'esign')]));
		expect(writes()).toEqual(['PATCH documents', 'PATCH documents']);
	});
	test('that are as their rules say are done, whichever one fails in whichever try', async () => {
		for (const name of ['Deed', 'Note', 'Rider']) await add(name);
		const refusal = { status: 422, body: { errors: ['No'] } };
		sandbox.faults.add({ method: 'PATCH', path: /documents/, times: Infinity, ...refusal });
		const rules = [rule('Note', 'esign'), rule('*', 'notarization')];
		const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		expect(await complaint(apply(rules), { node })).toMatch(
			/Done: Deed, Rider\. Not done: Note\. /,
		);
	});
	test('of which the service shows another value say so', async () => {
		await add('Deed');
		const [{ id: document }] = ownDocuments(closing);
		const body = { id: document, requirement: 'non_essential' };
		sandbox.faults.add({ method: 'PATCH', path: /documents/, status: 200, body });
		// The answer alone isn't enough, so that it's retrieved.
		ownDocuments(closing)[0].requirement = 'readonly';
		const { json } = await run(apply([rule('Deed', 'esign')]));
		expect(json.not_applied).toEqual([
			{ field: 'requirement', reason: 'The service shows non_essential' },
		]);
	});
});

describe('positions', () => {
	test('are set by one change of the draft, for which Settings Not Shown counts', async () => {
		for (const name of ['Invoice', 'Note', 'Rider', 'Deed']) await add(name);
		const rules = [
			rule('Deed', 'notarization', { position: 0 }),
			rule('Note', 'notarization', { position: 2 }),
		];
		const stopped = await complaint(apply(rules, { settingsNotShown: 'stop' }));
		expect(stopped).toMatch(
			/^Nothing was changed yet: say in 'Settings Not Shown' whether the signers have/,
		);
		expect(writes()).toEqual([]);
		const { items } = await run(apply(rules));
		expect(writes()).toEqual(['PUT transactions']);
		expect(shown().map(([name]) => name)).toEqual(['Deed', 'Invoice', 'Note', 'Rider']);
		expect(items.map(({ json }) => json.applied)).toContainEqual([
			'requirement',
			'bundle_position',
		]);
		sandbox.requests.length = 0;
		await run(apply(rules, { settingsNotShown: 'stop' }));
		expect(writes()).toEqual([]);
	});
	test('of one rule follow each other, in the order that there is', async () => {
		for (const name of ['Invoice', 'Rider B', 'Rider A', 'Deed']) await add(name);
		await run(
			apply([
				rule('Rider', 'notarization', { position: 0 }),
				rule('Deed', 'notarization', { position: 1 }),
			]),
		);
		expect(shown().map(([name]) => name)).toEqual(['Rider B', 'Rider A', 'Deed', 'Invoice']);
	});
	test('on business need no settings', async () => {
		const { json } = await run(BUSINESS);
		closing = String(json.transaction_id);
		const business = { platform: 'business' };
		for (const name of ['Note', 'Deed']) await add(name, business);
		await run(
			apply([rule('Deed', 'esign', { position: 0 })], { ...business, settingsNotShown: 'stop' }),
		);
		expect(writes()).toEqual(['PATCH transactions', 'PATCH documents']);
		expect(shown()).toEqual([
			['Deed', 'esign'],
			['Note', 'notarization'],
		]);
	});
});

const PLACES = {
	whereToSign: 'text',
	texts: { row: [{ text: 'Notary Seal', signer_identifier: 'notary', type: 'seal' }] },
};

describe('what an update does not set', () => {
	const rules = [
		rule('Deed', 'notarization', {
			flags: ['signing_requires_meeting', 'witness_required'],
			...PLACES,
		}),
	];
	const replace = { notUpdatable: 'replace' };
	test('is listed with the reason', async () => {
		await add('Deed');
		const outcome = await run(apply(rules));
		expect(outcome.json).toMatchObject({
			applied: ['requirement', 'witness_required'],
			not_applied: [
				{
					field: 'signing_requires_meeting',
					reason: expect.stringMatching(/Replace the Document/),
				},
				{ field: 'signing_designations' },
			],
		});
		expect(hints(outcome)).toMatch(/not applied: signing_requires_meeting, signing_designations/);
	});
	test('is set by replacing the document, once', async () => {
		const before = await add('Deed');
		await add('Note');
		const { json, items } = await run(apply(rules, replace));
		expect(json).toMatchObject({
			applied: [
				'requirement',
				'witness_required',
				'signing_requires_meeting',
				'signing_designations',
			],
			not_applied: [],
			replaced_document_id: before,
		});
		expect(items).toHaveLength(2);
		expect(writes()).toEqual([`POST ${closing}`, 'DELETE documents']);
		const [deed] = ownDocuments(closing).filter(({ name }) => name === 'Deed');
		expect(deed).toMatchObject({
			id: json.document_id,
			requirement: 'notarization',
			flags: { signing_requires_meeting: true, witness_required: true },
			designations: [{ type: 'seal', signer_identifier: 'notary' }],
		});
		expect(shown().map(([name]) => name)).toEqual(['Deed', 'Note']);
		sandbox.requests.length = 0;
		const again = await run(apply(rules, replace));
		expect([writes(), again.json.document_id, again.json.not_applied]).toEqual([[], deed.id, []]);
	});
	test('leaves out the places of a role that nobody has, and says so', async () => {
		await add('Deed');
		const other = { text: 'Co-Borrower', signer_identifier: 'Co-Borrower', type: 'signature' };
		const texts = { row: [...PLACES.texts.row, other] };
		const leaving = { ...PLACES, texts, ifSignerMissing: 'leaveOut' };
		const outcome = await run(apply([rule('Deed', 'notarization', leaving)], replace));
		const why = 'no Co-Borrower in this closing';
		expect(outcome.json.left_out).toEqual([
			{
				...{ document: 'Deed', rule: 1, place: 'Co-Borrower', signer: 'Co-Borrower' },
				...{ type: 'signature', why },
			},
		]);
		expect(hints(outcome)).toContain('No Co-Borrower in this closing: 1 place left out');
		expect(ownDocuments(closing)[0].designations).toMatchObject([{ signer_identifier: 'notary' }]);
	});
	test('goes on where an earlier run was stopped between adding and deleting', async () => {
		await add('Deed');
		sandbox.faults.add({
			method: 'DELETE',
			path: /documents/,
			status: 422,
			body: { errors: ['No'] },
		});
		expect(await complaint(apply(rules, replace))).toMatch(
			/No.*Done: Deed. Not done: The old Deed/,
		);
		expect(ownDocuments(closing)).toHaveLength(2);
		sandbox.requests.length = 0;
		const { items } = await run(apply(rules, { ...replace, numberOfDocuments: 1 }));
		expect([writes(), items.length, ownDocuments(closing).length]).toEqual([
			['DELETE documents'],
			1,
			1,
		]);
	});
	test('of a document that would lose something is listed with the reason', async () => {
		const flag = [rule('*', 'notarization', { flags: ['signing_requires_meeting'] })];
		await add('Tracked', { additionalFields: { tracking_id: '1042' } });
		await add('Placed', {
			designationsJson: JSON.stringify([
				{
					signer_identifier: 'notary',
					type: 'seal',
					page_number: 0,
					x: 1,
					y: 1,
					width: 9,
					height: 9,
				},
			]),
		});
		const { items } = await run(apply(flag, replace));
		expect(items.map(({ json }) => json.not_applied)).toMatchObject([
			[{ reason: expect.stringMatching(/Tracking ID/) }],
			[{ reason: expect.stringMatching(/has designations/) }],
		]);
		expect(writes()).toEqual([]);
	});
	test('is told before anything is written if the file does not have it', async () => {
		await add('Deed');
		const texts = { row: [{ text: 'No such text', signer_identifier: 'notary', type: 'seal' }] };
		const said = await complaint(apply([rule('Deed', 'esign', { ...PLACES, texts })], replace));
		expect(said).toMatch(/'Document Rules', entry 1 for 'Deed'.*No such text/);
		expect(writes()).toEqual([]);
	});
});

describe('a split', () => {
	const NAMES = ['Deed of Trust', 'Note', 'Closing Disclosure', 'Rider', 'Affidavit'];
	const split = async () => {
		const bytes = await makePdf(
			5,
			NAMES.map((name, page): [string, number] => [name, page]),
		);
		const data = await storeFile(bytes, 'Package.pdf', 'application/pdf');
		await run(
			{ ...ADD_DOCUMENT, transactionId: id(closing), additionalFields: { pdf_bookmarked: true } },
			{ items: [{ json: {}, binary: { data } }] },
		);
		sandbox.requests.length = 0;
	};
	const rules = [
		rule('Deed', 'notarization', { position: 0 }),
		rule('Note', 'esign'),
		rule('Closing Disclosure', 'readonly'),
		rule('Rider', 'non_essential'),
		rule('Affidavit', 'identity_confirmation'),
	];
	const five = { numberOfDocuments: 5 };
	test('that is running is returned, or is waited for', async () => {
		await split();
		const returned = await run(apply(rules, five));
		expect(returned.items.map(({ json }) => json)).toEqual([
			{
				transaction_id: closing,
				split_running: true,
				ready: false,
				document_count: 0,
				expected_count: 5,
			},
		]);
		expect(writes()).toEqual([]);
		const waiting = run(apply(rules, { ...five, ifSplitRunning: 'wait' }), {
			limits: { lookUpPauseMs: 10 },
		});
		await until(() => sandbox.requests.length > 3);
		await sandbox.clock.advance(300_000);
		const { items } = await waiting;
		expect(items.map(({ json }) => [json.document_name, json.rule, json.split_running])).toEqual(
			NAMES.map((name, index) => [name, index + 1, false]),
		);
		expect(shown()).toEqual([
			['Deed of Trust', 'notarization'],
			['Note', 'esign'],
			['Closing Disclosure', 'readonly'],
			['Rider', 'non_essential'],
			['Affidavit', 'identity_confirmation'],
		]);
	});
	test('whose documents do not come in time ends the item, and nothing was changed', async () => {
		await split();
		const wait = { ifSplitRunning: 'wait', waitMinutes: 0 };
		expect(await complaint(apply(rules, { ...five, ...wait }))).toMatch(
			/has no document instead of 5\. Nothing was changed.*'Number of Documents'/,
		);
		expect(await complaint(apply(rules, wait))).toMatch(
			/The transaction has no document\. Nothing/,
		);
		await add('Deed');
		expect(await complaint(apply(rules, { ...five, ...wait }))).toMatch(/has 1 of 5 documents/);
		expect(writes()).toEqual([]);
	});
	test('is unknown without the number, and a document that is processed is waited for', async () => {
		await add('Deed');
		expect((await run(apply(rules))).json.split_running).toBeNull();
		ownDocuments(closing)[0].state = 'pending';
		expect((await run(apply(rules))).json).toMatchObject({
			split_running: null,
			document_count: 1,
		});
	});
	test('that has made more documents than the number says is refused', async () => {
		await add('Deed');
		await add('Note');
		const said = await complaint(apply(rules, { numberOfDocuments: 1 }));
		expect(said).toMatch(/'Number of Documents' is 1, but the transaction has 2/);
	});
});

test("what can't be used is told at once, and nothing is sent", async () => {
	const said = await complaint(apply([], { numberOfDocuments: -1 }));
	expect(sandbox.requests.filter(({ path }) => path.includes('documents'))).toEqual([]);
	expect(said).toMatch(/'Document Rules' is empty/);
	expect(said).toMatch(/'Number of Documents' is '-1'/);
});
