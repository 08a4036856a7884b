import { InputFailure } from '../../messages/explainedFailure';
import { Faults } from '../../messages/faults';
import {
	defineOperation,
	defineWrite,
	type OperationCall,
	type OperationResult,
} from '../../run/operation';
import type { Params } from '../../run/parameters/params';
import { toBody } from '../../transport/files/streamedJson';
import { asText } from '../../values/json';
import { platform } from '../shared/commonFields';
import { collection, flag, text } from '../shared/fields';
import { differenceHint, joined } from '../shared/hints';
import { documentLocator, transactionLocator } from '../shared/locators';
import { findDocument, retriever, withDocumentIds, type Place } from './api';
import { PDF } from './fileKinds';
import { documentDetails, parseChanges, parsePlace, requirement } from './form';
import { updatedGoal, type UpdatedDocument } from './goals';
import { checkPlaced, placeDesignations } from './placeDesignations';
import { fileSourceProperties, parseFile } from './source';
import { whereOfUpdate } from './whereToSign';

const updates = [...documentDetails, text('Document Name', 'name', 'Deed of Trust'), requirement];

const REPLACE =
	"Some services never change the file or the designations of a document: delete it with 'Document: Delete', and add it again with 'Document: Add'";

/**
 * Updates a document. The documented interface takes every attribute of Add Document, a live
 * service takes fewer, so we send what was filled in and let the service judge
 * (docs/service/documents.md#update-a-document).
 */
export const updateDocument = defineOperation({
	resource: 'document',
	value: 'update',
	name: 'Update',
	action: 'Update document',
	description:
		'Change a document of a draft: name, requirement, flags and, if the service takes them, designations or the file',
	kind: 'write',
	passesFiles: true,
	effect: 'Changes what the signers have to do with this document',
	properties: [
		platform,
		transactionLocator,
		documentLocator,
		collection('Update Fields', 'updateFields', updates),
		...whereOfUpdate,
		flag(
			'Replace File',
			'replaceFile',
			"Whether to replace the uploaded PDF with another one. If the service doesn't show that it took it, delete the document and add it again.",
		),
		...fileSourceProperties(PDF, { show: { replaceFile: [true] } }),
	],
	write: defineWrite({
		parse: parseUpdate,
		async prepare(call, { place, changes, resource, placement, faults }) {
			const retrieve = retriever(call);
			if (place !== undefined) await checkPlaced(placement, retrieve, faults);
			faults.throwIfAny();
			if (Object.keys(changes).length === 0 && resource === undefined)
				throw new InputFailure(
					call.params.label('updateFields'),
					'is empty',
					'Add at least one field to change',
				);
			return findDocument(await retrieve(), place!.documentId);
		},
		send: async ({ service }, { place, changes, resource }) =>
			await service.json('updateDocument', {
				path: { documentId: place!.documentId },
				platform: place!.platform,
				mayBeText: true,
				...toBody({ ...changes, resource }),
			}),
		goal({ service, params }, { place, changes, faults }, before) {
			faults.throwIfAny();
			const replacesFile = params.boolean('replaceFile');
			const goal = updatedGoal({ ...place!, service, changes, before, replacesFile });
			return { ...goal, toCheck: `${goal.toCheck}. ${REPLACE}` };
		},
		result: ({ params }, updated, { place, placement }) =>
			toResult(params, place!, updated, placement.hint),
	}),
});

/** Parses what changes, and the new file. What can't be used is told once the transaction is known. */
async function parseUpdate(call: OperationCall) {
	const faults = new Faults();
	const place = faults.collect(() => parsePlace(call.params));
	const resource = await faults.collectLater(async () =>
		call.params.boolean('replaceFile') ? await parseFile(call, PDF) : undefined,
	);
	const fields = faults.collect(() => parseChanges(call)) ?? {};
	const placement = await placeDesignations(call, { fields, resource }, faults);
	return { place, changes: { ...placement.fields, ...fields }, resource, placement, faults };
}

/** Returns the document, or, without an ID, what is known while its file is split. */
function toResult(
	params: Params,
	{ transactionId, documentId }: Place,
	{ document, differing }: UpdatedDocument,
	hint?: string,
): OperationResult {
	if (asText(document.id) !== undefined)
		return {
			json: withDocumentIds(transactionId, document),
			hint: joined([hint, differenceHint(params, differing)]),
		};
	const ids = { transaction_id: transactionId, document_id: documentId };
	return { json: { ...ids, upload_in_progress: true, ...document } };
}
