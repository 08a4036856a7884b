import type { IDataObject } from 'n8n-workflow';

import {
	chosen,
	each,
	eachOf,
	itemsOf,
	noEffects,
	numbered,
	type FaultScene,
	type Kind,
} from '../scene.mts';
import { makeDraft, makeWebhook, SIGNING_SECRET } from '../setup.mts';

/** The scenes of operations on webhooks. */

const urlOf = (index: number, end = '') => `https://example.com/hook-${index}${end}`;

/** Something that is done with each of some webhooks. */
const eachWebhook = (
	kind: Kind,
	effect: string | undefined,
	parameters: IDataObject = {},
	end = '',
): FaultScene =>
	eachOf(kind, ['realEstate'], {
		make: async (service, _platform, index) => ({
			id: await makeWebhook(service, index),
			url: urlOf(index, end),
		}),
		parameters: () => ({ webhookId: chosen('id'), ...parameters }),
		effects: (index) => (effect === undefined ? [] : [{ kind: effect, marker: urlOf(index, end) }]),
	});

/** Reads the event records of a webhook that has some. */
const events = (arrived: boolean): FaultScene => ({
	kind: 'list',
	platforms: ['realEstate'],
	async build(service, platform, count) {
		const made = await each(count, async (index) => ({ id: await makeWebhook(service, index) }));
		await each(3, async (index) => await makeDraft(service, platform, index));
		for (const webhook of service.state.webhooks.values())
			for (const record of webhook.events) record.response.code = arrived ? 200 : 500;
		return {
			parameters: { webhookId: chosen('id'), returnAll: true, filters: {} },
			items: itemsOf(made),
			effects: noEffects(count),
		};
	},
});

export const webhookScenes: Record<string, FaultScene> = {
	'webhook/create': eachOf('create', ['realEstate'], {
		make: async (_service, _platform, index) => ({ url: urlOf(index) }),
		parameters: () => ({
			url: '={{ $json.url }}',
			events: ['transaction.completed'],
			additionalFields: { signing_key: SIGNING_SECRET },
		}),
		effects: (index) => [{ kind: 'webhook.created', marker: urlOf(index) }],
	}),
	'webhook/get': eachWebhook('read', undefined),
	'webhook/getAll': {
		kind: 'list',
		platforms: ['realEstate'],
		async build(service, _platform, count) {
			await each(3, async (index) => await makeWebhook(service, index));
			return {
				parameters: { returnAll: true },
				items: numbered(count),
				effects: noEffects(count),
			};
		},
	},
	'webhook/getEvents': events(true),
	'webhook/getEventTypes': {
		kind: 'list',
		platforms: ['realEstate'],
		build: async (_service, _platform, count) => ({
			parameters: { group: 'all' },
			items: numbered(count),
			effects: noEffects(count),
		}),
	},
	'webhook/getMissedEvents': events(false),
	'webhook/update': eachWebhook(
		'write',
		'webhook.updated',
		{ updateFields: { url: '={{ $json.url }}', signing_key: SIGNING_SECRET } },
		'-changed',
	),
	'webhook/delete': eachWebhook('write', 'webhook.deleted'),
};
