import { defineOperation, type Operation } from '../../../nodes/SignAndClose/run/operation.ts';

/** An operation that a test makes up, to see what the code around operations makes of it. */
export const madeUpOperation = (own: Partial<Operation> = {}): Operation =>
	defineOperation({
		resource: 'template',
		value: 'try',
		name: 'Try',
		action: 'Try template',
		description: 'Try something',
		kind: 'read',
		properties: [],
		execute: async () => [],
		...own,
	});

/** Parameters of the node that choose an operation. */
export const choosing = ({ resource, value }: Operation) => ({ resource, operation: value });
