import type { IDataObject } from 'n8n-workflow';

import type { OperationCall } from '../../run/operation';
import { done } from '../../run/outcome/goals';
import { lookUntilFound } from '../../run/outcome/lookUp';
import { retrieveTransaction } from '../../transport/answers/retrieveTransaction';
import { sameId } from '../../values/ids';
import { asText } from '../../values/json';
import { parsePlatform } from '../shared/commonFields';
import { flag } from '../shared/fields';
import { documentsOf, isFailed } from './api';

/* Waits until the service has read a new document (docs/service/documents.md#processing). */

export const waitUntilProcessed = flag(
	'Wait Until Processed',
	'waitUntilProcessed',
	"Whether to wait up to a minute until the service has processed the document. The output then says how many places to sign it has ('designation_count').",
);

const NO_TAGS =
	'No tags found in the document: ask the service to enable text tags for your account';

/**
 * Waits until a new document is processed. The document is there in any case, so that nothing that
 * happens meanwhile fails the item.
 * @param fields what was sent
 * @returns the document as the service shows it then, and what a person should know
 */
export async function processed(
	{ service, params, context }: OperationCall,
	transactionId: string,
	document: IDataObject,
	fields: IDataObject,
): Promise<{ document: IDataObject; hint?: string }> {
	const seen = await lookUntilFound(
		service,
		async () => {
			const platform = parsePlatform(params);
			const documents = documentsOf(await retrieveTransaction(service, transactionId, platform));
			const now = documents.find(({ id }) => sameId(id, String(document.id)));
			return now === undefined || now.processing_state === 'pending' ? undefined : done(now);
		},
		{ signal: context.getExecutionCancelSignal() },
	);
	if (seen.state !== 'done')
		return {
			document,
			hint: "The service hasn't processed the document yet. 'Transaction: Send' waits for it, too",
		};
	const { signing_designations: designations, ...now } = seen.shown;
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
			...seen.shown,
		},
		hint,
	};
}
