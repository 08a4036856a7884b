import { setTimeout as sleep } from 'node:timers/promises';

import {
	perform,
	requestOf,
	sameRequest,
	stage,
	undisturbed,
	type Request,
} from '../support/faultMatrix/cell.mts';
import { findFault } from '../support/faultMatrix/faults.mts';
import type { Scene } from '../support/faultMatrix/scene.mts';
import { SCENES } from '../support/faultMatrix/scenes.mts';
import type { FaultService } from '../support/faultService/service.mts';
import type { Effect, Platform } from '../support/faultService/types.mts';
import type { RunOutcome } from '../support/engine.mts';
import { until } from '../support/until.mts';

/**
 * Writes whose answer is lost, and which the service does before, later or never. Whoever runs them
 * tries again in every way that n8n or a message offers. The service's ledger judges.
 */

/** When the service does the work, in seconds after the answer was lost. */
export const TIMES = ['never', 'before', 0.3, 3, 70] as const;

/** Who tries again, and how. */
export const ACTORS = [
	'nobody',
	'Retry On Fail',
	'a retry of the execution, at once',
	'a retry of the execution, when the message says so',
	'a person who follows the message',
	/** What doubles then is no deviation: nothing is left of what the first execution knew. */
	'a new execution, after the first was stopped',
] as const;

export interface LateCell {
	scene: string;
	platform: Platform;
	request: Request;
	time: (typeof TIMES)[number];
	actor: (typeof ACTORS)[number];
}

/** What came of a cell. */
export interface LateResult {
	name: string;
	/** What whoever ran it was told in the end. */
	told: 'done' | 'not done' | 'unknown';
	/** Effects that are there more often than they're wanted. */
	doubled: string[];
	/** What was told and isn't so. */
	wrong?: string;
	isStopped: boolean;
}

export const nameOfLate = ({ scene, platform, request, time, actor }: LateCell): string =>
	[scene, platform, `${request.method} ${request.path}`, time, actor].join(' | ');

/** Whether something is doubled, or told wrongly, although what was known is kept. */
export const deviates = ({ doubled, wrong, isStopped }: LateResult): boolean =>
	!isStopped && (doubled.length > 0 || wrong !== undefined);

/** Every write of every operation, in every way. */
export async function lateCells(): Promise<LateCell[]> {
	const cells: LateCell[] = [];
	for (const [scene, { kind, platforms }] of Object.entries(SCENES)) {
		if (['read', 'list', 'download'].includes(kind)) continue;
		for (const platform of platforms) {
			const { requests } = await undisturbed(scene, platform);
			for (const request of requests.filter(({ method }) => method !== 'GET'))
				for (const time of TIMES)
					for (const actor of ACTORS) cells.push({ scene, platform, request, time, actor });
		}
	}
	return cells;
}

const LOST = findFault('network:reset-before-headers/after');
/** After which absence counts, in seconds, as docs/behaviour.md says. */
const ABSENT_AFTER_S = 120;

/**
 * Runs a cell.
 * @param secondMs how long a second takes: limits and delays have one factor
 */
export async function runLate(cell: LateCell, secondMs: number): Promise<LateResult> {
	const { scene: name, platform, time, actor, request } = cell;
	const { service, scene } = await stage(name, platform, 1);
	try {
		const struck = service.inject({
			fault: {
				...LOST,
				when: time === 'before' ? 'after' : 'before',
				laterMs: typeof time === 'number' ? time * secondMs : undefined,
				appliesTo: (target) => sameRequest(requestOf(target), request),
			},
		});
		const limits = {
			absentAfterMs: ABSENT_AFTER_S * secondMs,
			lookUpMs: 60 * secondMs,
			lookUpPauseMs: secondMs,
		};
		const run = async (execution: object, parameters = scene.parameters, tries = 1) =>
			await perform(service, name, { ...scene, parameters }, { limits, tries, execution });
		const tries = actor === 'Retry On Fail' ? 3 : 1;
		const isStopped = actor === 'a new execution, after the first was stopped';
		const cancelled = isStopped && until(() => struck.struck > 0);
		const first = { executionId: '512', ...(cancelled && { cancelled }) };
		let last = await run(first, scene.parameters, tries);
		if (last.error !== undefined) last = await again(cell, service, scene, last, run, secondMs);
		await service.settle();
		const told = toldBy(last);
		const doubled = doubledIn(service.effects, scene);
		const number = service.requests.find(({ fault }) => fault === LOST.name)?.number;
		const isDone = service.effects.some(({ requestNumber }) => requestNumber === number);
		const isMissing = scene.effects[0].some(
			(wanted) => !service.effects.some((one) => isSame(one, wanted)),
		);
		const wrong =
			struck.struck === 0
				? 'nothing was struck'
				: told === 'done' && isMissing
					? 'told as done, and it is missing'
					: told === 'not done' && isDone
						? 'told as not done, and it is done'
						: service.problems.length > 0
							? String(service.problems[0])
							: undefined;
		const said = last.error && `: ${last.error.message}. ${last.error.description}`;
		return {
			name: nameOfLate(cell),
			told,
			doubled,
			isStopped,
			...(wrong && { wrong: wrong + (said ?? '') }),
		};
	} finally {
		await service.close();
	}
}

type Run = (execution: object, parameters?: Scene['parameters']) => Promise<RunOutcome>;

/** What the actor does after a failure. */
async function again(
	{ actor }: LateCell,
	service: FaultService,
	scene: Scene,
	first: RunOutcome,
	run: Run,
	secondMs: number,
): Promise<RunOutcome> {
	const said = `${first.error?.message}. ${first.error?.description}`;
	const waits = async () => await sleep(/wait two minutes/i.test(said) ? 125 * secondMs : 0);
	const retry = async () => await run({ executionId: '513', retryOf: first });
	if (actor === 'a retry of the execution, at once') return await retry();
	if (actor === 'a retry of the execution, when the message says so') {
		if (!said.includes('in the list of executions')) return first;
		await waits();
		return await retry();
	}
	if (actor === 'a new execution, after the first was stopped')
		return await run({ executionId: '600' });
	if (actor !== 'a person who follows the message') return first;
	await waits();
	const struck = service.requests.find(({ fault }) => fault === LOST.name);
	const isDone = service.effects.some(({ requestNumber }) => requestNumber === struck?.number);
	// What a person finds done is left as it is, unless the message says how the rest is done.
	if (
		toldBy(first) === 'unknown' &&
		isDone &&
		!/goes on|only the others|only what is left/.test(said)
	)
		return first;
	return await run({ executionId: '600' }, { ...scene.parameters, ...scene.toGoOn });
}

const toldBy = ({ error }: RunOutcome): LateResult['told'] =>
	error === undefined ? 'done' : /outcome is unknown/.test(error.message) ? 'unknown' : 'not done';

const isSame = (one: Pick<Effect, 'kind' | 'marker'>, other: Pick<Effect, 'kind' | 'marker'>) =>
	one.kind === other.kind && one.marker === other.marker;

function doubledIn(effects: Effect[], { effects: [wanted] }: Scene): string[] {
	return wanted
		.filter((one) => effects.filter((effect) => isSame(effect, one)).length > 1)
		.map(({ kind, marker }) => `${kind} ${marker}`);
}
