import { setTimeout as sleep } from 'node:timers/promises';

import type { Limits } from '../../nodes/SignAndClose/transport/service/limits.ts';
import type { RunOptions, RunOutcome } from '../support/engine.mts';
import {
	perform,
	requestOf,
	sameRequest,
	stage,
	undisturbed,
	type Request,
} from '../support/faultMatrix/cell.mts';
import { findFault } from '../support/faultMatrix/faults.mts';
import { statesOf, wrongEffects } from '../support/faultMatrix/observe.mts';
import { passRounds, ROUND_MS, waitFor } from '../support/faultMatrix/rounds.mts';
import type { Scene } from '../support/faultMatrix/scene.mts';
import { SCENES } from '../support/faultMatrix/scenes.mts';
import { lookUpLimits } from '../support/faultMatrix/times.mts';
import { LATER_S } from '../support/faultService/faults/build.mts';
import type { FaultService } from '../support/faultService/service.mts';
import type { Effect, Platform } from '../support/faultService/types.mts';

/**
 * Writes whose answer is lost, and which the service does before, later or never. Whoever runs them
 * tries again in every way that n8n or a message offers. The service's ledger judges each message.
 */

const LOSSES = ['network:reset-before-headers', 'http:status-504'] as const;

/** When the service does the work: never, before or so long after the answer was lost. */
const MOMENTS = ['before', 'after', ...LATER_S.map((seconds) => `later-${seconds}s`)];

/** Who tries again, and how. */
const ACTORS = [
	'nobody',
	'Retry On Fail',
	'a retry of the execution at once',
	'a retry of the execution when the message says so',
	'a person who follows the message',
] as const;

/** What a run may be cut off by while the service may be at work. Nobody can promise much then. */
const CUT_OFF = [
	'stopped, and a person who follows the message',
	// Nothing that the first execution has kept or said is used.
	'killed, and run again at once',
] as const;

type Actor = (typeof ACTORS)[number] | (typeof CUT_OFF)[number];

export interface LateCell {
	scene: string;
	platform: Platform;
	request: Request;
	/** Name of the fault. */
	fault: string;
	actor: Actor;
}

/** What came of a cell. */
export interface LateResult {
	name: string;
	scene: string;
	actor: string;
	/** Whether the run was cut off: what is wrong then is counted apart. */
	isCutOff: boolean;
	/** What each run told. */
	told: string[];
	/** Effects that are there more often than they're wanted. */
	doubled: string[];
	/** What was told and isn't so. */
	wrong: string[];
}

const nameOf = ({ scene, platform, request, fault, actor }: LateCell): string =>
	[scene, platform, `${request.method} ${request.path}`, fault, actor].join('|');

const isWrite = (scene: string) => !['read', 'list', 'download'].includes(SCENES[scene].kind);

/** Every write of a scene, in every way. */
export async function lateCellsOf(scene: string, platform: Platform): Promise<LateCell[]> {
	const { requests } = await undisturbed(scene, platform);
	const faults = LOSSES.flatMap((loss) => MOMENTS.map((moment) => `${loss}/${moment}`));
	return requests
		.filter(({ method }) => method !== 'GET')
		.flatMap((request) =>
			faults.flatMap((fault) =>
				[...ACTORS, ...CUT_OFF].map((actor) => ({ scene, platform, request, fault, actor })),
			),
		);
}

/** Every write of every operation, in every way. */
export async function allLateCells(only = ''): Promise<LateCell[]> {
	const cells: LateCell[] = [];
	for (const scene of Object.keys(SCENES).filter(isWrite))
		for (const platform of SCENES[scene].platforms)
			cells.push(...(await lateCellsOf(scene, platform)));
	return cells.filter((cell) => nameOf(cell).includes(only));
}

/**
 * Some cells of each operation that writes, in turns, so that each fault and actor is met.
 * @param each how many of each operation
 * @param fitting which of them
 */
export async function someLateCells(
	each: number,
	fitting: (cell: LateCell) => boolean = () => true,
): Promise<LateCell[]> {
	const cells: LateCell[] = [];
	const scenes = Object.keys(SCENES).filter((scene) => isWrite(scene) && !scene.includes('#'));
	for (const [turn, scene] of scenes.entries()) {
		const { platforms } = SCENES[scene];
		const its = (await lateCellsOf(scene, platforms[turn % platforms.length])).filter(fitting);
		// A prime number meets all faults and actors, whatever their number is.
		for (let more = 0; more < each; more++)
			cells.push(its[((turn * each + more) * 11) % its.length]);
	}
	return cells;
}

/** After how many seconds a run hangs: several tries and looks, each until absence counts. */
const MOST_S = 1_000;
/** A message that names a time means at least so many seconds. */
const WAITS: Array<[RegExp, seconds: number]> = [
	[/\bten minutes/i, 605],
	[/\btwo minutes/i, 125],
];

/** A run, and what its message says. */
interface Turn {
	outcome: RunOutcome;
	state: string;
	said: string;
	/** The number of the last request that came in until its end. */
	lastRequest: number;
}

