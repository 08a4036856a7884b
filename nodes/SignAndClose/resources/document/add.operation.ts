import type { IDataObject } from 'n8n-workflow';

import { Faults } from '../../messages/faults';
import { defineOperation, type OperationCall, type OperationResult } from '../../run/operation';
import { done } from '../../run/outcome/goals';
import type { TransactionAnswer } from '../../transport/answers/answers';
import { retrieveTransaction } from '../../transport/answers/retrieveTransaction';
import type { FileContent } from '../../transport/files/streamedJson';
import { digestOf } from '../../transport/files/streams';
import { asText } from '../../values/json';
import { contentOf, documentReference, wishOf } from '../../values/reference';
import { parsePlatform, platform, sendReference, wantsReference } from '../shared/commonFields';
import { collection } from '../shared/fields';
import { joined, referenceHint } from '../shared/hints';
import { transactionLocator } from '../shared/locators';
import { documentByReference } from '../shared/toCheck';
import { fewerDesignations, goalOfNew, sendNewDocument, type NewDocument } from './adding';
import { describeLeftOut, detailsOfNew, divideByFiles, nameOfNew, PDFS } from './allFiles';
import { withDocumentIds } from './api';
import { PDF } from './fileKinds';
import { readableFile } from './fileReading';
import { parseNewFields, requirement } from './form';
import { claimDocument } from './goals';
import {
	differingHint,
	findExisting,
	ifExists,
	noteAdded,
	skipsExisting,
	type Existing,
} from './ifExists';
import { placeDesignations, type Placement } from './placeDesignations';
import { processed, waitUntilProcessed } from './processed';
import { fileSourceProperties, parseFile } from './source';
import { parseWhere, placeOptions, whereOfNew } from './whereToSign';

const SPLITTING =
	"The service is splitting the file at its bookmarks, which takes about five minutes. The documents then appear in the transaction. Next: 'Document: Apply Rules'";

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
	passesFiles: true,
	effect: 'Signers will have to sign or read this document, too',
	properties: [
		platform,
		transactionLocator,
		...fileSourceProperties(PDFS),
		nameOfNew,
		requirement,
		...whereOfNew,
		collection('Additional Fields', 'additionalFields', [
			...detailsOfNew,
			...placeOptions,
			ifExists,
			sendReference('Tracking ID'),
			waitUntilProcessed,
		]),
	],
	async divide(call) {
		const retrieve = retriever(call);
		return await divideByFiles(
			call,
			async (own, faults) => await prepareDocument(own, retrieve, faults),
		);
	},
	summary: describeLeftOut,
	async execute(call) {
		const add = await prepareDocument(call, retriever(call), new Faults());
		return await add();
	},
	async lookUp(call) {
		const faults = new Faults();
		const read = await parseDocument(call, faults);
		// It may be sent by now, or have other signers.
		const placement = await placeDesignations(call, read, faults);
		faults.throwIfAny();
		const fields = { ...placement.fields, ...read.fields };
		const seen = await goalOfNew(call, newDocument(call, fields)).fromService();
		if (seen.state !== 'done') return seen;
		return done(await toResult(call, { fields, placement, waits: read.waits }, seen.shown));
	},
	...documentByReference((call) => parseNewFields(call).tracking_id),
});

/** Retrieves the transaction, once however often it's asked for. */
function retriever({ service, params }: OperationCall): () => Promise<TransactionAnswer> {
	let transaction: Promise<TransactionAnswer> | undefined;
	return async () =>
		await (transaction ??= retrieveTransaction(
			service,
			params.requiredLocator('transactionId'),
			parsePlatform(params),
		));
}

/**
 * Reads and checks what a document needs.
 * @param faults what was found before
 * @returns adds it, or gives the existing one
 * @throws InputFailure with all that can't be used
 */
