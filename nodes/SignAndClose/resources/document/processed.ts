import type { IDataObject } from 'n8n-workflow';

import type { OperationCall } from '../../run/operation';
import { done } from '../../run/outcome/goals';
import { lookUp } from '../../run/outcome/lookUp';
import type { DocumentAnswer } from '../../transport/answers/answers';
import { retrieveTransaction } from '../../transport/answers/retrieveTransaction';
import type { ServiceClient } from '../../transport/client';
import { sameId } from '../../values/ids';
import { asText } from '../../values/json';
import { parsePlatform } from '../shared/commonFields';
import { flag } from '../shared/fields';
import { documentsOf, isFailed, type Place } from './api';

/* Waits until the service has read a new document (docs/service/documents.md#processing). */

export const waitUntilProcessed = flag(
	'Wait Until Processed',
	'waitUntilProcessed',
	"Whether to wait up to a minute until the service has processed the document. The output then says how many places to sign it has ('designation_count').",
);

const NO_TAGS =
	'No tags found in the document: ask the service to enable text tags for your account';

/**
 * Waits until the service has processed a document. A look that fails says nothing.
 * @param find finds it among those of the transaction
 * @returns undefined when the time is over
 */
export async function awaitProcessed(
	service: ServiceClient,
	{ transactionId, platform }: Omit<Place, 'documentId'>,
	find: (documents: DocumentAnswer[]) => DocumentAnswer | undefined,
): Promise<DocumentAnswer | undefined> {
	const look = async () => {
		const transaction = await retrieveTransaction(service, transactionId, platform);
		const now = find(documentsOf(transaction));
		return now === undefined || now.processing_state === 'pending' ? undefined : done(now);
	};
	const seen = await lookUp(service, { look }, { answered: true });
	return seen.state === 'done' ? seen.shown : undefined;
}

/**
 * Waits until a new document is processed. The document is there in any case, so that nothing that
 * happens meanwhile fails the item.
 * @param fields what was sent
 * @returns the document as the service shows it then, and what a person should know
 */
export async function processed(
	{ service, params }: OperationCall,
	transactionId: string,
	document: IDataObject,
	fields: IDataObject,
): Promise<{ document: IDataObject; hint?: string }> {
	const shown = await awaitProcessed(
		service,
		{ transactionId, platform: parsePlatform(params) },
		(documents) => documents.find(({ id }) => sameId(id, String(document.id))),
	);
	if (shown === undefined)
		return {
			document,
			hint: "The service hasn't processed the document yet. 'Transaction: Send' waits for it, too",
		};
	const { signing_designations: designations, ...now } = shown;
	const count = designations?.length;
	const why = asText(now.processing_error);
	const hint = isFailed(now)
		? `The service couldn't process the document${why === undefined ? '' : `: ${why}`}. Delete it with 'Document: Delete', and add another file`
		: count === 0 && fields.text_tag_syntax !== undefined
			? NO_TAGS
			: undefined;
	return {
		document: {
			...(count !== undefined && { designation_count: count }),
			...document,
			...shown,
		},
		hint,
	};
}
