import {
	defineOperation,
	type Operation,
	type OperationCall,
	type OperationResult,
} from '../../../nodes/SignAndClose/run/operation.ts';
import { UNCERTAIN, type Look, type Verdict } from '../../../nodes/SignAndClose/run/goals.ts';

/** How a write is looked up that a test makes up; by default, nothing shows it. */
export interface LookUp {
	lookUp?(call: OperationCall, how: Look): Promise<Verdict<OperationResult>>;
	toCheck?(call: OperationCall): string;
}

export const goalOf = ({ lookUp, toCheck }: LookUp, call: OperationCall) => ({
	toCheck: toCheck?.(call) ?? 'Check whether it was done',
	...(lookUp && { look: async (how: Look) => await lookUp(call, how) }),
});

/** An operation that a test makes up, to see what the code around operations makes of it. */
export const madeUpOperation = ({
	execute = async () => [],
	lookUp,
	toCheck,
	...own
}: Partial<Operation> & LookUp = {}): Operation =>
	defineOperation({
		resource: 'template',
		value: 'try',
		name: 'Try',
		action: 'Try template',
		description: 'Try something',
		kind: 'read',
		properties: [],
		execute,
		writer: {
			prepare: async () => undefined,
			execute,
			buildGoal: async (call) => ({
				fromAnswer: () => UNCERTAIN,
				...goalOf({ lookUp, toCheck }, call),
			}),
		},
		...own,
	});

/** Parameters of the node that choose an operation. */
export const choosing = ({ resource, value }: Operation) => ({ resource, operation: value });
