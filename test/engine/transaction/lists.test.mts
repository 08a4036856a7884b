import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import {
	ADD_DOCUMENT,
	borrowers,
	completedClosing,
	createClosing,
	id,
	pdfItem,
	toForm,
} from '../../support/closing.mts';
import { ROLE_NAMES } from '../../../nodes/SignAndClose/resources/signer/roles.ts';
import { searchAnew, type Entry } from '../../support/dropdowns.mts';
import { credentialFor, NODE, runNode, useBinaryMode } from '../../support/engine.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import { startSmallService } from '../../support/smallService.mts';

/**
 * What is chosen from lists, through n8n's own context for them: what they show, and what they say
 * when they can't.
 */

let sandbox: Sandbox;
beforeAll(async () => {
	await useBinaryMode('filesystem');
	sandbox = await startSandbox();
});
afterEach(() => {
	sandbox.world.settings.profile = 'full';
	sandbox.faults.clear();
});
afterAll(async () => await sandbox.close());

const search = async (method: string, parameters: IDataObject, more: IDataObject = {}) =>
	await searchAnew(method, String(more.baseUrl ?? sandbox.url), { parameters, ...more });
const options = async (...list: Parameters<typeof search>) =>
	(await search(...list)) as unknown as Entry[];
const names = async (...list: Parameters<typeof search>) =>
	(await search(...list)).results.map(({ name }) => name);
const closing = async (more: IDataObject = {}) =>
	await createClosing(credentialFor(sandbox.url), more);
const run = async (parameters: IDataObject, items?: Parameters<typeof runNode>[0]['items']) =>
	await runNode({ credential: credentialFor(sandbox.url), parameters, items });

const ON = { resource: 'transaction', operation: 'get', platform: 'realEstate' };
const of = (transactionId: string) => ({ ...ON, transactionId: id(transactionId) });
const JANE = { first_name: 'Jane', last_name: 'Borrower', email: 'jane@example.com' };
const answerOnce = (body: object, times = 1) =>
	sandbox.faults.add({ method: 'GET', status: 200, body, times });

test('every list that a field names is there, and every one is named by a field', () => {
	const named = new Set<string>();
	const walk = (properties: INodeProperties[]) => {
		for (const { modes = [], typeOptions, options: inner = [] } of properties) {
			for (const method of [
				...modes.map((mode) => mode.typeOptions?.searchListMethod),
				typeOptions?.loadOptionsMethod,
			])
				if (method !== undefined) named.add(method);
			for (const entry of inner)
				walk('values' in entry ? entry.values : 'type' in entry ? [entry] : []);
		}
	};
	walk(NODE.description.properties);
	const { listSearch, loadOptions } = NODE.methods!;
	expect([...named].sort()).toEqual(Object.keys({ ...listSearch, ...loadOptions }).sort());
});

