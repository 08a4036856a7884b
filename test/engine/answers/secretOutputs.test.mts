import { beforeAll, describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { CLOSING, id } from '../../support/closing.mts';
import { deliver, event, runOf } from '../../support/delivery.mts';
import { credentialFor, runNode, useBinaryMode } from '../../support/engine.mts';
import { startSmallService, type SmallAnswer } from '../../support/smallService.mts';
import { useSandbox } from '../../support/useSandbox.mts';

/** Good answers of a service that echoes secrets: none of them comes out in an item. */

useSandbox();
beforeAll(async () => await useBinaryMode('filesystem'));

const KEY = 'canary-5f1d0c9e7b3a4286';
const SIGNING = 'signing-77aa02';
const SSN = '123-45-6789';
const FORMS = ['123-45-6789', '123456789', '123 45 6789'];
const SECRET = new RegExp(`${KEY}|${SIGNING}|123.?45.?6789|very-secret`);

/** What such a service adds to each of its objects. */
const ECHO: IDataObject = {
	message_to_signer: `You used ${KEY}`,
	authorization_header: 'Authorization:very-secret',
	webhook: { signing_key: 'very-secret', oauth_config: { client_secret: 'very-secret' } },
	debug: { [KEY]: [SIGNING, `Bearer ${KEY}`], number: 123456789, FORMS },
	borrowers: [{ last_name: 'Borrower', ssn: SSN }],
};
const transaction = (more: IDataObject = {}): IDataObject => ({
	...ECHO,
	id: 'ot_1',
	status: 'sent',
	transaction_name: `Closing of ${KEY}`,
	documents: [{ ...ECHO, id: 'do_1', document_name: 'Deed', is_enote: true }],
	signers: [{ email: 'jane@example.com', ...ECHO }],
	...more,
});
const webhook = {
	...ECHO,
	id: 'wh_1',
	url: 'https://flows.example.com/hook',
	subscriptions: ['*'],
	signing_key: 'very-secret',
};

const answer = (request: string): SmallAnswer => {
	if (/\/enote$/.test(request)) return { body: { ...ECHO, id: 'do_1', is_enote: true } };
	if (/GET .*\/transactions$/.test(request)) return { body: { data: [transaction()] } };
	if (/\/documents\/[^/]+$/.test(request)) return { body: { ...ECHO, id: 'do_1' } };
	if (/\/transactions/.test(request)) return { body: transaction() };
	if (/GET .*\/events$/.test(request))
		return { body: [{ event: 'transaction.sent', payload: { event: 'x', data: ECHO }, ...ECHO }] };
	if (/GET .*\/webhooks$/.test(request)) return { body: [webhook] };
	if (/\/webhooks/.test(request)) return { body: webhook };
	return { body: [{ id: 'x_1', ...ECHO }] };
};

const onTransaction = { resource: 'transaction', platform: 'realEstate', output: 'raw' };
const ENOTE = {
	resource: 'enote',
	operation: 'add',
	transactionId: id('ot_1'),
	source: 'url',
	fileUrl: 'https://files.example.com/enote.xml',
	enoteType: 'ENOTE',
	borrowers: { row: [{ first_name: 'J', last_name: 'B', ssn: '123456789' }] },
};
const OPERATIONS: Array<[string, IDataObject]> = [
	['Transaction: Get', { ...onTransaction, operation: 'get', transactionId: id('ot_1') }],
	[
		'Transaction: Get Many',
		{ ...onTransaction, operation: 'getAll', returnAll: true, filters: {} },
	],
	['Transaction: Create Closing', { ...CLOSING, output: 'raw' }],
	[
		'Document: Get',
		{
			...onTransaction,
			resource: 'document',
			operation: 'get',
			simplify: false,
			transactionId: id('ot_1'),
			documentId: id('do_1'),
			content: 'none',
		},
	],
	['eNote: Add', ENOTE],
	['Webhook: Get', { resource: 'webhook', operation: 'get', webhookId: id('wh_1') }],
	['Webhook: Get Many', { resource: 'webhook', operation: 'getAll', returnAll: true }],
	[
		'Webhook: Get Events',
		{
			resource: 'webhook',
			operation: 'getEvents',
			webhookId: id('wh_1'),
			returnAll: true,
			filters: {},
		},
	],
	['Notary: Get Many', { resource: 'notary', operation: 'getAll', returnAll: true, filters: {} }],
];
const run = async (url: string, parameters: IDataObject, more: object = {}) =>
	await runNode({
		credential: credentialFor(url, { apiKey: KEY, webhookSigningSecret: SIGNING }),
		parameters,
		...more,
	});

test.each(OPERATIONS)('%s hides what a service echoes', async (name, parameters) => {
	await using service = await startSmallService(answer);
	const { items, error } = await run(service.url, parameters);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
	const shown = JSON.stringify(items);
	// Without the number, nothing but its field tells that nine digits are secret.
	const bare = name === 'eNote: Add' ? shown : shown.replace(/"FORMS":\[.*?\]|"number":\d+/g, '');
	expect(bare).not.toMatch(SECRET);
	expect(bare).toMatch(/\*\*\*/);
});

test.each(FORMS)('a social security number entered as %s is hidden in every form', async (ssn) => {
	const parameters = {
		...ENOTE,
		borrowers: { row: [{ first_name: 'J', last_name: 'B', ssn }] },
	};
	await using service = await startSmallService(answer);
	const { items } = await run(service.url, parameters);
	expect(JSON.stringify(items)).not.toMatch(SECRET);
	await using refusing = await startSmallService(() => ({
		status: 422,
		body: { errors: [`SSN taken: ${FORMS.join(' or ')}, ends in 6789`] },
	}));
	const { error } = await run(refusing.url, parameters);
	expect(error?.message).toMatch(/SSN taken: \*\*\* or \*\*\* or \*\*\*, ends in 6789/);
});

test('what n8n keeps between the tries of Retry On Fail has no secret either', async () => {
	await using service = await startSmallService((request) =>
		request.startsWith('POST') ? answer(request) : undefined,
	);
	const { run: whole, items } = await run(
		service.url,
		{ ...CLOSING, transactionName: '={{ $json.name }}', output: 'raw' },
		{
			items: [{ json: { name: 'Made' } }, { json: { name: '' } }],
			node: { onError: 'continueRegularOutput' },
		},
	);
	expect(items[0].json.transaction_id).toBe('ot_1');
	expect(JSON.stringify(whole.data.executionData)).toMatch(/signAndCloseWrites.*ot_1/);
	expect(JSON.stringify(whole.data.executionData)).not.toMatch(
		new RegExp(`${KEY}|${SIGNING}|very-secret`),
	);
});

describe('the trigger', () => {
	test('hides what a delivery holds', async () => {
		const { item } = await deliver(
			event({ authorization_header: 'very-secret', borrowers: [{ ssn: SSN }] }),
		);
		const { items } = await runOf([{ json: item! }]);
		expect(items).toHaveLength(1);
		expect(JSON.stringify(items)).not.toMatch(SECRET);
	});
});
