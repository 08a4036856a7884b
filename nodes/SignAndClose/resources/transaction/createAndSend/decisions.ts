import type { Difference } from '../../drafts/difference';
import type { IfItDiffers } from './form';

/* What becomes of a difference, by If It Differs. docs/create-and-send.md shows all of it. */

/** What becomes of a difference. `names` lists it only. */
export type Decision =
	'adds' | 'changes' | 'deletes' | 'keeps' | 'names' | 'replaces' | 'stops' | 'stopsSend';

interface Row extends Record<IfItDiffers, Decision> {
	what: string;
	/** What becomes of it in a transaction that was sent, unless the choice is Update It or Keep It. */
	sent: 'names' | 'stops';
}

const row = (
	what: string,
	stop: Decision,
	update: Decision,
	keep: Decision,
	sent: Row['sent'],
): Row => ({ what, stop, update, keep, sent });

/** It's the same whatever is chosen. */
const always = (decision: Decision, what: string): Row =>
	row(what, decision, decision, decision, 'names');

const OF_WISH = 'Its name, requirement, flags or places to sign';
const OF_ITEM = 'A document that this operation has added, and the item no longer has';

/** The differences that are told apart. */
export const DECISIONS = {
	'field different': row('A field has another value', 'stops', 'changes', 'keeps', 'names'),
	'property different': row('The property is another one', 'stops', 'changes', 'stops', 'stops'),
	'signer missing': row("A person isn't a signer", 'stops', 'adds', 'stops', 'stops'),
	'person different': row('What is known of a signer', 'stops', 'changes', 'stops', 'names'),
	'signer extra': always('stopsSend', "A signer whom the item doesn't name"),
	'document missing': row("A file isn't there", 'adds', 'adds', 'adds', 'stops'),
	'content different': row('A document has other content', 'stops', 'replaces', 'stops', 'stops'),
	'wish different': row(OF_WISH, 'stops', 'changes', 'keeps', 'names'),
	'document extra': row(OF_ITEM, 'stopsSend', 'deletes', 'stopsSend', 'names'),
	'foreign extra': always('stopsSend', 'A document that somebody else has added'),
	'enote missing': row("The eNote isn't there", 'adds', 'adds', 'adds', 'stops'),
	'enote different': row('The eNote has other content', 'stops', 'replaces', 'stops', 'stops'),
	'enote extra': always('names', "An eNote that the item doesn't have"),
	'content unknown': always('stopsSend', 'Nothing shows the content of a document or eNote'),
	'field unknown': always('names', 'Nothing shows a field'),
} satisfies Record<string, Row>;

/** The case that a difference is. */
function caseOf({ about, kind }: Difference): keyof typeof DECISIONS {
	const isContent = about === 'content' || about === 'enote';
	if (kind === 'unknown') return isContent ? 'content unknown' : 'field unknown';
	if (about === 'foreign') return 'foreign extra';
	if (about === 'signer' || about === 'document' || about === 'enote')
		return kind === 'different' ? 'enote different' : `${about} ${kind}`;
	return `${about} different`;
}

/** What becomes of a difference. */
export function decide(difference: Difference, choice: IfItDiffers, isSent: boolean): Decision {
	const found: Row = DECISIONS[caseOf(difference)];
	if (!isSent) return found[choice];
	if (choice === 'stop') return found.sent;
	return choice === 'update' && difference.kind !== 'unknown' ? 'stops' : 'names';
}
