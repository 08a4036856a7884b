import { requireChanges } from '../../../form/checks';
import { Faults } from '../../../messages/inputFaults';
import {
	defineOperation,
	defineWrite,
	type OperationCall,
	type OperationResult,
} from '../../../run/operation';
import type { Params } from '../../../run/parameters/params';
import { toBody } from '../../../transport/files/requestBody';
import { asText } from '../../../values/json';
import { platform } from '../../../form/commonFields';
import { defineCollection, defineFlag, defineText } from '../../../form/fields';
import { describeDifferences, joinHints } from '../../../form/hints';
import { documentLocator, transactionLocator } from '../../../form/locators';
import { findDocument, buildRetriever, withDocumentIds, type DocumentPlace } from '../api';
import { PDF } from '../files/kinds';
import { documentDetails, parseDocumentChanges, parseDocumentPlace, requirement } from '../form';
import { buildDocumentUpdateGoal, type UpdatedDocument } from '../goals';
import { checkPlacement, placeDesignations } from '../places/placement';
import { defineFileSource, parseFile } from '../files/source';
import { whereOfUpdate } from '../places/whereToSign';

const updates = [
	...documentDetails,
	defineText('Document Name', 'name', 'Deed of Trust'),
	requirement,
];

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
		defineCollection('Update Fields', 'updateFields', updates),
		...whereOfUpdate,
		defineFlag(
			'Replace File',
			'replaceFile',
			"Whether to replace the uploaded PDF with another one. If the service doesn't show that it took it, delete the document and add it again.",
		),
		...defineFileSource(PDF, { show: { replaceFile: [true] } }),
	],
	write: defineWrite({
		parse: parseDocumentUpdate,
		async prepare(call, { place, changes, resource, placement, faults }) {
			const retrieve = buildRetriever(call);
			if (place !== undefined) await checkPlacement(placement, retrieve, faults);
			faults.throwIfAny();
			if (resource === undefined) requireChanges(call.params, changes);
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
			const replacesFile = params.getBoolean('replaceFile');
			const goal = buildDocumentUpdateGoal({ ...place!, service, changes, before, replacesFile });
			return { ...goal, toCheck: `${goal.toCheck}. ${REPLACE}` };
		},
		result: ({ params }, updated, { place, placement }) =>
			buildResult(params, place!, updated, placement.hint),
	}),
});

/** Parses what changes, and the new file. What can't be used is told once the transaction is known. */
async function parseDocumentUpdate(call: OperationCall) {
	const faults = new Faults();
	const place = faults.collect(() => parseDocumentPlace(call.params));
	const resource = await faults.collectLater(async () =>
		call.params.getBoolean('replaceFile') ? await parseFile(call, PDF) : undefined,
	);
	const fields = faults.collect(() => parseDocumentChanges(call)) ?? {};
	const retrieveSigners = place && buildRetriever(call);
	const placement = await placeDesignations(call, { fields, resource, retrieveSigners }, faults);
	return { place, changes: { ...placement.fields, ...fields }, resource, placement, faults };
}

/** Returns the document, or, without an ID, what is known while its file is split. */
function buildResult(
	params: Params,
	{ transactionId, documentId }: DocumentPlace,
	{ document, differing }: UpdatedDocument,
	hint?: string,
): OperationResult {
	if (asText(document.id) !== undefined)
		return {
			json: withDocumentIds(transactionId, document),
			hint: joinHints([hint, describeDifferences(params, differing)]),
		};
	const ids = { transaction_id: transactionId, document_id: documentId };
	return { json: { ...ids, upload_in_progress: true, ...document } };
}
