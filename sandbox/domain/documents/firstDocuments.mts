/**
 * The documents that the body of a create has (docs/service/transactions.md#documents-at-creation).
 */

import { addDocument } from './addDocument.mts';
import type { Fields, Transaction, World } from '../../world/world.mts';

/** What a document has that was given as a bare string. Its name is generated. */
const BARE_STRING = { requirement: 'notarization', customer_can_annotate: true };

/**
 * The documents of a create's body as Add Document takes them: one `document` or several
 * `documents`, each the content itself or an object.
 */
export function firstDocuments({ document, documents }: Fields): Fields[] {
	const listed: Array<string | Fields> = documents ?? (document === undefined ? [] : [document]);
	return listed.map((entry) =>
		typeof entry === 'string' ? { resource: entry, ...BARE_STRING } : entry,
	);
}

/**
 * Adds the documents of a create's body. `pdf_bookmarked` and `document_url_version` of the body
 * stand for each of them.
 */
export async function addFirstDocuments(
	world: World,
	transaction: Transaction,
	body: Fields,
): Promise<void> {
	for (const document of firstDocuments(body))
		await addDocument(world, transaction, { pdf_bookmarked: body.pdf_bookmarked, ...document });
}
