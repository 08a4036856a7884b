import {
	ENDED,
	snapshot,
	type KeptOptions,
	type KeptTransaction,
	type Platform,
	type Sent,
	type State,
} from '../../../support/keptService/kept.mts';
import { differencesOf, isNamed, tied, type Difference } from './differences.mts';
import type { Pair } from './generate.mts';
import type { Played } from './play.mts';

/** Judges the second run of a pair by what the service has kept, and by nothing else. */

export interface Judged {
	pair: Pair;
	platform: Platform;
	options: KeptOptions;
	/** What was kept before the second run. */
	state: State;
	before: Sent;
	/** All transactions of the number after it. */
	after: KeptTransaction[];
	played: Played;
}

const describeAll = (differences: Difference[]): string =>
	differences.map(({ kind, what }) => `${kind} ${what}`).join('; ');

/** What no answer shows is nobody's to find. */
function canBeSeen(
	{ platform, options, pair, state }: Judged,
	{ about, what }: Difference,
): boolean {
	// A finished eNote is shown with its signatures.
	if (about === 'enote' && state === 'completed') return false;
	const isFull =
		options.designations === 'byPlatform'
			? platform === 'business'
			: options.designations === 'full';
	const isHidden = !isFull && (pair.between === 'moveBox' || !options.showsReferences);
	return !(isHidden && about === 'rule' && what.startsWith('places'));
}

/** Once for a number, and each content once. */
function twice(judged: Judged): string[] {
	const { after, played } = judged;
	const living = after.filter(({ state }) => !ENDED.includes(state));
	const all: string[] = [];
	if (living.length > 1 && !isUnknowable(judged))
		all.push(`${living.length} transactions of one number`);
	if (played.sent.length > 1) all.push('sent twice');
	for (const { documents } of living.map(snapshot)) {
		const contents = documents.map(({ sha256 }) => sha256);
		if (new Set(contents).size < contents.length) all.push('a document stands there twice');
		if (documents.filter(({ isEnote }) => isEnote).length > 1) all.push('there are two eNotes');
	}
	return all;
}

function ofSent(judged: Judged, sent: Sent): string[] {
	const { pair, state, played } = judged;
	const { second, choices } = pair;
	const all: string[] = [];
	if (choices.then !== 'send') all.push(`sent with '${choices.then}'`);
	if (state === 'recalled' && !choices.sendAgainIfRecalled) all.push('a recalled one was sent');
	if (['sent', 'completed'].includes(state)) all.push('a sent one was sent again');
	const wrong = differencesOf(second, sent).filter((one) => {
		const { about, kind } = one;
		if (!canBeSeen(judged, one)) return false;
		if (about === 'document' && kind === 'extra') return choices.documentsNotInTheItem !== 'leave';
		if (choices.ifItDiffers === 'keep' && ['field', 'rule'].includes(about))
			return !isNamed(JSON.stringify(played.json.differences ?? []), one);
		return true;
	});
	if (wrong.length > 0) all.push(`sent, and not as the item says: ${describeAll(wrong)}`);
	return all;
}

const hides = ({ options }: Judged): boolean =>
	!options.showsReferences || options.listHidesNumbers;

/** Whether a refusal may do without the differences: the service hides by what they could be known. */
function mayBeUnknown(judged: Judged): boolean {
	const { played } = judged;
	return played.failure !== undefined && hides(judged);
}

/** Whether nobody of the item is anybody of the transaction. */
const nothingTies = ({ pair, before }: Judged): boolean =>
	tied(pair.second, before.signers).size === 0;

/** Whether no answer shows the number, and nobody is the same: then nothing tells the two apart. */
const isUnknowable = (judged: Judged): boolean =>
	judged.platform === 'business' && !judged.options.showsReferences && nothingTies(judged);

