import {
	COUNTRIES,
	parseCountry,
	parseState,
	STATES,
} from '../../../nodes/SignAndClose/form/statesAndCountries.ts';
import { forEachCase } from '../../support/forEachCase.mts';

/** States and countries, by their codes and by what people write. */

test.each([
	['MA', 'MA'],
	[' ma ', 'MA'],
	['new-york', 'NY'],
	['Washington, D.C.', 'DC'],
	['Washington', 'WA'],
	['West Virginia', 'WV'],
	['W.Va.', 'WV'],
	['Mass.', 'MA'],
	['D.C.', 'DC'],
	['AE', 'AE'],
	// A code that isn't in the list is left to the service.
	['XX', 'XX'],
])('the state %j is %j', (text, code) => expect(parseState(text, 'State')).toBe(code));

test.each([
	['us', 'US'],
	['USA', 'US'],
	['united states of america', 'US'],
	['UK', 'GB'],
	['Côte d’Ivoire', 'CI'],
])('the country %j is %j', (text, code) => expect(parseCountry(text, 'Country')).toBe(code));

test.each(['USA', 'America', 'U.K.'])('the country %j is no state', (text) =>
	expect(() => parseState(text, 'State')).toThrow(/^'State' is/),
);
test('a state that has to be known is', () =>
	expect(() => parseState('UK', 'State', true)).toThrow(/^'State' is 'UK', which isn't a state/));

test.each(['Bay State', 'M', '12'])('%j is neither', (text) => {
	forEachCase([parseState, parseCountry], (parse) =>
		expect(() => parse(text, 'Place')).toThrow(/^'Place' is .*, which isn't a (state|country)$/),
	);
});

test('every name leads to its code, and no code is there twice', () => {
	expect(STATES).toHaveLength(56);
	expect(new Set(COUNTRIES.map(([code]) => code)).size).toBe(249);
	for (const [places, parse] of [
		[STATES, parseState],
		[COUNTRIES, parseCountry],
	] as const)
		for (const [code, name] of places) expect([name, parse(name, '')]).toEqual([name, code]);
});
