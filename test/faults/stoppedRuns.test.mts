import { operations } from '../../nodes/SignAndClose/resources/index.ts';
import { useBinaryMode } from '../support/engine.mts';
import { SCENES } from '../support/faultMatrix/scenes.mts';
import { followMessage, type StoppedCell } from './stopped.mts';

/**
 * When a run stops at one item, n8n shows nothing of the others. Whoever does what the message says
 * writes nothing twice, whichever operation it is.
 */

await useBinaryMode('filesystem');

const CORRECTION = 'transaction/correctSigner';
const WRITES = operations
	.filter(({ kind }) => kind === 'write')
	.map(({ resource, value }) => `${resource}/${value}`);

const cells: StoppedCell[] = Object.entries(SCENES)
	// A write that finds its work done writes nothing that could be lost.
	.filter(([name, { kind }]) => WRITES.includes(name.split('#')[0]) && kind !== 'read')
	.flatMap(([scene, { platforms }]) =>
		platforms.flatMap((platform): StoppedCell[] => {
			const cell = { scene, platform, step: 0, blow: 'lost' as const };
			if (scene !== CORRECTION) return [cell];
			// Recalled, corrected, sent: each of them can be lost. Refused after the recall, it stands there.
			return [
				cell,
				{ ...cell, step: 1 },
				{ ...cell, step: 2 },
				{ ...cell, step: 1, blow: 'refused' },
			];
		}),
	);

test('every write is run', () => {
	const run = new Set(cells.map(({ scene }) => scene.split('#')[0]));
	expect(WRITES.filter((name) => !run.has(name))).toEqual([]);
});

test.each(cells)('$scene ($platform), write $step $blow', async (cell) => {
	const { deviations, said } = await followMessage(cell);
	expect({ deviations, said }).toEqual({ deviations: [], said });
});
