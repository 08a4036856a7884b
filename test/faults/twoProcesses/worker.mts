import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request as sendRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';

import { until } from '../../support/until.mts';
import type { PapersTask } from '../newPapers.mts';

const LOADER = join(import.meta.dirname, '../../../scripts/jest/loader.cjs');

/** A process with a node of its own. Its way to the service lets only so many requests pass. */
export class Worker {
	/** How many requests of the task pass. */
	limit = Infinity;
	/** How many requests of the task have come, and how many of them are answered. */
	private count = 0;
	private answered = 0;
	private service = '';
	private readonly server = createServer((request, response) => {
		const number = ++this.count;
		void (async () => {
			await until(() => number <= this.limit, 1);
			const answer = await this.forward(request);
			response.writeHead(answer.statusCode!, answer.headers);
			await pipeline(answer, response);
			this.answered++;
		})();
	}).listen(0, '127.0.0.1');
	private readonly child = spawn(
		process.execPath,
		['--require', LOADER, join(import.meta.dirname, 'child.mts')],
		{
			stdio: ['pipe', 'pipe', 'inherit'],
			env: { ...process.env, NODE_OPTIONS: '--disable-warning=ExperimentalWarning' },
		},
	);
	private readonly ended = once(this.child, 'exit');
	private readonly lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();

	/** Whether the task waits at its limit. */
	get isHeld(): boolean {
		return this.count > this.limit && this.answered >= this.limit;
	}

	/** Runs a task, and gives what the run has said: nothing if it went well. */
	async run(task: PapersTask): Promise<string> {
		this.count = this.answered = 0;
		this.service = task.url;
		const { port } = this.server.address() as AddressInfo;
		this.child.stdin.write(`${JSON.stringify({ ...task, url: `http://127.0.0.1:${port}` })}\n`);
		for (;;) {
			const { value, done } = await this.lines.next();
			if (done === true) throw new Error('The process has ended');
			if (value.startsWith('@')) return JSON.parse(value.slice(1)) as string;
		}
	}

	async end(): Promise<void> {
		this.child.kill();
		this.server.closeAllConnections();
		this.server.close();
		await this.ended;
	}

	private async forward(request: IncomingMessage): Promise<IncomingMessage> {
		const { method, url, headers } = request;
		const forwarded = sendRequest(`${this.service}${url}`, { method, headers });
		const [[answer]] = await Promise.all([
			once(forwarded, 'response') as Promise<[IncomingMessage]>,
			pipeline(request, forwarded),
		]);
		return answer;
	}
}