async function prepareDocument(
	call: OperationCall,
	retrieve: () => Promise<TransactionAnswer>,
	faults: Faults,
): Promise<() => Promise<OperationResult>> {
	const { params } = call;
	const transactionId = faults.collect(() => params.requiredLocator('transactionId'));
	const read = await parseDocument(call, faults);
	const skips = skipsExisting(params, params.object('additionalFields').ifExists);
	const where = faults.collect(() => parseWhere(params));
	const file = readableFile(call, read.resource, read.fields, where?.fetches === true);
	const looks = skips && faults.all.length === 0;
	// What can't be placed is no fault of a document that's there.
	const placing = looks ? new Faults() : faults;
	const known = { ...read, resource: file ?? read.resource, ...(transactionId && { retrieve }) };
	const placement = await placeDesignations(call, known, placing);
	const digest = await digestOfNew(call, read, file, skips);
	const fields = { ...placement.fields, ...read.fields };
	const { document, hint }: Existing = looks
		? await findExisting(call, retrieve, { fields, content: digest && contentOf(digest) })
		: {};
	if (document !== undefined) {
		const wish = placing.all.length === 0 ? wishOf(wishFor(fields)) : undefined;
		return async () => ({
			json: withDocumentIds(String(transactionId), { existing: true, ...document }),
			counted: 'skipped',
			isFound: true,
			hint: joined([hint, differingHint(document, fields.requirement, wish)]),
		});
	}
	for (const fault of placing.all) faults.note(fault);
	faults.throwIfAny();
	return async () => {
		const result = await sendDocument(call, read, placement, digest);
		return {
			...result,
			...(skips && { counted: 'added' }),
			hint: joined([hint, result.hint]),
		};
	};
}

/** The SHA-256 of the file of one document; undefined if only the service reads it, or nobody asks. */
async function digestOfNew(
	call: OperationCall,
	{ resource, fields }: ParsedDocument,
	file: FileContent | undefined,
	skips: boolean,
): Promise<string | undefined> {
	const isAsked = skips || (wantsReference(call.params) && fields.tracking_id === undefined);
	// The parts of a file that's split have contents of their own.
	if (file === undefined || !isAsked || String(fields.pdf_bookmarked) === 'true') return undefined;
	// The node fetches a link only to check places in it.
	return file.digest ?? (file === resource ? await digestOf(await file.open()) : undefined);
}

/** What a reference says was wanted: how the service gets the file changes with each token. */
const wishFor = (fields: IDataObject): IDataObject => ({
	...fields,
	authorization_header: undefined,
});

/** Sends a document that is prepared. */
async function sendDocument(
	call: OperationCall,
	{ resource, waits, ...read }: ParsedDocument,
	placement: Placement,
	digest: string | undefined,
): Promise<OperationResult> {
	const fields = { ...placement.fields, ...read.fields };
	const own = digest && documentReference('add', digest, wishFor(fields));
	const reference = { isWanted: wantsReference(call.params), own };
	const document = await sendNewDocument(call, newDocument(call, fields), resource, reference);
	return await toResult(call, { fields, placement, waits }, document);
}

/** Parses the document, without its designations. */
async function parseDocument(call: OperationCall, faults: Faults) {
	const resource = await faults.collectLater(async () => await parseFile(call, PDF));
	const fields = faults.collect(() => parseNewFields(call)) ?? {};
	const { params } = call;
	const { waitUntilProcessed: given } = params.object('additionalFields');
	const waits = faults.collect(() => params.toBoolean('waitUntilProcessed', given)) === true;
	return { resource, fields, waits };
}

type ParsedDocument = Awaited<ReturnType<typeof parseDocument>>;

const newDocument = ({ params }: OperationCall, fields: IDataObject): NewDocument => ({
	transactionId: params.requiredLocator('transactionId'),
	platform: parsePlatform(params),
	fields,
});

/** Notes and returns the document, or, without an ID, what is known while a bookmarked PDF is split. */
async function toResult(
	call: OperationCall,
	{ fields, placement, waits }: { fields: IDataObject; placement: Placement; waits: boolean },
	document: IDataObject,
): Promise<OperationResult> {
	const transactionId = call.params.requiredLocator('transactionId');
	const placed = placement.placed && { placed: placement.placed };
	if (asText(document.id) === undefined)
		return {
			json: {
				transaction_id: transactionId,
				document_name: fields.filename ?? null,
				upload_in_progress: true,
				...document,
				...placed,
			},
			hint: joined([SPLITTING, placement.hint]),
		};
	noteAdded(call, transactionId, document);
	claimDocument(call, fields, document);
	const now = waits ? await processed(call, transactionId, document, fields) : { document };
	return {
		json: withDocumentIds(transactionId, { existing: false, ...now.document, ...placed }),
		hint: joined([
			placement.hint,
			now.hint,
			fewerDesignations(fields, now.document),
			referenceHint(call),
		]),
	};
}
