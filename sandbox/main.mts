/** `npm run sandbox`: runs the double of the service on its own, until Ctrl-C. */

import { parseArgs } from 'node:util';

import { KEYS, ORGANIZATIONS, startSandbox } from './index.mts';

const USAGE = `Options (with their defaults):
  --port 5680               Port to listen on, on 127.0.0.1
  --profile full            full or documented: a service that offers only the documented endpoints
  --speed 1                 How fast the sandbox's time passes: 60 is a minute per second
  --seed sandbox            The same seed gives the same IDs
  --latency 0               Milliseconds to wait before each answer
  --closing-team automatic  automatic or manual: you play the closing team in the console`;

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '5680' },
			profile: { type: 'string', default: 'full' },
			seed: { type: 'string', default: 'sandbox' },
			speed: { type: 'string', default: '1' },
			latency: { type: 'string', default: '0' },
			'closing-team': { type: 'string', default: 'automatic' },
		},
	});
	const port = Number(values.port);
	if (!Number.isInteger(port) || port < 0 || port > 65_535)
		throw new Error(`--port ${values.port} isn't a valid port`);
	if (values.profile !== 'full' && values.profile !== 'documented')
		throw new Error(`--profile ${values.profile} must be full or documented`);
	if (!(Number(values.speed) > 0))
		throw new Error(`--speed ${values.speed} must be a number greater than 0`);
	const sandbox = await startSandbox({
		port,
		profile: values.profile,
		seed: values.seed,
		clockSpeed: Number(values.speed),
		latencyMs: Number(values.latency),
		closingTeam: values['closing-team'] === 'manual' ? 'manual' : 'automatic',
	});
	// Set up before anything is printed, because whoever reads the output may stop it at once.
	for (const signal of ['SIGINT', 'SIGTERM'] as const)
		process.once(signal, () => void sandbox.close().then(() => process.exit(0)));
	process.stdout.write(
		[
			`Sandbox of the service (${values.profile} profile)`,
			`  Base URL           ${sandbox.url}`,
			`  Console            ${sandbox.url}/console`,
			`  API key            ${KEYS.full} (works only on this machine)`,
			`  Client-only key    ${KEYS.clientOnly}`,
			`  Organization       ${ORGANIZATIONS.parent}`,
			`  Child organization ${ORGANIZATIONS.child} (API key ${KEYS.childFull})`,
			'Press Ctrl-C to stop.',
			'',
		].join('\n'),
	);
}

try {
	await main();
} catch (thrown) {
	const { code, message } = thrown as { code?: string; message?: string };
	const port = /--port[ =](\d+)/.exec(process.argv.join(' '))?.[1] ?? '5680';
	process.stderr.write(
		code === 'EADDRINUSE'
			? `Port ${port} is in use. Stop the program that uses it, or choose another port: --port ${Number(port) + 10}\n`
			: `${message}\n${USAGE}\n`,
	);
	process.exitCode = 1;
}
