/** `npm run sandbox`: runs the double of the service on its own, until Ctrl-C. */

import { parseArgs } from 'node:util';

import { KEYS, ORGANIZATIONS, startSandbox } from './index.mts';
import { parseSwitch, SWITCH_VALUES } from './world/config.mts';

const USAGE = `Options (with their defaults):
  --port 5680               Port to listen on, on 127.0.0.1
  --profile full            full or documented: a service that offers only the documented endpoints
  --speed 1                 How fast the sandbox's time passes: 60 is a minute per second
  --seed sandbox            The same seed gives the same IDs
  --latency 0               Milliseconds to wait before each answer
  --closing-team automatic  automatic or manual: you play the closing team in the console
  --processing succeeds     succeeds or fails: whether documents can be processed
  --text-tags enabled       enabled or disabled for the account
  --platforms both          both, business or realEstate: what the account may use
  --layout both             both, documented or current: the path layouts that are understood
  --switch put=merge        What live services may do in more than one way, once per switch:
${Object.entries(SWITCH_VALUES)
	.map(([name, values]) => `                              ${name}=${values.join('|')}`)
	.join('\n')}`;

/** @throws Error that names the values which an option can have */
function oneOf<const T extends string>(option: string, value: string, values: readonly T[]): T {
	const found = values.find((entry) => entry === value);
	if (found === undefined) throw new Error(`--${option} ${value} must be ${values.join(' or ')}`);
	return found;
}

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '5680' },
			profile: { type: 'string', default: 'full' },
			seed: { type: 'string', default: 'sandbox' },
			speed: { type: 'string', default: '1' },
			latency: { type: 'string', default: '0' },
			'closing-team': { type: 'string', default: 'automatic' },
			processing: { type: 'string', default: 'succeeds' },
			'text-tags': { type: 'string', default: 'enabled' },
			platforms: { type: 'string', default: 'both' },
			layout: { type: 'string', default: 'both' },
			switch: { type: 'string', multiple: true, default: [] },
		},
	});
	const port = Number(values.port);
	if (!Number.isInteger(port) || port < 0 || port > 65_535)
		throw new Error(`--port ${values.port} isn't a valid port`);
	if (!(Number(values.speed) > 0))
		throw new Error(`--speed ${values.speed} must be a number greater than 0`);
	const sandbox = await startSandbox({
		port,
		profile: oneOf('profile', values.profile, ['full', 'documented']),
		seed: values.seed,
		clockSpeed: Number(values.speed),
		latencyMs: Number(values.latency),
		closingTeam: oneOf('closing-team', values['closing-team'], ['automatic', 'manual']),
		processing: oneOf('processing', values.processing, ['succeeds', 'fails']),
		missingFeatures:
			oneOf('text-tags', values['text-tags'], ['enabled', 'disabled']) === 'enabled'
				? []
				: ['text_tags'],
		platforms: oneOf('platforms', values.platforms, ['both', 'business', 'realEstate']),
		layout: oneOf('layout', values.layout, ['both', 'documented', 'current']),
		switches: Object.assign({}, ...values.switch.map(parseSwitch)),
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
