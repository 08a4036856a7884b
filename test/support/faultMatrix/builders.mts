import type { IDataObject } from 'n8n-workflow';

import {
	BOTH,
	chosen,
	itemsOf,
	noEffects,
	numbered,
	repeat,
	sceneOf,
	type FaultScene,
	type Kind,
	type Wanted,
} from './scene.mts';
import {
	makeCompleted,
	makeDraft,
	makeDraftWithDocument,
	makeEnote,
	makeWebhook,
	markerOf,
	SSN,
	type Made,
} from './setup.mts';
import type { FaultService } from '../faultService/service.mts';
import type { Platform } from '../faultService/types.mts';

/** What fixtures build their scenes for the fault matrix of. */

type Make = (service: FaultService, platform: Platform, index: number) => Promise<string>;

export const makeDraftToSend: Make = async (...all) =>
	(await makeDraftWithDocument(...all)).transactionId;
export const makeCompletedTransaction: Make = async (...all) =>
	(await makeCompleted(...all)).transactionId;

/** Something that is done with each of some transactions. */
export const transactionScene = (
	kind: Kind,
	make: Make,
	effects: string[],
	parameters: IDataObject = {},
): FaultScene =>
	sceneOf(kind, BOTH, {
		make: async (...all) => ({ id: await make(...all) }),
		parameters: (platform) => ({
			platform,
			transactionId: chosen('id'),
			...parameters,
		}),
		effects: (index) => effects.map((effect) => ({ kind: effect, marker: markerOf(index) })),
	});

const nameOf = (index: number) => `Case ${index}`;

/** Something that is created. It carries a reference of the node. */
export const createScene = (platform: Platform, parameters: IDataObject): FaultScene =>
	sceneOf('create', [platform], {
		make: async (_service, _platform, index) => ({ name: nameOf(index), case: markerOf(index) }),
		parameters: () => parameters,
		effects: (index) => [{ kind: 'transaction.created', marker: nameOf(index) }],
	});

/** Something that is done with each of some documents. */
export const documentScene = (
	kind: Kind,
	make: Made,
	effect: ((index: number) => Wanted) | undefined,
	parameters: IDataObject = {},
): FaultScene =>
	sceneOf(kind, BOTH, {
		make: async (service, platform, index) => ({
			...(await make(service, platform, index)),
			name: `Renamed ${index}`,
		}),
		parameters: (platform) => ({
			platform,
			transactionId: chosen('transactionId'),
			documentId: chosen('documentId'),
			...parameters,
		}),
		effects: (index) => (effect ? [effect(index)] : []),
	});

export const BORROWERS = {
	row: [{ first_name: 'Ann', middle_name: '', last_name: 'Able', ssn: SSN }],
};

/** Something that is done with the eNote of each of some closings. */
export const enoteScene = (
	kind: Kind,
	effect: string,
	parameters: IDataObject,
	hasEnote: boolean,
): FaultScene => ({
	kind,
	platforms: ['realEstate'],
	async build(service, platform: Platform, count) {
		const made = await repeat(count, async (index) => {
			const id = await makeDraft(service, platform, index);
			if (hasEnote) await makeEnote(service, id);
			return { id };
		});
		return {
			parameters: { transactionId: chosen('id'), ...parameters },
			items: itemsOf(made),
			effects: made.map(({ id }) => [{ kind: effect, marker: id }]),
		};
	},
});

/** Something that is read of each of some notarization records. */
export const recordScene = (kind: Kind, parameters: IDataObject = {}): FaultScene =>
	sceneOf(kind, BOTH, {
		make: makeCompleted,
		parameters: (platform) => ({
			platform,
			recordId: chosen('recordId'),
			...parameters,
		}),
	});

export const urlOf = (index: number, end = '') => `https://example.com/hook-${index}${end}`;

/** Something that is done with each of some webhooks. */
export const webhookScene = (
	kind: Kind,
	effect: string | undefined,
	parameters: IDataObject = {},
	end = '',
): FaultScene =>
	sceneOf(kind, ['realEstate'], {
		make: async (service, _platform, index) => ({
			id: await makeWebhook(service, index),
			url: urlOf(index, end),
		}),
		parameters: () => ({ webhookId: chosen('id'), ...parameters }),
		effects: (index) => (effect === undefined ? [] : [{ kind: effect, marker: urlOf(index, end) }]),
	});

/** Reads the event records of a webhook that has some. */
export const eventsScene = (arrived: boolean): FaultScene => ({
	kind: 'list',
	platforms: ['realEstate'],
	async build(service, platform, count) {
		const made = await repeat(count, async (index) => ({ id: await makeWebhook(service, index) }));
		await repeat(3, async (index) => await makeDraft(service, platform, index));
		for (const webhook of service.state.webhooks.values())
			for (const record of webhook.events) record.response.code = arrived ? 200 : 500;
		return {
			parameters: { webhookId: chosen('id'), returnAll: true, filters: {} },
			items: itemsOf(made),
			effects: noEffects(count),
		};
	},
});

export const REFINANCE_IN_FAIRFAX = {
	transactionType: 'refinance',
	addressLine1: '1 Main St',
	addressLine2: '',
	addressCity: 'Fairfax',
	addressState: 'VA',
	addressZipCode: '22030',
};

export const placeScene = (
	parameters: IDataObject,
	kind: FaultScene['kind'] = 'list',
): FaultScene => ({
	kind,
	platforms: ['realEstate'],
	build: async (_service, _platform, count) => ({
		parameters,
		items: numbered(count),
		effects: noEffects(count),
	}),
});
