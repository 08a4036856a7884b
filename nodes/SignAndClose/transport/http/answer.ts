/** An answer of the service, whatever its status. */
export interface Answer {
	status: number;
	headers: Record<string, unknown>;
	/**
	 * Text, or a stream: of a file that was asked for, and of anything but a success. Whoever gets a
	 * stream reads it or discards it, which ends its connection.
	 */
	body: unknown;
}

/**
 * Whether a status doesn't tell if a write was done: a gateway's 502 or 504 says nothing about what
 * happened behind it, 408 can come after the work, and 302 and 303 can point to its result.
 */
export function leavesDoubt(status: number): boolean {
	return status >= 500 || status === 408 || status === 302 || status === 303;
}

/** Whether an answer has the status of a success. */
export function isSuccess({ status }: Answer): boolean {
	return status >= 200 && status < 300;
}
