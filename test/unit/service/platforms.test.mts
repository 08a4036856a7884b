import { describe, expect, test } from '@jest/globals';

import {
	ENDPOINTS,
	type Endpoint,
	type EndpointName,
	type Platform,
} from '../../../nodes/SignAndClose/service/endpoints.ts';
import {
	countsSecond,
	platformAfter,
	platformFor,
	rememberedAs,
} from '../../../nodes/SignAndClose/service/platforms.ts';

const USE_BUSINESS = 'Unauthorized: This organization must use the Business API for transactions';
const USE_REAL_ESTATE = 'You must use the RealEstate API for real estate transactions';
const TIER = 'Feature not available in current tier';
const NO_KEY = 'Invalid authentication credentials';
const ID = {
	path: { transactionId: 'ot_1', documentId: 'do_1', recordId: 'me_1', webhookId: 'wh1' },
};

type Row = [
	name: EndpointName,
	asked: Platform,
	status: number,
	said: string,
	then: Platform | undefined,
	call?: object,
];

/** A refusal, and the platform that is asked next, if any. */
const ROWS: Row[] = [
	// Webhooks: the other path after 401, 403 and 404, also for writes.
	['listWebhooks', 'webhooks', 401, NO_KEY, 'realEstate', {}],
	['listWebhooks', 'webhooks', 403, '', 'realEstate', {}],
	['createWebhook', 'webhooks', 404, '', 'realEstate', {}],
	['updateWebhook', 'webhooks', 401, USE_REAL_ESTATE, 'realEstate'],
	['deleteWebhook', 'webhooks', 404, 'resource not found', 'realEstate'],
	['createWebhook', 'webhooks', 422, 'Invalid subscription passed', undefined, {}],
	['createWebhook', 'webhooks', 500, '', undefined, {}],
	['createWebhook', 'webhooks', 429, '', undefined, {}],
	// Notaries: both ways, unless only one of them can be asked for it.
	['listNotaries', 'business', 401, NO_KEY, 'realEstate', {}],
	['listNotaries', 'business', 404, '', 'realEstate', { query: { us_state_abbr: 'MA' } }],
	['listNotaries', 'business', 404, '', undefined, { query: { organization_id: 'or_1' } }],
	['listNotaries', 'realEstate', 403, '', 'business', {}],
	// Reads: what the service says decides.
	['getTransaction', 'business', 422, USE_REAL_ESTATE, 'realEstate'],
	['getTransaction', 'business', 401, TIER, 'realEstate'],
	['getTransaction', 'business', 401, USE_BUSINESS, undefined],
	['getTransaction', 'business', 404, 'Transaction Not Found', undefined],
	['listTransactions', 'realEstate', 401, USE_BUSINESS, 'business', {}],
	['listTransactions', 'realEstate', 401, NO_KEY, undefined, {}],
	['listTransactions', 'realEstate', 401, USE_BUSINESS, undefined, { query: { loan_number: '7' } }],
	['verifyAddress', 'realEstate', 401, USE_BUSINESS, undefined, {}],
	// Writes: never on another platform than the chosen one because of a text.
	['createTransaction', 'realEstate', 401, USE_BUSINESS, undefined, {}],
	['createTransaction', 'realEstate', 404, '', undefined, {}],
	['deleteDocument', 'business', 422, USE_REAL_ESTATE, undefined],
	['sendTransaction', 'realEstate', 401, TIER, undefined],
	// A service that offers only the documented endpoints has these on business alone.
	['getTransaction', 'realEstate', 404, 'Not found', 'business'],
	['getTransaction', 'realEstate', 401, NO_KEY, 'business'],
	['getTransaction', 'realEstate', 403, '', undefined],
	['getNotarizationRecord', 'realEstate', 404, '', 'business'],
	['addDocument', 'realEstate', 404, '', 'business'],
	['addDocument', 'realEstate', 401, NO_KEY, undefined],
	['deleteDocument', 'realEstate', 404, '', undefined],
];

test.each(ROWS)('%s on %s, %i %s: then %s', (name, asked, status, said, then, call = ID) => {
	expect(platformAfter(name, asked, call, { status, said: [said] })).toBe(then);
});

describe('whatever is refused', () => {
	const names = Object.keys(ENDPOINTS) as EndpointName[];
	const platforms: Platform[] = ['business', 'realEstate', 'webhooks'];

	test('the next platform is another one, which has the endpoint', () => {
		for (const name of names) {
			for (const asked of platforms.map((platform) => platformFor(name, platform))) {
				for (const status of [400, 401, 403, 404, 409, 422, 429, 500]) {
					for (const said of [NO_KEY, USE_BUSINESS, USE_REAL_ESTATE, TIER]) {
						const next = platformAfter(name, asked, ID, { status, said: [said] });
						const { platforms: present }: Endpoint = ENDPOINTS[name];
						expect(next === undefined || (next !== asked && next in present)).toBe(true);
					}
				}
			}
		}
	});
	test('a success is never asked again', () => {
		for (const name of names)
			expect(
				platformAfter(name, platformFor(name), ID, { status: 200, said: [USE_REAL_ESTATE] }),
			).toBeUndefined();
	});
});

test('a call that is for one platform alone is never asked again, and nothing is remembered of it', () => {
	const onlyHere = { onlyHere: true };
	for (const name of ['getTransaction', 'listTransactions', 'listNotaries'] as const) {
		for (const status of [401, 403, 404])
			expect(
				platformAfter(name, 'realEstate', onlyHere, { status, said: [USE_BUSINESS] }),
			).toBeUndefined();
		expect(rememberedAs(name, 'realEstate', onlyHere)).toBeUndefined();
	}
});

test.each<[EndpointName, first: number, second: number, boolean]>([
	// A reason of its own.
	['getTransaction', 401, 422, true],
	['getTransaction', 404, 500, true],
	// The key isn't for it, or nothing is known of the ID.
	['getTransaction', 404, 401, false],
	['getTransaction', 401, 404, false],
	['getTransaction', 404, 404, false],
	['deleteWebhook', 404, 401, false],
	['deleteWebhook', 404, 404, false],
	// An account may have its webhooks on either platform.
	['deleteWebhook', 401, 404, true],
	['deleteWebhook', 403, 404, true],
])('%s refused with %i, and then with %i: the second counts: %j', (name, first, second, counts) => {
	expect(countsSecond(name, first, second)).toBe(counts);
});

test('a call goes to the platform that it names, unless the endpoint lacks it', () => {
	expect(platformFor('getTransaction')).toBe('business');
	expect(platformFor('getTransaction', 'realEstate')).toBe('realEstate');
	expect(platformFor('listRecords', 'realEstate')).toBe('business');
	expect(platformFor('addEnote', 'business')).toBe('realEstate');
	expect(platformFor('getWebhook', 'business')).toBe('webhooks');
});

test('webhooks are remembered together, lists each, and nothing that depends on an ID', () => {
	expect(rememberedAs('getWebhook', 'webhooks', ID)).toBe(
		rememberedAs('listWebhooks', 'webhooks', {}),
	);
	expect(rememberedAs('listTransactions', 'business', {})).not.toBe(
		rememberedAs('listTransactions', 'realEstate', {}),
	);
	expect(rememberedAs('getTransaction', 'business', ID)).toBeUndefined();
	expect(
		rememberedAs('listTransactions', 'realEstate', { query: { loan_number: '7' } }),
	).toBeUndefined();
});
