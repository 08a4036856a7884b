import type { IDataObject } from 'n8n-workflow';

import {
	defineWrite,
	type ExistingResult,
	type OperationCall,
	type OperationResult,
} from '../../run/operation';
import type { DocumentAnswer } from '../../transport/answers/shapes';
import type { DocumentPlace } from './api';
import { buildDeletionGoal, buildDocumentUpdateGoal, type UpdatedDocument } from './goals';

/* Writes to documents that are there. */

/**
 * Changes what an update sets (docs/service/documents.md#update-a-document).
 * @param placeOf is asked when the write is due: a part before it may have made the transaction
 */
export const defineUpdateWrite = (
	placeOf: (call: OperationCall) => DocumentPlace,
	changes: IDataObject,
	before: DocumentAnswer,
	result: (updated: UpdatedDocument) => OperationResult,
) =>
	defineWrite({
		parse: () => ({ changes }),
		prepare: async () => await Promise.resolve({ before }),
		async send(call, { changes: body }) {
			const { documentId, platform } = placeOf(call);
			return await call.service.json('updateDocument', { path: { documentId }, platform, body });
		},
		goal: (call, wish, ready) =>
			buildDocumentUpdateGoal({
				...wish,
				...ready,
				...placeOf(call),
				service: call.service,
				replacesFile: false,
			}),
		result: (_call, updated) => result(updated),
	});

/**
 * Deletes a document (docs/service/documents.md#delete-a-document).
 * @param ready waits until it may be deleted, or says that nothing is to be done any more
 */
export const defineDeletionWrite = (
	placeOf: (call: OperationCall) => DocumentPlace,
	result: (place: DocumentPlace) => OperationResult,
	ready: (call: OperationCall, place: DocumentPlace) => Promise<ExistingResult | undefined>,
) =>
	defineWrite({
		parse: () => ({}),
		async send(call) {
			const place = placeOf(call);
			const { platform, ...path } = place;
			return (
				(await ready(call, place)) ??
				(await call.service.json('deleteDocument', { path, platform }))
			);
		},
		goal: (call) => buildDeletionGoal(call.service, placeOf(call)),
		result: (call) => result(placeOf(call)),
		repeats: true,
	});
