import { setTimeout as pause } from 'node:timers/promises';

import type { Limits } from '../../../nodes/SignAndClose/transport/service/limits.ts';
import { runNode, type RunOutcome } from '../../support/engine.mts';
import { programMessages, statesOf } from '../../support/faultMatrix/observe.mts';
import { waitFor } from '../../support/faultMatrix/rounds.mts';
import { lookUpLimits } from '../../support/faultMatrix/times.mts';
import { drawFrom } from '../../support/faultSeeds/draw.mts';
import { drawStory, FOUND_WITHIN_S, seconds, type Story } from './story.mts';

/** Runs the story of a seed, retries what failed as a person may, and judges it by the ledger. */

/** A run that takes more rounds of rounds.mts hangs. */
const MOST_ROUNDS = 12_000;
/** What a failure says that is certain about nothing but itself. */
const NOT_CERTAIN = /unknown|another retry|earlier retry|nobody knows/i;

const ABSENT_AFTER_S = 120;

/** What a seed came to. */
export interface LostCreatesResult {
	seed: number;
	deviations: string[];
	runs: number;
	effects: number;
	/** What became of each item of each run. */
	items: string[];
	/** Lost creates that landed and can be recognized, and that a run or its first retry reported. */
	toFind: number;
	/** Those that were found. */
	found: number;
	ms: number;
}

/** A run that a person can retry. */
interface Turn {
	outcome: RunOutcome;
	states: ReturnType<typeof statesOf>;
}

/** Runs the story of a seed. */
export async function runLostCreates(seed: number): Promise<LostCreatesResult> {
	const began = Date.now();
	const result = {
		seed,
		deviations: [],
		runs: 0,
		effects: 0,
		items: [],
		toFind: 0,
		found: 0,
		ms: 0,
	};
	try {
		await tell(seed, result);
	} catch (error) {
		(result.deviations as string[]).push(`seed ${seed} itself failed: ${(error as Error).stack}`);
	}
	return { ...result, ms: Date.now() - began };
}

async function tell(seed: number, result: LostCreatesResult): Promise<void> {
	const draw = drawFrom(seed);
	const story = await drawStory(seed, draw);
	await using service = story.service;
	const retryOnFail = draw.chance(0.5);
	const node = {
		// n8n's store of processed keys keeps those of each node apart.
		id: `of-seed-${seed}`,
		onError: draw.one(['stopWorkflow', 'continueRegularOutput'] as const),
		...(retryOnFail && {
			retryOnFail,
			maxTries: draw.whole(2, 4),
			waitBetweenTries: Math.ceil(draw.one([seconds(1), seconds(5), seconds(ABSENT_AFTER_S)])),
		}),
	};
	const limits: Partial<Limits> = {
		pageSize: draw.one([1000, 1000, 1000, 3]),
		...lookUpLimits(seconds(1)),
	};
	const where = `seed ${seed} (${story.name}, ${node.onError}, ${node.maxTries ?? 1} tries)`;

	const run = async (label: string, retryOf?: RunOutcome): Promise<Turn | undefined> => {
		const executionId = String(seed * 100 + ++result.runs);
		const { parameters, items } = story;
		const { credential } = service;
		const running = runNode({ credential, parameters, items, node, limits, executionId, retryOf });
		const { result: outcome } = await waitFor(running, MOST_ROUNDS);
		const states = statesOf({ outcome, scene: { items } as never });
		result.items.push(...states.map(({ state }) => state));
		const told =
			outcome === undefined
				? ['it did not end']
				: [...programMessages(states), ...judge(story, outcome, states)];
		for (const one of told)
			result.deviations.push(`${where}, ${label}: ${one}\n    ${service.told.join('\n    ')}`);
		return outcome && { outcome, states };
	};

	const first = await run('the run');
	const canRetry = (turn?: Turn) => (turn?.outcome.error === undefined ? [] : [turn]);
	const failed = canRetry(first);
	let firstRetry: Turn | undefined;
	const retries = draw.one([0, 1, 2, 3]);
	for (let turn = 1; turn <= retries && failed.length > 0; turn++) {
		if (draw.chance(0.6)) await pause(seconds(1.2 * ABSENT_AFTER_S));
		// The newest as a rule, but a person may also press Retry again at an older one.
		const { outcome } = draw.chance(0.6) ? failed.at(-1)! : draw.one(failed);
		const pressed = Array.from({ length: draw.chance(0.25) ? 2 : 1 }, async (_one, press) =>
			run(`retry ${turn}${press > 0 ? ', pressed twice' : ''}`, outcome),
		);
		const turns = await Promise.all(pressed);
		firstRetry ??= turns[0];
		failed.push(...turns.flatMap(canRetry));
	}
	result.effects = service.ledger.length;
	noteFound(story, [first, firstRetry], result);
}

/** Never more effects than items, and nothing reported that is not so. */
function judge({ service, items }: Story, outcome: RunOutcome, states: Turn['states']): string[] {
	const markers = items.map(({ json }) => json.name);
	const foreign = service.ledger.filter(({ marker }) => !markers.includes(marker));
	const told = foreign.map(({ marker }) => `nobody asked for ${marker}`);
	for (const [index, { state, said }] of states.entries()) {
		const own = service.ledger.filter(({ marker }) => marker === markers[index]);
		const item = `item ${index + 1}`;
		if (own.length > 1) told.push(`${item} was made ${own.length} times`);
		// Where a run stops, n8n shows nothing of the items that were done all the same.
		const shown = outcome.items.find(({ pairedItem }) => numberOf(pairedItem) === index)?.json;
		const id = shown?.document_id ?? shown?.transaction_id;
		if (state === 'done' && !own.some((effect) => effect.id === id))
			told.push(`${item} is reported as done with ${String(id)}, which isn't its own`);
		if (state === 'failed' && !NOT_CERTAIN.test(said) && own.length > 0)
			told.push(`${item} is reported as failed, but was made: ${said}`);
	}
	return told;
}

const numberOf = (pairedItem: unknown) => (pairedItem as { item: number } | undefined)?.item ?? 0;

/** Counts the lost creates that could be found, and that were, in the run and its first retry. */
function noteFound(
	{ service, items, isRecognizable }: Story,
	turns: Array<Turn | undefined>,
	result: LostCreatesResult,
): void {
	for (const [index, { json }] of items.entries()) {
		const isLost = service.ledger.some(
			({ marker, wasLost, landsAfterMs }) =>
				wasLost && marker === json.name && landsAfterMs <= seconds(FOUND_WITHIN_S),
		);
		const states = turns.flatMap((turn) => turn?.states[index].state ?? []);
		if (!isLost || !isRecognizable(index) || states.every((state) => state === 'absent')) continue;
		result.toFind++;
		if (states.includes('done')) result.found++;
	}
}
