import { startSandbox } from '../../../sandbox/index.mts';
import { SWITCH_VALUES, type Switches } from '../../../sandbox/world/config.mts';
import { credentialFor, runNode, useBinaryMode } from '../../support/engine.mts';
import { ALL_FIXTURES } from '../../support/matrix/index.mts';
import { pairwise } from './pairwise.mts';

/**
 * Every operation at services that decide differently where nobody says what a live one does. Each
 * switch has each of its values on every operation, and every two switches have each combination of
 * their values.
 */

const COMBINATIONS = pairwise(SWITCH_VALUES);

test('every two switches meet in each combination of their values', () => {
	const names = Object.keys(SWITCH_VALUES) as Array<keyof Switches>;
	for (const one of names)
		for (const other of names.filter((name) => name > one))
			for (const first of SWITCH_VALUES[one])
				for (const second of SWITCH_VALUES[other])
					expect([
						one,
						first,
						other,
						second,
						COMBINATIONS.some((row) => row[one] === first && row[other] === second),
					]).toEqual([one, first, other, second, true]);
});

describe.each(COMBINATIONS.map((switches, index) => [index + 1, switches] as const))(
	'combination %i',
	(_number, switches) => {
		test.each(Object.keys(ALL_FIXTURES))('%s', async (name) => {
			await useBinaryMode('filesystem');
			const [resource, operation] = name.split(/[/#]/);
			const { outputs: most = 1, build } = ALL_FIXTURES[name];
			const outputs = name === 'document/getAll' && !switches.consentForms ? 1 : most;
			const sandbox = await startSandbox({ filesOrigin: 'separate', switches, processingMs: 0 });
			try {
				const scene = await build(sandbox);
				const { items, error } = await runNode({
					credential: credentialFor(sandbox.url, { pathLayout: 'current' }),
					parameters: { ...scene.parameters, resource, operation },
					items: scene.items,
				});
				expect(error).toBeUndefined();
				expect(items.map(({ json }) => scene.mark(json))).toEqual(
					scene.expected.flatMap((value) =>
						Array.isArray(value) ? value : Array.from({ length: outputs }, () => value),
					),
				);
				expect(sandbox.problems).toEqual([]);
			} finally {
				await sandbox.close();
			}
		});
	},
);
