/**
 * Loaded into n8n by bench/manyItems/manyItems.mts: watches the event loop, the work and the memory
 * while the node's own loop over its items runs, and adds a line of JSON to the file WATCH_FILE.
 */
const { appendFileSync } = require('node:fs');
const Module = require('node:module');
const { monitorEventLoopDelay } = require('node:perf_hooks');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

const GC_EVERY_MS = 1000;
const RESOLUTION_MS = 1;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

function liveBytes() {
	collectGarbage();
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
}

function watched(runItems) {
	return async (...args) => {
		const memory = process.env.WATCH === 'memory';
		const seen = [];
		const timer = memory ? setInterval(() => seen.push(liveBytes()), GC_EVERY_MS) : undefined;
		const before = memory ? liveBytes() : 0;
		const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
		const cpu = process.cpuUsage();
		const began = performance.now();
		delay.enable();
		try {
			return await runItems(...args);
		} finally {
			delay.disable();
			clearInterval(timer);
			const { user, system } = process.cpuUsage(cpu);
			const after = memory ? liveBytes() : 0;
			const line = {
				items: args[0].getInputData().length,
				seconds: (performance.now() - began) / 1000,
				cpuSeconds: (user + system) / 1e6,
				longestBlockMs: delay.max / 1e6,
				// What is there in the end are n8n's items.
				beyondItemsBytes: Math.max(0, ...seen) - Math.max(before, after),
			};
			appendFileSync(process.env.WATCH_FILE, `${JSON.stringify(line)}\n`);
		}
	};
}

const load = Module._load;
Module._load = function (request, ...rest) {
	const loaded = load.call(this, request, ...rest);
	if (request.endsWith('/run/runItems') && !loaded.runItems.isWatched) {
		loaded.runItems = watched(loaded.runItems);
		loaded.runItems.isWatched = true;
	}
	return loaded;
};