/**
 * Runs a cell.
 * @param secondMs how many milliseconds a second takes: limits and delays have one factor
 * @param limits other limits of the node, as they'd be in earnest
 */
export async function runLate(
	cell: LateCell,
	secondMs: number,
	limits: Partial<Limits> = {},
): Promise<LateResult> {
	const { scene: name, platform, actor, request } = cell;
	const { service, scene } = await stage(name, platform, 1, secondMs);
	const turns: Turn[] = [];
	const run = async (
		execution: Partial<RunOptions>,
		set: Scene['toGoOn'] = {},
		tries = 1,
	): Promise<Turn> => {
		const work = perform(
			service,
			name,
			{ ...scene, parameters: { ...scene.parameters, ...set } },
			{ limits: lookUpLimits(secondMs, limits), tries, waitBetweenTries: secondMs, execution },
		);
		const most = 2_000 + (MOST_S * secondMs) / ROUND_MS;
		const { result: outcome } = await waitFor(work, most);
		if (outcome === undefined) throw new Error('A run hangs');
		const [{ state, said }] = statesOf({ outcome, scene });
		turns.push({ outcome, state, said, lastRequest: service.requests.length });
		return turns.at(-1)!;
	};
	try {
		const fault = findFault(cell.fault);
		const struck = service.inject({
			fault: { ...fault, appliesTo: (target) => sameRequest(requestOf(target), request) },
		});
		const isCutOff = CUT_OFF.some((one) => one === actor);
		const cancelled = passRounds(Infinity, () => struck.struck > 0 || turns.length > 0);
		const first = await run(
			{ executionId: '512', ...(isCutOff && { cancelled }) },
			{},
			actor === 'Retry On Fail' ? 3 : 1,
		);
		await tryAgain(actor, first, { scene, service, run, secondMs });
		await service.settle();
		const wrong = turns.flatMap((turn) => wronglyTold(turn, scene, service.effects));
		if (struck.struck === 0) wrong.push('nothing was struck');
		if (service.problems.length > 0) wrong.push(`the double itself failed: ${service.problems[0]}`);
		return {
			...{ name: nameOf(cell), scene: name, actor, isCutOff },
			told: turns.map(({ state }) => state),
			doubled: wrongEffects([{ state: 'unknown', said: '' }], scene, service.effects),
			wrong,
		};
	} finally {
		await service.close();
	}
}

interface Stage {
	scene: Scene;
	service: FaultService;
	run: (execution: Partial<RunOptions>, set?: Scene['toGoOn']) => Promise<Turn>;
	secondMs: number;
}

/** What the actor does after the first execution. */
async function tryAgain(
	actor: Actor,
	first: Turn,
	{ scene, service, run, secondMs }: Stage,
): Promise<void> {
	const { outcome, state, said } = first;
	if (outcome.error === undefined && actor !== 'killed, and run again at once') return;
	const [, waitS = 0] = WAITS.find(([words]) => words.test(said)) ?? [];
	const wait = async () => await sleep(waitS * secondMs);
	const [wanted] = scene.effects;
	const isThere = (one: (typeof wanted)[number]) =>
		service.effects.some(({ kind, marker }) => kind === one.kind && marker === one.marker);
	const anew = async () =>
		void (await run({ executionId: '600' }, wanted.some(isThere) ? scene.toGoOn : undefined));
	const retry = async () => void (await run({ executionId: '513', retryOf: outcome }));
	switch (actor) {
		case 'nobody':
		case 'Retry On Fail':
			return;
		case 'a retry of the execution at once':
			return await retry();
		case 'a retry of the execution when the message says so':
			if (!said.includes('in the list of executions')) return;
			await wait();
			return await retry();
		case 'killed, and run again at once':
			return await anew();
		default:
			await wait();
			// Whoever has looked leaves what is done, and does the rest as the message says.
			if (state !== 'unknown' || !wanted.every(isThere)) await anew();
	}
}

/** Advice to run again, and that to look before. */
const RUN_AGAIN = /\b(run|repeat|retry|send)\b[^.]*\bagain\b|\brepeat it\b|\bretry\b/i;
const AFTER_A_LOOK = /\b(if|unless|only if) [^.]*\b(wasn't|isn't|missing|shows)\b|\bgoes on\b/i;

/** What a run told and isn't so in the end, and advice that would do something twice. */
function wronglyTold(
	{ state, said, lastRequest }: Turn,
	scene: Scene,
	effects: readonly Effect[],
): string[] {
	const its = effects.filter(({ requestNumber }) => requestNumber <= lastRequest);
	// What is done twice is told by itself.
	const once = its.filter(
		({ kind, marker }, index) =>
			its.findIndex((one) => one.kind === kind && one.marker === marker) === index,
	);
	const told = wrongEffects([{ state: state as 'done', said }], scene, once);
	if (state === 'unknown' && RUN_AGAIN.test(said) && !AFTER_A_LOOK.test(said))
		told.push(`what is unknown is to be run again without a look: ${said}`);
	return told;
}

/** Whether a result is what the node promises. */
export const isAsPromised = ({ isCutOff, doubled, wrong }: LateResult) =>
	isCutOff || doubled.length + wrong.length === 0;
