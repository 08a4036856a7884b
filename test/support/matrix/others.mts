import type { IDataObject } from 'n8n-workflow';

import { AGENCIES, UNDERWRITERS } from '../../../sandbox/data/jurisdictions.mts';
import type { Sandbox } from '../../../sandbox/index.mts';
import { EVENTS } from '../../../sandbox/domain/webhooks.mts';
import { createClosing } from '../closing.mts';
import {
	credential,
	done,
	each,
	LIMITED,
	LIMITS,
	limited,
	locator,
	NAMES,
	type Fixture,
	type Scene,
} from './scene.mts';

const ADDRESS = {
	transactionType: 'refinance',
	addressLine1: '1 Main St',
	addressLine2: '',
	addressCity: '={{ $json.city }}',
	addressState: '={{ $json.state }}',
	addressZipCode: '01101',
};
const CITIES = {
	items: ['Boston', 'Salem', 'Quincy'].map((city) => ({ json: { city, state: 'MA' } })),
	mark: (json: IDataObject) => json.recording_jurisdiction_id,
	expected: ['rlboston', 'rlsalem', 'rlquincy'],
	broken: { state: 'Massachusetts' },
};
const WEBHOOK = /\/webhooks\/wh[^/]*$/;

/** Three items that take one, two and one entries of a list. */
function byLimit(
	request: Scene['request'],
	key: string,
	all: (sandbox: Sandbox) => unknown[] | Promise<unknown[]>,
	parameters: IDataObject = {},
): Fixture['build'] {
	return async (sandbox) => {
		const expected = await all(sandbox);
		return {
			parameters: { ...LIMITED, ...parameters },
			items: LIMITS.map((limit) => ({ json: { limit } })),
			request,
			mark: (json) => json[key],
			expected: limited(expected),
			broken: { limit: 'some' },
			pages: { parameters, expected, size: expected.length > 4 ? 2 : 1 },
		};
	};
}

const webhooks = async (sandbox: Sandbox) =>
	await each(async (name) =>
		String(
			(
				await done(sandbox, {
					resource: 'webhook',
					operation: 'create',
					url: `https://example.com/${name}`,
					events: ['transaction.completed'],
					additionalFields: {},
				})
			).webhook_id,
		),
	);

/** Something with each of three webhooks. */
function toWebhooks(method: string, parameters: IDataObject = {}): Fixture['build'] {
	return async (sandbox) => {
		const made = await webhooks(sandbox);
		return {
			parameters: { ...parameters, webhookId: locator('id') },
			items: made.map((value, index) => ({ json: { id: value, name: NAMES[index] } })),
			request: { method, path: WEBHOOK },
			mark: (json) => json.webhook_id,
			expected: made,
			broken: { id: 'unknown' },
		};
	};
}

/** A webhook that has been told of five transactions; their ids, newest first. */
async function toldOf(sandbox: Sandbox): Promise<{ webhookId: string; transactions: unknown[] }> {
	const created = await done(sandbox, {
		resource: 'webhook',
		operation: 'create',
		url: `${sandbox.url}/samples/nothing`,
		events: ['transaction.created'],
		additionalFields: {},
	});
	for (let count = 0; count < 5; count++) await createClosing(credential(sandbox));
	await sandbox.clock.settled();
	const { events } = sandbox.world.webhooks.get(String(created.webhook_id))!;
	return {
		webhookId: String(created.webhook_id),
		transactions: events.map(({ payload }) => JSON.parse(payload as string).data.transaction_id),
	};
}

