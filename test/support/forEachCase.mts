import { inspect, types } from 'node:util';

const MOST_CHARACTERS = 200;
const SHORT = { depth: 3, breakLength: Infinity, compact: true, maxArrayLength: 10 };

/** A text that reads as itself: not empty, no control characters, no space at its ends. */
const PLAIN = /^\S(?:\P{C}*\S)?$/u;

function named(error: unknown, one: unknown): unknown {
	if (!(error instanceof Error)) return error;
	const whole = typeof one === 'string' && PLAIN.test(one) ? one : inspect(one, SHORT);
	const text = whole.replace(/\s+/g, ' ').slice(0, MOST_CHARACTERS);
	const { message, stack } = error;
	error.message = `In the case ${text}:\n${message}`;
	// What Jest prints.
	error.stack = stack?.replace(message, () => error.message);
	return error;
}

/**
 * Runs assertions for each case, one after the other. What one of them throws begins with its case.
 * @returns a promise when the body does
 */
export function forEachCase<T>(
	cases: Iterable<T>,
	body: (one: T) => Promise<unknown>,
): Promise<void>;
export function forEachCase<T>(cases: Iterable<T>, body: (one: T) => void): void;
export function forEachCase<T>(
	cases: Iterable<T>,
	body: (one: T) => unknown,
): Promise<void> | undefined {
	const rest = cases[Symbol.iterator]();
	const goOn = (): Promise<void> | undefined => {
		for (let next = rest.next(); next.done !== true; next = rest.next()) {
			const one = next.value;
			const rename = (error: unknown) => {
				throw named(error, one);
			};
			try {
				const ended = body(one);
				if (types.isPromise(ended)) return ended.catch(rename).then(goOn);
			} catch (error) {
				rename(error);
			}
		}
		return undefined;
	};
	return goOn();
}
