/**
 * Loaded into n8n by bench/trigger/gapMemory.mts: samples n8n's memory and times the trigger's hooks.
 * It listens at GAP_WATCH_PORT: /begin begins anew, /end answers with what was seen since.
 */
const { createServer } = require('node:http');
const Module = require('node:module');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

const SAMPLE_MS = 5;
/** To collect the garbage takes n8n some tenths of a second. */
const HELD_SAMPLE_MS = 400;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

let timer;
let before;
let most;
let hooks = [];

function sample(collects) {
	if (collects) collectGarbage();
	const { heapUsed, external, rss } = process.memoryUsage();
	return { heap: heapUsed + external, resident: rss };
}

function begin(collects) {
	clearInterval(timer);
	hooks = [];
	before = sample(true);
	most = { ...before };
	const note = () => {
		const now = sample(collects);
		for (const name of Object.keys(most)) most[name] = Math.max(most[name], now[name]);
	};
	timer = setInterval(note, collects ? HELD_SAMPLE_MS : SAMPLE_MS);
}

function end() {
	clearInterval(timer);
	const grown = (name) => most[name] - before[name];
	return { heap: grown('heap'), resident: grown('resident'), hooks };
}

// n8n's task runner inherits the option that loads this.
if (process.argv.includes('start'))
	createServer(({ url }, response) => {
		const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
		if (pathname === '/begin') begin(searchParams.has('collect'));
		response.end(JSON.stringify(pathname === '/end' ? end() : {}));
	}).listen(Number(process.env.GAP_WATCH_PORT), '127.0.0.1');

/** The trigger, with hooks that are timed. */
function timed(Trigger) {
	return class extends Trigger {
		constructor() {
			super();
			const methods = this.webhookMethods.default;
			for (const [name, method] of Object.entries(methods))
				methods[name] = async function (...args) {
					const start = performance.now();
					try {
						return await method.apply(this, args);
					} finally {
						hooks.push({ name, seconds: (performance.now() - start) / 1000 });
					}
				};
		}
	};
}

const load = Module._load;
Module._load = function (request, ...rest) {
	const loaded = load.call(this, request, ...rest);
	if (/SignAndCloseTrigger\.node(\.js)?$/.test(request) && !loaded.isTimed) {
		loaded.SignAndCloseTrigger = timed(loaded.SignAndCloseTrigger);
		loaded.isTimed = true;
	}
	return loaded;
};
