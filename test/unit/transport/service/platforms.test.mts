import { describe, expect, test } from '@jest/globals';

import {
	ENDPOINTS,
	type Endpoint,
	type EndpointName,
	type Platform,
} from '../../../../nodes/SignAndClose/transport/service/endpoints.ts';
import {
	platformAfter,
	platformFor,
	saysMore,
} from '../../../../nodes/SignAndClose/transport/service/platforms.ts';

const USE_BUSINESS = 'Unauthorized: This organization must use the Business API for transactions';
const USE_REAL_ESTATE = 'You must use the RealEstate API for real estate transactions';
const TIER = 'Feature not available in current tier';
const NO_KEY = 'Invalid authentication credentials';

type Row = [
	name: EndpointName,
	asked: Platform,
	status: number,
	said: string,
	then: Platform | undefined,
];

/** A refusal where nobody has chosen a platform, and the platform that is asked next, if any. */
const NOT_CHOSEN: Row[] = [
	['listWebhooks', 'webhooks', 401, NO_KEY, 'realEstate'],
	['listWebhooks', 'webhooks', 403, '', 'realEstate'],
	['listWebhooks', 'realEstate', 401, USE_BUSINESS, 'webhooks'],
	['createWebhook', 'webhooks', 404, '', 'realEstate'],
	['updateWebhook', 'webhooks', 401, USE_REAL_ESTATE, 'realEstate'],
	['deleteWebhook', 'webhooks', 404, 'resource not found', 'realEstate'],
	['createWebhook', 'webhooks', 422, 'Invalid subscription passed', undefined],
	['createWebhook', 'webhooks', 500, '', undefined],
	['createWebhook', 'webhooks', 429, '', undefined],
	['getTransaction', 'realEstate', 401, USE_BUSINESS, 'business'],
	['getTransaction', 'realEstate', 404, 'Transaction Not Found', 'business'],
	['getTransaction', 'realEstate', 503, '', undefined],
	['verifyAddress', 'realEstate', 401, USE_BUSINESS, undefined],
];

/** The same where the form or the operation has chosen it. */
const CHOSEN: Row[] = [
	// Whatever the service says, also of the other platform.
	['getTransaction', 'business', 422, USE_REAL_ESTATE, undefined],
	['getTransaction', 'realEstate', 401, USE_BUSINESS, undefined],
	['getTransaction', 'realEstate', 403, '', undefined],
	['listTransactions', 'realEstate', 401, USE_BUSINESS, undefined],
	['listTransactions', 'realEstate', 404, '', undefined],
	['listNotaries', 'business', 401, TIER, undefined],
	['getNotary', 'business', 404, '', undefined],
	['createTransaction', 'realEstate', 401, USE_BUSINESS, undefined],
	['createTransaction', 'realEstate', 404, '', undefined],
	['deleteDocument', 'business', 422, USE_REAL_ESTATE, undefined],
	['deleteDocument', 'realEstate', 404, '', undefined],
	['updateWebhook', 'webhooks', 404, '', undefined],
	// A service that offers only the documented endpoints has these on business alone.
	['getTransaction', 'realEstate', 404, 'Not found', 'business'],
	['getDocument', 'realEstate', 404, '', 'business'],
	['getNotarizationRecord', 'realEstate', 404, '', 'business'],
	['addDocument', 'realEstate', 404, '', 'business'],
	['getTransaction', 'business', 404, '', undefined],
	// It has the call where it has looked.
	['getTransaction', 'realEstate', 404, 'Transaction Not Found', undefined],
	['getDocument', 'realEstate', 404, 'Document Not Found', undefined],
];

describe('a refusal, and where the call is made then', () => {
	test.each(NOT_CHOSEN)('%s, not chosen: %s, %i %s: %s', (name, asked, status, said, then) => {
		expect(platformAfter(name, asked, undefined, { status, said: [said] })).toBe(then);
	});
	test.each(CHOSEN)('%s, chosen: %s, %i %s: %s', (name, asked, status, said, then) => {
		expect(platformAfter(name, asked, asked, { status, said: [said] })).toBe(then);
	});
});

describe('whatever is refused', () => {
	const names = Object.keys(ENDPOINTS) as EndpointName[];
	const platforms: Array<Platform | undefined> = ['business', 'realEstate', 'webhooks', undefined];

	test('the next platform is another one, which has the endpoint', () => {
		for (const name of names) {
			for (const chosen of platforms) {
				const asked = platformFor(name, chosen);
				for (const status of [400, 401, 403, 404, 409, 422, 429, 500]) {
					for (const said of [NO_KEY, USE_BUSINESS, USE_REAL_ESTATE, TIER]) {
						const next = platformAfter(name, asked, chosen, { status, said: [said] });
						const { platforms: present }: Endpoint = ENDPOINTS[name];
						expect(next === undefined || (next !== asked && next in present)).toBe(true);
					}
				}
			}
		}
	});
	test('a success is never asked again', () => {
		for (const name of names)
			for (const chosen of platforms)
				expect(
					platformAfter(name, platformFor(name, chosen), chosen, { status: 200, said: [] }),
				).toBeUndefined();
	});
});

test.each<[first: number, second: number, said: string, boolean]>([
	[401, 200, '', true],
	[404, 200, '', true],
	// A reason of its own.
	[401, 422, 'Invalid subscription passed', true],
	[404, 500, '', true],
	// It isn't there, where the key is taken.
	[401, 404, 'Webhook not found', true],
	[403, 404, 'Transaction Not Found', true],
	[404, 404, '', false],
	// The platform isn't for the account.
	[401, 401, NO_KEY, false],
	[403, 401, NO_KEY, false],
	[404, 401, NO_KEY, false],
	[404, 403, '', false],
	[404, 422, USE_REAL_ESTATE, false],
	[404, 401, TIER, false],
])('refused with %i, and then with %i %s: the second counts: %j', (first, second, said, counts) => {
	const refused = { platform: 'webhooks' as const, status: first, said: [] };
	const later = { platform: 'realEstate' as const, status: second, said: [said] };
	expect(saysMore('getWebhook', later, refused)).toBe(counts);
});

test('a refused key says more of a transaction than a path that is not there', () => {
	const platform = 'realEstate' as const;
	const key = { platform, status: 401, said: [NO_KEY] };
	const path = { platform, status: 404, said: ['no such path'] };
	const gone = { platform, status: 404, said: ['Transaction Not Found'] };
	expect(saysMore('getTransaction', key, path)).toBe(true);
	expect(saysMore('getTransaction', path, key)).toBe(false);
	expect(saysMore('getTransaction', key, gone)).toBe(false);
	expect(saysMore('getTransaction', gone, path)).toBe(true);
	// Business has the documented path, so that 404 is of the transaction.
	expect(saysMore('getTransaction', { ...path, platform: 'business' }, key)).toBe(true);
});

test('a call goes to the platform that it names, unless the endpoint lacks it', () => {
	expect(platformFor('getTransaction')).toBe('realEstate');
	expect(platformFor('getTransaction', 'business')).toBe('business');
	expect(platformFor('listRecords', 'realEstate')).toBe('business');
	expect(platformFor('addEnote', 'business')).toBe('realEstate');
	expect(platformFor('getWebhook', 'business')).toBe('webhooks');
});
