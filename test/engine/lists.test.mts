import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import {
	borrowers,
	ADD_DOCUMENT,
	CLOSING,
	completedClosing,
	createClosing,
	id,
	pdfItem,
} from '../support/closing.mts';
import {
	credentialFor,
	keptLists,
	listContext,
	NODE,
	runNode,
	useBinaryMode,
} from '../support/engine.mts';
import { startSmallService } from '../support/smallService.mts';

/**
 * What is chosen from lists, through n8n's own context for them: what they show, and what they say
 * when they can't.
 */

let sandbox: Sandbox;
beforeAll(async () => {
	await useBinaryMode('filesystem');
	sandbox = await startSandbox();
});
beforeEach(() => void (sandbox.world.settings.profile = 'full'));
afterAll(async () => await sandbox.close());

type Search = (
	filter?: string,
	token?: string,
) => Promise<{ results: Array<{ name: string; value: string }>; paginationToken?: string }>;
const search = (method: string, parameters: IDataObject, more: IDataObject = {}): Search => {
	const methods = NODE.methods!.listSearch as unknown as Record<
		string,
		(this: unknown, filter?: string, token?: string) => ReturnType<Search>
	>;
	const context = listContext({
		credential: { ...credentialFor(sandbox.url), ...more } as never,
		parameters,
	});
	return async (filter, token) => {
		// What is kept is for other tests.
		keptLists.forget();
		return await methods[method].call(context, filter, token);
	};
};
const options = async (method: string, parameters: IDataObject) => {
	const methods = NODE.methods!.loadOptions as unknown as Record<
		string,
		(this: unknown) => Promise<Array<{ name: string; value: string }>>
	>;
	keptLists.forget();
	return await methods[method].call(
		listContext({
			credential: credentialFor(sandbox.url),
			parameters,
		}),
	);
};
const names = async (found: ReturnType<Search>) => (await found).results.map(({ name }) => name);

test('every list that a field names is there, and every one is named by a field', () => {
	const named: string[] = [];
	const walk = (properties: INodeProperties[]) => {
		for (const { modes = [], typeOptions, options: inner = [] } of properties) {
			for (const mode of modes)
				if (mode.typeOptions?.searchListMethod !== undefined)
					named.push(mode.typeOptions.searchListMethod);
			if (typeOptions?.loadOptionsMethod !== undefined) named.push(typeOptions.loadOptionsMethod);
			for (const entry of inner)
				walk('values' in entry ? entry.values : 'type' in entry ? [entry] : []);
		}
	};
	walk(NODE.description.properties);
	const present = [
		...Object.keys(NODE.methods!.listSearch!),
		...Object.keys(NODE.methods!.loadOptions!),
	];
	expect([...new Set(named)].sort()).toEqual(present.sort());
});

