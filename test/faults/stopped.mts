import type { Limits } from '../../nodes/SignAndClose/transport/service/limits.ts';
import { findFault } from '../support/faultMatrix/faults.mts';
import type { Injected } from '../support/faultService/injector.mts';
import type { FaultService } from '../support/faultService/service.mts';
import type { Effect, Fault, Platform } from '../support/faultService/types.mts';
import { perform, stage } from '../support/faultMatrix/cell.mts';
import { wrongEffects } from '../support/faultMatrix/observe.mts';
import { passRounds } from '../support/faultMatrix/rounds.mts';
import type { Scene, Wanted } from '../support/faultMatrix/scene.mts';
import { makeDraft } from '../support/faultMatrix/setup.mts';

/**
 * Runs three items that stop at one, and then does what the message says, as somebody in a back
 * office would who takes it at its word.
 */

export interface StoppedCell {
	/** `resource/operation` of a write. */
	scene: string;
	platform: Platform;
	/** Which write of the second item is struck, from 0: a correction has several. */
	step: number;
	/**
	 * `lost`: that write is done, and neither its answer nor any look at it comes. `refused`: that one
	 * and all after it are refused.
	 */
	blow: 'lost' | 'refused';
}

/** What the message says of the three items; indexes from 0. */
interface Told {
	/** The one at which the run stopped. */
	stopped: number;
	done: number[];
	unknown: number[];
	halfDone: number[];
}

/** What came of a run that stopped, and of doing what its message says. */
interface Followed {
	/** What the person read. */
	said: string;
	/** What went wrong: done twice or not at all, or a run that failed although the cause was mended. */
	deviations: string[];
}

const REFUSED = findFault('http:status-422/before');
const CUT = findFault('network:reset-before-headers/after');
/** The pause is too long to wait for, so that each look fails at once. */
const DOWN = findFault('http:status-503-retry-in-10-years/before');

/** Rounds of rounds.mts. */
const MOST_ROUNDS = 2_000;

/** Doubts are looked at for a moment only: no look shows anything here. */
const SHORT = { lookUpMs: 50, lookUpPauseMs: 10, absentAfterMs: 50 } as Partial<Limits>;

/** Runs a cell, and follows what its message says. */
export async function followMessage({
	scene: name,
	platform,
	step,
	blow,
}: StoppedCell): Promise<Followed> {
	const { service, scene } = await stage(name, platform, 3);
	try {
		await keepApart(name, service, platform, scene);
		const struck = strike(service, scene, { step, blow, inLane: name.startsWith('webhook/') });
		const { error: stop } = await perform(service, name, scene, { limits: SHORT });
		if (stop === undefined || struck.struck === 0) throw new Error('The run did not stop');
		service.clearFaults();
		const said = `${stop.message}. ${stop.description ?? ''}`;
		const told = read(stop.message, stop.description ?? '');
		const deviations = [
			...notNamed(told, scene, service.effects),
			...(await follow(told, scene, service, async (items, set) => {
				const parameters = { ...scene.parameters, ...set };
				const { error } = await perform(service, name, { ...scene, parameters, items });
				const next = /use 'Transaction: Send'$/.test(error?.description ?? '');
				const last = next && (await perform(service, 'transaction/send', { parameters, items }));
				return (last ? last.error : error)?.message;
			})),
		];
		if (service.problems.length > 0) throw service.problems[0];
		return { said, deviations };
	} finally {
		await service.close();
	}
}

/** Writes to one transaction follow one another, so each document gets a transaction of its own. */
async function keepApart(
	name: string,
	service: FaultService,
	platform: Platform,
	{ items }: Scene,
): Promise<void> {
	if (name.split('#')[0] !== 'document/add') return;
	for (const [index, { json }] of items.entries())
		json.id = await makeDraft(service, platform, index);
	service.forget();
}

const isId = (text: string) => /^(ot_|do_|wh[a-z0-9]{5})/.test(text);

/**
 * The first item is refused, but only when the others have begun, because none begins afterwards; the
 * second one is struck, and the third one works. Writes that come one after the other have no others
 * under way: there, the first one works, and the second one ends the run.
 */
