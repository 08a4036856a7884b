import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { RUN_DIR } from '../../../scripts/runtime.mjs';

/** What a test file has searched, for the table of `npm run canaries`. */
export interface Figures {
	/** What was searched: test file, or place. */
	title: string;
	canaries: number;
	/** Places, each with how many times, or in how many files, it was searched. */
	places: Record<string, number>;
	bytes: number;
	/** Finds where a secret may be, with the reason. */
	expected: number;
	/** Finds anywhere else. */
	leaks: number;
}

/** Writes the figures of a test file to where `npm run canaries` reads them. */
export function writeFigures(name: string, figures: Figures): void {
	const folder = join(RUN_DIR, 'results', 'canaries');
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, `${name}.json`), JSON.stringify(figures));
}
