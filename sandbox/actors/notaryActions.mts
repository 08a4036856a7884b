/** The meeting with the notary (docs/service/notarization.md#notarization-record). */

import { readFileSync } from 'node:fs';

import type { ActionHandlers, ActionOptions } from './actionNames.mts';
import { identityPicture } from '../data/identityPictures.mts';
import { complete } from '../domain/completion.mts';
import { notaryOf } from '../domain/notaries.mts';
import { videoUrl } from '../domain/meetingVideo.mts';
import { STATES } from '../domain/states.mts';
import { move } from '../domain/transitions.mts';
import type { Notary, NotarizationRecord, Transaction, World } from '../world/world.mts';

const VIDEO = readFileSync(new URL('../data/assets/meeting.mp4', import.meta.url));
const MEETING_MINUTES = 12;
const PICTURE_KINDS = ['primary_front', 'primary_back', 'secondary_front'];

export const NOTARY_ACTIONS: ActionHandlers<'notary'> = { notarize, failMeeting };

/** The notary meets the signers and completes the notarizations. */
async function notarize(world: World, transaction: Transaction): Promise<void> {
	const notary = requestMeeting(world, transaction);
	const record = createRecord(world, transaction, notary);
	const api_url = videoUrl(world, record);
	const meeting = { meeting: { meeting_id: record.id, api_url }, notary_id: notary.id };
	world.emit('transaction.meeting.created', transaction, meeting);
	move(world, transaction, STATES.inMeeting, `meeting with ${notary.name}, ${notary.county}`);
	world.records.set(record.id, record);
	transaction.recordId = record.id;
	transaction.recordIds.push(record.id);
	const processVideo = () => {
		record.video = VIDEO;
		world.emit('transaction.meeting.video.processed', transaction, meeting);
	};
	// The recording can lag the meeting (docs/service/notarization.md#meeting-video).
	if (world.settings.videoLagSeconds === 0) processVideo();
	else world.clock.later(world.settings.videoLagSeconds * 1000, processVideo);
	await complete(world, transaction);
}

function createRecord(world: World, transaction: Transaction, notary: Notary): NotarizationRecord {
	const end = world.clock.now();
	return {
		id: world.newId('me_'),
		transactionId: transaction.id,
		start: world.clock.stamp(end - MEETING_MINUTES * 60_000),
		end: world.clock.stamp(end),
		notary,
		pictures: Object.fromEntries(PICTURE_KINDS.map((kind) => [kind, identityPicture(kind)])),
	};
}

/**
 * The meeting fails but can be tried again: the event meeting.failed, the detailed status attempted
 * (docs/service/states.md#detailed-status).
 */
function failMeeting(
	world: World,
	transaction: Transaction,
	{ reason = 'the connection was lost' }: ActionOptions,
): void {
	const notary = requestMeeting(world, transaction);
	move(world, transaction, STATES.meetingFailed, `meeting with ${notary.name} failed: ${reason}`);
	world.emit('transaction.meeting.failed', transaction, { notary_id: notary.id });
}

/** The signer waits, a notary is assigned, and the meeting is requested. */
function requestMeeting(world: World, transaction: Transaction): Notary {
	const notary = notaryOf(world, transaction);
	world.emit('notary.signer_ready', transaction, { notary_id: notary.id });
	world.emit('transaction.notary.assigned', transaction, { notary_id: notary.id });
	world.emit('transaction.meeting.requested', transaction);
	return notary;
}
