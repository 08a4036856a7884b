/**
 * Importing documents from an outside generator (docs/service/documents.md#external-documents). The
 * end of an import is told by an event.
 */

import { appendDocument, newDocument } from './addDocument.mts';
import { published, refuse } from '../refusal.mts';
import { addToAuditLog, requireModifiable } from '../transitions.mts';
import { samplePdf } from '../../data/samples.mts';
import { IMPORT_MS } from '../../world/config.mts';
import type { Fields, Transaction, World } from '../../world/world.mts';

const IMPORTED = { file: 'closing-disclosure', name: 'Closing Disclosure (imported)', pages: 1 };

/**
 * POST R/transactions/{id}/documents/external: starts an import.
 * @throws Refusal 400 while another import of the transaction is under way
 */
export function startImport(
	world: World,
	transaction: Transaction,
	{ document_code: code, external_source: source }: Fields,
): void {
	requireModifiable(transaction);
	if (typeof code !== 'string' || code === '') refuse('document_code is missing');
	if (source !== 'docmagic') refuse(`Invalid value for external_source: ${source}`);
	if (transaction.importing !== undefined) throw published('importRuns');
	const job = { code };
	transaction.importing = job;
	addToAuditLog(world, transaction, `import of the documents ${code} started`);
	world.clock.later(IMPORT_MS, async () => {
		if (transaction.importing === job && world.transactions.has(transaction.id))
			await endImport(world, transaction);
	});
}

/** An import brings a document. */
export async function endImport(world: World, transaction: Transaction): Promise<void> {
	delete transaction.importing;
	const uploaded = (await samplePdf(IMPORTED.file))!;
	appendDocument(
		world,
		transaction,
		newDocument(world, transaction, {
			name: IMPORTED.name,
			uploaded,
			found: { pages: IMPORTED.pages, textTags: [] },
			body: { requirement: 'readonly' },
		}),
	);
	addToAuditLog(world, transaction, 'import of outside documents processed');
	world.emit('transaction.import.processed', transaction);
}

export function failImport(world: World, transaction: Transaction, reason: string): void {
	delete transaction.importing;
	addToAuditLog(world, transaction, `import of outside documents failed: ${reason}`);
	world.emit('transaction.import.failed', transaction);
}
