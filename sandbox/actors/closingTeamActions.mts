import { append, newDocument } from '../domain/documents.mts';
import { finish } from '../domain/completion.mts';
import { outcomeOf } from '../domain/outcome.mts';
import { hold } from './review.mts';
import { samplePdf } from '../data/samples.mts';
import { checkReady, deliver } from '../domain/send.mts';
import type { Action, Step } from './steps.mts';
import { isDraft, move, note } from '../state/world.mts';

/**
 * The closing team, the title agency, and closings on paper (interface.md §3.1; gaps.md §5, §8).
 */

export type TeamStep = Extract<
	Step,
	| 'prepare'
	| 'sendToSigner'
	| 'sendToAgency'
	| 'underwriterMissing'
	| 'importDocument'
	| 'importFails'
	| 'convertToPaper'
	| 'signOnPaper'
>;

const IMPORTED = { file: 'closing-disclosure', name: 'Closing Disclosure (imported)', pages: 1 };

export const TEAM_ACTIONS: Record<TeamStep, Action> = {
	prepare: (world, transaction) =>
		move(
			world,
			transaction,
			transaction.status,
			'ready_for_review',
			'closing team has prepared the documents for review',
		),
	sendToSigner: (world, transaction) => {
		// On a documented-only service this is how a closing is sent: by the closing team (interface.md
		// §3.1).
		if (isDraft(transaction)) checkReady(transaction, false);
		note(world, transaction, 'closing team has added designations and arranged the signing time');
		deliver(world, transaction);
	},
	sendToAgency: (world, transaction) => {
		move(
			world,
			transaction,
			'sent_to_title_agency',
			'sent_to_title_agent',
			'sent to the title agency',
		);
		world.emit('transaction.sent_to_title_agency', transaction);
	},
	// A draft stays one: its client can name another underwriter. An order waits for the closing
	// team.
	underwriterMissing: (
		world,
		transaction,
		{ reason = 'the title underwriter does not take the closing' },
	) => {
		if (isDraft(transaction)) note(world, transaction, reason);
		else hold(world, transaction, 'on_hold', reason);
		world.emit('transaction.underwriter.not_available', transaction);
	},
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
	importFails: (world, transaction, { reason = 'the file can not be read' }) => {
		note(world, transaction, `import from the loan system failed: ${reason}`);
		world.emit('transaction.import.failed', transaction);
	},
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
	signOnPaper: async (world, transaction) => {
		transaction.onPaper = true;
		note(world, transaction, 'signed on paper and scanned');
		await finish(world, transaction, 'completed', outcomeOf(transaction));
	},
};
