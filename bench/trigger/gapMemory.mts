import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import type { IDataObject, INodeExecutionData, IRun } from 'n8n-workflow';

import type { MadeUp, Told } from './madeUpService.mts';
import './packageSources.mts';

/**
 * Measures what a look at many transactions takes after the webhook was disabled, and how long
 * publishing takes when the webhook has many event records. The trigger runs in n8n's own contexts,
 * as in the tests of the engine; the service is another process. Run: node --expose-gc
 * bench/trigger/gapMemory.mts [--closings 10000] [--kilobytes 50] [--every 10] [--records 20000]
 * [--answer 300]. Every tenth closing is completed, so that an execution is started for it.
 */

const { hookContext, triggerContext, credentialFor, TRIGGER } =
	await import('../../test/support/engine.mts');

const { values } = parseArgs({
	options: {
		closings: { type: 'string', default: '10000' },
		kilobytes: { type: 'string', default: '50' },
		every: { type: 'string', default: '10' },
		records: { type: 'string', default: '20000' },
		answer: { type: 'string', default: '300' },
	},
});
const [closings, kilobytes, every, records, recordsMs] = [
	values.closings,
	values.kilobytes,
	values.every,
	values.records,
	values.answer,
].map(Number);

const MEGABYTE = 1024 ** 2;
const SAMPLE_MS = 5;
/** Collecting all garbage takes some tenths of a second. */
const HELD_SAMPLE_MS = 400;
const IDLE_MS = 2_000;
const PLAIN: MadeUp = {
	closings: 0,
	completedEvery: every,
	closingBytes: kilobytes * 1024,
	records: 0,
	recordsMs: 0,
	enables: true,
};
const collect = (globalThis as { gc?: () => void }).gc;
if (collect === undefined) throw new Error('Run it with node --expose-gc');
const print = (line: string) => process.stdout.write(`${line}\n`);
const service = fork(join(import.meta.dirname, 'madeUpService.mts'));
const [{ url }] = (await once(service, 'message')) as [Told];

/** Tells the service what it has. Returns how many requests it has answered since the last time. */
async function setService(made: MadeUp): Promise<number> {
	service.send(made);
	const [{ requests }] = (await once(service, 'message')) as [Told];
	return requests;
}

/** A node of a workflow, as n8n keeps it: each of its contexts gets a copy of its static data. */
class PublishedTrigger {
	memory: IDataObject = {};
	readonly #id: string;

	constructor(id: string) {
		this.#id = id;
	}

	get #options() {
		return {
			type: 'signAndCloseTrigger' as const,
			credential: credentialFor(url),
			parameters: { events: ['group:finished'] },
			node: { id: this.#id },
			staticData: { 'node:Tested': structuredClone(this.memory) },
		};
	}

