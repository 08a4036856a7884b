import { expect, test } from '@jest/globals';

import type { Cell } from '../../support/faultMatrix/cell.mts';
import { knownDeviation, unneededEntries } from '../../support/faultMatrix/known.mts';

/** The fault matrix excuses what is known, and nothing else for it. */

const cell = (scene: string, fault: string) => ({ scene, fault }) as Cell;
const OTHER = 'item 1 gives something else: a | b';
const IN_GZIP = cell('notarizationRecord/downloadVideo', 'compression:gzip-not-said/after');
const reason = knownDeviation(IN_GZIP, [OTHER])!;

test('a deviation is known by its scene, its fault and what it is', () => {
	expect(reason).toMatch(/^a picture or video in gzip/);
	expect(knownDeviation(IN_GZIP, [OTHER, 'fails instead of succeeds: …'])).toBeUndefined();
	const { scene, fault } = IN_GZIP;
	for (const one of [cell('document/download', fault), cell(scene, 'compression:gzip/after')])
		expect(knownDeviation(one, [OTHER])).toBeUndefined();
});

test('an entry is not needed when its fault was met and nothing deviated', () => {
	expect(unneededEntries([IN_GZIP.fault], [])).toEqual([reason]);
	expect(unneededEntries([IN_GZIP.fault], [`${reason}; and more`])).toEqual([]);
	expect(unneededEntries(['compression:gzip/after'], [])).toEqual([]);
});

test('every entry names faults that there are', () => {
	expect(unneededEntries([], [])).toEqual([]);
});
