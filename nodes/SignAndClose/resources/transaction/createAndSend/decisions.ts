import type { ItemDifference } from '../../draft/difference';
import type { IfItDiffers } from './choices';

/* What becomes of a difference, by If It Differs. docs/create-and-send.md shows all of it. */

/** What becomes of a difference. `names` lists it only. */
export type Decision =
	'adds' | 'changes' | 'deletes' | 'keeps' | 'names' | 'replaces' | 'stops' | 'stopsSend';

interface DecisionRow extends Record<IfItDiffers, Decision> {
	description: string;
	/** What becomes of it in a transaction that was sent, unless the choice is Update It or Keep It. */
	sent: 'names' | 'stops';
}

const defineRow = (
	difference: string,
	stop: Decision,
	update: Decision,
	keep: Decision,
	sent: DecisionRow['sent'],
): DecisionRow => ({ description: difference, stop, update, keep, sent });

/** It's the same whatever is chosen. */
const defineConstantRow = (decision: Decision, description: string): DecisionRow =>
	defineRow(description, decision, decision, decision, 'names');

const OF_WISH = 'Its name, requirement, flags or places to sign';
const OF_ITEM = 'A document that this operation has added, and the item no longer has';

/** The differences that are told apart. */
export const DECISIONS = {
	'field different': defineRow('A field has another value', 'stops', 'changes', 'keeps', 'names'),
	'property different': defineRow(
		'The property is another one',
		'stops',
		'changes',
		'stops',
		'stops',
	),
	'signer missing': defineRow("A person isn't a signer", 'stops', 'adds', 'stops', 'stops'),
	'person different': defineRow('What is known of a signer', 'stops', 'changes', 'stops', 'names'),
	'signer extra': defineConstantRow('stopsSend', "A signer whom the item doesn't name"),
	'document missing': defineRow("A file isn't there", 'adds', 'adds', 'adds', 'stops'),
	'content different': defineRow(
		'A document has other content',
		'stops',
		'replaces',
		'stops',
		'stops',
	),
	'wish different': defineRow(OF_WISH, 'stops', 'changes', 'keeps', 'names'),
	'document extra': defineRow(OF_ITEM, 'stopsSend', 'deletes', 'stopsSend', 'names'),
	'foreign extra': defineConstantRow('stopsSend', 'A document that somebody else has added'),
	'enote missing': defineRow("The eNote isn't there", 'adds', 'adds', 'adds', 'stops'),
	'enote different': defineRow(
		'The eNote has other content',
		'stops',
		'replaces',
		'stops',
		'stops',
	),
	'enote extra': defineConstantRow('names', "An eNote that the item doesn't have"),
	'content unknown': defineConstantRow(
		'stopsSend',
		'Nothing shows the content of a document or eNote',
	),
	'field unknown': defineConstantRow('names', 'Nothing shows a field'),
} satisfies Record<string, DecisionRow>;

/** The case that a difference is. */
function findCase({ about, kind }: ItemDifference): keyof typeof DECISIONS {
	const isContent = about === 'content' || about === 'enote';
	if (kind === 'unknown') return isContent ? 'content unknown' : 'field unknown';
	if (about === 'foreign') return 'foreign extra';
	if (about === 'signer' || about === 'document' || about === 'enote')
		return kind === 'different' ? 'enote different' : `${about} ${kind}`;
	return `${about} different`;
}

/** What becomes of a difference. */
export function decide(difference: ItemDifference, choice: IfItDiffers, isSent: boolean): Decision {
	const row: DecisionRow = DECISIONS[findCase(difference)];
	if (!isSent) return row[choice];
	if (choice === 'stop') return row.sent;
	return choice === 'update' && difference.kind !== 'unknown' ? 'stops' : 'names';
}
