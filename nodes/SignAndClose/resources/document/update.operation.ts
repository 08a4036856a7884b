import { InputFailure } from '../../messages/explainedFailure';
import { Faults } from '../../messages/faults';
import { defineOperation, type OperationCall, type OperationResult } from '../../run/operation';
import { mapSeen, write } from '../../run/outcome/goals';
import { retrieveTransaction } from '../../transport/answers/retrieveTransaction';
import type { TransactionAnswer } from '../../transport/answers/answers';
import { toBody } from '../../transport/files/streamedJson';
import { asText } from '../../values/json';
import { platform } from '../shared/commonFields';
import { collection, flag, text } from '../shared/fields';
import { differenceHint, joined } from '../shared/hints';
import { documentLocator, transactionLocator } from '../shared/locators';
import { inTransaction } from '../shared/toCheck';
import { findDocument, withDocumentIds } from './api';
import { PDF } from './fileKinds';
import { documentDetails, parseChanges, parsePlace, requirement } from './form';
import { updatedGoal, type DocumentUpdate, type UpdatedDocument } from './goals';
import { placeDesignations, type Unplaced } from './placeDesignations';
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
	async execute(call) {
		const { service, params } = call;
		const faults = new Faults();
		const place = faults.collect(() => parsePlace(params));
		let transaction: Promise<TransactionAnswer> | undefined;
		const retrieve =
			place &&
			(async () =>
				await (transaction ??= retrieveTransaction(service, place.transactionId, place.platform)));
		const { changes, resource, hint } = await parseUpdate(call, faults, retrieve);
		if (place === undefined || retrieve === undefined) throw faults.all[0];
		if (Object.keys(changes).length === 0 && resource === undefined)
			throw new InputFailure(
				params.label('updateFields'),
				'is empty',
				'Add at least one field to change',
			);
		const { documentId, platform } = place;
		const before = findDocument(await retrieve(), documentId);
		const update: DocumentUpdate = {
			...place,
			service,
			changes,
			before,
			replacesFile: resource !== undefined,
		};
		const updated = await write(
			service,
			async () =>
				await service.json('updateDocument', {
					path: { documentId },
					platform,
					mayBeText: true,
					...toBody({ ...changes, resource }),
				}),
			updatedGoal(update),
		);
		return toResult(call, update, updated, hint);
	},
	async lookUp(call) {
		const place = parsePlace(call.params);
		const { changes, hint } = await parseUpdate(call, new Faults());
		const replacesFile = call.params.boolean('replaceFile');
		const update: DocumentUpdate = { ...place, service: call.service, changes, replacesFile };
		return mapSeen(await updatedGoal(update).fromService(), (updated) =>
			toResult(call, update, updated, hint),
		);
	},
	// Nothing shows the file, and its answer is lost.
	canTell: ({ params }) => !params.boolean('replaceFile'),
	toCheck: (call) =>
		call.params.boolean('replaceFile')
			? `Download the uploaded PDF with 'Document: Download', and compare it. ${REPLACE}`
			: `${inTransaction('whether the document shows the change')(call)}. ${REPLACE}`,
});

/**
 * Parses what changes, and the new file.
 * @param retrieve retrieves the transaction, if designations are compared with it
 * @throws InputFailure with all that can't be used
 */
async function parseUpdate(call: OperationCall, faults: Faults, retrieve?: Unplaced['retrieve']) {
	const resource = await faults.collectLater(async () =>
		call.params.boolean('replaceFile') ? await parseFile(call, PDF) : undefined,
	);
	const fields = faults.collect(() => parseChanges(call)) ?? {};
	const placement = await placeDesignations(call, { fields, resource, retrieve }, faults);
	faults.throwIfAny();
	return { changes: { ...placement.fields, ...fields }, resource, hint: placement.hint };
}

/** Returns the document, or, without an ID, what is known while its file is split. */
function toResult(
	{ params }: OperationCall,
	{ transactionId, documentId }: DocumentUpdate,
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
