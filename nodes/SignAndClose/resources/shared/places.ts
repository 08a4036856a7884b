import type { INodeProperties } from 'n8n-workflow';

import { COUNTRIES, STATES, type Place } from './statesAndCountries';

/* States and countries to choose from. */

const toOptions = (places: readonly Place[]) =>
	places
		.map(([value, name]) => ({ name: `${name} (${value})`, value }))
		.sort((a, b) => a.name.localeCompare(b.name));

const states = toOptions(STATES);
const countries = toOptions(COUNTRIES);

const DESCRIPTION = 'An expression may return the name or the two-letter code';

/**
 * Builds the choice of a state.
 * @param description ends in a period if it has several sentences
 */
export function stateField(
	displayName: string,
	name: string,
	description = DESCRIPTION,
): INodeProperties {
	return { displayName, name, type: 'options', options: states, default: '', description };
}

/** Builds the choice of a country. */
export function countryField(
	displayName: string,
	name: string,
	description = DESCRIPTION,
): INodeProperties {
	return { displayName, name, type: 'options', options: countries, default: '', description };
}
