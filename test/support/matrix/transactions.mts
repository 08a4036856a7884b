import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox/index.mts';
import {
	draftClosing,
	each,
	finishedClosing,
	ids,
	locator,
	type Fixture,
	type Scene,
} from './scene.mts';

/** Helpers for the fixtures of operations on transactions. */

export const RETRIEVE = { method: 'GET', path: /\/transactions\/[^/]+$/ };
export const REAL_ESTATE = { platform: 'realEstate' };

/** The scene of something that is done to each of three transactions. */
export function eachTransaction(
	make: (sandbox: Sandbox) => Promise<string>,
	request: Scene['request'],
	parameters: IDataObject = {},
): Fixture['build'] {
	return async (sandbox) => {
		const made = await each(async () => await make(sandbox));
		return {
			parameters: { ...REAL_ESTATE, ...parameters, transactionId: locator('id') },
			items: ids(made),
			request,
			mark: (json) => json.transaction_id,
			expected: made,
			broken: { id: 'unknown' },
		};
	};
}

/** Makes a closing that can be sent, and gives its ID. */
export const draftId = async (sandbox: Sandbox) => (await draftClosing(sandbox)).transactionId;
/** Makes a completed closing, and gives its ID. */
export const completedId = async (sandbox: Sandbox) =>
	(await finishedClosing(sandbox)).transactionId;
