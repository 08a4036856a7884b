import type { IDataObject } from 'n8n-workflow';

import { LIMITS } from '../../../nodes/SignAndClose/transport/service/limits.ts';
import {
	ADD_DOCUMENT,
	borrowers,
	CLOSING,
	id,
	pdfItem,
	TITLE,
	toForm,
} from '../../support/closing.mts';
import { liveClosing } from '../../support/live/answers.mts';
import { withService } from '../../support/live/service.mts';
import { runNode } from '../../support/engine.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import {
	attempt,
	BUSINESS,
	complaint,
	hints,
	run,
	sendClosing,
	shownClosing,
	transaction,
} from '../../support/operations.mts';
import { sandbox, useSandbox } from '../../support/useSandbox.mts';

/** What becomes of a create whose transaction exists already. */

useSandbox();
beforeEach(() => {
	sandbox.requests.length = 0;
	sandbox.world.transactions.clear();
});

const ROWS: IDataObject = {
	resource: 'transaction',
	operation: 'createClosing',
	fieldsFrom: 'row',
	transactionType: 'refinance',
	columns: { mappingMode: 'autoMapInputData', value: null },
	...toForm({ ...TITLE, paper_note_consent: true }),
};
const row = (loan: string, more: IDataObject = {}): IDataObject => ({
	loan_number: loan,
	borrower_email: 'jane@example.com',
	borrower_first_name: 'Jane',
	borrower_last_name: 'Borrower',
	property_address: '1 Main St',
	property_city: 'Boston',
	property_state: 'MA',
	property_zip: '02110',
	...more,
});
const items = (...rows: IDataObject[]) => ({ items: rows.map((json) => ({ json })) });
const posts = () => sandbox.requests.filter(({ method }) => method === 'POST');
const lists = () =>
	sandbox.requests.filter(({ method, path }) => method === 'GET' && /\/transactions$/.test(path));
const held = () => [...sandbox.world.transactions.values()];
const outputs = ({ items: all }: { items: Array<{ json: IDataObject }> }, field: string) =>
	all.map(({ json }) => json[field]);

