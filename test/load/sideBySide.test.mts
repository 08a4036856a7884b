import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { measure, type Measured } from '../../bench/sideBySide/measure.mts';
import { reads } from '../../bench/sideBySide/scenarios.mts';
import { stopRun } from './stopRun.mts';
import { startN8n, type RunningN8n } from '../../host/run/n8n.mts';
import { LIMITS } from '../../nodes/SignAndClose/transport/service/limits.ts';
import { forEachCase } from '../support/forEachCase.mts';
import { TARBALL } from '../support/tarball.mts';

/**
 * The short form of some benches, in a real n8n: the node takes less work than n8n's HTTP Request for
 * the same reads, and a run that's stopped ends. Only a ratio that is far off fails, because other
 * tests may run beside it; docs/performance.md has the figures.
 */

const READS = 300;
/** A service that varies as real ones do. */
const SERVICE = { times: { medianMs: 50, sigma: 0.6 } };
const FAR_OFF = 1;

const folder = mkdtempSync(join(tmpdir(), 'sign-and-close-'));
let n8n: RunningN8n;
beforeAll(async () => {
	n8n = await startN8n({ userFolder: folder, tarball: TARBALL });
});
afterAll(async () => {
	await n8n?.stop();
	rmSync(folder, { recursive: true, force: true });
});

test(`${READS} reads take less work than by HTTP Request`, async () => {
	const scenario = reads(READS);
	const [own, httpRequest] = scenario.candidates;
	const run = async () => ({
		own: await measure(n8n, scenario, own, SERVICE),
		httpRequest: await measure(n8n, scenario, httpRequest, SERVICE),
	});
	// The first round only warms up.
	await run();
	const rounds = [await run(), await run(), await run()];
	const least = (who: 'own' | 'httpRequest', what: keyof Measured) =>
		Math.min(...rounds.map((round) => round[who][what]));
	const ratio = least('own', 'cpuSeconds') / least('httpRequest', 'cpuSeconds');
	process.stdout.write(`  reads: ${ratio.toFixed(2)} of the CPU time of HTTP Request\n`);
	expect(ratio).toBeLessThan(FAR_OFF);
	forEachCase(rounds, ({ own: ours }) => {
		expect(ours.requests).toBe(READS);
		expect(ours.mostAtOnce).toBeLessThanOrEqual(LIMITS.pace.mostAtOnce);
	});
});

test('a run that somebody stops in n8n goes no further', async () => {
	const { shareRead, lastRequestMs } = await stopRun(n8n);
	process.stdout.write(`  stopped: last request ${lastRequestMs} ms later\n`);
	expect(shareRead).toBeLessThan(1);
});
