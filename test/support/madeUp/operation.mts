import { defineOperation, type Operation } from '../../../nodes/SignAndClose/run/operation.ts';
import { UNKNOWN } from '../../../nodes/SignAndClose/run/outcome/goals.ts';

/** An operation that a test makes up, to see what the code around operations makes of it. */
export const madeUpOperation = ({
	execute = async () => [],
	...own
}: Partial<Operation> = {}): Operation =>
	defineOperation({
		resource: 'template',
		value: 'try',
		name: 'Try',
		action: 'Try template',
		description: 'Try something',
		kind: 'read',
		properties: [],
		execute,
		// As a write, nothing looks it up.
		doing: { ...NO_LOOK, execute },
		...own,
	});

const NO_LOOK = {
	prepare: async () => undefined,
	goal: async () => ({ fromAnswer: () => UNKNOWN, toCheck: 'Check whether it was done' }),
};

/** Parameters of the node that choose an operation. */
export const choosing = ({ resource, value }: Operation) => ({ resource, operation: value });
