import type { IDataObject } from 'n8n-workflow';

import { parseInTurn } from '../../messages/faults';
import {
	defineOperation,
	lookUpOf,
	type OperationCall,
	type OperationResult,
} from '../../run/operation';
import { mapSeen, write } from '../../run/outcome/goals';
import { sendWithReference } from '../../run/outcome/sendWithReference';
import { toBody } from '../../transport/files/streamedJson';
import { asText } from '../../values/json';
import { parsePlatform, platform, sendReference, wantsReference } from '../shared/commonFields';
import { collection } from '../shared/fields';
import { joined, referenceHint } from '../shared/hints';
import { transactionLocator } from '../shared/locators';
import { byReference } from '../shared/toCheck';
import { withDocumentIds } from './api';
import { designationProperties } from './designations';
import { documentDetails, documentName, parseNewFields, requirement } from './form';
import { addedGoal } from './goals';
import { findExisting, ifExists, noteAdded, skipsExisting } from './ifExists';
import { fileSourceProperties, parseFile, PDF } from './source';

const SPLITTING =
	'The service is splitting the file at its bookmarks, which takes about five minutes. The documents then appear in the transaction';

/**
 * Adds a document. No other call takes the designations of a new business document
 * (docs/service/documents.md#add-a-document).
 */
export const addDocument = defineOperation({
	resource: 'document',
	value: 'add',
	name: 'Add',
	action: 'Add document',
	description: "Add a PDF to a transaction, with designations for where it's signed",
	kind: 'write',
	effect: 'Signers will have to sign or read this document, too',
	properties: [
		platform,
		transactionLocator,
		...fileSourceProperties(PDF),
		documentName('documentName', 'Deed of Trust'),
		requirement,
		...designationProperties,
		collection('Additional Fields', 'additionalFields', [
			...documentDetails,
			ifExists,
			sendReference('Tracking ID'),
		]),
	],
	async execute(call) {
		const { service, params } = call;
		const { fields, resource, ...path } = await parseInTurn({
			transactionId: () => params.requiredLocator('transactionId'),
			resource: async () => await parseFile(call, PDF),
			fields: () => parseNewFields(call),
		});
		const skips = skipsExisting(params, params.object('additionalFields').ifExists);
		const existing = skips ? await findExisting(call, path.transactionId, fields) : undefined;
		if (existing !== undefined)
			return {
				json: withDocumentIds(path.transactionId, { existing: true, ...existing }),
				counted: 'skipped',
				isFound: true,
			};
		const send = async (reference: IDataObject) =>
			await service.json('addDocument', {
				path,
				platform: parsePlatform(params),
				mayBeText: true,
				...toBody({ ...fields, resource, ...reference }),
			});
		const isWanted = wantsReference(params);
		const document = await write(
			service,
			async () => await sendWithReference(call.sending, 'tracking_id', { fields, isWanted }, send),
			goalFor(call, fields),
		);
		return { ...toResult(call, fields, document), ...(skips && { counted: 'added' }) };
	},
	async lookUp(call) {
		const fields = parseNewFields(call);
		return mapSeen(await goalFor(call, fields).fromService(), (document) =>
			toResult(call, fields, document),
		);
	},
	...byReference(
		(call) => parseNewFields(call).tracking_id,
		'Document: Get Many',
		(reference) =>
			`'Document: Get Many' with 'Simplify' off shows it with the 'Tracking ID' ${reference}`,
	),
});

function goalFor(call: OperationCall, fields: IDataObject): ReturnType<typeof addedGoal> {
	const transactionId = call.params.requiredLocator('transactionId');
	const platform = parsePlatform(call.params);
	return addedGoal({ ...call, transactionId, platform, fields, lookUp: lookUpOf(call) });
}

/** Notes and returns the document, or, without an ID, what is known while a bookmarked PDF is split. */
function toResult(
	call: OperationCall,
	fields: IDataObject,
	document: IDataObject,
): OperationResult {
	const transactionId = call.params.requiredLocator('transactionId');
	if (asText(document.id) === undefined)
		return {
			json: {
				transaction_id: transactionId,
				document_name: fields.filename ?? null,
				upload_in_progress: true,
				...document,
			},
			hint: SPLITTING,
		};
	noteAdded(call, transactionId, document);
	return {
		json: withDocumentIds(transactionId, { existing: false, ...document }),
		hint: joined([fewerDesignations(fields, document), referenceHint(call)]),
	};
}

/**
 * Says that the service shows fewer designations than it was sent. While it processes the document,
 * that says nothing.
 */
function fewerDesignations(fields: IDataObject, document: IDataObject): string | undefined {
	const [sent, shown] = [fields.signing_designations, document.signing_designations];
	return Array.isArray(sent) &&
		Array.isArray(shown) &&
		shown.length < sent.length &&
		document.processing_state === 'done'
		? `The service shows ${shown.length} of ${sent.length} designations. Check the document before you send it`
		: undefined;
}
