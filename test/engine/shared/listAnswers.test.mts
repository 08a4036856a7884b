import type { IDataObject } from 'n8n-workflow';

import { CLOSING, id, toForm } from '../../support/closing.mts';
import { searchAnew } from '../../support/dropdowns.mts';
import { credentialFor, runNode, useBinaryMode } from '../../support/engine.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import { startSmallService } from '../../support/smallService.mts';

/**
 * Every operation and every dropdown that reads a list, at a service whose answer holds none: a
 * person who reads "no items" believes that there is nothing. Which answers hold one is with
 * test/unit/transport/answers/lists.
 */

beforeAll(async () => await useBinaryMode('filesystem'));

const ON = { platform: 'business', transactionId: id('ot_1') };
const WEBHOOK = { webhookId: id('wh1') };
const STATE = { transactionType: 'refinance', addressState: 'MA' };
const ADDRESS = {
	...STATE,
	addressLine1: '12 Elm Street',
	addressCity: 'Boston',
	addressZipCode: '02110',
	additionalFields: {},
};

/** Each operation that reads a list, and the ID in its outputs. */
const OPERATIONS: Array<[name: string, id: string, parameters: IDataObject]> = [
	['transaction/getAll', 'transaction_id', ON],
	['notarizationRecord/getAll', 'notarization_record_id', {}],
	['template/getAll', 'template_id', {}],
	['notary/getAll', 'notary_id', ON],
	['notary/getEligible', 'notary_id', ON],
	['titleAgency/getAll', 'title_agency_id', { filters: { addressState: 'MA' } }],
	['underwriter/getAll', 'title_underwriter_id', STATE],
	['recordingJurisdiction/getAll', 'recording_jurisdiction_id', ADDRESS],
	['address/verify', 'recording_jurisdiction_id', ADDRESS],
	['webhook/getAll', 'webhook_id', {}],
	['webhook/getEvents', 'id', WEBHOOK],
];

/** Runs an operation at a service that answers all with the same. */
async function run(body: unknown, name: string, parameters: IDataObject) {
	await using service = await startSmallService(() => ({ body }));
	const [resource, operation] = name.split('/');
	const outcome = await runNode({
		credential: credentialFor(service.url),
		parameters: {
			resource,
			operation,
			returnAll: true,
			filters: {},
			simplify: false,
			output: 'raw',
			...parameters,
		},
	});
	return { ...outcome, asked: service.asked };
}

test.each([
	...OPERATIONS,
	['webhook/getMissedEvents', 'id', WEBHOOK],
	['webhook/getEventTypes', '', { group: 'all' }],
] as typeof OPERATIONS)('%s fails without a list', async (name, _id, parameters) => {
	const { items, error } = await run({}, name, parameters);
	expect(items).toEqual([]);
	expect(error?.message).toMatch(/returned an empty object instead of a list/);
	if (name !== 'webhook/getEventTypes')
		expect((await run([], name, parameters)).error).toBeUndefined();
});
test.each(OPERATIONS)('%s gives the entries that have an ID', async (name, field, parameters) => {
	const { items } = await run(
		[{ id: 4711, event: 'transaction.sent' }, null, {}],
		name,
		parameters,
	);
	expect(items.map(({ json }) => json[field])).toEqual(['4711']);
});
test.each([
	['transaction/getAll', { ...ON, returnAll: true }, 'limit=100&offset=0'],
	['webhook/getEvents', { ...WEBHOOK, returnAll: false, limit: 30 }, 'limit=30&offset=0'],
])('%s asks for %j by %s', async (name, parameters, query) => {
	const { asked } = await run([], name, parameters);
	// Webhook: Get Events asks for the webhook as well.
	expect(asked.flatMap((request) => request.split('?').slice(1))).toEqual([query]);
});

const NEW_CLOSING = { ...CLOSING, ...toForm({}) };
/** Each dropdown, and what it depends on. */
const DROPDOWNS: Array<[method: string, parameters: IDataObject]> = [
	['searchTransactions', ON],
	['searchTemplates', {}],
	['searchRecords', {}],
	['searchNotaries', ON],
	['searchWebhooks', {}],
	['searchJurisdictions', NEW_CLOSING],
	['searchAgencies', NEW_CLOSING],
	['searchUnderwriters', NEW_CLOSING],
	['searchDocuments', ON],
	['searchSigners', ON],
];

describe.each(DROPDOWNS)('%s', (method, parameters) => {
	const offered = async (body: unknown) => {
		await using service = await startSmallService(() => ({ body }));
		return (await searchAnew(method, service.url, { parameters })).results;
	};
	const within = ['searchDocuments', 'searchSigners'].includes(method);

	test('fails without a list', async () => {
		await forEachCase(
			[{}, { documents: null, signers: null }],
			async (more) =>
				await expect(offered(within ? { id: 'ot_1', ...more } : more)).rejects.toThrow(
					within ? /without '(documents|signers)'/ : /instead of a list/,
				),
		);
	});
	test('offers the entries that have an ID', async () => {
		const named = { id: 12, name: 'Named', signer_id: 12, document_name: 'Deed' };
		const list = [{}, null, named];
		const agencies = [{}, null, { ...named, eligible_underwriters: list }];
		const body = within
			? { id: 'ot_1', documents: list, signers: list }
			: [{ ...named, eligible_title_agencies: agencies }, {}, null];
		const results = await offered(body);
		expect(results.map(({ value }) => value)).toEqual(['12']);
		expect(JSON.stringify(results)).not.toMatch(/undefined|null/);
	});
});

test('Signer: Get Many fails at a transaction without signers', async () => {
	const { error } = await run({ id: 'ot_1', status: 'sent' }, 'signer/getAll', ON);
	expect(error?.message).toMatch(/without 'signers'/);
});
test('webhooks may be listed by their IDs alone; one without is left out', async () => {
	const { items } = await run(['wh_1', null, {}, 7], 'webhook/getAll', {});
	expect(items.map(({ json }) => json.webhook_id)).toEqual(['wh_1', '7']);
});
