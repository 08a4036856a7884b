import {
	defineOperation,
	type Operation,
	type OperationCall,
	type OperationResult,
} from '../../../nodes/SignAndClose/run/operation.ts';
import {
	done,
	UNKNOWN,
	type Look,
	type Seen,
} from '../../../nodes/SignAndClose/run/outcome/goals.ts';
import { defineWrite, Found } from '../../../nodes/SignAndClose/run/operation.ts';

/** How a write is looked up that a test makes up; by default, nothing shows it. */
interface LookUp {
	lookUp?(call: OperationCall, how: Look): Promise<Seen<OperationResult>>;
	toCheck?(call: OperationCall): string;
}

const goalOf = ({ lookUp, toCheck }: LookUp, call: OperationCall) => ({
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
		doing: {
			prepare: async () => undefined,
			execute,
			goal: async (call) => ({
				fromAnswer: () => UNKNOWN,
				...goalOf({ lookUp, toCheck }, call),
			}),
		},
		...own,
	});

/** A write that a test makes up. */
export const madeUpWrite = ({
	prepare = async () => undefined,
	send,
	...look
}: LookUp & {
	/** Gives what is there already. */
	prepare?(call: OperationCall): Promise<OperationResult | undefined>;
	send(call: OperationCall): Promise<OperationResult>;
}) =>
	defineWrite<object, OperationResult, undefined>({
		parse: () => ({}),
		async prepare(call) {
			const there = await prepare(call);
			return there && new Found(there);
		},
		send,
		goal: (call) => ({
			fromAnswer: (answer) => done(answer as OperationResult),
			...goalOf(look, call),
		}),
		result: (_call, shown) => shown,
	});

/** Parameters of the node that choose an operation. */
export const choosing = ({ resource, value }: Operation) => ({ resource, operation: value });