function ofUnsent(judged: Judged): string[] {
	const { pair, state, played, after, before } = judged;
	const { then, ifItDiffers, sendAgainIfRecalled, documentsNotInTheItem, removeSignersNotNamed } =
		pair.choices;
	if (ENDED.includes(state)) return [];
	if (nothingTies(judged)) {
		if (mayBeUnknown(judged) || isUnknowable(judged)) return [];
		// The same property's signers may be replaced on purpose.
		if (ifItDiffers === 'update' && removeSignersNotNamed && played.failure === undefined)
			return [];
		const names = [pair.second.people[0].email, before.signers[0].email];
		const isRefused =
			(played.failure !== undefined || then === 'plan') && played.writes.length === 0;
		return isRefused && names.every((name) => played.said.includes(name))
			? []
			: ['other people: not refused with both named'];
	}
	const all: string[] = [];
	const living = after.find((one) => !ENDED.includes(one.state))!;
	const mayStay = ({ about, kind }: Difference) =>
		documentsNotInTheItem === 'leave' && about === 'document' && kind === 'extra';
	const left = differencesOf(pair.second, snapshot(living));
	// The places of somebody who isn't there are missing with the person.
	const isMissing = left.some(({ about, kind }) => about === 'person' && kind === 'missing');
	const isOfMissing = ({ about, what }: Difference) =>
		isMissing && about === 'rule' && what.startsWith('places');
	const unnamed = left.filter(
		(one) =>
			canBeSeen(judged, one) && !mayStay(one) && !isOfMissing(one) && !isNamed(played.said, one),
	);
	if (unnamed.length > 0 && !mayBeUnknown(judged))
		all.push(`not sent, and not named: ${describeAll(unnamed)}`);
	const shouldSend = state === 'draft' || (state === 'recalled' && sendAgainIfRecalled);
	if (then === 'send' && shouldSend && played.failure === undefined)
		all.push('green, and not sent');
	const differed = differencesOf(pair.second, before).filter((one) => canBeSeen(judged, one));
	const isHard = ({ about, kind }: Difference) =>
		kind === 'different' || (about === 'person' && kind === 'missing');
	if (ifItDiffers === 'stop' && differed.some(isHard) && played.writes.length > 0)
		all.push("written, although 'stop' writes nothing");
	return all;
}

/** What holds for one that is with its signers, or done. */
function ofFinished(judged: Judged): string[] {
	const { pair, before, played } = judged;
	const { ifItDiffers, then } = pair.choices;
	const all: string[] = [];
	if (played.writes.length > 0 && !isUnknowable(judged))
		all.push('something that was sent was written');
	if (nothingTies(judged) || then === 'plan' || hides(judged)) return all;
	const differed = differencesOf(pair.second, before).filter((one) => canBeSeen(judged, one));
	const isRed = played.failure !== undefined;
	const hard = differed.filter(
		({ about, kind }) =>
			about === 'property' ||
			(kind === 'missing' && ['person', 'document', 'enote'].includes(about)) ||
			(kind === 'different' && ['document', 'enote'].includes(about)),
	);
	if (ifItDiffers === 'keep' && isRed) all.push(`'keep' is red: ${played.failure}`);
	if (ifItDiffers === 'update' && differed.length > 0 && !/recall/i.test(played.failure ?? ''))
		all.push("'update' does not refuse with Recall");
	if (ifItDiffers === 'stop' && hard.length > 0 && !isRed)
		all.push(`green, in spite of: ${describeAll(hard)}`);
	// Whether another address of a person who was invited is red isn't said.
	const isMild = differed.every(({ about }) => about !== 'person') && hard.length === 0;
	if (ifItDiffers === 'stop' && isMild && isRed) all.push(`red, without need: ${played.failure}`);
	return all;
}

/** @returns what's wrong with the second run */
export function judge(judged: Judged): string[] {
	const { pair, state, played } = judged;
	const all = twice(judged);
	if (pair.choices.then === 'plan' && played.writes.length > 0) all.push('a plan has written');
	for (const sent of played.sent) all.push(...ofSent(judged, sent));
	if (played.sent.length === 0) all.push(...ofUnsent(judged));
	if (['sent', 'completed'].includes(state)) all.push(...ofFinished(judged));
	return all;
}
