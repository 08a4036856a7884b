import type { IDataObject } from 'n8n-workflow';

import { BOTH, chosen, eachOf, noEffects, numbered, type FaultScene } from '../scene.mts';
import { makeDraft } from '../setup.mts';

/** The scenes of look-ups that nothing changes, and of the account. */

const ADDRESS = {
	transactionType: 'refinance',
	addressLine1: '1 Main St',
	addressLine2: '',
	addressCity: 'Fairfax',
	addressState: 'VA',
	addressZipCode: '22030',
};

const asked = (parameters: IDataObject, kind: FaultScene['kind'] = 'list'): FaultScene => ({
	kind,
	platforms: ['realEstate'],
	build: async (_service, _platform, count) => ({
		parameters,
		items: numbered(count),
		effects: noEffects(count),
	}),
});

export const placeScenes: Record<string, FaultScene> = {
	'address/verify': asked(ADDRESS),
	'recordingJurisdiction/getAll': asked({ ...ADDRESS, returnAll: true }),
	'titleAgency/getAll': asked({ returnAll: true, filters: { email: 'agent@example.com' } }),
	'underwriter/getAll': asked({
		transactionType: 'refinance',
		addressState: 'VA',
		returnAll: true,
		filters: {},
	}),
	'template/getAll': asked({ returnAll: true }),
	'notary/getAll': asked({ returnAll: true, filters: {} }),
	'notary/get': eachOf('read', BOTH, {
		make: async ({ state }, _platform, index) => ({
			id: state.addNotary({ first_name: 'Vera', last_name: `Vow ${index}`, us_state_abbr: 'VA' })
				.id,
		}),
		parameters: (platform) => ({ platform, notaryId: chosen('id') }),
	}),
	'notary/getEligible': eachOf('list', BOTH, {
		make: async (...all) => ({ id: await makeDraft(...all) }),
		parameters: (platform) => ({ platform, transactionId: chosen('id'), returnAll: true }),
	}),
	'account/check': asked({ checkedPlatforms: 'both' }, 'read'),
};
