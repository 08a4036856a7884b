import type { IDataObject } from 'n8n-workflow';

import type { RunOutcome } from '../engine.mts';
import type { Effect } from '../faultService/types.mts';
import { ASKED_ONCE, requestOf, sameRequest, type Ran, type Request } from './cell.mts';
import { asksForLongPause, type Outcome } from './outcomes.mts';
import type { Scene, Wanted } from './scene.mts';
import { SCENES } from './scenes.mts';
import { SIGNING_SECRET, SSN } from './setup.mts';

/** Reads from a run what became of each item, and what must never be. */

/** `absent`: another item stopped the run. */
type ItemState = 'done' | 'failed' | 'unknown' | 'absent';

const NOT_KNOWN = /outcome is unknown/;

/** What has to be so in every cell. */
const RULES = {
	strikes: 'the fault strikes a request',
	double: 'the double itself does not fail',
	ends: 'a run ends',
	secrets: 'nothing secret comes out, and only the service gets the key and writes',
	sockets: 'no socket stays open',
	others: 'items that are not struck go well',
	namedAsDone: 'a run that stops names what is done of the other items, and nothing else',
	once: 'nothing is done twice',
	reported: 'an item is as it is reported',
	people: 'a message is for people',
	undisturbed: 'a read that succeeds gives what it gives without a fault',
};

/** Names the rule by which something deviates. */
export const by = (rule: keyof typeof RULES) => `, by the rule '${rule}' (${RULES[rule]})`;

/** What became of an item, and message and remedy if it failed. */
interface ItemReport {
	state: ItemState;
	said: string;
}

/** What the run reports of each item. */
export function statesOf({
	outcome,
	scene,
}: {
	outcome: RunOutcome | undefined;
	scene: Pick<Scene, 'items'>;
}): ItemReport[] {
	const states = scene.items.map(() => ({ state: 'absent' as ItemState, said: '' }));
	if (outcome === undefined) return states;
	for (const { json, pairedItem } of outcome.items) {
		const item = states[(pairedItem as { item: number } | undefined)?.item ?? 0];
		const failed = isFailed(json);
		const said = failed ? String(json.error) : '';
		item.said = said;
		item.state = !failed ? 'done' : NOT_KNOWN.test(said) ? 'unknown' : 'failed';
	}
	const { error } = outcome;
	if (error === undefined) {
		// A list may have nothing in it.
		for (const item of states) if (item.state === 'absent') item.state = 'done';
		return states;
	}
	const said = `${error.message}. ${error.description ?? ''}`;
	const named = /\(item (\d+) of \d+\)/.exec(said)?.[1];
	const index = named === undefined ? 0 : Number(named) - 1;
	states[index] = { state: NOT_KNOWN.test(said) ? 'unknown' : 'failed', said };
	return states;
}

/** Items of the node have no field of that name unless they failed. */
const isFailed = (json: IDataObject) => typeof json.error === 'string';

/** How many of an item's effects there are, by kind. */
function countOf(effects: readonly Effect[], { kind, marker }: Wanted): number {
	return effects.filter((effect) => effect.kind === kind && effect.marker === marker).length;
}

/** Which item was struck: writes follow one another; of reads, the one that went differently. */
export function struckItem(ran: Ran): number {
	if (ran.cell.items === 1) return 0;
	const states = statesOf(ran);
	const other = states.findIndex(({ state }) => state === 'failed' || state === 'unknown');
	return other >= 0 ? other : 1;
}

export function outcomeOf(ran: Ran): Outcome {
	if (ran.outcome === undefined) return 'hangs';
	const { state } = statesOf(ran)[struckItem(ran)];
	if (state === 'unknown') return 'unknown';
	if (state !== 'done') return 'fails';
	const { cell, requests } = ran;
	if (cell.request.method === 'GET') return 'succeeds';
	const usual = ran.undisturbed.all[cell.items];
	const same = (all: Request[]) => all.filter((one) => sameRequest(one, cell.request)).length;
	const isAgain = same(requests.map(requestOf)) > same(usual);
	return isAgain || requests.length <= usual.length ? 'succeeds' : 'found';
}

