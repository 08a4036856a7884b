import { useBinaryMode } from '../support/engine.mts';
import { isAsPromised, runLate, someLateCells } from './lateAnswers.mts';

/** Some writes that are done later or never, at their real times. They wait side by side. */

await useBinaryMode('filesystem');

const cells = await someLateCells(
	1,
	({ fault, actor }) => !fault.endsWith('after') && !/^(stopped|killed)/.test(actor),
);

test('twenty writes whose answer is lost are done once at most and told right', async () => {
	const results = await Promise.all(
		cells.slice(0, 20).map(async (cell) => await runLate(cell, 1_000)),
	);
	expect(results).toHaveLength(20);
	expect(results.filter((one) => !isAsPromised(one))).toEqual([]);
});
