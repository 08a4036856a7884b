import type { IDataObject } from 'n8n-workflow';

import { withoutEmpty } from './json';

/**
 * Postal address of a closing: the documented zip_code and its live name postal, both (gaps.md §3).
 */
export function toStreetAddress(address: {
	line1?: string;
	line2?: string;
	city?: string;
	state?: string;
	zipCode?: string;
}): IDataObject {
	const { line1, line2, city, state, zipCode } = address;
	return withoutEmpty({
		line1,
		line2,
		city,
		state: state?.toUpperCase(),
		zip_code: zipCode,
		postal: zipCode,
	});
}
