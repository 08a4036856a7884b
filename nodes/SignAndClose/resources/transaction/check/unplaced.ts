import type { DocumentAnswer, TransactionAnswer } from '../../../transport/answers/shapes';
import { asObjects } from '../../../values/json';
import { readReference } from '../../../values/reference';
import { quoteDocuments } from './findings';

/* Documents of a copy without the places to sign that those of the old transaction had. */

/** What sets them, as the end of a sentence. */
export const PLACES_REMEDY =
	"set them with 'Document: Apply Rules', with 'What Update Can't Set' at 'Replace the Document'";

/**
 * Whether Copy has added a document without the places that the old one had, and nothing shows any since.
 * Whatever adds it again gives it another reference.
 */
export const isUnplacedCopy = ({
	tracking_id: tracking,
	signing_designations: places,
}: DocumentAnswer): boolean =>
	readReference(tracking)?.maker === 'unplacedCopy' && asObjects(places).length === 0;

/** Those of a transaction, as far as it shows its documents. */
export const listUnplacedCopies = ({ documents }: TransactionAnswer): DocumentAnswer[] =>
	(documents ?? []).filter(isUnplacedCopy);

/** Says which documents have no places of those that they had before they were copied. */
export function describeUnplacedCopies(transaction: TransactionAnswer): string | undefined {
	const copies = listUnplacedCopies(transaction);
	return copies.length === 0
		? undefined
		: `The service shows no places to sign in ${quoteDocuments(copies)} of ${transaction.id}: 'Transaction: Copy' couldn't take them over. Make sure that the closing team sets them. Or, in a draft, ${PLACES_REMEDY}`;
}
