import fc from 'fast-check';

import { useBinaryMode } from '../../../support/engine.mts';
import { startKeptService } from '../../../support/keptService/index.mts';
import { differencesOf } from './differences.mts';
import { pairOn } from './generate.mts';
import { play } from './play.mts';

/** The judge of the pairs is judged itself: by what the node makes of an item that is new. */

beforeAll(async () => await useBinaryMode('filesystem'));

test.each(['business', 'realEstate'] as const)(
	'on %s, an item that is sent as it is differs in nothing',
	async (platform) => {
		await using service = await startKeptService();
		let number = 0;
		await fc.assert(
			fc.asyncProperty(pairOn(platform), async ({ second }) => {
				// A lender needs an agency, whatever the changes have emptied.
				const agency = platform === 'business' ? {} : { title_agency: 'or_agency_harbor' };
				const item = { ...second, fields: { ...agency, ...second.fields } };
				const { failure, sent } = await play(service, platform, `LN-${++number}`, item, {
					then: 'send',
				});
				expect([failure, sent.length]).toEqual([undefined, 1]);
				expect(differencesOf(item, sent[0])).toEqual([]);
			}),
			{ numRuns: 30, seed: 1 },
		);
	},
);

test('what differs is found, each kind', async () => {
	await using service = await startKeptService();
	let number = 0;
	const found = new Set<string>();
	await fc.assert(
		fc.asyncProperty(pairOn('realEstate'), async ({ first, second }) => {
			const { sent } = await play(service, 'realEstate', `LN-${++number}`, first, { then: 'send' });
			for (const { about, kind } of differencesOf(second, sent[0])) found.add(`${about} ${kind}`);
		}),
		{ numRuns: 120, seed: 1 },
	);
	expect([...found].sort()).toEqual(
		expect.arrayContaining([
			'document different',
			'document extra',
			'document missing',
			'enote different',
			'enote missing',
			'field different',
			'person different',
			'person extra',
			'person missing',
			'property different',
			'rule different',
		]),
	);
});
