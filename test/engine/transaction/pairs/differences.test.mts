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
				// Nothing is sent to nobody, and a lender needs an agency.
				const item = {
					...second,
					fields: { title_agency: 'or_agency_harbor', ...second.fields },
				};
				if (platform === 'business') delete item.fields.title_agency;
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
		{ numRuns: 40, seed: 1 },
	);
	expect([...found].sort()).toEqual([
		'document different',
		'document extra',
		'document missing',
		'enote different',
		'enote missing',
		'field different',
		'field missing',
		'person different',
		'person extra',
		'person missing',
		'property different',
		'rule different',
	]);
});
