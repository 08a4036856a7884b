import type { About, Difference } from '../../drafts/comparison';
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

/** The differences that are told apart: those of documents also by who has added the document. */
type Case =
	| `${Exclude<About, 'signer' | 'document' | 'enote'>} different`
	| `${'signer' | 'document' | 'enote'} ${'missing' | 'extra'}`
	| 'document foreign'
	| 'enote different'
	| 'content unknown'
	| 'field unknown';

const row = (
	what: string,
	stop: Decision,
	update: Decision,
	keep: Decision,
	sent: Row['sent'],
): Row => ({ what, stop, update, keep, sent });

export const DECISIONS: Record<Case, Row> = {
	'field different': row('A field has another value', 'stops', 'changes', 'keeps', 'names'),
	'property different': row('The property is another one', 'stops', 'changes', 'stops', 'stops'),
	'signer missing': row("A person isn't a signer", 'stops', 'adds', 'stops', 'stops'),
	'person different': row('What is known of a signer', 'stops', 'changes', 'stops', 'names'),
	'signer extra': row(
		"A signer whom the item doesn't name",
		'stopsSend',
		'stopsSend',
		'stopsSend',
		'names',
	),
	'document missing': row("A file isn't there", 'adds', 'adds', 'adds', 'stops'),
	'content different': row('A document has other content', 'stops', 'replaces', 'stops', 'stops'),
	'wish different': row(
		'Its name, requirement, flags or places to sign',
		'stops',
		'changes',
		'keeps',
		'names',
	),
	'document extra': row(
		'A document that this operation has added, and the item no longer has',
		'stopsSend',
		'deletes',
		'stopsSend',
		'names',
	),
	'document foreign': row(
		'A document that somebody else has added',
		'stopsSend',
		'stopsSend',
		'stopsSend',
		'names',
	),
	'enote missing': row("The eNote isn't there", 'adds', 'adds', 'adds', 'stops'),
	'enote different': row('The eNote has other content', 'stops', 'replaces', 'stops', 'stops'),
	'enote extra': row("An eNote that the item doesn't have", 'names', 'names', 'names', 'names'),
	'content unknown': row(
		'Nothing shows the content of a document or eNote',
		'stopsSend',
		'stopsSend',
		'stopsSend',
		'names',
	),
	'field unknown': row('Nothing shows a field', 'names', 'names', 'names', 'names'),
};

/** The case that a difference is. */
function caseOf({ about, kind }: Difference, isOurs: boolean): Case {
	const isContent = about === 'content' || about === 'enote';
	if (kind === 'unknown') return isContent ? 'content unknown' : 'field unknown';
	if (about === 'document' && kind === 'extra')
		return isOurs ? 'document extra' : 'document foreign';
	if (about === 'signer' || about === 'document' || about === 'enote')
		return kind === 'different' ? 'enote different' : `${about} ${kind}`;
	return `${about} different`;
}

/**
 * What becomes of a difference.
 * @param isOurs whether this operation has added the document
 */
export function decide(
	difference: Difference,
	choice: IfItDiffers,
	{ isSent, isOurs = false }: { isSent: boolean; isOurs?: boolean },
): Decision {
	const found = DECISIONS[caseOf(difference, isOurs)];
	if (!isSent) return found[choice];
	if (choice === 'stop') return found.sent;
	return choice === 'update' && difference.kind !== 'unknown' ? 'stops' : 'names';
}
