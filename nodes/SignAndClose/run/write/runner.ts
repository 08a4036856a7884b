import { ExistingResult, type AnyWrite, type Writer, type OperationCall } from '../operation';
import { reportDone, UNCERTAIN, type Goal } from '../goals';
import { write } from './write';

/** Derives how a write is done, and looked up. It's parsed and prepared once, however often it's asked. */
export function deriveWriter(spec: AnyWrite): Writer {
	let parsedInput: Promise<unknown> | undefined;
	let preparation: Promise<unknown> | undefined;
	const parseOnce = async (call: OperationCall): Promise<unknown> =>
		await (parsedInput ??= Promise.resolve(call).then(spec.parse));
	const prepareOnce = async (call: OperationCall): Promise<unknown> =>
		await (preparation ??= parseOnce(call).then(
			async (input) => await spec.prepare?.(call, input),
		));
	return {
		async prepare(call) {
			const prepared = await prepareOnce(call);
			return prepared instanceof ExistingResult ? prepared.result : undefined;
		},
		async execute(call) {
			const [input, prepared] = [await parseOnce(call), await prepareOnce(call)];
			if (prepared instanceof ExistingResult) return prepared.result;
			const value = await write<unknown>(
				call.service,
				async () => await spec.send(call, input, prepared),
				acceptExisting(spec.goal(call, input, prepared)),
				spec.repeats,
			);
			return value instanceof ExistingResult
				? value.result
				: await spec.result(call, value, input, prepared);
		},
		async buildGoal(call) {
			const input = await parseOnce(call);
			const goal = spec.goal(call, input);
			return {
				...goal,
				fromAnswer: () => UNCERTAIN,
				look:
					goal.look &&
					(async (context) => {
						const seen = await goal.look!(context);
						return seen?.state === 'done'
							? reportDone(await spec.result(call, seen.value, input))
							: seen;
					}),
			};
		},
	};
}

/** The same goal, which is reached as well if there's nothing to write. */
const acceptExisting = (goal: Goal<unknown>): Goal<unknown> => ({
	...goal,
	fromAnswer: (answer, isAnswered) =>
		answer instanceof ExistingResult ? reportDone(answer) : goal.fromAnswer(answer, isAnswered),
});
