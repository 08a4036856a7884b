import {
	defineWrite,
	ExistingResult,
	type OperationCall,
	type OperationResult,
} from '../../../nodes/SignAndClose/run/operation.ts';
import { reportDone } from '../../../nodes/SignAndClose/run/goals.ts';
import { goalOf, type LookUp } from '../../support/madeUp/operation.mts';

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
			return there && new ExistingResult(there);
		},
		send,
		goal: (call) => ({
			fromAnswer: (answer) => reportDone(answer as OperationResult),
			...goalOf(look, call),
		}),
		result: (_call, shown) => shown,
	});
