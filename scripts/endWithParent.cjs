/**
 * Node.js loads this before Vitest and before its workers (node --require). It ends a process when
 * the one that started it is gone: the worker of a stopped Vitest would otherwise run its test file to
 * the end, with the n8n in it.
 */
const CHECK_MS = 1000;

const parent = process.ppid;
setInterval(() => {
	if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
}, CHECK_MS).unref();
