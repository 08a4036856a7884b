import type { ActionHandlers } from './actionNames.mts';
import { samplePdf } from '../data/samples.mts';
import { append, newDocument } from '../domain/documents.mts';
import { checkReady, deliver } from '../domain/send.mts';
import { hold, isDraft, move, note } from '../state/world.mts';

/**
 * What the closing team and the title agency do with a closing before the signer gets it
 * (interface.md §3.1; gaps.md §5, §8).
 */

const IMPORTED = { file: 'closing-disclosure', name: 'Closing Disclosure (imported)', pages: 1 };

export const CLOSING_TEAM_ACTIONS: ActionHandlers<'closingTeam'> = {
	importDocument: async (world, transaction) => {
		const uploaded = (await samplePdf(IMPORTED.file))!;
		append(
			world,
			transaction,
			newDocument(world, transaction, { ...IMPORTED, uploaded, body: { requirement: 'readonly' } }),
		);
		note(world, transaction, 'import from the loan system processed');
		world.emit('transaction.import.processed', transaction);
	},
	failImport: (world, transaction, { reason = 'the file can not be read' }) => {
		note(world, transaction, `import from the loan system failed: ${reason}`);
		world.emit('transaction.import.failed', transaction);
	},
	reportNoUnderwriter: (
		world,
		transaction,
		{ reason = 'the title underwriter does not take the closing' },
	) => {
		// A draft stays a draft, because its client can name another underwriter. An order is put on
		// hold until somebody resumes it.
		if (isDraft(transaction)) note(world, transaction, reason);
		else hold(world, transaction, 'on_hold', reason);
		world.emit('transaction.underwriter.not_available', transaction);
	},
	// The work of the closing team waits for a review, which `review` ends (gaps.md §5,
	// ready_for_review).
	prepareForReview: (world, transaction) =>
		move(
			world,
			transaction,
			transaction.status,
			'ready_for_review',
			'closing team has prepared the documents for review',
		),
	sendToTitleAgency: (world, transaction) => {
		move(
			world,
			transaction,
			'sent_to_title_agency',
			'sent_to_title_agent',
			'sent to the title agency',
		);
		world.emit('transaction.sent_to_title_agency', transaction);
	},
	sendToSigner: (world, transaction) => {
		// A documented-only service has no place_order: the closing team sends the draft (interface.md
		// §3.1).
		if (isDraft(transaction)) checkReady(transaction, false);
		note(world, transaction, 'closing team has added designations and arranged the signing time');
		deliver(world, transaction);
	},
	// From online to paper (gaps.md §5, converted_to_wet_sign).
	convertToPaper: (world, transaction) => {
		transaction.onPaper = true;
		move(
			world,
			transaction,
			transaction.status,
			'converted_to_wet_sign',
			'signed on paper instead of online',
		);
	},
};