describe('transactions', () => {
	const get = {
		resource: 'transaction',
		operation: 'get',
		platform: 'realEstate',
		transactionId: id(''),
	};
	test('by name with their state, found by name, loan number, external ID, signer or ID', async () => {
		const transactionId = await createClosing(credentialFor(sandbox.url), {
			transactionName: 'List me',
			signers: borrowers({ email: 'zoe@example.com' }),
			additionalFields: { loan_number: 'L-99', external_id: 'case-7', file_number: 'F-70' },
		});
		for (const text of ['list me', 'L-99', 'CASE-7', 'f-70', 'zoe@', transactionId]) {
			expect((await search('searchTransactions', get)(text)).results).toEqual([
				{
					name: expect.stringMatching(/^List me · L-99 · Jane Borrower · \d{4}-\d\d-\d\d · draft$/),
					value: transactionId,
				},
			]);
		}
	});
	test('a search looks further than the first page; the rest comes page by page', async () => {
		const deep = await createClosing(credentialFor(sandbox.url), { transactionName: 'Deep down' });
		for (let count = 0; count < 60; count++)
			await createClosing(credentialFor(sandbox.url), { transactionName: `Above ${count}` });
		expect(
			(await search('searchTransactions', get)('deep down')).results.map(({ value }) => value),
		).toEqual([deep]);
		const first = await search('searchTransactions', get)();
		expect(first.results).toHaveLength(50);
		const second = await search('searchTransactions', get)(undefined, first.paginationToken);
		expect(new Set([...first.results, ...second.results].map(({ value }) => value)).size).toBe(
			first.results.length + second.results.length,
		);
	});
	describe('a closing by its loan number', () => {
		/** What the search asked the service for. */
		async function searched(text: string, token?: string) {
			const before = sandbox.requests.length;
			const { results, paginationToken } = await search('searchTransactions', get)(text, token);
			const asked = sandbox.requests
				.slice(before)
				.map(({ query: { limit, offset, loan_number: loan } }) =>
					[limit, offset, loan].filter((value) => value !== undefined).join(' '),
				);
			return { values: results.map(({ value }) => value), paginationToken, asked };
		}
		test('is asked for at the service, however old it is', async () => {
			const long = await createClosing(credentialFor(sandbox.url), {
				transactionName: 'Long ago',
				additionalFields: { loan_number: 'L-1999' },
			});
			expect(await searched(' L-1999 ')).toEqual({
				values: [long],
				paginationToken: '0',
				asked: ['50 0 L-1999'],
			});
		});
		test('that is no loan number, or only a part, is looked for in the newest 500', async () => {
			const part = await createClosing(credentialFor(sandbox.url), {
				transactionName: 'Of the part',
				additionalFields: { loan_number: 'L-20077' },
			});
			expect(await searched('2007')).toEqual({
				values: [part],
				paginationToken: undefined,
				asked: ['50 0 2007', '100 0'],
			});
			expect(await searched('of the part')).toMatchObject({ values: [part], asked: ['100 0'] });
		});
		test('goes on with whatever else has the text in it', async () => {
			const [one, other] = [
				await createClosing(credentialFor(sandbox.url), {
					transactionName: 'Loan itself',
					additionalFields: { loan_number: 'X-31' },
				}),
				await createClosing(credentialFor(sandbox.url), { transactionName: 'About X-31' }),
			];
			expect((await searched('X-31')).values).toEqual([one]);
			expect(await searched('X-31', '0')).toMatchObject({ values: [other, one], asked: ['100 0'] });
		});
	});
	describe('of a large account', () => {
		const entry = (index: number, more: IDataObject = {}): IDataObject => ({
			id: `ot_${index}`,
			transaction_name: `Closing ${index}`,
			status: 'sent',
			...more,
		});
		/** Searches a list of so many closings, and says what was asked for. */
		async function searched(count: number, text: string, more: IDataObject = {}) {
			const list = Array.from({ length: count }, (_, index) => entry(index, more));
			await using service = await startSmallService((_request, query) => {
				const offset = Number(query.get('offset'));
				const data = list.slice(offset, offset + Number(query.get('limit')));
				return { body: { total_count: count, data } };
			});
			const found = search('searchTransactions', get, { baseUrl: service.url })(text);
			const results = await found.then(
				(list) => list.results.map(({ name }) => name),
				(error: Error) => error.message,
			);
			const asked = service.asked.map((request) => {
				const query = new URLSearchParams(request.split('?')[1]);
				return [query.get('limit'), query.get('offset'), query.get('loan_number')]
					.filter((value) => value !== null)
					.join(' ');
			});
			return { results, asked };
		}
		test('a search that has found something ends after the newest 500', async () => {
			const { results, asked } = await searched(6_000, 'closing 499');
			expect(results).toEqual(['Closing 499 · sent']);
			// The first one asks for a loan number, which this service doesn't know.
			expect(asked.slice(1)).toEqual([
				'100 0',
				'100 99',
				'100 198',
				'100 297',
				'100 396',
				'100 495',
			]);
		});
		test('one that has found nothing goes on to 5,000', async () => {
			const { results, asked } = await searched(6_000, 'closing 4999');
			expect(results).toEqual(['Closing 4999 · sent']);
			expect(asked).toHaveLength(1 + 51);
		});
		test('and says that there are more, instead of being empty', async () => {
			const { results } = await searched(6_000, 'nowhere');
			expect(results).toMatch(
				/^'Transaction' has no match for 'nowhere' in the newest 5,000 transactions. Choose 'By ID'/,
			);
			expect((await searched(4_000, 'nowhere')).results).toEqual([]);
		});
		test('a service that ignores the loan number does not give others for it', async () => {
			const { results } = await searched(3, 'closing 2', { loan_number: '77' });
			expect(results).toEqual(['Closing 2 · 77 · sent']);
		});
		test('what looks the same is told apart by the ID', async () => {
			const { results } = await searched(2, 'refinance', { transaction_name: 'Refinance' });
			expect(results).toEqual(['Refinance · sent · ot_0', 'Refinance · sent · ot_1']);
		});
		test('name, number, first signer, day and state tell closings apart', async () => {
			const told = async (more: IDataObject) =>
				(await searched(1, 'refi', { transaction_name: 'Refi', ...more })).results;
			const signers = [
				{ first_name: 'Jane', last_name: 'Borrower', email: 'jane@example.com' },
				{ first_name: 'Joe', last_name: 'Borrower', email: 'joe@example.com' },
			];
			expect(
				await told({
					loan_number: '7001',
					file_number: 'F-7',
					signers,
					date_created: '2026-11-05T10:00:00.123456Z',
					status: 'sent_to_closing_ops',
					detailed_status: 'order_placed',
				}),
			).toEqual(['Refi · 7001 · Jane Borrower · 2026-11-05 · with the closing team']);
			expect(
				await told({
					file_number: 'F-7',
					signers: [{ email: 'jo@example.com' }],
					status: 'started',
				}),
			).toEqual(['Refi · F-7 · jo@example.com · draft']);
		});
		test('two of them never have the same entry, on whatever page they are', async () => {
			const list = Array.from({ length: 130 }, (_, index) => ({
				...entry(index),
				transaction_name: 'Refinance',
				loan_number: String(index % 3),
				date_created: '2026-11-05T10:00:00Z',
			}));
			await using service = await startSmallService((_request, query) => {
				const offset = Number(query.get('offset'));
				const data = list.slice(offset, offset + Number(query.get('limit')));
				return { body: { total_count: list.length, data } };
			});
			const scroll = search('searchTransactions', get, { baseUrl: service.url });
			const shown: Array<{ name: string; value: string }> = [];
			let token: string | undefined;
			do {
				const page = await scroll(undefined, token);
				shown.push(...page.results);
				token = page.paginationToken;
			} while (token !== undefined);
			expect(shown).toHaveLength(130);
			expect(new Set(shown.map(({ name }) => name)).size).toBe(130);
		});
		test('a group that shares an inbox is found by it', async () => {
			const signers = [{ recipient_group: { shared_inbox_email: 'desk@example.com' } }];
			expect((await searched(1, 'desk@', { signers })).results).toEqual([
				'Closing 0 · desk@example.com · sent',
			]);
		});
	});
	test("only those of the credential's organization", async () => {
		const own = await createClosing(
			credentialFor(sandbox.url, { organizationId: 'or_harbor_branch' }),
			{ transactionName: 'Of the branch' },
		);
		const found = await search('searchTransactions', get, { organizationId: 'or_harbor_branch' })();
		expect(found.results.map(({ value }) => value)).toEqual([own]);
	});
});