export const OTHERS: Record<string, Fixture> = {
	'address/verify': {
		kind: 'read',
		build: async () => ({
			parameters: ADDRESS,
			request: { method: 'GET', path: /verify_address$/ },
			...CITIES,
		}),
	},
	'recordingJurisdiction/getAll': {
		kind: 'read',
		undocumented: true,
		build: async () => ({
			parameters: { ...ADDRESS, returnAll: true },
			request: { method: 'GET', path: /recording_locations$/ },
			...CITIES,
		}),
	},
	'titleAgency/getAll': {
		kind: 'read',
		undocumented: true,
		build: async () => ({
			parameters: { returnAll: true, filters: { email: '={{ $json.email }}' } },
			items: AGENCIES.map(({ email }) => ({ json: { email } })),
			request: { method: 'GET', path: /title_agencies$/ },
			mark: (json) => json.title_agency_id,
			expected: AGENCIES.map(({ id }) => id),
			broken: { email: '' },
		}),
	},
	'underwriter/getAll': {
		kind: 'read',
		undocumented: true,
		build: byLimit(
			{ method: 'GET', path: /title_underwriters$/ },
			'title_underwriter_id',
			() => UNDERWRITERS.map(({ id }) => id),
			{ transactionType: 'refinance', filters: { state_abbreviation: 'NE' } },
		),
	},
	'template/getAll': {
		kind: 'read',
		undocumented: true,
		lists: true,
		build: byLimit({ method: 'GET', path: /\/templates$/ }, 'template_id', () => [
			'od_power_of_attorney',
			'od_affidavit',
		]),
	},
	'notary/getAll': {
		kind: 'read',
		undocumented: true,
		build: byLimit({ method: 'GET', path: /\/notaries$/ }, 'notary_id', (sandbox) =>
			sandbox.world.notaries.map(({ id }) => id),
		),
	},
	'webhook/create': {
		kind: 'write',
		build: async () => ({
			parameters: {
				url: '={{ $json.url }}',
				events: ['transaction.completed'],
				additionalFields: {},
			},
			items: NAMES.map((name) => ({ json: { url: `https://example.com/${name}` } })),
			request: { method: 'POST', path: /\/webhooks\/?$/ },
			mark: (json) => json.url,
			expected: NAMES.map((name) => `https://example.com/${name}`),
			broken: { url: 'ftp://example.com' },
		}),
	},
	'webhook/get': { kind: 'read', undocumented: true, build: toWebhooks('GET') },
	'webhook/getAll': {
		kind: 'read',
		build: byLimit({ method: 'GET', path: /\/webhooks$/ }, 'webhook_id', webhooks),
	},
	'webhook/update': {
		kind: 'write',
		undocumented: true,
		build: toWebhooks('PUT', {
			updateFields: { url: '=https://example.com/{{ $json.name }}/changed' },
		}),
	},
	'webhook/delete': { kind: 'write', undocumented: true, build: toWebhooks('DELETE') },
	'webhook/getEvents': {
		kind: 'read',
		lists: true,
		async build(sandbox) {
			const { webhookId, transactions } = await toldOf(sandbox);
			return await byLimit(
				{ method: 'GET', path: /\/events$/ },
				'transaction_id',
				() => transactions,
				{ webhookId: locator(`id ?? "${webhookId}"`), filters: {} },
			)(sandbox);
		},
	},
	'webhook/getMissedEvents': {
		kind: 'read',
		async build(sandbox) {
			const { webhookId, transactions } = await toldOf(sandbox);
			return await byLimit(
				{ method: 'GET', path: /\/events$/ },
				'transaction_id',
				() => [...transactions].reverse(),
				{ webhookId: locator(`id ?? "${webhookId}"`), filters: {} },
			)(sandbox);
		},
	},
	'webhook/getEventTypes': {
		kind: 'read',
		undocumented: true,
		build: async () => ({
			parameters: { group: '={{ $json.group }}' },
			items: ['transaction', 'notary', 'all'].map((group) => ({ json: { group } })),
			request: { method: 'GET', path: /\/webhooks\/subscriptions$/ },
			mark: (json) => json.event,
			expected: [EVENTS.transaction, EVENTS.notary, [...EVENTS.transaction, ...EVENTS.notary]],
			broken: { group: 'nothing' },
		}),
	},
};