/** Every text in a value, however deep it is. The node's own parameters are in the workflow anyway. */
function textsIn(value: unknown): string[] {
	const texts: string[] = [];
	const seen = new Set<unknown>();
	const left: unknown[] = [value];
	while (left.length > 0) {
		const next = left.pop();
		if (typeof next === 'string') texts.push(next);
		if (typeof next !== 'object' || next === null || seen.has(next)) continue;
		seen.add(next);
		if (next instanceof Error) left.push(next.message, next.stack, next.cause);
		for (const [name, field] of Object.entries(next)) {
			if (name === 'node' || name === 'parameters') continue;
			texts.push(name);
			left.push(field);
		}
	}
	return texts;
}

/** All that a person, a workflow or a log of n8n can see of a run. */
function textOf(outcome: RunOutcome): string {
	const { items, errorItems, error, run } = outcome;
	return textsIn([items, errorItems, error, run.data.resultData.runData]).join('\n');
}

function secretsIn(text: string, key: string): string[] {
	const forms: Record<string, string> = {
		'the API key': key,
		'the API key, encoded for URLs': encodeURIComponent(key),
		'the API key in base64': Buffer.from(key).toString('base64').replace(/=+$/, ''),
		'the signing secret': SIGNING_SECRET,
		'the SSN': SSN,
		'the SSN as digits': SSN.replaceAll('-', ''),
	};
	return Object.entries(forms)
		.filter(([, form]) => text.includes(form))
		.map(([name]) => name);
}

/** Where something secret came out, or left the hosts of the service. */
export function leaksOf({
	outcome,
	requests,
	key,
	filesUrl,
}: Pick<Ran, 'requests' | 'key' | 'filesUrl'> & { outcome: RunOutcome }): string[] {
	const told = secretsIn(textOf(outcome), key).map((name) => `${name} came out${by('secrets')}`);
	for (const { host, headers, method, path, write } of requests) {
		if (host === 'api') continue;
		const foreign = host === 'elsewhere' ? 'a foreign host' : filesUrl;
		if (headers.apikey !== undefined)
			told.push(`the key went to ${foreign}${by('secrets')}: ${method} ${path}`);
		if (host === 'elsewhere' && write)
			told.push(`a write went to ${foreign}${by('secrets')}: ${method} ${path}`);
	}
	return told;
}

/**
 * What breaks a rule that holds in every cell, whatever its outcome.
 * @param lies the service says that it did nothing, and did it: no client can know
 */
export function violationsOf(ran: Ran, lies = false): string[] {
	const { cell, scene, effects, problems } = ran;
	const told: string[] = [];
	if (problems.length > 0)
		told.push(`the double itself failed${by('double')}: ${problems[0].message}`);
	if (ran.outcome === undefined) return [...told, `it still ran${by('ends')}`];
	told.push(...leaksOf({ ...ran, outcome: ran.outcome }));
	if (ran.openSockets > 0) told.push(`${ran.openSockets} sockets are still open${by('sockets')}`);
	const states = statesOf(ran);
	const traceless = SCENES[cell.scene].kind === 'reminder';
	if (!lies) told.push(...wrongEffects(states, scene, effects));
	told.push(...programMessages(states));
	const others = states.filter((_one, index) => index !== struckItem(ran));
	const stops = cell.onError === 'stopWorkflow' && ran.outcome.error !== undefined;
	// While the service asks for such a pause, nothing is sent, and no look shows what was done before.
	const isPaused = asksForLongPause(cell.fault);
	const notSent = ({ state, said }: ItemReport) =>
		isPaused && (state === 'unknown' || (state === 'failed' && /limiting requests/.test(said)));
	const asked = `${cell.request.method} ${cell.request.path}`;
	const isShared = SCENES[cell.scene].shares?.test(asked) || ASKED_ONCE.test(asked);
	const expected = isShared ? states[0].state : 'done';
	if (!stops && others.some((one) => one.state !== expected && !notSent(one)))
		told.push(`other items suffer: ${states.map(({ state }) => state).join(', ')}${by('others')}`);
	const writes = scene.effects.some((wanted) => wanted.length > 0);
	if (stops && writes && !traceless && !isPaused)
		told.push(...wronglyNamed(states, scene, effects));
	return told;
}

