import { outputJson } from '../../host/clients/n8n/executionData.mts';
import type { RunningN8n } from '../../host/run/n8n.mts';
import { answerTime, isUnlucky } from '../answerTimes.mts';
import { startLimitedService } from '../limitedService.mts';
import type { Verdict } from '../limiters.mts';
import { runMeasured, saveCredential } from '../parts.mts';
import type { Candidate, Scenario } from './scenarios.mts';
import type { Service } from './services.mts';

/** What one run of a candidate takes. */
export interface Measured {
	/** Of the node alone. */
	seconds: number;
	/** Of n8n's main process, for the whole execution. */
	cpuSeconds: number;
	requests: number;
	mostAtOnce: number;
}

/**
 * Runs a candidate once, at a service of its own.
 * @param seed of the answer times, so that all candidates meet the same
 */
export async function measure(
	n8n: RunningN8n,
	scenario: Scenario,
	candidate: Candidate,
	{ times, unavailable = 0 }: Omit<Service, 'name'>,
	seed = 1,
): Promise<Measured> {
	const asked = new Set<number>();
	const limiter = (_now: number, item: number): Verdict => {
		const isFirst = !asked.has(item);
		asked.add(item);
		return { accepted: !isFirst || !isUnlucky(seed, item, unavailable), headers: {} };
	};
	await using service = await startLimitedService(limiter, {
		status: 503,
		answerMs: answerTime({ ...times, seed }),
		answer: scenario.answer,
	});
	const credentials = await saveCredential(n8n, service.url);
	const { id } = await n8n.api.workflows.save(
		scenario.workflow(candidate.node(service.url, credentials)),
	);
	const before = n8n.cpuMs();
	const { execution, seconds } = await runMeasured(n8n, id);
	const cpuSeconds = (n8n.cpuMs() - before) / 1000;
	const items = outputJson(execution, 'Measured').length;
	if (items !== scenario.items)
		throw new Error(`${candidate.name} gave ${items} items instead of ${scenario.items}`);
	return {
		seconds,
		cpuSeconds,
		requests: service.requests.length,
		mostAtOnce: service.mostAtOnce(),
	};
}