describe('rows', () => {
	test('are created once: the second run returns the same closings', async () => {
		const sheet = items(row('1'), row('2'), row('3'));
		const first = await run(ROWS, sheet);
		expect(outputs(first, 'existing')).toEqual([false, false, false]);
		expect(hints(first)).toContain('3 created');
		const second = await run(ROWS, items(row('1'), row('2'), row('3'), row('4')));
		expect(outputs(second, 'existing')).toEqual([true, true, true, false]);
		expect(outputs(second, 'transaction_id').slice(0, 3)).toEqual(outputs(first, 'transaction_id'));
		expect(hints(second)).toContain('1 created, 3 equal');
		expect(held()).toHaveLength(4);
	});
	test('without a number are created each time, and the hint says so', async () => {
		await run(ROWS, items(row('')));
		const second = await run(ROWS, items(row('')));
		expect(held()).toHaveLength(2);
		expect(lists()).toEqual([]);
		expect(hints(second)).toContain('1 created without a number, so again in every run');
	});
	test('of one run with one number: the second is refused, naming both', async () => {
		const said = await complaint(ROWS, items(row('1'), row('2'), row('1')));
		expect(said).toMatch(
			/Item 3 \(.*\): 'Loan Number' is 1, which is the same transaction as item 1/,
		);
		const sheet = items(row('2', { row_number: 2 }), row('2', { row_number: 5 }));
		expect(await complaint(ROWS, sheet)).toMatch(/Row 5 \(.*\): .* is 2, .* as row 2/);
		const continued = await attempt(ROWS, {
			...items(row('3'), row('3')),
			node: { onError: 'continueErrorOutput', retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		});
		expect(continued.errorItems).toHaveLength(1);
		expect(held().filter(({ fields }) => fields.loan_number === '3')).toHaveLength(1);
	});
});

test('two runs at the same time make each closing twice, and the next run names both', async () => {
	const sheet = () => items(row('1'), row('2'), row('3'));
	const both = await Promise.all([run(ROWS, sheet()), run(ROWS, sheet())]);
	const made = new Set(both.flatMap((one) => outputs(one, 'transaction_id')));
	expect([...made].sort()).toEqual(
		held()
			.map((one) => one.id)
			.sort(),
	);
	expect(made.size).toBe(6);
	const [first, second] = both.map((one) => String(outputs(one, 'transaction_id')[0]));
	const said = await complaint(ROWS, sheet());
	expect(said).toContain(first);
	expect(said).toContain(second);
	expect(held()).toHaveLength(6);
});

test('two rows of one run with different numbers of one closing: the second is refused', async () => {
	await run(ROWS, items(row('1', { external_id: 'a' })));
	const both = items(row('1', { external_id: 'a' }), row('1'));
	expect(await complaint(ROWS, both)).toMatch(
		/Item 2 \(.*\): .* is 1, which is the same transaction as item 1/,
	);
	const node = {
		onError: 'continueErrorOutput',
		retryOnFail: true,
		maxTries: 2,
		waitBetweenTries: 1,
	} as const;
	const { items: taken, errorItems } = await attempt(ROWS, { ...both, node });
	expect([taken.length, errorItems.length, held().length]).toEqual([1, 1, 1]);
});

describe('what counts as the same', () => {
	const closing = (
		more: IDataObject = {},
		{ transactionType = 'refinance', ...options }: IDataObject = {},
	): IDataObject => ({
		...CLOSING,
		transactionType,
		...toForm({ ...TITLE, ifExists: 'return', ...more, ...options }),
	});
	test.each<[string, IDataObject, IDataObject, IDataObject, boolean]>([
		[
			'the External ID before the loan number',
			{ external_id: 'a', loan_number: '1' },
			{ external_id: 'a', loan_number: '2' },
			{},
			true,
		],
		[
			'the loan number where there is no External ID',
			{ external_id: 'a', loan_number: '1' },
			{ loan_number: '1' },
			{ useDraftsMadeByHand: true },
			true,
		],
		[
			'not the loan number beside another External ID',
			{ external_id: 'a', loan_number: '1' },
			{ external_id: 'b', loan_number: '1' },
			{},
			false,
		],
		[
			'nothing that only begins alike',
			{ loan_number: '70012' },
			{ loan_number: '7001' },
			{},
			false,
		],
		['nothing in another case', { external_id: 'Case-1' }, { external_id: 'case-1' }, {}, false],
		[
			'the loan number alone, if it is chosen',
			{ external_id: 'a', loan_number: '1' },
			{ external_id: 'b', loan_number: '1' },
			{ matchBy: 'loan_number', useDraftsMadeByHand: true },
			true,
		],
		[
			'the file number, if it is chosen',
			{ file_number: 'F' },
			{ file_number: 'F' },
			{ matchBy: 'file_number' },
			true,
		],
		[
			'not a file number of another type',
			{ file_number: 'F' },
			{ file_number: 'F' },
			{ matchBy: 'file_number', transactionType: 'purchase_seller' },
			false,
		],
	])('%s', async (_what, first, second, parameters, expected) => {
		await run(closing(first));
		const { json } = await run(closing(second, parameters));
		expect(json.existing).toBe(expected);
	});
	test('not what has expired, and not what is older than Created Within', async () => {
		const { json: expired } = await run(closing({ loan_number: '1' }));
		Object.assign(transaction(expired.transaction_id), { status: 'expired' });
		expect((await run(closing({ loan_number: '1' }))).json.existing).toBe(false);
		const { json: old } = await run(closing({ external_id: 'old' }));
		transaction(old.transaction_id).created = new Date(Date.now() - 3 * 86_400_000).toISOString();
		const within = (createdWithin: number) => closing({ external_id: 'old' }, { createdWithin });
		expect((await run(within(5))).json.existing).toBe(true);
		expect((await run(within(1))).json.existing).toBe(false);
	});
	test('two of them are refused with their IDs', async () => {
		const made = [
			await run(closing({ loan_number: '1', ifExists: 'another' })),
			await run(closing({ loan_number: '1', ifExists: 'another' })),
		];
		const said = await complaint(closing({ loan_number: '1' }));
		expect(said).toMatch(/'Loan Number' is 1, as in 2 transactions of this type/);
		forEachCase(made, ({ json }) => expect(said).toContain(String(json.transaction_id)));
	});
	test('Stop names it', async () => {
		const { json } = await run(closing({ loan_number: '1' }));
		expect(await complaint(closing({ loan_number: '1', ifExists: 'stop' }))).toContain(
			`'Loan Number' is 1, as in ${String(json.transaction_id)}, which exists already`,
		);
	});
	test('on business: the External ID and the type', async () => {
		const business = (more: IDataObject) => ({
			...BUSINESS,
			...toForm({ ifExists: 'return', external_id: 'case-1', ...more }),
		});
		await run(business({}));
		expect((await run(business({}))).json.existing).toBe(true);
		expect((await run(business({ transaction_type: 'POA' }))).json.existing).toBe(false);
		expect((await run(business({ transaction_type: 'POA' }))).json.existing).toBe(true);
	});
});

describe('Update It', () => {
	const UPDATE = {
		...ROWS,
		ifExists: 'update',
		numbers: { settingsNotShown: 'none' },
	};
	const puts = () => sandbox.requests.filter(({ method }) => method === 'PUT');
	test('changes a draft to what the row says, and writes nothing where that is shown', async () => {
		const rows = { ...UPDATE, promissoryNote: 'notChosen' };
		const { json } = await run(rows, items(row('1', { borrower_phone: '617 555 0123' })));
		const again = await run(rows, items(row('1', { borrower_phone: '' })));
		expect(again.json).toMatchObject({ existing: true, transaction_id: json.transaction_id });
		expect([hints(again).match(/\d equal/)?.[0], puts()]).toEqual(['1 equal', []]);
		const changed = await run(
			rows,
			items(row('1', { property_address: '2 Main St', file_number: 'F' })),
		);
		expect(hints(changed)).toContain('1 updated');
		expect(puts()).toHaveLength(1);
		expect(await shownClosing(json.transaction_id)).toMatchObject({
			file_number: 'F',
			street_address: { line1: '2 Main St', city: 'Boston' },
			signers: [{ email: 'jane@example.com', phone: { number: '6175550123' } }],
		});
		expect(held()).toHaveLength(1);
	});
	test("a corrected address is the same person's, who keeps what the row leaves empty", async () => {
		const { json } = await run(UPDATE, items(row('1', { borrower_phone: '617 555 0123' })));
		await run(UPDATE, items(row('1', { borrower_email: 'jane.b@example.com' })));
		const { signers } = (await shownClosing(json.transaction_id)) as { signers: IDataObject[] };
		expect(signers).toHaveLength(1);
		expect(signers[0]).toMatchObject({ email: 'jane.b@example.com', external_id: 'signer-1' });
		expect(signers[0].phone).toMatchObject({ number: '6175550123' });
	});
	test('a signer who joins gets an external ID of their own, and the others keep theirs', async () => {
		const { json } = await run(UPDATE, items(row('1')));
		const joined = row('1', {
			borrower_email: 'new@example.com',
			co_borrower_email: 'jane@example.com',
			co_borrower_first_name: 'Jane',
			co_borrower_last_name: 'Borrower',
		});
		await run(UPDATE, items(joined));
		const { signers } = (await shownClosing(json.transaction_id)) as { signers: IDataObject[] };
		expect(signers.map(({ email, external_id: own }) => [email, own])).toEqual([
			['jane@example.com', 'signer-1'],
			['new@example.com', 'signer-2'],
		]);
	});
	test('a name that somebody has changed stays, unless the row has one', async () => {
		const { json } = await run(UPDATE, items(row('1')));
		transaction(json.transaction_id).fields.transaction_name = 'Smith refinance';
		await run(UPDATE, items(row('1', { file_number: 'F' })));
		expect(await shownClosing(json.transaction_id)).toMatchObject({
			transaction_name: 'Smith refinance',
			file_number: 'F',
		});
	});
	test('contacts of roles that the row lacks stay', async () => {
		const agent = {
			title_agent_email: 'agent@example.com',
			title_agent_first_name: 'Al',
			title_agent_last_name: 'Agent',
		};
		const officer = {
			loan_officer_email: 'lo@example.com',
			loan_officer_first_name: 'Lo',
			loan_officer_last_name: 'Officer',
		};
		const { json } = await run(UPDATE, items(row('1', { ...agent, ...officer })));
		await run(UPDATE, items(row('1', { ...agent, title_agent_email: 'other@example.com' })));
		const { contacts } = (await shownClosing(json.transaction_id)) as { contacts: IDataObject[] };
		expect(contacts.map(({ email }) => email).sort()).toEqual([
			'lo@example.com',
			'other@example.com',
		]);
	});
	describe('and settings that no answer shows', () => {
		const ASKING = { ...UPDATE, numbers: { settingsNotShown: 'stop' } };
		const rowWithChecks = (more: IDataObject = {}) =>
			row('1', { borrower_middle_name: 'Ann', ...more });

		test('are those of the row, where the node has made the draft', async () => {
			await run(ASKING, items(rowWithChecks()));
			const changed = await run(ASKING, items(rowWithChecks({ file_number: 'F' })));
			expect(hints(changed)).toMatch(
				/are now as in the item\. If somebody has changed them by hand/,
			);
			expect(puts()).toHaveLength(1);
			expect(JSON.stringify(puts()[0])).toContain('"middle_name":"Ann"');
		});
		test('are asked for, of a signer whom the row does not name', async () => {
			const { json } = await run(ASKING, items(rowWithChecks()));
			const { signers } = transaction(json.transaction_id);
			signers.push({ ...signers[0], id: 'other', email: 'joe@example.com', external_id: 'joe' });
			const said = await complaint(ASKING, items(rowWithChecks({ file_number: 'F' })));
			expect(said).toMatch(
				/^Nothing was changed yet: say in 'Settings Not Shown' whether the signers have.*There Are None/,
			);
			expect(puts()).toEqual([]);
		});
	});
	test('on business, sends what differs, and leaves documents and signers alone', async () => {
		const business = (more: IDataObject) => ({
			...BUSINESS,
			documents: {
				row: [
					{
						source: 'url',
						fileUrl: `${sandbox.url}/samples/deed-of-trust.pdf`,
						requirement: 'esign',
					},
				],
			},
			...toForm({ external_id: 'case-1', ifExists: 'update', ...more }),
		});
		await run(business({ message_to_signer: 'Hello' }));
		sandbox.requests.length = 0;
		const { json } = await run(business({ message_to_signer: 'Good morning' }));
		expect(json).toMatchObject({ existing: true, documents: [expect.anything()] });
		const written = sandbox.requests.filter(({ method }) => method !== 'GET');
		expect(written.map(({ method, body }) => [method, body])).toEqual([
			['PATCH', { message_to_signer: 'Good morning' }],
		]);
	});
	test('refuses what is no draft', async () => {
		const { json } = await run(UPDATE, items(row('1')));
		await run(
			{ ...ADD_DOCUMENT, transactionId: id(String(json.transaction_id)) },
			{ items: [await pdfItem()] },
		);
		await run(sendClosing(id(String(json.transaction_id))));
		expect(await complaint(UPDATE, items(row('1', { file_number: 'F' })))).toMatch(
			new RegExp(`as in ${String(json.transaction_id)}, which is no draft`),
		);
		expect(puts()).toEqual([]);
	});
	test('a lost answer is looked up, and nothing is created', async () => {
		await run(UPDATE, items(row('1')));
		sandbox.requests.length = 0;
		sandbox.faults.add({ method: 'PUT', kind: 'cutAfter' });
		const { json } = await run(
			{ ...UPDATE, promissoryNote: 'notChosen' },
			items(row('1', { file_number: 'F' })),
		);
		expect(json).toMatchObject({ existing: true, file_number: 'F' });
		expect([puts().length, posts()]).toEqual([1, []]);
	});
	test('an update that a try could not look up is looked up by the next one', async () => {
		const rows = { ...UPDATE, promissoryNote: 'notChosen' };
		await run(rows, items(row('1')));
		sandbox.requests.length = 0;
		sandbox.faults.add({ method: 'PUT', kind: 'cutAfter' });
		// The look at the draft before the change passes.
		sandbox.faults.add({ method: 'GET', path: /\/transactions\/ot_/, skip: 1, status: 422 });
		const first = await attempt(rows, {
			...items(row('1', { file_number: 'F' })),
			executionId: '71',
		});
		expect(first.error?.message).toMatch(/outcome is unknown/);
		expect(first.error?.description).toMatch(/'Transaction: Get' shows ot_/);
		const retry = await run(rows, {
			...items(row('1', { file_number: 'F' })),
			executionId: '72',
			retryOf: first,
		});
		expect(retry.json.existing).toBe(true);
		expect([puts().length, posts()]).toEqual([1, []]);
	});
});

describe('a look that is not finished creates nothing', () => {
	test.each<[string, object, RegExp]>([
		[
			'a key that may only create',
			{ status: 403, body: { errors: ['Not allowed'] } },
			/it's unknown what exists already/,
		],
		['no list', { status: 404 }, /it's unknown what exists already/],
		[
			'a list of something else',
			{ status: 200, body: { total_count: 0 } },
			/it's unknown what exists already/,
		],
		[
			'a list that does not say how many there are',
			{ status: 200, body: [] },
			/doesn't say how many/,
		],
		[
			'a list that ends before its end',
			{ status: 200, body: { total_count: 7, count: 0, data: [] } },
			/listed 0 of 7/,
		],
		[
			'entries without their state',
			{ status: 200, body: { total_count: 1, data: [{ id: 'ot_1' }] } },
			/without 'status'/,
		],
	])('%s', async (_what, answer, expected) => {
		sandbox.faults.add({ method: 'GET', path: /\/transactions$/, times: Infinity, ...answer });
		const said = await complaint(ROWS, items(row('1'), row('2')));
		expect(said).toMatch(expected);
		expect(said).toMatch(/Nothing was created\..*set 'If It Exists' to Create Another/);
		expect(held()).toEqual([]);
	});
	test('with Retry On Fail, the next try looks again, and creates once', async () => {
		sandbox.faults.add({ method: 'GET', path: /\/transactions$/, status: 422 });
		const node = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const { items: made } = await run(ROWS, { ...items(row('1'), row('2'), row('3')), node });
		expect(outputs({ items: made }, 'existing')).toEqual([false, false, false]);
		expect(held()).toHaveLength(3);
	});
});

test('a run that stops at a refusal leaves the rows that have only looked', async () => {
	const sheet = Array.from({ length: 60 }, (_, index) => row(String(index + 1)));
	sandbox.faults.add({ method: 'POST', status: 422, body: { errors: ['No'] } });
	const pace = { ...LIMITS.pace, firstAtOnce: 2, mostAtOnce: 2 };
	const stopped = await attempt(ROWS, { ...items(...sheet), limits: { pace } });
	expect(stopped.error?.message).toMatch(/No.*\(item 1 of 60\)/);
	expect(held().length).toBeLessThan(5);
	const again = await run(ROWS, items(...sheet));
	expect(held()).toHaveLength(60);
	expect(again.items).toHaveLength(60);
});

test('a returned one is no write: a later try looks at it again', async () => {
	await run(ROWS, items(row('1')));
	sandbox.faults.add({ method: 'POST', status: 422, body: { errors: ['No'] } });
	const stopped = await attempt(ROWS, items(row('1'), row('2')));
	expect(stopped.error?.description).not.toMatch(/is done/);
});

test('closings with identity checks are looked for where they are created', async () => {
	const checked = {
		...CLOSING,
		signers: borrowers({ identityChecks: ['knowledge'] }),
		...toForm({ ...TITLE, ifExists: 'return', loan_number: '1' }),
	};
	const first = await run(checked);
	const second = await run(checked);
	expect(second.json).toMatchObject({
		existing: true,
		transaction_id: first.json.transaction_id,
	});
	expect(new Set(lists().map(({ path }) => path))).toEqual(new Set([posts()[0].path]));
});

describe('at a service of live shapes', () => {
	const signers = [
		{ signer_id: 'oc_1', email: 'jane.borrower@example.com', external_id: 'signer-1' },
	];
	const create = async (entries: IDataObject[]) =>
		await withService(
			({ method, path }) => {
				if (method === 'POST') return { body: { ...liveClosing([]), id: 'ot_new' } };
				const one = entries.find(({ id: own }) => path.endsWith(String(own)));
				return {
					body: one ?? { total_count: entries.length, count: entries.length, data: entries },
				};
			},
			async ({ credential, bodies }) => {
				const parameters = {
					...CLOSING,
					...toForm({ ifExists: 'return', loan_number: '7' }),
				};
				const { items: made, error } = await runNode({ credential, parameters });
				return { json: made[0]?.json, said: error?.message ?? '', created: bodies('POST').length };
			},
		);
	const closing = (more: IDataObject) => liveClosing([], { loan_number: '7', signers, ...more });

	test('a closing whose type no answer shows is the same if its signers are exactly these', async () => {
		const found = await create([closing({ transaction_type: null })]);
		expect([found.json.existing, found.json.transaction_id, found.created]).toEqual([
			true,
			'ot_od4kenk',
			0,
		]);
	});
	test('what is filtered by the number and does not show it may be the same: nothing is created', async () => {
		const shown = closing({ id: 'ot_hidden', loan_number: undefined });
		const refused = await create([shown]);
		expect(refused.created).toBe(0);
		expect(refused.said).toMatch(/ot_hidden.*loan number/is);
		// A service that doesn't filter has closings without a number, which then show none.
		const unfiltered = await create([shown, closing({ id: 'ot_other', loan_number: '8' })]);
		expect(unfiltered.created).toBe(1);
	});
	test.each<[string, IDataObject[]]>([
		['others', [{ email: 'bob@example.com' }]],
		['more', [...signers, { email: 'bob@example.com' }]],
		['one in another case', [{ email: 'Jane.Borrower@example.com' }]],
	])('otherwise, it is refused with its ID: %s', async (_what, shown) => {
		const refused = await create([closing({ signers: shown })]);
		expect(refused.said).toMatch(
			/as in ot_od4kenk, which doesn't show its type and has other signers/,
		);
		expect(refused.created).toBe(0);
	});
	test('declined ones, other types and other numbers are passed over', async () => {
		const made = await create([
			closing({
				id: 'ot_1',
				transaction_type: 'refinance',
				status: 'sent',
				detailed_status: 'declined',
			}),
			closing({ id: 'ot_2', transaction_type: 'heloc' }),
			closing({ id: 'ot_3', transaction_type: 'refinance', loan_number: '70' }),
			liveClosing([], { id: 'ot_4', transaction_type: 'refinance' }),
		]);
		expect([made.json.existing, made.created]).toEqual([false, 1]);
	});
});
