import type { INodeProperties } from 'n8n-workflow';

import { COUNTRIES, STATES, type Place } from '../../service/values/places';
import { text } from '../shared/builders';
import { shownIf, VERSION_1, VERSION_2 } from './versions';

/*
 * States and countries to choose from. In version 1 they're texts, and workflows store whatever was
 * typed there.
 */

const toOptions = (places: readonly Place[]) =>
	places
		.map(([value, name]) => ({ name: `${name} (${value})`, value }))
		.sort((a, b) => a.name.localeCompare(b.name));

const states = toOptions(STATES);
const countries = toOptions(COUNTRIES);

/** A field that was a text in version 1, and is a choice since. */
function chosen(
	typed: INodeProperties,
	options: INodeProperties['options'],
	description: string,
): INodeProperties[] {
	const choice = { ...typed, type: 'options' as const, options, description };
	return [shownIf(VERSION_1, typed), shownIf(VERSION_2, { ...choice, placeholder: undefined })];
}

/**
 * Builds the choice of a state.
 * @param description of the choice; ends in a period if it has several sentences
 * @param typed what else the text of version 1 has
 */
export function stateFields(
	displayName: string,
	name: string,
	description = 'An expression may return the name or the two-letter code',
	typed: Partial<INodeProperties> = {},
): INodeProperties[] {
	const written = { ...text(displayName, name, 'MA', 'Two-letter code'), ...typed };
	return chosen(written, states, description);
}

/** Builds the choice of a country. */
export function countryFields(
	displayName: string,
	name: string,
	description = 'An expression may return the name or the two-letter code',
	typed: Partial<INodeProperties> = {},
): INodeProperties[] {
	const written = { ...text(displayName, name, 'US', 'Two-letter code'), ...typed };
	return chosen(written, countries, description);
}
