import { Found, type AnyWrite, type Doing, type OperationCall } from './operation';
import { done, UNKNOWN } from './outcome/goals';
import { write } from './outcome/write';

/** Derives how a write is done, and looked up. It's parsed and prepared once, however often it's asked. */
export function doingOf(own: AnyWrite): Doing {
	let wish: Promise<unknown> | undefined;
	let ready: Promise<unknown> | undefined;
	const parsed = async (call: OperationCall): Promise<unknown> =>
		await (wish ??= Promise.resolve(call).then(own.parse));
	const prepared = async (call: OperationCall): Promise<unknown> =>
		await (ready ??= parsed(call).then(async (said) => await own.prepare?.(call, said)));
	return {
		async prepare(call) {
			const known = await prepared(call);
			return known instanceof Found ? known.result : undefined;
		},
		async execute(call) {
			const [said, known] = [await parsed(call), await prepared(call)];
			if (known instanceof Found) return known.result;
			const goal = own.goal(call, said, known);
			const shown = await write<unknown>(
				call.service,
				async () => await own.send(call, said, known),
				{
					...goal,
					fromAnswer: (answer, answered) =>
						answer instanceof Found ? done(answer) : goal.fromAnswer(answer, answered),
				},
				own.repeats,
			);
			return shown instanceof Found ? shown.result : await own.result(call, shown, said, known);
		},
		async goal(call) {
			const said = await parsed(call);
			const goal = own.goal(call, said);
			return {
				...goal,
				fromAnswer: () => UNKNOWN,
				look:
					goal.look &&
					(async (how) => {
						const seen = await goal.look!(how);
						return seen?.state === 'done' ? done(await own.result(call, seen.shown, said)) : seen;
					}),
			};
		},
	};
}
