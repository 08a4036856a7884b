import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { freePort, PORTS } from '../../host/run/ports.mts';

/** The ports that programs of the tests and of the demonstration get. */

const FILE = join(import.meta.dirname, '../../host/run/ports.mts');

afterEach(() => {
	jest.restoreAllMocks();
});

/** Lets this port be tried next. */
const tryNext = (port: number) =>
	jest
		.spyOn(Math, 'random')
		.mockReturnValueOnce((port + 0.5 - PORTS.first) / (PORTS.last - PORTS.first));

test('a port that another process has stays its own until that ends, used or not', async () => {
	const script = `import(${JSON.stringify(FILE)}).then(async ({ freePort }) => {
		console.log(await freePort());
		process.stdin.resume();
	});`;
	const other = spawn(process.execPath, ['-e', script], {
		env: { ...process.env, NODE_OPTIONS: '' },
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	const its = Number(String((await once(other.stdout, 'data'))[0]));
	tryNext(its);
	expect(await freePort()).not.toBe(its);
	other.kill('SIGKILL');
	await once(other, 'exit');
	tryNext(its);
	expect(await freePort()).toBe(its);
});

test('nor does this process get one twice', async () => {
	const first = await freePort();
	tryNext(first);
	expect(await freePort()).not.toBe(first);
});
