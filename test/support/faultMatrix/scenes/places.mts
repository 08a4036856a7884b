import type { IDataObject } from 'n8n-workflow';

import { noEffects, numbered, type FaultScene } from '../scene.mts';

/** The scenes of look-ups that nothing changes. */

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
};
