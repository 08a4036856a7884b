/** Milliseconds for which this thread has worked, whatever else the machine does. */
export function workedMs(): number {
	const { user, system } = process.threadCpuUsage();
	return (user + system) / 1000;
}