function strike(
	service: FaultService,
	{ items }: Scene,
	{ step, blow, inLane }: Pick<StoppedCell, 'step' | 'blow'> & { inLane: boolean },
): Injected {
	const ids = items.map(({ json }) => Object.values(json).map(String).filter(isId));
	// What is created has no ID yet: there, the first, second and third write are taken for the items'.
	const haveIds = ids[0].length > 0;
	const concerns = (index: number, path: string) =>
		!haveIds || ids[index].some((id) => path.includes(id));
	const haveBegun = () => {
		const writes = service.requests.filter(({ write }) => write);
		const begun = writes.map(({ path, number }) =>
			haveIds ? ids.findIndex((_one, index) => concerns(index, path)) : number,
		);
		return new Set(begun).size >= items.length && struck.struck > 0;
	};
	const refused: Fault = {
		...REFUSED,
		appliesTo: ({ write, path }) => write && concerns(0, path),
		strike: (...all) => void passRounds(MOST_ROUNDS, haveBegun).then(() => REFUSED.strike(...all)),
	};
	if (!inLane) service.inject({ fault: refused });
	const struck = service.inject({
		fault: {
			...(blow === 'lost' ? CUT : REFUSED),
			appliesTo: ({ write, path }) => write && concerns(1, path),
		},
		after: inLane && !haveIds ? 1 : step,
		times: blow === 'lost' ? 1 : Infinity,
	});
	const isLook: Fault['appliesTo'] = ({ write, path }) =>
		// A look at webhooks may list them all.
		!write && struck.struck > 0 && (inLane || concerns(1, path));
	service.inject({ fault: { ...DOWN, appliesTo: isLook }, times: Infinity });
	return struck;
}

/** Reads the message as a person does: an item that it doesn't name is run again. */
function read(message: string, description: string): Told {
	const [, done = ''] =
		/\bItems? (\d[\d, toand]*) (?:is|are) done(?:: leave (?:it|them) out|, and found) if/.exec(
			description,
		) ?? [];
	const each = (pattern: RegExp) =>
		[...description.matchAll(pattern)].map(([, number]) => Number(number) - 1);
	const stopped = Number(/\(item (\d+) of \d+\)$/.exec(message)?.[1]) - 1;
	return {
		stopped,
		done: numbersIn(done),
		unknown: [
			...(/outcome is unknown/.test(message) ? [stopped] : []),
			...each(/\bThe outcome of item (\d+) is unknown: /g),
		],
		halfDone: each(/\bItem (\d+) is half done: /g),
	};
}

const isIn = (effects: readonly Effect[], { kind, marker }: Wanted) =>
	effects.some((effect) => effect.kind === kind && effect.marker === marker);

/** The indexes in a list such as "1 to 4 and 6". */
const numbersIn = (list: string) =>
	[...list.matchAll(/(\d+)(?: to (\d+))?/g)].flatMap(([, from, to = from]) =>
		Array.from({ length: Number(to) - Number(from) + 1 }, (_, more) => Number(from) - 1 + more),
	);

/** The other items of which something was done, and that the message doesn't name. */
function notNamed(
	{ stopped, done, unknown, halfDone }: Told,
	{ effects: wanted }: Scene,
	effects: readonly Effect[],
): string[] {
	const named = [stopped, ...done, ...unknown, ...halfDone];
	return [...wanted.keys()]
		.filter((index) => !named.includes(index) && wanted[index].some((one) => isIn(effects, one)))
		.map((index) => `something was done for item ${index + 1}, and it is not named`);
}

/**
 * Does what the message says, now that the cause is mended: leaves out what is done, looks at the
 * service for what is unknown, and runs the rest again. Run again, what is half done goes on.
 * @param run runs some items, with what is set for them, and gives the message if that fails
 */
async function follow(
	{ done, unknown }: Told,
	{ items, effects, toGoOn }: Scene,
	service: FaultService,
	run: (items: Scene['items'], set?: Scene['toGoOn']) => Promise<string | undefined>,
): Promise<string[]> {
	const isThere = (index: number) => effects[index].every((one) => isIn(service.effects, one));
	const isOpen = (index: number) => !done.includes(index) && !unknown.includes(index);
	const rest = [...items.keys()].filter(isOpen);
	const alone = unknown.filter((index) => !isThere(index));
	const deviations: string[] = [];
	for (const group of [rest, ...alone.map((index) => [index])]) {
		if (group.length === 0) continue;
		const isBegun = group.some((index) => effects[index].some((one) => isIn(service.effects, one)));
		const failed = await run(
			group.map((index) => items[index]),
			isBegun ? toGoOn : undefined,
		);
		const numbers = group.map((index) => index + 1).join(' and ');
		if (failed !== undefined) deviations.push(`running ${numbers} again failed: ${failed}`);
	}
	const asDone = items.map(() => ({ state: 'done' as const, said: '' }));
	return [...deviations, ...wrongEffects(asDone, { effects }, service.effects)];
}