describe('transactions', () => {
	const LIST = 'searchTransactions';
	/** What a search found, and what it asked the service for. */
	const asks = (requests: Array<Record<string, string>>) =>
		requests.map(({ limit, offset }) => `${limit} ${offset}`);

	test('by name with their state, found by name, loan number, external ID, signer or ID', async () => {
		const value = await closing({
			transactionName: 'List me',
			signers: borrowers({ email: 'zoe@example.com' }),
			...toForm({ loan_number: 'L-99', external_id: 'case-7', file_number: 'F-70' }),
		});
		const name = expect.stringMatching(
			/^List me · draft · L-99 · Jane Borrower · \d{4}-\d\d-\d\d$/,
		);
		await forEachCase(['list me', 'L-99', 'CASE-7', 'f-70', 'zoe@', value], async (filter) =>
			expect((await search(LIST, ON, { filter })).results).toEqual([{ name, value }]),
		);
	});
	test("only those of the credential's organization, with or without its underscore", async () => {
		const organizationId = 'or_harbor_branch';
		const value = await createClosing(credentialFor(sandbox.url, { organizationId }), {});
		expect((await search(LIST, ON, { organizationId })).results).toMatchObject([{ value }]);
		const data = [
			{ id: 'ot_1', transaction_name: 'Ours', organization_id: 'orod4kenk' },
			{ id: 'ot_2', transaction_name: 'Theirs', organization_id: 'or_other' },
		];
		answerOnce({ total_count: 2, data });
		const business = { ...ON, platform: 'business' };
		expect(await names(LIST, business, { organizationId: 'or_od4kenk' })).toEqual(['Ours']);
	});
	describe('of a large account', () => {
		const many = (count: number, more: IDataObject = {}): IDataObject[] =>
			Array.from({ length: count }, (_, index) => ({
				id: `ot_${index}`,
				transaction_name: `Closing ${index}`,
				status: 'sent',
				...more,
			}));
		const serve = async (list: IDataObject[]) =>
			await startSmallService((_request, query) => {
				const offset = Number(query.get('offset'));
				const data = list.slice(offset, offset + Number(query.get('limit')));
				return { body: { total_count: list.length, data } };
			});
		/** Searches a list of closings, and says what was asked for. */
		async function found(list: IDataObject[], filter: string) {
			await using service = await serve(list);
			const results = await names(LIST, ON, { filter, baseUrl: service.url }).catch(
				(error: Error) => error.message,
			);
			const queries = service.asked.map((request) => new URLSearchParams(request.split('?')[1]));
			return { results, asked: asks(queries.map((query) => Object.fromEntries(query))) };
		}
		test('a search ends after the newest 500, or after 5,000 as long as it finds nothing', async () => {
			const early = await found(many(6_000), 'closing 499');
			expect(early.results).toEqual(['Closing 499 · sent']);
			expect(early.asked).toHaveLength(6);
			expect((await found(many(6_000), 'closing 4999')).results).toEqual(['Closing 4999 · sent']);
			const none = await found(many(6_000), 'nowhere');
			expect(none.results).toMatch(/no match for 'nowhere' in the newest 5,000.*'By ID'/);
			expect(none.asked).toHaveLength(51);
			expect((await found(many(4_000), 'nowhere')).results).toEqual([]);
		});
		test('two of them never have the same entry, on whatever page they are', async () => {
			const list = many(130, { transaction_name: 'Refinance', date_created: '2026-11-05T10:00Z' });
			await using service = await serve(list);
			const shown: Entry[] = [];
			let token: string | undefined;
			do {
				const page = await search(LIST, ON, { token, baseUrl: service.url });
				shown.push(...page.results);
				token = page.paginationToken;
			} while (token !== undefined);
			expect([shown.length, new Set(shown.map(({ name }) => name)).size]).toEqual([130, 130]);
		});
		test.each<[string, IDataObject, string]>([
			[
				'desk@',
				{ signers: [{ recipient_group: { shared_inbox_email: 'desk@example.com' } }] },
				'Closing 0 · sent · desk@example.com',
			],
			[
				'closing',
				{
					loan_number: '7001',
					file_number: 'F-7',
					signers: [JANE, { ...JANE, first_name: 'Joe' }],
					date_created: '2026-11-05T10:00:00.123456Z',
					status: 'sent_to_closing_ops',
					detailed_status: 'order_placed',
				},
				'Closing 0 · with the closing team · 7001 · Jane Borrower · 2026-11-05',
			],
			[
				'closing',
				{ file_number: 'F-7', signers: [{ email: 'jo@example.com' }], status: 'started' },
				'Closing 0 · draft · F-7 · jo@example.com',
			],
		])('%s finds name, state, number, first signer and day of %j', async (filter, more, name) => {
			expect((await found(many(1, more), filter)).results).toEqual([name]);
		});
	});
});

