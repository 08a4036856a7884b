import { useBinaryMode } from '../support/engine.mts';
import { FAULTS } from '../support/faultMatrix/faults.mts';
import { shortPlan } from '../support/faultMatrix/plan.mts';
import { SCENES } from '../support/faultMatrix/scenes.mts';
import { describeFaults } from '../support/faultMatrix/suite.mts';
import { fixturePath, FIXTURES, OPERATION_NAMES } from '../support/matrix/index.mts';

/**
 * Every operation at a service that fails: each request of an operation is struck by faults of every
 * group, and what becomes of the item is compared with the table of outcomes. This is the short
 * form; `npm run faults` runs every combination.
 */

await useBinaryMode('filesystem');
const cells = await shortPlan();

test('every operation has a scene', () => {
	const without = OPERATION_NAMES.filter(
		(name) => SCENES[name] === undefined && FIXTURES[name].offline !== true,
	);
	expect(without.map((name) => `${fixturePath(name)} exports no faultScene`)).toEqual([]);
});

test('the short form meets every operation, fault and variant', () => {
	const light = FAULTS.filter(({ heavy }) => !heavy).map(({ name }) => name);
	expect(light.filter((name) => !cells.some(({ fault }) => fault === name))).toEqual([]);
	for (const name of Object.keys(SCENES)) {
		const its = cells.filter(({ scene }) => scene === name);
		const variants = its.map(({ items, retries }) => `${items} ${retries}`);
		expect({ name, variants: new Set(variants).size }).toEqual({ name, variants: 4 });
	}
});

describeFaults(cells);
