import { useBinaryMode } from '../support/engine.mts';
import {
	perform,
	requestOf,
	runCell,
	sameRequest,
	stage,
	undisturbed,
	type Cell,
	type Request,
} from '../support/faultMatrix/cell.mts';
import { judge } from '../support/faultMatrix/judge.mts';
import { statesOf } from '../support/faultMatrix/observe.mts';
import { SCENES } from '../support/faultMatrix/scenes.mts';
import { altered, faults, json } from '../support/faultService/faults/build.mts';
import type { Fault, Platform, RequestEntry, Target } from '../support/faultService/types.mts';
import { forEachCase } from '../support/forEachCase.mts';

/**
 * Answers about another thing than the one that was asked for, of every request of every operation
 * that has an ID in its path: nobody is given them, and nothing counts as done because of them.
 */

await useBinaryMode('filesystem');

const isOfOne = ({ path, kind }: Request) =>
	path.includes('/:id') && (kind === 'object' || kind === 'encoded');

const PLAYED = Object.entries(SCENES).flatMap(([name, { platforms }]) =>
	platforms.map((platform) => [name, platform] as const),
);

test.each(PLAYED)('%s on %s: an answer with another ID', async (scene, platform) => {
	const { requests } = await undisturbed(scene, platform);
	await forEachCase(requests.filter(isOfOne), async (request) => {
		const cell: Cell = {
			scene,
			platform,
			fault: 'shape:id-of-another/after',
			request,
			items: 1,
			retries: false,
			onError: 'continueRegularOutput',
		};
		expect(judge(await runCell(cell)).deviations).toEqual([]);
	});
});

/** A new document or eNote has an ID of its own. */
const isWriteOfOne = (request: Request) =>
	isOfOne(request) && request.method !== 'GET' && !/\/(documents|enote)$/.test(request.path);

/** Runs a scene, one request of which is struck. */
async function struck(scene: string, platform: Platform, fault: Fault) {
	const { service, scene: staged } = await stage(scene, platform, 1);
	try {
		service.inject({ fault });
		const outcome = await perform(service, scene, staged, { onError: 'continueRegularOutput' });
		const [{ state }] = statesOf({ outcome, scene: staged });
		const isDone = staged.effects[0].every(({ kind, marker }) =>
			service.effects.some((effect) => effect.kind === kind && effect.marker === marker),
		);
		return { state, isDone };
	} finally {
		await service.close();
	}
}

test.each(PLAYED)(
	'%s on %s: nothing is done, and another one is shown',
	async (scene, platform) => {
		const { requests } = await undisturbed(scene, platform);
		await forEachCase(requests.filter(isWriteOfOne), async (request) => {
			const fits = ({ method, host, path }: Target) =>
				sameRequest(request, requestOf({ method, host, path } as RequestEntry));
			let wanted: any;
			const noted = altered((value) => (wanted ??= value));
			await struck(scene, platform, faults('shape', 'after', 'odd', fits, { noted })[0]);
			const another = json({ ...wanted, id: `${wanted.id.slice(0, 3)}another` });
			const { state, isDone } = await struck(
				scene,
				platform,
				faults('shape', 'before', 'odd', fits, { another })[0],
			);
			if (state === 'done') expect(isDone).toBe(true);
		});
	},
);
