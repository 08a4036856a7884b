import { readFileSync } from 'node:fs';

import { finish } from '../domain/completion.mts';
import { notaryOf } from '../data/notaries.mts';
import { outcomeOf } from '../domain/outcome.mts';
import { identityPicture } from '../data/identityPictures.mts';
import {
	move,
	type Notary,
	type NotarizationRecord,
	type Transaction,
	type World,
} from '../state/world.mts';

/** The notary's meeting (interface.md §1, §2 Notarization record; gaps.md §7). */

const VIDEO = readFileSync(new URL('../data/assets/meeting.mp4', import.meta.url));
const MEETING_MINUTES = 12;

/**
 * The notary meets the signers and completes the notarizations. The recording may lag (gaps.md §7).
 */
export async function meet(world: World, transaction: Transaction): Promise<void> {
	const notary = call(world, transaction);
	const end = world.clock.now();
	const record: NotarizationRecord = {
		id: world.newId('me_'),
		transactionId: transaction.id,
		start: inMicroseconds(end - MEETING_MINUTES * 60_000),
		end: inMicroseconds(end),
		notary,
		pictures: Object.fromEntries(
			['primary_front', 'primary_back', 'secondary_front'].map((kind) => [
				kind,
				identityPicture(kind),
			]),
		),
	};
	const meeting = { meeting: { meeting_id: record.id }, notary_id: notary.id };
	world.emit('transaction.meeting.created', transaction, meeting);
	move(
		world,
		transaction,
		'active',
		'meeting_in_progress',
		`meeting with ${notary.name}, ${notary.county}`,
	);
	world.records.set(record.id, record);
	transaction.recordId = record.id;
	transaction.recordIds.push(record.id);
	const processed = () => {
		record.video = VIDEO;
		world.emit('transaction.meeting.video.processed', transaction, meeting);
	};
	if (world.settings.videoLagSeconds === 0) processed();
	else world.clock.later(world.settings.videoLagSeconds * 1000, processed);
	await finish(world, transaction, 'completed', outcomeOf(transaction));
}

/**
 * A meeting that comes to nothing (gaps.md §8, meeting.failed; §5, attempted): it can be tried
 * again.
 */
export function failMeeting(
	world: World,
	transaction: Transaction,
	reason = 'the connection was lost',
): void {
	const notary = call(world, transaction);
	move(
		world,
		transaction,
		transaction.status,
		'attempted',
		`meeting with ${notary.name} failed: ${reason}`,
	);
	world.emit('transaction.meeting.failed', transaction, { notary_id: notary.id });
}

/** The signer waits, a notary is assigned, the meeting is asked for. */
function call(world: World, transaction: Transaction): Notary {
	const notary = notaryOf(world, transaction);
	world.emit('notary.signer_ready', transaction, { notary_id: notary.id });
	world.emit('transaction.notary.assigned', transaction, { notary_id: notary.id });
	world.emit('transaction.meeting.requested', transaction);
	return notary;
}

function inMicroseconds(time: number): string {
	return new Date(time).toISOString().replace('Z', '000Z');
}