	/** Calls a hook as n8n does. Returns its answer and the seconds that it took. */
	async hook(name: 'checkExists' | 'create' | 'delete') {
		const { context, methods, workflow } = hookContext(this.#options, this.#id);
		const start = performance.now();
		const answer = (await methods[name].call(context)) as boolean;
		// n8n's database has it as JSON.
		const stored = JSON.stringify(workflow.getStaticData('node', workflow.getNode('Tested')!));
		this.memory = JSON.parse(stored) as IDataObject;
		return { answer, seconds: (performance.now() - start) / 1000 };
	}

	/** Publishes it. Returns the seconds by hook. */
	async publish(isChange = false): Promise<Record<string, number>> {
		const seconds: Record<string, number> = {};
		if (isChange) seconds.delete = (await this.hook('delete')).seconds;
		const found = await this.hook('checkExists');
		seconds.checkExists = found.seconds;
		if (!found.answer) seconds.create = (await this.hook('create')).seconds;
		return seconds;
	}

	/** Starts it, until `isDone` with what it has emitted. */
	async run(isDone: (emitted: number) => boolean): Promise<void> {
		const context = triggerContext(this.#options);
		let emitted = 0;
		context.emit = (
			_items: INodeExecutionData[][],
			_response: unknown,
			done?: { resolve(run: IRun): void },
		) => {
			emitted += 1;
			done?.resolve({} as IRun);
		};
		const { closeFunction } = (await TRIGGER.trigger!.call(context))!;
		while (!isDone(emitted)) await sleep(SAMPLE_MS);
		await closeFunction?.();
	}
}

/** Samples something while work is under way. Returns the highest values. */
async function highest(
	everyMs: number,
	sample: () => NodeJS.MemoryUsage,
	work: () => Promise<void>,
): Promise<{ heap: number; resident: number }> {
	const most = { heap: 0, resident: 0 };
	const note = () => {
		const { heapUsed, external, rss } = sample();
		most.heap = Math.max(most.heap, heapUsed + external);
		most.resident = Math.max(most.resident, rss);
	};
	note();
	const sampling = setInterval(note, everyMs);
	await work();
	clearInterval(sampling);
	note();
	return most;
}

/** A look after the webhook was disabled. Returns what it has added to the memory, in bytes. */
async function look(id: string, count: number, everyMs: number, sample: () => NodeJS.MemoryUsage) {
	const trigger = new PublishedTrigger(id);
	await setService({ ...PLAIN, forget: true });
	await trigger.publish();
	await setService({ ...PLAIN, closings: count, disable: true });
	// n8n starts.
	await trigger.hook('checkExists');
	const wanted = Math.ceil(count / every);
	collect!();
	const { heapUsed, external, rss } = process.memoryUsage();
	const start = performance.now();
	const most = await highest(
		everyMs,
		sample,
		async () => await trigger.run((emitted) => emitted >= wanted),
	);
	await sleep(IDLE_MS);
	const requests = await setService(PLAIN);
	return {
		heap: (most.heap - heapUsed - external) / MEGABYTE,
		resident: (most.resident - rss) / MEGABYTE,
		seconds: (performance.now() - start - IDLE_MS) / 1000,
		requests,
	};
}

function afterCollecting(): NodeJS.MemoryUsage {
	collect!();
	return process.memoryUsage();
}

// Everything is loaded, and has its usual size, before it's measured.
await look('warm-up', 500, SAMPLE_MS, process.memoryUsage);
const plain = await look('plain', closings, SAMPLE_MS, process.memoryUsage);
const held = await look('held', closings, HELD_SAMPLE_MS, afterCollecting);
print(
	`A look at ${closings} closings of ${kilobytes} KB, ${Math.ceil(closings / every)} of them completed (${plain.seconds.toFixed(0)} s, ${plain.requests} requests):`,
);
print(`  held at most, garbage collected: ${held.heap.toFixed(0)} MB (target: below 40)`);
print(`  heap and buffers at most, garbage included: ${plain.heap.toFixed(0)} MB`);
print(`  resident memory: ${plain.resident.toFixed(0)} MB more at most`);

const behind = { ...PLAIN, records, recordsMs };
/** Publishes a changed trigger whose webhook has many event records. */
async function publishChanged(what: string, made: MadeUp): Promise<void> {
	const trigger = new PublishedTrigger(what);
	await setService({ ...PLAIN, forget: true });
	await trigger.publish();
	await setService(made);
	const seconds = await trigger.publish(true);
	const requests = await setService(PLAIN);
	const all = Object.values(seconds).reduce((sum, each) => sum + each, 0);
	const each = Object.entries(seconds).map(([name, took]) => `${name} ${took.toFixed(1)} s`);
	print(`  ${what}: ${all.toFixed(1)} s (${each.join(', ')}; ${requests} requests)`);
}

print(
	`Publishing a changed trigger, with ${records} event records in pages of ${recordsMs} ms (target: within 60 s):`,
);
await publishChanged('its webhook stands', behind);
await publishChanged('its webhook was deleted', { ...behind, forget: true });
await publishChanged("its webhook is disabled, and the service doesn't enable it", {
	...behind,
	disable: true,
	enables: false,
});
process.exit(0);
