import { readFileSync } from 'node:fs';

import { finishPdf, linesPdf } from './pdf.mts';
import { identityPicture } from './pictures.mts';
import { move, type NotarizationRecord, type Transaction, type World } from './world.mts';

/** What people do: signers and notaries. The console's buttons, and the tests, call these. */

const VIDEO = readFileSync(new URL('./assets/meeting.mp4', import.meta.url));
const NOTARY = 'Nora Notary';

/** A step that can't be done now, with the reason for the person who tries. */
export class NotNow extends Error {}

export type Step = 'sign' | 'notarize' | 'reject';

/** Why a step can't be done now; undefined when it can. */
export function whyNot(transaction: Transaction, step: Step): string | undefined {
	if (transaction.status.startsWith('completed')) return 'The transaction is completed';
	if (transaction.status === 'started') return 'The transaction is a draft: it has to be sent first';
	const signed = transaction.signers.every(({ signing_status }) => signing_status === 'complete');
	if (step === 'sign' && signed) return 'All signers have finished';
	if (step === 'notarize' && !needsNotary(transaction)) return 'No document needs a notary';
	if (step === 'notarize' && !signed) return 'The signer has to sign first';
	return undefined;
}

function needsNotary({ documents }: Transaction): boolean {
	return documents.some(({ requirement, flags }) => requirement === 'notarization' || flags.notarization_required === true);
}

function refuse(transaction: Transaction, step: Step): void {
	const reason = whyNot(transaction, step);
	if (reason !== undefined) throw new NotNow(reason);
}

/** The next signer who has not finished signs everything. */
export async function signerSigns(world: World, transaction: Transaction): Promise<void> {
	refuse(transaction, 'sign');
	const signer = transaction.signers.find(({ signing_status }) => signing_status !== 'complete');
	if (signer === undefined) return;
	world.emit('transaction.received', transaction);
	signer.signing_status = 'complete';
	const done = transaction.signers.every(({ signing_status }) => signing_status === 'complete');
	if (done && !needsNotary(transaction)) return await complete(world, transaction, 'completed', 'complete');
	move(world, transaction, 'partially_completed', 'partially_complete', `${signer.email} has signed`);
	world.emit('transaction.partially_completed', transaction);
}

/** The notary meets the signers and completes the notarizations. */
export async function notaryCompletes(world: World, transaction: Transaction): Promise<void> {
	refuse(transaction, 'notarize');
	const start = world.clock.stamp();
	world.emit('transaction.meeting.created', transaction);
	move(world, transaction, 'active', 'meeting_in_progress', `meeting with ${NOTARY}`);
	const record: NotarizationRecord = {
		id: world.newId('me_'),
		transactionId: transaction.id,
		start,
		end: world.clock.stamp(),
		notary: NOTARY,
		pictures: Object.fromEntries(['primary_front', 'primary_back', 'secondary_front'].map((kind) => [kind, identityPicture(kind)])),
		video: VIDEO,
	};
	world.records.set(record.id, record);
	transaction.recordId = record.id;
	world.emit('transaction.meeting.video.processed', transaction, { meeting: { meeting_id: record.id } });
	await complete(world, transaction, 'completed', 'complete');
}

/** A document is rejected: the transaction ends with rejections. */
export async function reject(world: World, transaction: Transaction, reason = 'The name on the document is not correct'): Promise<void> {
	refuse(transaction, 'reject');
	const document = transaction.documents[0];
	if (document !== undefined) document.rejectionReason = reason;
	await complete(world, transaction, 'completed_with_rejections', 'complete_with_rejections');
}

async function complete(world: World, transaction: Transaction, status: string, detailedStatus: string): Promise<void> {
	const names = Object.fromEntries([
		['notary', `${NOTARY}, Notary Public`],
		...transaction.signers.map((signer) => [signer.external_id ?? signer.id, `${signer.first_name ?? ''} ${signer.last_name ?? ''}`.trim() || signer.email]),
	]);
	for (const document of transaction.documents) {
		const outcome = document.rejectionReason === undefined ? 'Completed' : 'Rejected';
		document.final = await finishPdf(document.uploaded, {
			designations: document.rejectionReason === undefined ? document.designations : [],
			names,
			footer: `${outcome} in transaction ${transaction.id} - ${document.requirement}`,
		});
		document.updated = world.clock.stamp();
	}
	for (const signer of transaction.signers) signer.signing_status = 'complete';
	move(world, transaction, status, detailedStatus, status === 'completed' ? 'all documents are finished' : 'ended with rejections');
	const lines = transaction.history.map(({ at, detailed_status, what }) => `${at}  ${detailed_status}: ${what}`);
	transaction.auditTrail = await linesPdf('Audit trail', [`Transaction ${transaction.id}`, ...lines]);
	world.emit(`transaction.${status}`, transaction);
	world.emit('transaction.released', transaction);
}
