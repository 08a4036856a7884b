import { parseArgs } from 'node:util';

import { KEYS, ORGANIZATIONS, startSandbox } from './index.mts';

/** `npm run sandbox`: the double of the service alone, until Ctrl-C. */

const { values } = parseArgs({
	options: {
		port: { type: 'string', default: '5680' },
		profile: { type: 'string', default: 'full' },
		seed: { type: 'string', default: 'sandbox' },
		speed: { type: 'string', default: '1' },
		latency: { type: 'string', default: '0' },
	},
});

try {
	const sandbox = await startSandbox({
		port: Number(values.port),
		profile: values.profile === 'documented' ? 'documented' : 'full',
		seed: values.seed,
		clockSpeed: Number(values.speed),
		latencyMs: Number(values.latency),
	});
	process.stdout.write(`Sandbox of the service, profile ${sandbox.world.profile}\n`);
	process.stdout.write(`  Base URL         ${sandbox.url}\n  Console          ${sandbox.url}/console\n`);
	process.stdout.write(`  API key          ${KEYS.full} (this machine only)\n  Organization     ${ORGANIZATIONS.parent}\n`);
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sandbox.close().then(() => process.exit(0)));
} catch (thrown) {
	const code = (thrown as { code?: string }).code;
	process.stderr.write(code === 'EADDRINUSE' ? `Port ${values.port} is in use. Stop what uses it, or choose another: --port 5690\n` : `${String(thrown)}\n`);
	process.exitCode = 1;
}
