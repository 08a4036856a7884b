import type { RunOutcome } from '../engine.mts';
import type { FaultService } from '../faultService/service.mts';
import type { TransactionRecord } from '../faultService/world.mts';
import type { Fault, Platform, Target } from '../faultService/types.mts';
import { perform, socketsLeft, startService } from '../faultMatrix/cell.mts';
import { leaksOf, programMessages, statesOf, wrongEffects } from '../faultMatrix/observe.mts';
import { isLie } from '../faultMatrix/outcomes.mts';
import { waitFor } from '../faultMatrix/rounds.mts';
import type { Scene } from '../faultMatrix/scene.mts';
import { makeDraft, markerOf } from '../faultMatrix/setup.mts';
import { drawFrom, type Draw } from './draw.mts';
import { createStep, DELETE, STEPS } from './steps.mts';

/** Runs a workflow that a seed draws, with faults that it draws, and checks each step. */

/** A step that takes more rounds of rounds.mts hangs. */
const MOST_ROUNDS = 12_000;
const MOST_STEPS = 6;

/** What a seed came to. */
interface SeedResult {
	seed: number;
	deviations: string[];
	steps: number;
	requests: number;
	struck: number;
	effects: number;
	/** What became of each item of each step. */
	items: string[];
	ms: number;
}

/**
 * Faults in which a service that works says something false about what it did or what there is. No
 * client can see through them, so nothing can be checked.
 */
const FALSE_STATE =
	/^shape:(status-(unknown|of)|id-(of|with|huge|number)|ids-|texts|dates|keys-twice|key-|list-of|body-(empty-list|list-of)|lists-|unwrapped)|^lists:|^size:huge|^encoding:letters/;

/** So is a 404 to a question about what is there. To a write, it's an honest refusal. */
const isFalseAnswer = (fault: Fault, { write }: Target) =>
	FALSE_STATE.test(fault.name) || (!write && /^http:status-404/.test(fault.name));

const isFair = (fault: Fault, target: Target) => !isLie(fault) && !isFalseAnswer(fault, target);

export async function runSeed(seed: number): Promise<SeedResult> {
	const draw = drawFrom(seed);
	const began = Date.now();
	const result: SeedResult = {
		seed,
		deviations: [],
		steps: 0,
		requests: 0,
		struck: 0,
		effects: 0,
		items: [],
		ms: 0,
	};
	const service = await startService();
	try {
		await runWorkflow(seed, draw, service, result);
		if (result.deviations.length === 0 && (await socketsLeft(service)) > 0)
			result.deviations.push(`${service.openSockets()} sockets are still open`);
		if (service.problems.length > 0)
			result.deviations.push(`the double itself failed: ${service.problems[0].stack}`);
	} catch (error) {
		result.deviations.push(`the seed itself failed: ${(error as Error).stack}`);
	} finally {
		await service.close();
	}
	return { ...result, ms: Date.now() - began };
}

async function runWorkflow(
	seed: number,
	draw: Draw,
	service: FaultService,
	result: SeedResult,
): Promise<void> {
	const platform = draw.one<Platform>(['realEstate', 'business']);
	const count = draw.whole(1, 4);
	const wish = {
		rate: draw.one([0.02, 0.05, 0.1, 0.2, 0.4]),
		endless: draw.chance(0.1),
		only: isFair,
	};
	const perStep = async (name: string, scene: Scene) => {
		service.forget();
		service.randomFaults({ seed: seed * 1000 + result.steps, ...wish });
		const node = {
			tries: draw.whole(1, 5),
			onError: draw.one(['stopWorkflow', 'continueRegularOutput'] as const),
			endless: wish.endless,
		};
		const running = perform(service, name, scene, node);
		const { result: outcome } = await waitFor(running, MOST_ROUNDS);
		service.clearFaults();
		await service.settle();
		note(result, service, scene, outcome);
		const where = `seed ${seed}, step ${result.steps + 1}, ${name} (${platform}, ${node.tries} tries, ${node.onError})`;
		const struck = service.requests.flatMap(({ fault, method, path }) =>
			fault === undefined ? [] : [`${method} ${path}: ${fault}`],
		);
		for (const told of check(service, scene, outcome))
			result.deviations.push(`${where}: ${told}\n    ${struck.join('\n    ')}`);
		result.steps++;
	};

	const first = await createStep(service, platform, count);
	await perStep(first.name, first.scene);
	// What was not created is created now, so that the next steps have something to work with.
	for (let index = 0; index < count; index++)
		if (!transactionsOf(service).some((one) => one.fields.external_id === markerOf(index)))
			await makeDraft(service, platform, index);
	for (let turn = 0; turn < MOST_STEPS && result.deviations.length === 0; turn++) {
		const step = draw.one(STEPS);
		const fitting = transactionsOf(service).filter(step.fits);
		if (!step.platforms.includes(platform) || fitting.length === 0) continue;
		await perStep(step.name, await step.build(fitting, platform, turn));
	}
	if (result.deviations.length === 0)
		await perStep(DELETE.name, await DELETE.build(transactionsOf(service), platform, 0));
}

/** Each once: a create that was done twice is a deviation of its own. */
function transactionsOf(service: FaultService): TransactionRecord[] {
	return [...service.state.transactions.values()];
}

function note(
	result: SeedResult,
	{ requests, effects }: FaultService,
	scene: Scene,
	outcome: RunOutcome | undefined,
): void {
	result.requests += requests.length;
	result.struck += requests.filter(({ fault }) => fault !== undefined).length;
	result.effects += effects.length;
	result.items.push(...statesOf({ outcome, scene }).map(({ state }) => state));
}

/** Never more effects than items, and nothing reported that is not so. */
function check(
	{ effects, requests, key, filesUrl }: FaultService,
	scene: Scene,
	outcome: RunOutcome | undefined,
): string[] {
	if (outcome === undefined) return ['it did not end'];
	const told = leaksOf({ outcome, requests, key, filesUrl });
	const states = statesOf({ outcome, scene });
	told.push(...wrongEffects(states, scene, effects), ...programMessages(states));
	const marks = new Set(scene.effects.flat().map(({ kind, marker }) => `${kind} ${marker}`));
	const foreign = effects.filter(({ kind, marker }) => !marks.has(`${kind} ${marker}`));
	if (foreign.length > 0) told.push(`nobody asked for ${JSON.stringify(foreign)}`);
	return told;
}
