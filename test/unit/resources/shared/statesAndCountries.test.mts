import { describe, expect, test } from '@jest/globals';

import {
	COUNTRIES,
	countryIn,
	STATES,
	stateIn,
} from '../../../../nodes/SignAndClose/resources/shared/statesAndCountries.ts';

describe('states', () => {
	test.each([
		['MA', 'MA'],
		[' ma ', 'MA'],
		['Massachusetts', 'MA'],
		['NEW YORK', 'NY'],
		['new-york', 'NY'],
		['District of Columbia', 'DC'],
		['Washington, D.C.', 'DC'],
		['Washington', 'WA'],
		['West Virginia', 'WV'],
		// A code that isn't in the list is left to the service.
		['AE', 'AE'],
		['Bay State', undefined],
		['Bay State', undefined],
		['M', undefined],
		['12', undefined],
	])('%j is %j', (text, code) => expect(stateIn(text)).toBe(code));
	test('every name leads to its code', () => {
		expect(STATES).toHaveLength(56);
		for (const [code, name] of STATES) expect([name, stateIn(name)]).toEqual([name, code]);
	});
});

describe('countries', () => {
	test.each([
		['us', 'US'],
		['USA', 'US'],
		['United States', 'US'],
		['united states of america', 'US'],
		['Germany', 'DE'],
		['UK', 'GB'],
		['Côte d’Ivoire', 'CI'],
		['Freedonia', undefined],
	])('%j is %j', (text, code) => expect(countryIn(text)).toBe(code));
	test('every name leads to its code, and no code is there twice', () => {
		expect(new Set(COUNTRIES.map(([code]) => code)).size).toBe(249);
		for (const [code, name] of COUNTRIES) {
			expect(name).not.toBe(code);
			expect([name, countryIn(name)]).toEqual([name, code]);
		}
	});
});
