import { asError } from '../failure/failure';

/** How who serves a line ends somebody's waiting. */
export interface Served<T> {
	resolve: (value: T) => void;
	reject: (error: Error) => void;
}

/**
 * Waits in a line until whoever serves it says so.
 * @param signal ends the waiting, and takes the entry out of the line
 * @param enter puts an entry into the line
 * @throws the reason of the signal when that is aborted
 */
export async function waitInLine<Value, Entry>(
	line: Entry[],
	signal: AbortSignal | undefined,
	enter: (served: Served<Value>) => Entry,
): Promise<Value> {
	signal?.throwIfAborted();
	return await new Promise<Value>((resolve, reject) => {
		const leave = () => signal?.removeEventListener('abort', cancel);
		const cancel = () => {
			leave();
			line.splice(line.indexOf(entry), 1);
			reject(asError(signal?.reason));
		};
		signal?.addEventListener('abort', cancel);
		const entry = enter({
			resolve: (value) => {
				leave();
				resolve(value);
			},
			reject: (error) => {
				leave();
				reject(error);
			},
		});
	});
}
