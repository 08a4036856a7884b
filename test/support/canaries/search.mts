import { createRequire } from 'node:module';

import { canariesIn, CANARIES, textsIn, type Canary } from './canaries.mts';
import { writeFigures, type Figures } from './figures.mts';

/** Where n8n keeps or shows something. */
export type Place =
	| 'outputs'
	| 'files'
	| 'errors'
	| 'hints'
	| 'rest of the run'
	| 'log'
	| 'static data'
	| 'lists'
	| 'other host';

/** Which secret may be where, and why. Nothing else may be anywhere. */
const ALLOWED: Array<{ canary: Canary; place: Place; because: string }> = [
	{
		canary: 'accessToken',
		place: 'outputs',
		because:
			'links and tokens of signers are what a transaction holds (docs/security.md#what-is-never-shown)',
	},
	{
		canary: 'accessToken',
		place: 'rest of the run',
		because: 'n8n keeps outputs of writes for Retry On Fail, and what started the trigger',
	},
	{
		canary: 'callbackSecret',
		place: 'static data',
		because: 'the trigger recognizes calls by it (docs/trigger.md#whats-promised)',
	},
];

const require = createRequire(import.meta.url);
const { Logger } = require('@n8n/backend-common') as {
	Logger: { prototype: Record<string, () => void> };
};

/** Searches places for canaries, and counts. One test file has one. */
export class Search {
	/** What n8n's logger was given, at every level. */
	readonly logged: string[] = [];
	readonly #figures: Figures;

	constructor(title: string) {
		this.#figures = {
			title,
			canaries: Object.keys(CANARIES).length,
			places: {},
			bytes: 0,
			expected: 0,
			leaks: 0,
		};
	}

	/** Reads n8n's log from now on. */
	readLog(): void {
		// Of an error, n8n logs name, message, stack and cause. test/e2e/canaries reads its real log.
		for (const level of ['error', 'warn', 'info', 'debug'])
			jest.spyOn(Logger.prototype, level).mockImplementation((...said: unknown[]) => {
				this.logged.push(textsIn(said, ['parameters']));
			});
	}

	/** The canaries that are where they may not be, each with its place. */
	leaks(places: Partial<Record<Place, string>>): string[] {
		const figures = this.#figures;
		return (Object.entries(places) as Array<[Place, string]>).flatMap(([place, text]) => {
			figures.places[place] = (figures.places[place] ?? 0) + 1;
			figures.bytes += Buffer.byteLength(text);
			return canariesIn(text).flatMap((canary) => {
				const expected = ALLOWED.some((entry) => entry.canary === canary && entry.place === place);
				figures[expected ? 'expected' : 'leaks'] += 1;
				return expected ? [] : [`${canary} in ${place}`];
			});
		});
	}

	/** Writes the figures for `npm run canaries`. */
	write(name: string): void {
		writeFigures(name, this.#figures);
	}
}
