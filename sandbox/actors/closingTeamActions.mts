/**
 * What the closing team and the title agency do with a closing before the signer gets it
 * (docs/service/closings.md#closing-team, docs/service/states.md#detailed-status).
 */

import type { ActionHandlers } from './actionNames.mts';
import { endImport, failImport } from '../domain/documents/externalDocuments.mts';
import { loseTextTags } from '../domain/documents/processing.mts';
import { emitSent, sendToSigner } from '../domain/send.mts';
import { STATES } from '../domain/states.mts';
import { addToAuditLog, hold, isDraft, move } from '../domain/transitions.mts';

export const CLOSING_TEAM_ACTIONS: ActionHandlers<'closingTeam'> = {
	importDocument: async (world, transaction) => await endImport(world, transaction),
	failImport: (world, transaction, { reason = "the file can't be read" }) =>
		failImport(world, transaction, reason),
	reportNoUnderwriter: (
		world,
		transaction,
		{ reason = 'the title underwriter does not take the closing' },
	) => {
		// A draft stays a draft, because its client can name another underwriter. An order is put on
		// hold until somebody resumes it.
		if (isDraft(transaction)) addToAuditLog(world, transaction, reason);
		else hold(world, transaction, STATES.onHold, reason);
		world.emit('transaction.underwriter.not_available', transaction);
	},
	// The work of the closing team waits for a review, which `review` ends (ready_for_review).
	prepareForReview: (world, transaction) =>
		move(
			world,
			transaction,
			STATES.readyForReview,
			'closing team has prepared the documents for review',
		),
	sendToTitleAgency: (world, transaction) => {
		move(world, transaction, STATES.withTitleAgency, 'sent to the title agency');
		world.emit('transaction.sent_to_title_agency', transaction);
	},
	sendToSigner: (world, transaction) => {
		// A documented-only service has no place_order: the closing team sends the draft.
		if (isDraft(transaction)) loseTextTags(transaction);
		addToAuditLog(
			world,
			transaction,
			'closing team has added designations and arranged the signing time',
		);
		sendToSigner(world, transaction);
		emitSent(world, transaction);
	},
	// From online to paper (converted_to_wet_sign).
	convertToPaper: (world, transaction) => {
		transaction.onPaper = true;
		move(world, transaction, STATES.convertedToPaper, 'signed on paper instead of online');
	},
};
