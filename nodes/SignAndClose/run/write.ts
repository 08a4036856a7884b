import type { Doing, OperationCall, OperationResult } from './operation';
import { done, UNKNOWN, write, type Goal, type Look, type Seen } from './outcome/goals';

/* A write is said once, in four functions. How it's done and how it's looked up are derived from them. */

/** Nothing has to be written: what is there is the result. */
export class Found {
	constructor(readonly result: OperationResult) {}
}

/**
 * A write of an item, or of one of its parts.
 * @template Wish what the item says
 * @template Shown what the service shows when it's done
 * @template Ready what was read of the service before
 */
export interface Write<Wish, Shown, Ready = undefined> {
	/**
	 * Parses and checks what the item says, once in each try.
	 * @throws InputFailure when a parameter can't be used
	 */
	parse(call: OperationCall): Wish | Promise<Wish>;
	/**
	 * Reads what the write needs. It's done before anything of the item is written, and not for a look-up.
	 * @throws InputFailure, ServiceFailure; nothing was sent
	 */
	prepare?(call: OperationCall, wish: Wish): Promise<Ready | Found>;
	/**
	 * Sends the request, after whatever has to come right before it.
	 * @returns the parsed answer, or what was found instead
	 */
	send(call: OperationCall, wish: Wish, ready: Ready): Promise<unknown>;
	/**
	 * What the write is to bring about.
	 * @param ready undefined for the look-up of a later try
	 */
	goal(call: OperationCall, wish: Wish, ready?: Ready): Goal<Shown>;
	/** What comes out of what the service shows. */
	result(
		call: OperationCall,
		shown: Shown,
		wish: Wish,
		ready?: Ready,
	): OperationResult | Promise<OperationResult>;
	/** Whether the write, done twice, is done once: after a lost answer, it's sent again at once. */
	repeats?: true;
}

/** A write of any kind. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyWrite = Write<any, any, any>;

/** Declares a write, so that its four functions fit each other. */
export const defineWrite = <Wish, Shown, Ready = undefined>(
	own: Write<Wish, Shown, Ready>,
): Write<Wish, Shown, Ready> => own;

/** Derives how a write is done, and looked up. It's parsed and prepared once, however often it's asked. */
export function doingOf(own: AnyWrite): Doing {
	let wish: Promise<unknown> | undefined;
	let ready: Promise<unknown> | undefined;
	const parsed = async (call: OperationCall): Promise<unknown> =>
		await (wish ??= Promise.resolve(call).then(own.parse));
	const prepared = async (call: OperationCall): Promise<unknown> =>
		await (ready ??= parsed(call).then(
			async (said) => (await own.prepare?.(call, said)) as unknown,
		));
	return {
		async prepare(call) {
			const known = await prepared(call);
			return known instanceof Found ? known.result : undefined;
		},
		async execute(call) {
			const [said, known] = [await parsed(call), await prepared(call)];
			if (known instanceof Found) return known.result;
			const goal = own.goal(call, said, known) as Goal<unknown>;
			const shown = await write<unknown>(
				call.service,
				async () => (await own.send(call, said, known)) as unknown,
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
			const goal = own.goal(call, said) as Goal<unknown>;
			const look = async (how: Look): Promise<Seen<OperationResult> | undefined> => {
				const seen = await goal.look!(how);
				return seen?.state === 'done' ? done(await own.result(call, seen.shown, said)) : seen;
			};
			return { ...goal, fromAnswer: () => UNKNOWN, look: goal.look && look };
		},
	};
}
