import { beforeAll, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { id } from '../support/closing.mts';
import { credentialFor, runNode, useBinaryMode } from '../support/engine.mts';
import { startSmallService } from '../support/smallService.mts';

/** How much of a list is asked for at once. */

beforeAll(async () => await useBinaryMode('filesystem'));

const EVENTS = { resource: 'webhook', operation: 'getEvents', webhookId: id('wh1'), filters: {} };
const TRANSACTIONS = {
	resource: 'transaction',
	operation: 'getAll',
	platform: 'business',
	filters: {},
};

test.each<[string, IDataObject, string]>([
	['a hundred', { ...TRANSACTIONS, returnAll: true }, 'limit=100&offset=0'],
	['a hundred', { ...EVENTS, returnAll: true }, 'limit=100&offset=0'],
	['what is wanted', { ...TRANSACTIONS, returnAll: false, limit: 30 }, 'limit=30&offset=0'],
	['what is wanted', { ...EVENTS, returnAll: false, limit: 30 }, 'limit=30&offset=0'],
])('no more than %s', async (_name, parameters, query) => {
	await using service = await startSmallService((request) => ({
		body: request.endsWith('/events') ? [] : { data: [], total_count: 0 },
	}));
	const { error } = await runNode({
		credential: credentialFor(service.url),
		parameters,
	});
	expect(error).toBeUndefined();
	expect(service.asked.map((request) => request.split('?')[1])).toEqual([query]);
});
