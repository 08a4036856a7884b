import { inspect } from 'node:util';

import { findFault } from './faults.mts';
import type { Fault } from '../faultService/types.mts';
import { ASKED_ONCE, type Cell } from './cell.mts';
import type { Kind } from './scene.mts';
import { SCENES } from './scenes.mts';

/**
 * What has to become of the item whose request is struck, as docs/behaviour.md promises it. Of the
 * rows that fit a cell, the first one counts.
 */

/** What became of the item whose request was struck. */
export type Outcome =
	/** Done; the request was made again at most where nothing had been done. */
	| 'succeeds'
	/** Done, because a look-up showed it. */
	| 'found'
	/** Failed, and nothing was done. */
	| 'fails'
	/** Failed; the message says that the outcome is not known. */
	| 'unknown'
	/** The run did not end in its time. */
	| 'hangs';

/** `preread`: a write looks at something before it changes it. */
type Role = Kind | 'preread';

interface Row {
	reaches?: Fault['reaches'];
	when?: Fault['when'];
	/** Which faults, by their names. */
	faults?: RegExp;
	roles?: Role[];
	scenes?: RegExp;
	paths?: RegExp;
	/** The kind of the honest answer. */
	kinds?: string[];
	expected: Outcome | Outcome[];
}

const ON_ONE_LINE = { breakLength: Infinity, compact: true };

const READS: Role[] = ['read', 'list', 'download', 'preread'];
/** The service shows whether it was done, or that it was not. */
const SEEN: Role[] = ['write'];
const EITHER: Outcome[] = ['succeeds', 'fails'];
const UNSURE: Outcome[] = ['succeeds', 'found', 'unknown'];
const MISSING: Outcome[] = ['fails', 'unknown'];

/** Refusals that pass: a read is tried again (nodes/SignAndClose/transport/http/retry.ts). */
const TRANSIENT =
	/^http:(status-(408|429|500|502|503|504|524)(-(retry-(?!in-10-years).*|empty))?|gateway-502-html)\/|^size:huge-refusal\//;
/** Refusals that don't tell whether a write was done. */
const DOUBTFUL = /^http:(status-(408|5\d\d|999)|gateway-5)|^size:huge-refusal\//;
/** Successes that can be read all the same. */
const READABLE =
	/^encoding:(bom|latin-1)|^shape:(id-number|id-of-another|status-missing|lists-null|numbers-as-text|key-|nested|type-)|^errorFields:success-beside-|^size:huge-(?!refusal)/;
/** An answer about another thing than the one in the path. */
const OF_ANOTHER = { faults: /^shape:id-of-another/, paths: /\/:id/, kinds: ['object', 'encoded'] };
/** Operations that tell what couldn't be read, instead of failing. */
export const TELLING = /^transaction\/downloadPackage#told/;
/** Done twice, they're done once, so that they're sent again at once. */
const REPEATED = /^(document|transaction|webhook)\/delete|forceComplete/;
/** What the service makes with a reference of ours. If it shows those of others, it's known to be missing. */
const MARKED = {
	scenes: /^(transaction\/(create|copy|replaceDocuments)|document\/(add|applyRules))/,
	paths: /^(?!.*enote)/,
};
/** What the service makes without a reference of ours. */
const UNMARKED = /^(enote\/add|webhook\/create)/;

