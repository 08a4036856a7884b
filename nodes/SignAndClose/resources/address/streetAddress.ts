import type { IDataObject } from 'n8n-workflow';

import { withoutEmpty } from '../../values/json';

/* Postal addresses as the service takes them. */

/**
 * Builds the address of a property. The zip code goes under both of its names, `zip_code`
 * (documented) and `postal` (live services): docs/service/closings.md#address-of-the-property.
 * @returns only the parts that are filled in
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