describe('of a transaction', () => {
	test('its documents, its signers, and who can sign at a place', async () => {
		const transactionId = await createClosing(credentialFor(sandbox.url), {
			signers: borrowers(
				{},
				{ email: 'joe@example.com', first_name: 'Joe', last_name: 'Borrower' },
			),
		});
		// As a signer of another origin may have none.
		delete sandbox.world.transactions.get(transactionId)!.signers[1].external_id;
		const added = await runNode({
			credential: credentialFor(sandbox.url),
			parameters: { ...ADD_DOCUMENT, transactionId: id(transactionId) },
			items: [await pdfItem()],
		});
		const parameters = {
			resource: 'document',
			operation: 'download',
			platform: 'realEstate',
			transactionId: id(transactionId),
			documentId: id(''),
		};
		expect((await search('searchDocuments', parameters)()).results).toContainEqual({
			name: 'Deed of Trust · notarization',
			value: added.items[0].json.document_id,
		});
		expect(await names(search('searchSigners', parameters)('joe'))).toEqual([
			'Joe Borrower · joe@example.com',
		]);
		const [jane, joe, ...others] = await options('getSigners', parameters);
		expect(jane).toMatchObject({ value: 'borrower-1', description: 'borrower-1' });
		// Joe can't be chosen, but nobody takes the list for complete without him.
		expect(joe).toEqual({
			name: 'Joe Borrower · joe@example.com · no external ID',
			value: expect.stringMatching(/^no external ID: ./),
			description:
				"Can't be chosen. Give the signer an 'External ID' with 'Transaction: Correct Signer', then choose the signer again.",
			disabled: true,
		});
		expect(others.map(({ value }) => value)).toEqual(['notary', 'witness1', 'witness2']);
		// An older editor lets choose what is disabled.
		const { error } = await runNode({
			credential: credentialFor(sandbox.url),
			parameters: {
				...ADD_DOCUMENT,
				transactionId: id(transactionId),
				specifyDesignations: 'json',
				designationsJson: JSON.stringify([
					{
						signer_identifier: joe.value,
						type: 'signature',
						page_number: 0,
						x: 9,
						y: 9,
						width: 9,
						height: 9,
					},
				]),
			},
			items: [await pdfItem()],
		});
		expect(`${error?.message}. ${error?.description}`).toMatch(
			/designation 1: "signer_identifier" is a signer without an external ID. Give the signer an 'External ID' with 'Transaction: Correct Signer'/,
		);
	});
	test('documents and signers of the same name are told apart', async () => {
		const jane = { first_name: 'Jane', last_name: 'Borrower', email: 'jane@example.com' };
		const body = {
			id: 'ot_1',
			signers: [
				{ ...jane, signer_id: 'oc_1', external_id: 'a' },
				{ ...jane, signer_id: 'oc_2', external_id: 'b' },
			],
			documents: ['do_1', 'do_2'].map((document) => ({
				id: document,
				document_name: 'Deed',
				requirement: 'esign',
			})),
		};
		sandbox.faults.add({ method: 'GET', status: 200, body, times: 3 });
		const parameters = {
			resource: 'document',
			operation: 'get',
			platform: 'realEstate',
			transactionId: id('ot_1'),
			documentId: id(''),
		};
		expect(await names(search('searchDocuments', parameters)())).toEqual([
			'Deed · esign · do_1',
			'Deed · esign · do_2',
		]);
		expect(await names(search('searchSigners', parameters)())).toEqual([
			'Jane Borrower · jane@example.com · oc_1',
			'Jane Borrower · jane@example.com · oc_2',
		]);
		expect((await options('getSigners', parameters)).slice(0, 2).map(({ name }) => name)).toEqual([
			'Jane Borrower · jane@example.com · a',
			'Jane Borrower · jane@example.com · b',
		]);
	});
	test('signers of a transaction that is not created yet are offered by number', async () => {
		for (const value of [null, '={{ $json.transaction_id }}']) {
			const parameters = { platform: 'realEstate', transactionId: id(value as string) };
			sandbox.requests.length = 0;
			const offered = await options('getSigners', parameters);
			expect(offered.slice(0, 2)).toMatchObject([
				{ name: 'Signer 1 · signer-1', value: 'signer-1' },
				{ name: 'Signer 2 · signer-2', value: 'signer-2' },
			]);
			expect(offered.map(({ value: who }) => who)).toEqual(expect.arrayContaining(['notary']));
			expect(sandbox.requests).toEqual([]);
		}
		await expect(options('getSigners', { transactionId: id('') })).rejects.toThrow(
			/'Transaction' is empty/,
		);
	});
	test('the signer that is offered by number is the one that signs', async () => {
		const { items } = await runNode({
			credential: credentialFor(sandbox.url),
			parameters: {
				...CLOSING,
				signers: { row: [{ email: 'maria@example.com', first_name: 'Maria', last_name: 'Lopez' }] },
			},
		});
		const [first] = await options('getSigners', {
			platform: 'realEstate',
			transactionId: id('={{ $json.transaction_id }}'),
		});
		const { items: added } = await runNode({
			credential: credentialFor(sandbox.url),
			parameters: {
				...ADD_DOCUMENT,
				transactionId: id(String(items[0].json.transaction_id)),
				specifyDesignations: 'fields',
				designations: { row: [{ signer_identifier: first.value, page: 1 }] },
			},
			items: [await pdfItem()],
		});
		expect(added[0].json.signing_designations).toHaveLength(1);
	});
	test('a full name of a state leads to its recording jurisdictions', async () => {
		const parameters = {
			...CLOSING,
			addressState: 'Massachusetts',
			additionalFields: {},
		};
		expect((await search('searchJurisdictions', parameters)()).results.length).toBeGreaterThan(0);
		await expect(
			search('searchJurisdictions', { ...parameters, addressState: 'Atlantis' })(),
		).rejects.toThrow(/^'State' is 'Atlantis', which isn't a state. Enter the name or/);
	});
	test.each([
		['empty', id(''), /'Transaction' is empty.*first/],
		[
			'an expression without data',
			{ __rl: true, mode: 'id', value: null },
			/'Transaction' uses an expression that has no data yet.*Execute the nodes before this one/,
		],
		[
			'an expression that was not resolved',
			id('={{ $json.id }}'),
			/'Transaction' uses an expression that has no data yet/,
		],
		['unknown', id('ot_unknown'), /'Transaction' ot_unknown was not found/],
	])('a transaction that is %s is told', async (_name, transactionId, expected) => {
		await expect(
			search('searchDocuments', {
				resource: 'document',
				operation: 'get',
				platform: 'realEstate',
				transactionId: transactionId as IDataObject,
				documentId: id(''),
			})(),
		).rejects.toThrow(expected);
	});
});

test('signers of a live service are chosen by their signer_id, without one by external ID or email', async () => {
	const jane = { first_name: 'Jane', last_name: 'Borrower', email: 'jane@example.com' };
	const signers = [
		{ ...jane, signer_id: 'oc_1', external_id: 'borrower-1' },
		{ ...jane, signer_id: '', external_id: 'borrower-2' },
		{ ...jane, signer_id: null, external_id: null },
	];
	sandbox.faults.add({ method: 'GET', status: 200, body: { id: 'ot_1', signers } });
	const parameters = {
		resource: 'transaction',
		operation: 'correctSigner',
		settingsNotShown: 'none',
		platform: 'realEstate',
		transactionId: id('ot_1'),
	};
	const { results } = await search('searchSigners', parameters)();
	expect(results.map(({ value }) => value)).toEqual(['oc_1', 'borrower-2', 'jane@example.com']);
});

test('an organization is the same with and without its underscore', async () => {
	const data = [
		{ id: 'ot_1', transaction_name: 'Ours', organization_id: 'orod4kenk' },
		{ id: 'ot_2', transaction_name: 'Theirs', organization_id: 'or_other' },
	];
	sandbox.faults.add({ method: 'GET', status: 200, body: { total_count: 2, data } });
	const parameters = { resource: 'transaction', operation: 'get', platform: 'business' };
	const found = search('searchTransactions', parameters, { organizationId: 'or_od4kenk' })();
	expect(await names(found)).toEqual(['Ours']);
});

describe('the cascade of a closing', () => {
	const BEACON = 'Beacon Settlement Services · 18 Beacon Street, Springfield, MA 01103';
	const closing = (additionalFields: IDataObject = {}) => ({
		...CLOSING,
		addressCity: 'Springfield',
		addressZipCode: '01101',
		additionalFields,
	});
	test('address -> recording jurisdiction -> title agency -> underwriter, each within the one before', async () => {
		expect((await search('searchJurisdictions', closing())()).results).toEqual([
			{ name: 'Hampden County · MA', value: 'rlhampden' },
			{ name: 'Hampshire County · MA', value: 'rlhampshire' },
		]);
		expect(
			await names(
				search('searchAgencies', closing({ recordingJurisdictionId: id('rlhampshire') }))(),
			),
		).toEqual([BEACON]);
		expect(await names(search('searchAgencies', closing())())).toEqual([
			'Harbor Title & Escrow · 2 Long Wharf, Boston, MA 02110',
			BEACON,
		]);
		expect(
			await names(
				search('searchUnderwriters', closing({ titleAgencyId: id('or_agency_beacon') }))(),
			),
		).toEqual(['Summit National Title']);
		expect(
			await names(
				search('searchUnderwriters', closing({ titleAgencyId: id('or_agency_harbor') }))('summit'),
			),
		).toEqual(['Summit National Title']);
	});
	describe('counties of a live service', () => {
		const agency = (id: string, name: string) => ({
			id,
			name,
			address: '18 Beacon Street, Springfield, MA 01103',
			eligible_underwriters: [{ id: 'orunder1', name: 'Summit National Title' }],
		});
		const counties = [
			{
				id: 'rlpaper',
				name: 'Nantucket County',
				state: 'MA',
				supported: false,
				eligible: true,
				recording_type: 'PAPER',
				eligible_title_agencies: [agency('orbeacon1', 'Beacon Settlement')],
			},
			{
				id: 'rlclosed',
				name: 'Dukes County',
				state: 'MA',
				supported: true,
				eligible: 'false',
				recording_type: 'ELECTRONIC',
				eligible_title_agencies: [agency('orisland1', 'Island Title')],
			},
		];
		beforeEach(() =>
			sandbox.faults.add({ method: 'GET', path: /verify_address$/, status: 200, body: counties }),
		);
		afterEach(() => sandbox.faults.clear());
		test('one that records on paper can be chosen, and says so', async () => {
			expect(await names(search('searchJurisdictions', closing())())).toEqual([
				'Nantucket County · MA · paper recording',
				'Dukes County · MA · not eligible',
			]);
		});
		test('agencies of a county that is not eligible are not offered; an address is one text', async () => {
			expect((await search('searchAgencies', closing())()).results).toEqual([
				{
					name: 'Beacon Settlement · 18 Beacon Street, Springfield, MA 01103',
					value: 'orbeacon1',
				},
			]);
		});
		test('a chosen county that is not eligible is told', async () => {
			const chosen = closing({ recordingJurisdictionId: id('rlclosed') });
			await expect(search('searchAgencies', chosen)()).rejects.toThrow(
				/'Recording Jurisdiction' rlclosed isn't eligible.*'Transaction Type'/,
			);
		});
		test('an agency is found by its ID with an underscore, too', async () => {
			expect(
				await names(search('searchUnderwriters', closing({ titleAgencyId: id('or_beacon1') }))()),
			).toEqual(['Summit National Title']);
		});
	});
	test('while a closing is updated, of its own address', async () => {
		const transactionId = await createClosing(credentialFor(sandbox.url), {
			addressCity: 'Springfield',
			addressZipCode: '01101',
			additionalFields: { recordingJurisdictionId: id('rlhampden') },
		});
		const parameters = {
			resource: 'transaction',
			operation: 'update',
			platform: 'realEstate',
			transactionId: id(transactionId),
			updateFields: { recordingJurisdictionId: id('rlhampshire') },
		};
		expect(await names(search('searchJurisdictions', parameters)())).toEqual([
			'Hampden County · MA',
			'Hampshire County · MA',
		]);
		expect(await names(search('searchAgencies', parameters)())).toEqual([BEACON]);
	});
	describe('while a closing is updated', () => {
		const update = (updateFields: IDataObject) => ({
			resource: 'transaction',
			operation: 'update',
			platform: 'realEstate',
			transactionId: id('ot_1'),
			updateFields,
		});
		const answers = (closing: IDataObject) =>
			sandbox.faults.add({
				method: 'GET',
				path: /\/transactions\/ot_1$/,
				status: 200,
				body: { id: 'ot_1', transaction_type: null, ...closing },
			});
		afterEach(() => sandbox.faults.clear());
		test('the changed type and address count, the rest is that of the closing', async () => {
			answers({
				street_address: { line1: '1 Main St', city: 'Boston', state: 'MA', postal: '02110' },
			});
			const updateFields = {
				transaction_type: 'heloc',
				street_address: { row: { city: 'Springfield', zipCode: '01101' } },
			};
			expect(await names(search('searchJurisdictions', update(updateFields))())).toEqual([
				'Hampden County · MA',
				'Hampshire County · MA',
			]);
			expect(sandbox.requests.at(-1)!.query).toEqual({
				transaction_type: 'heloc',
				'street_address[line1]': '1 Main St',
				'street_address[city]': 'Springfield',
				'street_address[state]': 'MA',
				'street_address[postal]': '01101',
			});
		});
		test('a closing without an address is told', async () => {
			answers({ street_address: { line1: '', city: '', state: '', postal: '' } });
			await expect(search('searchJurisdictions', update({}))()).rejects.toThrow(
				/closing has no complete address.*'Address'/,
			);
		});
	});
	test.each([
		['an empty city', { addressCity: '' }, /'City' is empty.*Fill in 'City' first/],
		[
			'a city from an expression without data',
			{ addressCity: null },
			/'City' uses an expression that has no data yet.*'By ID'/,
		],
		[
			"a place that can't be closed online",
			{ addressCity: 'Hilo', addressState: 'HI' },
			/can't be closed online/,
		],
		[
			'an agency that does not belong to it',
			{ additionalFields: { titleAgencyId: id('or_agency_prairie') } },
			/'Title Agency' or_agency_prairie doesn't belong to the address/,
		],
	])('%s is told', async (_name, more, expected) => {
		await expect(
			search('searchUnderwriters', { ...closing(), ...(more as IDataObject) })(),
		).rejects.toThrow(expected);
	});
	test('a documented-only service names agencies, but no jurisdictions', async () => {
		sandbox.world.settings.profile = 'documented';
		await expect(search('searchJurisdictions', closing())()).rejects.toThrow(
			/doesn't provide recording jurisdictions.*Leave 'Recording Jurisdiction' empty/,
		);
		expect((await search('searchAgencies', closing())()).results.length).toBeGreaterThan(0);
	});
});

describe('the others', () => {
	test('webhooks by address, without the secret in it', async () => {
		const { items } = await runNode({
			credential: credentialFor(sandbox.url),
			parameters: {
				resource: 'webhook',
				operation: 'create',
				url: 'https://n8n.example.com/webhook/a?secret=s3same',
				events: ['transaction.completed', 'transaction.sent'],
				additionalFields: {},
			},
		});
		expect(
			(
				await search('searchWebhooks', {
					resource: 'webhook',
					operation: 'get',
					webhookId: id(''),
				})()
			).results,
		).toEqual([
			{ name: 'https://n8n.example.com/webhook/a · 2 events', value: items[0].json.webhook_id },
		]);
		sandbox.world.settings.profile = 'documented';
		expect(
			await names(
				search('searchWebhooks', { resource: 'webhook', operation: 'get', webhookId: id('') })(),
			),
		).toEqual([items[0].json.webhook_id]);
	});
	test('records, templates, notaries', async () => {
		const transactionId = await completedClosing(sandbox, credentialFor(sandbox.url));
		const [record] = (
			await search('searchRecords', {
				resource: 'notarizationRecord',
				operation: 'get',
				platform: 'realEstate',
				recordId: id(''),
			})()
		).results;
		expect(record).toEqual({
			name: expect.stringMatching(/^\d{4}-\d\d-\d\d · Jane Borrower · Nora Notary$/),
			value: sandbox.world.transactions.get(transactionId)!.recordId,
		});
		const [template] = (
			await search('searchTemplates', {
				resource: 'document',
				operation: 'add',
				source: 'template',
			})('affidavit')
		).results;
		expect(template).toEqual({
			name: 'General affidavit',
			value: expect.stringMatching(/^general-affidavit-/),
		});
		expect(
			await names(search('searchNotaries', { resource: 'transaction', operation: 'create' })()),
		).toEqual(['Nora Notary · MA', 'Oscar Oath · TX']);
	});
	test('events: those the service offers, else those that are known', async () => {
		const parameters = { resource: 'webhook', operation: 'create', url: '', events: [] };
		expect(await options('getEvents', parameters)).toEqual(
			expect.arrayContaining([
				expect.objectContaining({ name: 'Completed', value: 'transaction.completed' }),
			]),
		);
		sandbox.world.settings.profile = 'documented';
		expect((await options('getEvents', parameters)).length).toBeGreaterThan(30);
	});
});

describe('a list that can not be loaded says why', () => {
	const get = {
		resource: 'transaction',
		operation: 'get',
		platform: 'realEstate',
		transactionId: id(''),
	};
	test.each([
		['the key is wrong', { apiKey: 'wrong-key-value' }, /didn't accept the API key.*'API Key'/],
		[
			'the service is unreachable',
			{ baseUrl: 'http://127.0.0.1:9' },
			/refused the connection.*'Base URL'/,
		],
		['the address is no address', { baseUrl: 'example' }, /'Base URL' isn't a complete address/],
		['the service does not offer it', {}, /doesn't know this address.*don't offer every operation/],
	])('%s', async (_name, more, expected) => {
		if (Object.keys(more).length === 0) sandbox.world.settings.profile = 'documented';
		await expect(search('searchTransactions', get, more)()).rejects.toThrow(expected);
	});
});