const ROWS: Row[] = [
	{ reaches: 'honest', expected: 'succeeds' },
	// Which organization the key belongs to needn't be answered to tell a branch from it.
	{ paths: ASKED_ONCE, scenes: /^transaction\/(create|copy)/, expected: EITHER },
	// What an operation needs may be missing; a write that isn't shown may have been done.
	{ faults: /^described:required/, roles: READS, expected: [...EITHER, 'unknown'] },
	{ faults: /^described:required/, expected: UNSURE },
	{ faults: /^described:/, expected: ['succeeds', 'found'] },
	// It's looked at after the write, which is done by then.
	{
		roles: ['preread'],
		scenes: /^transaction\/forceComplete/,
		expected: ['succeeds', 'unknown'],
	},
	// The bytes that were promised are cut JSON; whether the rest is noticed is a matter of time.
	{ faults: /^network:length-too-short/, roles: READS, expected: EITHER },

	// What a check finds is told, whatever it is.
	{ scenes: /^account\/check/, expected: 'succeeds' },
	// What a package lacks, too: only without the transaction there is none.
	{ scenes: TELLING, kinds: ['file'], expected: 'succeeds' },
	{ scenes: TELLING, expected: EITHER },
	// Of the questions beside the transaction, an answer that doesn't come leaves something unknown,
	// unless it comes later.
	{
		scenes: /^transaction\/check/,
		kinds: ['list'],
		faults: /^(?!http:status-429-retry-in-10-years)/,
		expected: 'succeeds',
	},

	// Reads. Another prefix is tried where a service has several for one endpoint.
	{
		faults: /^http:(status-(401|403|404)|gateway-403)/,
		scenes: /^(webhook|notary)\//,
		roles: READS,
		expected: EITHER,
	},
	{
		faults: /^http:(status-(401|403|404)|gateway-403)/,
		scenes: /^webhook\/delete/,
		expected: [...EITHER, 'found'],
	},
	// What the key can't read isn't compared, unless somebody has chosen Skip.
	{
		faults: /^http:(status-(401|403|404)|gateway-403)/,
		scenes: /^document\/add/,
		roles: ['preread'],
		expected: EITHER,
	},
	// A file that the service doesn't give is replaced.
	{ scenes: /replaceDocuments/, roles: ['preread'], paths: /documents\/:id$/, expected: EITHER },
	// An answer about another one says nothing, and isn't used.
	{ ...OF_ANOTHER, roles: ['preread'], scenes: /\/delete/, expected: [...EITHER, 'unknown'] },
	// A webhook is also retrieved after its update.
	{ ...OF_ANOTHER, roles: ['preread'], scenes: /^webhook\/update/, expected: EITHER },
	{ ...OF_ANOTHER, roles: READS, expected: 'fails' },
	{ ...OF_ANOTHER, roles: ['reminder'], expected: 'unknown' },
	// What is deleted is looked at before and after.
	{ roles: ['preread'], scenes: /\/delete/, expected: [...EITHER, 'unknown'] },
	{ roles: ['preread'], reaches: 'odd', expected: EITHER },
	// It only helps to recognize what is made, if the answer to that is lost.
	{ roles: ['preread'], scenes: /^webhook\/(create|update)/, expected: EITHER },
	// What only makes sure of the ID of what was created needn't be answered.
	{
		roles: ['preread'],
		scenes: /^transaction\/(createAndSend|copy)/,
		kinds: ['object'],
		expected: EITHER,
	},
	// A link that is refused can have expired, so a fresh one is taken.
	{
		faults: /^(http:(status-(400|401|403|404)|gateway-403)|binary:link-expired)/,
		kinds: ['file'],
		expected: EITHER,
	},
	{ roles: READS, faults: TRANSIENT, expected: 'succeeds' },
	{ roles: READS, reaches: 'refused', expected: 'fails' },
	// A file that has begun to come is not asked for again.
	{
		roles: ['download', 'preread'],
		reaches: 'lost',
		kinds: ['file', 'encoded'],
		expected: EITHER,
	},
	{ roles: READS, reaches: 'lost', expected: 'succeeds' },
	{ roles: ['list', 'download'], reaches: 'odd', expected: EITHER },
	// What isn't shown isn't taken for done: it needs the documents, or the service refuses the sending.
	{ faults: /^shape:lists-null/, scenes: /^document\/add#skip/, expected: 'fails' },
	{ faults: /^shape:status-missing/, scenes: /^transaction\/send#sent/, expected: 'fails' },
	// It compares every entry of a list, and retrieves the one that it takes.
	{
		roles: ['read'],
		scenes: /^transaction\/createClosing#return/,
		reaches: 'odd',
		expected: EITHER,
	},
	{ roles: ['read'], reaches: 'odd', faults: READABLE, expected: 'succeeds' },
	{ roles: ['read'], reaches: 'odd', expected: EITHER },

	// Its answer shows nothing, or what was before, so that the result is always looked at.
	{
		when: 'after',
		scenes: /^transaction\/(forceComplete|replaceDocuments)|\/delete|^document\/applyRules#replace/,
		expected: ['found', 'succeeds'],
	},
	// No look shows the signing key that was sent with the rest.
	{ when: 'after', scenes: /^webhook\/update/, expected: ['found', 'succeeds', 'unknown'] },

	// Nobody knows who has made what is there. After a success, it's the one that is new.
	{ when: 'after', reaches: 'odd', scenes: UNMARKED, expected: UNSURE },
	{ when: 'after', scenes: UNMARKED, expected: 'unknown' },

	// Writes that are done after their answer was lost, and before absence counts.
	{ when: 'later', scenes: UNMARKED, expected: 'unknown' },
	{ when: 'later', roles: ['reminder'], expected: 'unknown' },
	{ when: 'later', scenes: /^webhook\/update/, expected: ['found', 'succeeds', 'unknown'] },
	{ when: 'later', expected: ['found', 'succeeds'] },

	// Writes that were refused.
	{ faults: /^http:status-429(-retry-(?!in-10-years).*)?\//, expected: 'succeeds' },
	{ when: 'before', scenes: /#?replace/, paths: /\/(recall|documents\/:id)$/, expected: EITHER },
	{ faults: DOUBTFUL, when: 'before', scenes: REPEATED, expected: 'succeeds' },
	{ reaches: 'refused', when: 'before', roles: SEEN, expected: 'fails' },
	{ faults: DOUBTFUL, when: 'before', ...MARKED, expected: MISSING },
	{ faults: DOUBTFUL, when: 'before', expected: 'unknown' },
	{ reaches: 'refused', when: 'before', expected: 'fails' },
	{ faults: DOUBTFUL, when: 'after', roles: ['reminder'], expected: 'unknown' },
	{ faults: DOUBTFUL, when: 'after', expected: 'found' },
	// 302 and 303 can point to the result; the others say that nothing was done here.
	{ faults: /^redirect:30[23].*\/before/, scenes: REPEATED, expected: 'succeeds' },
	{ faults: /^redirect:30[23].*\/before/, roles: SEEN, expected: 'fails' },
	{ faults: /^redirect:30[23].*\/before/, ...MARKED, expected: MISSING },
	{ faults: /^redirect:30[23].*\/before/, expected: 'unknown' },
	{ faults: /^redirect:30[23].*\/after/, roles: ['reminder'], expected: 'unknown' },
	{ faults: /^redirect:30[23].*\/after/, expected: 'found' },
	{ faults: /^redirect:.*\/before/, expected: 'fails' },

	// Writes whose answer is lost or says nothing.
	{ when: 'after', faults: /^lists:/, expected: ['succeeds', 'found'] },
	{ when: 'after', faults: /^encoding:utf-8/, expected: UNSURE },
	{ faults: /^network:refused-for-a-while/, scenes: REPEATED, expected: EITHER },
	{ faults: /^network:refused-for-a-while/, roles: SEEN, expected: 'fails' },
	// An answer that names an error is no word of a reminder.
	{
		when: 'after',
		faults: /^errorFields:success-beside-/,
		roles: ['reminder'],
		expected: ['succeeds', 'unknown'],
	},
	// An ID that comes with the item's own number is believed.
	{
		when: 'after',
		faults: /^shape:id-/,
		scenes: /^transaction\/(createAndSend|copy)/,
		expected: [...EITHER, 'found'],
	},
	{ when: 'after', faults: READABLE, expected: ['succeeds', 'found'] },
	{ when: 'after', roles: ['reminder'], expected: 'unknown' },
	{ when: 'after', expected: 'found' },
	{ when: 'before', reaches: 'lost', scenes: REPEATED, expected: ['succeeds', 'found'] },
	// An answer that can't be read is a lost one.
	{ when: 'before', scenes: REPEATED, expected: EITHER },
	{ when: 'before', roles: SEEN, expected: 'fails' },
	{ when: 'before', ...MARKED, expected: MISSING },
	{ when: 'before', expected: 'unknown' },
];

/** What sends a transaction, also as a step of something else. */
const SENDING = /\/(?:place_order|notarization_ready)$/;

export const roleOf = ({ scene, request }: Cell): Role => {
	const kind = SENDING.test(request.path) ? 'write' : SCENES[scene].kind;
	const reads = ['read', 'list', 'download'].includes(kind);
	return request.method === 'GET' && !reads ? 'preread' : kind;
};

/** The service asks for a pause that nobody waits for. It holds for all items and tries. */
export const asksForLongPause = (fault: string) => /429-retry-in-10-years/.test(fault);

/** The outcomes that are right for a cell, and which row says so. */
export function expectedOf(cell: Cell): { expected: Outcome[]; rule: string } {
	const fault = findFault(cell.fault);
	const role = roleOf(cell);
	const row = ROWS.find(
		({ reaches, when, faults, roles, scenes, paths, kinds }) =>
			(reaches === undefined || reaches === fault.reaches) &&
			(when === undefined || when === fault.when) &&
			(faults === undefined || faults.test(fault.name)) &&
			(roles === undefined || roles.includes(role)) &&
			(scenes === undefined || scenes.test(cell.scene)) &&
			(paths === undefined || paths.test(cell.request.path)) &&
			(kinds === undefined || kinds.includes(cell.request.kind)),
	);
	if (row === undefined) throw new Error(`No row for ${cell.scene} and ${cell.fault}`);
	const { expected: inRow, ...fits } = row;
	const rule = `row ${ROWS.indexOf(row) + 1} of outcomes.mts ${inspect(fits, ON_ONE_LINE)}`;
	const expected = [inRow].flat();
	// What is known to be not done is done by the next try, in which nothing is struck. Where items go
	// on after a failure, n8n tries again only if the first one failed.
	const triesAgain = cell.retries && !asksForLongPause(cell.fault);
	const isFirst =
		cell.items === 1 ||
		cell.onError === 'stopWorkflow' ||
		SCENES[cell.scene].shares?.test(`${cell.request.method} ${cell.request.path}`) === true ||
		// The second document is the first item's, too, and what's read comes once for each item.
		(/^document\/add#all files/.test(cell.scene) && cell.request.method !== 'GET');
	// An item of a package asks for several files, and items of several steps overtake each other, so
	// the one that is struck may be the first.
	const mayBeFirst =
		/^transaction\/(downloadPackage|createAndSend|copy|replace)|^document\/.*#replace/.test(
			cell.scene,
		);
	if (!triesAgain || !(isFirst || mayBeFirst)) return { expected, rule };
	const again = expected.flatMap((one): Outcome[] => {
		if (one !== 'fails') return [one];
		return isFirst ? ['succeeds'] : ['succeeds', 'fails'];
	});
	return { expected: again, rule: `${rule} and the next try` };
}

/**
 * The service says that it refuses or moves a write, and has done it, or says that it has done what
 * it hasn't. No client can know that.
 */
export function isLie({ name, when, reaches }: Fault): boolean {
	// These answers have an ID.
	if (when === 'before') return /^size:huge-text/.test(name);
	if (reaches === 'refused') return /^http:status-4(?!08)/.test(name);
	return /^redirect:(?!30[23])/.test(name);
}