describe('of a transaction', () => {
	const document = { ...ON, resource: 'document', operation: 'download', documentId: id('') };
	test('its documents, its signers, and who can sign at a place', async () => {
		const joe = { email: 'joe@example.com', first_name: 'Joe', last_name: 'Borrower' };
		const transactionId = await closing({ signers: borrowers({}, joe) });
		// As a signer of another origin may have none.
		delete sandbox.world.transactions.get(transactionId)!.signers[1].external_id;
		const add = { ...ADD_DOCUMENT, transactionId: id(transactionId) };
		const added = await run(add, [await pdfItem()]);
		const parameters = { ...document, transactionId: id(transactionId) };
		expect((await search('searchDocuments', parameters)).results).toContainEqual({
			name: 'Deed of Trust · notarization',
			value: added.items[0].json.document_id,
		});
		const found = await names('searchSigners', parameters, { filter: 'joe' });
		expect(found).toEqual(['Joe Borrower · joe@example.com']);
		const identifiers = await options('getSigners', parameters);
		// Joe has no external ID, by which alone a designation names a signer.
		expect(identifiers.map(({ value }) => value)).toEqual([
			'borrower-1',
			'notary',
			'witness1',
			'witness2',
		]);
	});
	test('documents and signers of the same name are distinguished by their IDs', async () => {
		const deed = { document_name: 'Deed', requirement: 'esign' };
		const people = [
			{ ...JANE, signer_id: 'oc_1', external_id: 'a' },
			{ ...JANE, signer_id: 'oc_2', external_id: 'b' },
		];
		const documents = ['do_1', 'do_2'].map((value) => ({ ...deed, id: value }));
		answerOnce({ id: 'ot_1', signers: people, documents }, 3);
		const parameters = { ...document, transactionId: id('ot_1') };
		const jane = 'Jane Borrower · jane@example.com';
		expect({
			documents: await names('searchDocuments', parameters),
			signers: await names('searchSigners', parameters),
			identifiers: (await options('getSigners', parameters)).slice(0, 2).map(({ name }) => name),
		}).toEqual({
			documents: ['Deed · esign · do_1', 'Deed · esign · do_2'],
			signers: [`${jane} · oc_1`, `${jane} · oc_2`],
			identifiers: [`${jane} · a`, `${jane} · b`],
		});
	});
	test('a signer is chosen by the signer_id, without one by external ID or email', async () => {
		const signers = [
			{ ...JANE, signer_id: 'oc_1', external_id: 'borrower-1' },
			{ ...JANE, signer_id: '', external_id: 'borrower-2' },
			{ ...JANE, signer_id: null, external_id: null },
		];
		answerOnce({ id: 'ot_1', signers });
		const correct = { ...of('ot_1'), operation: 'correctSigner', settingsNotShown: 'none' };
		const { results } = await search('searchSigners', correct);
		expect(results.map(({ value }) => value)).toEqual(['oc_1', 'borrower-2', JANE.email]);
	});
	// The editor sends an object for an expression while the node before runs.
	test.each([null, {}, '={{ $json.transaction_id }}'])(
		'signers of a transaction that is not created yet (%s) are offered by number',
		async (value) => {
			sandbox.requests.length = 0;
			const transactionId = id(value as string);
			const offered = await options('getSigners', { platform: 'realEstate', transactionId });
			expect(offered).toMatchObject([
				{ name: 'Signer 1 · signer-1', value: 'signer-1' },
				{ name: 'Signer 2 · signer-2', value: 'signer-2' },
				...offered.slice(2),
			]);
			expect(offered.map(({ value: who }) => who)).toContain('notary');
			expect(sandbox.requests).toEqual([]);
		},
	);
	test('an external ID that the node names already is offered, so that it is no mistake', async () => {
		const place = (who: string) => ({ row: [{ signer_identifier: who }] });
		const parameters = {
			platform: 'realEstate',
			transactionId: id('={{ $json.transaction_id }}'),
			texts: place('borrower-1'),
			documentRules: { row: [{ designations: place('lender') }, { texts: place('notary') }] },
			designations: place('={{ $json.who }}'),
		};
		const offered = (await options('getSigners', parameters)).map(({ value }) => value);
		expect(offered.slice(3, 6)).toEqual(['borrower-1', 'lender', 'notary']);
		expect(new Set(offered).size).toBe(offered.length);
		expect(offered.slice(8)).toEqual(ROLE_NAMES);
	});
	test('a signer of the form is offered by the role, unless there is an external ID', async () => {
		const signers = {
			row: [
				{ first_name: 'Ann', role: 'Borrower' },
				{ first_name: 'Bob', role: 'Seller', external_id: 'bob' },
				{ first_name: 'Cy', role: '={{ $json.role }}' },
			],
		};
		const form = { resource: 'transaction', operation: 'createAndSend', platform: 'realEstate' };
		const offered = await options('getSigners', { ...form, signers });
		expect(offered.slice(0, 3)).toEqual([
			{ name: 'Ann · Borrower', value: 'Borrower' },
			{ name: 'Bob · bob', value: 'bob' },
			{ name: 'Notary', value: 'notary' },
		]);
		expect(offered[5]).toEqual({ name: 'Role: Co-Borrower', value: 'Co-Borrower' });
	});
	test('the signers whom the node creates the transaction with are offered by their names', async () => {
		const signers = {
			row: [
				{ first_name: 'Ann', last_name: 'Lee', external_id: 'borrower' },
				{ first_name: '={{ $json.first }}', last_name: '' },
				{ first_name: 'Bob', external_id: '={{ $json.id }}' },
			],
		};
		const form = { resource: 'transaction', operation: 'createAndSend', platform: 'realEstate' };
		expect((await options('getSigners', { ...form, signers })).slice(0, 3)).toEqual([
			{ name: 'Ann Lee · borrower', value: 'borrower' },
			{ name: 'Signer 2 · signer-2', value: 'signer-2' },
			{ name: 'Notary', value: 'notary' },
		]);
	});
	test.each([
		['empty', id(''), /'Transaction' is empty.*first/],
		[
			'an expression that was not resolved',
			id('={{ $json.id }}'),
			/'Transaction' uses an expression that has no data yet.*Execute the nodes/,
		],
		['unknown', id('ot_unknown'), /'Transaction' ot_unknown was not found/],
	])('a transaction that is %s is named', async (_name, transactionId, expected) => {
		const list = search('searchDocuments', { ...document, transactionId });
		await expect(list).rejects.toThrow(expected);
	});
});

