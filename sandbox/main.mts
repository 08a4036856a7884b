import { parseArgs } from 'node:util';

import { KEYS, ORGANIZATIONS, startSandbox } from './index.mts';

/** `npm run sandbox`: the double of the service alone, until Ctrl-C. */

const USAGE =
	'Options: --port 5680  --profile full|documented  --speed 1  --seed text  --latency milliseconds  --closing-team automatic|manual';

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
		throw new Error(`--port ${values.port} is no port`);
	if (values.profile !== 'full' && values.profile !== 'documented')
		throw new Error(`--profile ${values.profile} is not known`);
	if (!(Number(values.speed) > 0)) throw new Error(`--speed ${values.speed} is no speed`);
	const sandbox = await startSandbox({
		port,
		profile: values.profile,
		seed: values.seed,
		clockSpeed: Number(values.speed),
		latencyMs: Number(values.latency),
		closingTeam: values['closing-team'] === 'manual' ? 'manual' : 'automatic',
	});
	// Before anything is printed: who reads it may stop it at once.
	for (const signal of ['SIGINT', 'SIGTERM'] as const)
		process.once(signal, () => void sandbox.close().then(() => process.exit(0)));
	process.stdout.write(
		[
			`Sandbox of the service, profile ${values.profile}`,
			`  Base URL           ${sandbox.url}`,
			`  Console            ${sandbox.url}/console`,
			`  API key            ${KEYS.full} (works on this machine only)`,
			`  Client-only key    ${KEYS.clientOnly}`,
			`  Organization       ${ORGANIZATIONS.parent}`,
			`  Child organization ${ORGANIZATIONS.child}, its key ${KEYS.childFull}`,
			'Ctrl-C stops it.',
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
			? `Port ${port} is in use. Stop what uses it, or choose another: --port ${Number(port) + 10}\n`
			: `${message}\n${USAGE}\n`,
	);
	process.exitCode = 1;
}
