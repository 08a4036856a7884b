import { expect, test } from '@jest/globals';

import {
	checkExpression,
	pullExpression,
} from '../../../nodes/SignAndClose/trigger/maintenance.ts';

/** When a published trigger looks at the service. */

const nodeOf = (id: string, workflowId = 'w', instanceId = 'i') =>
	({
		getInstanceId: () => instanceId,
		getWorkflow: () => ({ id: workflowId }),
		getNode: () => ({ id }),
	}) as unknown as Parameters<typeof checkExpression>[0];

test('a node checks every 15 minutes, always at the same second', () => {
	const expression = checkExpression(nodeOf('a'));
	expect(checkExpression(nodeOf('a'))).toBe(expression);
	const [second, minutes, ...rest] = expression.split(' ');
	const each = minutes.split(',').map(Number);
	expect(rest).toEqual(['*', '*', '*', '*']);
	expect(Number(second)).toBeLessThan(60);
	expect(each.map((minute) => minute - each[0])).toEqual([0, 15, 30, 45]);
	expect(each[0]).toBeLessThan(15);
	for (const other of [nodeOf('b'), nodeOf('a', 'x'), nodeOf('a', 'w', 'j')])
		expect(checkExpression(other)).not.toBe(expression);
});

test('the checks of 1,000 nodes are spread over all minutes and seconds', () => {
	const starts = Array.from({ length: 1_000 }, (_, index) =>
		checkExpression(nodeOf(`node-${index}`)).split(' '),
	);
	const counts = (position: 0 | 1) => {
		const count = new Map<string, number>();
		for (const start of starts) count.set(start[position], (count.get(start[position]) ?? 0) + 1);
		return count;
	};
	expect([counts(0).size, counts(1).size]).toEqual([60, 15]);
	expect(Math.max(...counts(0).values())).toBeLessThan(45);
	expect(Math.max(...counts(1).values())).toBeLessThan(110);
});

test('in pull mode, a node reads every minute, at the second of its checks', () => {
	const [second] = checkExpression(nodeOf('a')).split(' ');
	expect(pullExpression(nodeOf('a'))).toBe(`${second} * * * * *`);
});