describe('the others', () => {
	const webhook = { resource: 'webhook', operation: 'get', webhookId: id('') };
	test('webhooks by address, without the secret in it', async () => {
		const { items } = await run({
			resource: 'webhook',
			operation: 'create',
			url: 'https://n8n.example.com/webhook/a?secret=s3same',
			events: ['transaction.completed', 'transaction.sent'],
			additionalFields: {},
		});
		const value = items[0].json.webhook_id;
		const name = 'https://n8n.example.com/webhook/a · 2 events';
		expect((await search('searchWebhooks', webhook)).results).toEqual([{ name, value }]);
		sandbox.world.settings.profile = 'documented';
		expect(await names('searchWebhooks', webhook)).toEqual([value]);
	});
	test('records, templates, notaries', async () => {
		const transactionId = await completedClosing(sandbox, credentialFor(sandbox.url));
		const record = { ...ON, resource: 'notarizationRecord', recordId: id('') };
		expect((await search('searchRecords', record)).results[0]).toEqual({
			name: expect.stringMatching(/^\d{4}-\d\d-\d\d · Jane Borrower · Nora Notary$/),
			value: sandbox.world.transactions.get(transactionId)!.recordId,
		});
		const add = { resource: 'document', operation: 'add', source: 'template' };
		const value = expect.stringMatching(/^general-affidavit-/);
		await forEachCase(['General aff', 'general-affidavit'], async (filter) => {
			const { results } = await search('searchTemplates', add, { filter });
			expect(results).toEqual([{ name: 'General affidavit', value }]);
		});
		const create = { resource: 'transaction', operation: 'create' };
		const notaries = ['Nora Notary · MA', 'Oscar Oath · TX'];
		expect(await names('searchNotaries', create)).toEqual(notaries);
	});
	test('events: those the service offers, else those that are known', async () => {
		const create = { resource: 'webhook', operation: 'create', url: '', events: [] };
		const completed = { name: 'Completed', value: 'transaction.completed' };
		await forEachCase(['full', 'documented'] as const, async (profile) => {
			sandbox.world.settings.profile = profile;
			const offered = await options('getEvents', create);
			expect(offered).toContainEqual(expect.objectContaining(completed));
			expect(offered.length).toBeGreaterThan(30);
		});
	});
});

test.each<[string, IDataObject, RegExp]>([
	['the key is wrong', { apiKey: 'wrong-key-value' }, /didn't accept the API key.*'API Key'/],
	[
		'the address is no address',
		{ baseUrl: 'example' },
		/'Base URL' in the credential isn't a complete address/,
	],
	['the service does not offer it', {}, /doesn't know this address.*don't offer every operation/],
])('a list that can not be loaded says why: %s', async (_name, more, expected) => {
	if (Object.keys(more).length === 0) sandbox.world.settings.profile = 'documented';
	await expect(search('searchTransactions', ON, more)).rejects.toThrow(expected);
});
