import { setTimeout as sleep } from 'node:timers/promises';

import type { RunningN8n } from '../../host/run/n8n.mts';
import type { Sandbox } from '../../sandbox/index.mts';
import type { CallingService } from './callingService.mts';

/** What happens during a storm, and when. */

/** How often each thing happens. */
export interface Counts {
	/** n8n is killed and started again. */
	kills: number;
	/** The service refuses the key for a while. */
	refusals: number;
	/** The service is gone for a while, as while it restarts. */
	outages: number;
	/** The workflow is published with a changed parameter of the trigger. */
	publishings: number;
}

/** What disturbances work with. */
export interface Storm {
	sandbox: Sandbox;
	service: CallingService;
	workflowId: string;
	n8n: () => RunningN8n;
	restart: () => Promise<void>;
	/** How long a refusal or an outage lasts, in milliseconds. */
	lastsMs: number;
	/** Receives how long n8n had no URL during a publishing, in milliseconds. */
	noteGap: (ms: number) => void;
}

/** Something that happens once a share of the deliveries is done. */
export interface Disturbance {
	name: string;
	/** From 0 to 1. */
	after: number;
	run: () => Promise<void>;
}

/** All disturbances of a storm in the order in which they happen, each over the whole of it. */
export function planDisturbances(storm: Storm, counts: Counts): Disturbance[] {
	const spread = (name: string, count: number, shift: number, run: () => Promise<void>) =>
		Array.from({ length: count }, (_, index) => ({
			name,
			after: (index + 1 + shift) / (count + 1),
			run,
		}));
	return [
		...spread('n8n killed', counts.kills, 0, storm.restart),
		...spread('key refused', counts.refusals, -0.3, async () => {
			const answer = { status: 401, body: { error: 'Unauthorized' } };
			const isOver = storm.sandbox.faults.begin({ ...answer, times: Infinity });
			await sleep(storm.lastsMs);
			isOver();
		}),
		...spread('service gone', counts.outages, 0.3, async () => {
			const isOver = storm.sandbox.faults.begin({ kind: 'cutBefore', times: Infinity });
			await sleep(storm.lastsMs);
			isOver();
		}),
		...spread('published with a change', counts.publishings, 0.4, async () => {
			await publishChanged(storm);
		}),
		...spread('order of the event records turned', 1, 0, async () => {
			storm.service.turnRecords();
			return await Promise.resolve();
		}),
	].sort((one, other) => one.after - other.after);
}

/** Publishes the workflow with another output of the trigger, which makes n8n restart the trigger. */
export async function publishChanged({ n8n, service, workflowId, noteGap }: Storm): Promise<void> {
	const { api } = n8n();
	const { name, nodes, connections, settings, versionId } = await api.workflows.get(workflowId);
	const [{ parameters }] = nodes;
	parameters.output = parameters.output === 'raw' ? 'simple' : 'raw';
	await api.session.send('PATCH', `/rest/workflows/${workflowId}`, {
		name,
		nodes,
		connections,
		settings,
		versionId,
	});
	let isOver = false;
	const gap = service.longestGap(() => isOver);
	try {
		await api.workflows.publish(workflowId);
	} finally {
		isOver = true;
		noteGap(await gap);
	}
}