/**
 * Where a run has stopped, n8n shows nothing of the items that were done all the same. The error
 * names them.
 */
function wronglyNamed(
	states: ItemReport[],
	scene: Pick<Scene, 'effects'>,
	effects: readonly Effect[],
): string[] {
	const error = states.find(({ said }) => said !== '')?.said ?? '';
	const named =
		/Items? (\d[\d, and]*?) (?:is|are) done(?:: leave|, and found)/.exec(error)?.[1].split(/\D+/) ??
		[];
	return states.flatMap(({ state }, index) => {
		const isDone = scene.effects[index].every((one) => countOf(effects, one) > 0);
		const isNamed = named.includes(String(index + 1));
		if (state !== 'absent' || isDone === isNamed) return [];
		const wrong = isNamed ? 'is named as done' : 'was done, and is not named';
		return [`item ${index + 1} ${wrong}${by('namedAsDone')}`];
	});
}

/** What is not as the items report it: done more than once, or not as done or failed as they say. */
export function wrongEffects(
	states: ItemReport[],
	scene: Pick<Scene, 'effects'>,
	effects: readonly Effect[],
): string[] {
	const told: string[] = [];
	for (const [index, { state, said }] of states.entries()) {
		const wanted = scene.effects[index];
		const item = `item ${index + 1}`;
		const counts = wanted.map((one) => countOf(effects, one));
		for (const [step, count] of counts.entries())
			if (count > 1)
				told.push(`${item}: ${wanted[step].kind} was done ${count} times${by('once')}`);
		if (state === 'done' && counts.includes(0))
			told.push(
				`${item} is reported as done, without ${wanted[counts.indexOf(0)].kind}${by('reported')}`,
			);
		// An earlier try has done it.
		if (
			state === 'failed' &&
			!new RegExp(`\\bItem ${index + 1} is done(?:: leave it out|, and found)`).test(said)
		)
			for (const kind of stepsNotTold(wanted, counts, said))
				told.push(`${item} is reported as failed, but ${kind} was done${by('reported')}: ${said}`);
	}
	return told;
}

/** What only a program would say. */
const CRASH =
	/\bundefined\b|\bNaN\b|\[object |Cannot read|Cannot destructure|is not a function|is not iterable|Unexpected token|Invalid time value|Invalid array length|Maximum call stack/;

/** Messages that have what only a program would say. What the service said is its own. */
export function programMessages(states: ItemReport[]): string[] {
	return states.flatMap(({ said }, index) =>
		CRASH.test(said.replace(/The service said.*/s, ''))
			? [`item ${index + 1}: the message is that of a program${by('people')}: ${said}`]
			: [],
	);
}

/** The steps that were done and that the message of a failed item doesn't name. */
function stepsNotTold(wanted: Wanted[], counts: number[], said: string): string[] {
	const named: Record<string, RegExp> = {
		'transaction.recalled': /recalled/,
		'transaction.updated': /corrected/,
		'transaction.created': /Done: Transaction\b/,
		'document.added': /Done: (?:Transaction, )?(?!Transaction)\w/,
		'document.deleted': /Done: .*(?:The old |\.pdf)/,
	};
	return wanted
		.filter((_one, step) => counts[step] > 0)
		.map(({ kind }) => kind)
		.filter((kind) => wanted.length === 1 || !named[kind]?.test(said));
}
