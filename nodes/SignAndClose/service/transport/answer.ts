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
