import type { IDataObject } from 'n8n-workflow';

/** The address of a property; the city comes from the item. */
export const ADDRESS = {
	transactionType: 'refinance',
	addressLine1: '1 Main St',
	addressCity: '={{ $json.city }}',
	addressState: '={{ $json.state }}',
	addressZipCode: '01101',
};
/** Three items with a city each, and the jurisdiction of each city. */
export const CITIES = {
	items: ['Boston', 'Salem', 'Quincy'].map((city) => ({ json: { city, state: 'MA' } })),
	mark: (json: IDataObject) => json.recording_jurisdiction_id,
	expected: ['rlboston', 'rlsalem', 'rlquincy'],
	broken: { state: 'Bay State' },
};

/** An address with each field filled in. */
export const FULL_ADDRESS = {
	transactionType: 'refinance',
	addressLine1: '1 Main St',
	addressLine2: 'Unit 2',
	addressCity: 'Boston',
	addressState: 'MA',
	addressZipCode: '02110',
	additionalFields: { country: 'us', organization_id: 'or_harbor' },
};
