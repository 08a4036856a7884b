import type { IDataObject } from 'n8n-workflow';

import { Faults, parseTogether } from '../../messages/faults';
import { defineOperation, defineWrite, Found, type OperationCall } from '../../run/operation';

import { digestOf } from '../../transport/files/streams';
import { plainId } from '../../values/ids';
import { asText } from '../../values/json';
import { contentOf, documentReference, wishOf } from '../../values/reference';
import { parsePlatform, platform, sendReference, wantsReference } from '../shared/commonFields';
import { collection } from '../shared/fields';
import { joined, referenceHint } from '../shared/hints';
import { transactionLocator } from '../shared/locators';
import {
	addedGoal,
	awaitNew,
	fewerDesignations,
	sendNewDocument,
	waitUntilProcessed,
} from './adding';
import {
	describeLeftOut,
	detailsOfNew,
	divideByFiles,
	nameOfNew,
	PDFS,
	refuseReference,
} from './allFiles';
import { retriever, withDocumentIds, type Retrieve } from './api';
import { PDF } from './fileKinds';
import { readableFile } from './fileReading';
import { parseFields, requirement } from './form';
import { isTrue } from './goals';
import { differingHint, findExisting, ifExists, noteAdded, skipsExisting } from './ifExists';
import { checkPlaced, placeDesignations } from './placeDesignations';
import { fileSourceProperties, incomingFileName, parseFile } from './source';
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
		return await divideByFiles(call, additionWrite(retriever(call)));
	},
	summary: describeLeftOut,
	write: additionWrite(),
});

/**
 * The write that adds a document.
 * @param retrieveOnce retrieves the transaction for several documents of an item
 */
function additionWrite(retrieveOnce?: Retrieve) {
	return defineWrite({
		async parse(call) {
			const document = await parseDocument(call);
			if (retrieveOnce !== undefined) document.faults.collect(() => refuseReference(call));
			return document;
		},
		prepare: async (call, document) =>
			await prepareDocument(call, document, retrieveOnce ?? retriever(call)),
		async send(call, { place, fields, resource }, { digest }) {
			const value = digest && documentReference('add', digest, wishFor(fields));
			return await sendNewDocument(call, { ...place!, fields }, resource, {
				isWanted: wantsReference(call.params),
				value,
			});
		},
		goal(call, { place, fields, faults }) {
			faults.throwIfAny();
			return addedGoal({ ...call, ...place!, fields });
		},
		async result(call, added, document, ready) {
			const { json, hints } = await describeAdded(call, document, added);
			return {
				json,
				...(document.skips && { counted: 'added' }),
				hint: joined([ready?.hint, ...hints]),
			};
		},
	});
}

/** What was found out of a document before it's added. */
interface Ready {
	/** The SHA-256 of its file, in hexadecimal. */
	digest?: string;
	hint?: string;
}

/** Parses a document, and places its designations. */
async function parseDocument(call: OperationCall) {
	const { params } = call;
	const faults = new Faults();
	const place = faults.collect(() =>
		parseTogether({
			transactionId: () => params.requiredLocator('transactionId'),
			platform: () => parsePlatform(params),
		}),
	);
	const resource = await faults.collectLater(async () => await parseFile(call, PDF));
	const entered = faults.collect(() => parseNewFields(call)) ?? {};
	const options = params.object('additionalFields');
	const waits = faults.collect(() =>
		params.toBoolean('waitUntilProcessed', options.waitUntilProcessed),
	);
	const skips = skipsExisting(params, options.ifExists);
	const where = faults.collect(() => parseWhere(params));
	const file = readableFile(call, resource, entered, where?.fetches === true);
	const looks = skips && faults.all.length === 0;
	// What can't be placed is no fault of a document that's there.
	const placing = looks ? new Faults() : faults;
	const unplaced = { fields: entered, resource: file ?? resource };
	const placement = await placeDesignations(call, unplaced, placing);
	const fields = { ...placement.fields, ...entered };
	return { place, resource, file, fields, waits, skips, looks, placement, placing, faults };
}

/** Parses a document to add, without its file and its designations. */
function parseNewFields(call: OperationCall): IDataObject {
	return parseFields(call, 'additionalFields', {
		filename: () => call.params.text('documentName') ?? incomingFileName(call),
		requirement: () => call.params.required('requirement'),
	});
}

type ParsedDocument = Awaited<ReturnType<typeof parseDocument>>;

/**
 * Compares a document with the transaction.
 * @returns the existing one, if it's skipped
 * @throws InputFailure with all that can't be used
 */
async function prepareDocument(
	call: OperationCall,
	document: ParsedDocument,
	retrieve: Retrieve,
): Promise<Ready | Found> {
	const { fields, place, placement, placing, faults, looks } = document;
	if (place !== undefined) await checkPlaced(placement, retrieve, placing);
	if (!looks) faults.throwIfAny();
	const digest = await digestOfNew(call, document);
	const candidate = { ...place!, fields, content: digest && contentOf(digest) };
	const existing = looks ? await findExisting(call, retrieve, candidate) : {};
	if (existing.document === undefined) {
		placing.throwIfAny();
		return { digest, hint: existing.hint };
	}
	const wish = placing.all.length === 0 ? wishOf(wishFor(fields)) : undefined;
	return new Found({
		json: withDocumentIds(place!.transactionId, { existing: true, ...existing.document }),
		counted: 'skipped',
		isFound: true,
		hint: joined([existing.hint, differingHint(existing.document, fields.requirement, wish)]),
	});
}

/** The SHA-256 of the file of one document; undefined if only the service reads it, or nobody asks. */
async function digestOfNew({ params }: OperationCall, document: ParsedDocument) {
	const { resource, file, fields, skips } = document;
	const isAsked = skips || (wantsReference(params) && fields.tracking_id === undefined);
	// The parts of a file that's split have contents of their own.
	if (file === undefined || !isAsked || isTrue(fields.pdf_bookmarked)) return undefined;
	// The node fetches a link only to check places in it.
	return file.digest ?? (file === resource ? await digestOf(await file.open()) : undefined);
}

/** What a reference says was wanted: how the service gets the file changes with each token. */
const wishFor = (fields: IDataObject): IDataObject => ({
	...fields,
	authorization_header: undefined,
});

/** Notes and describes the document, or, without an ID, what is known while a bookmarked PDF is split. */
async function describeAdded(call: OperationCall, parsed: ParsedDocument, document: IDataObject) {
	const { place, fields, placement, waits } = parsed;

	const { transactionId } = place!;
	const output = placement.placed && { placed: placement.placed };
	if (asText(document.id) === undefined) {
		const split = { document_name: fields.filename ?? null, upload_in_progress: true };
		const json = { transaction_id: transactionId, ...split, ...document, ...output };
		return { json, hints: [SPLITTING, placement.hint] };
	}
	noteAdded(call, transactionId, document);
	// Others may have the reference that a person gave.
	if (asText(fields.tracking_id) !== undefined) call.claimKey(plainId(String(document.id)));
	const now = waits ? await awaitNew(call, place!, document, fields) : { document };
	return {
		json: withDocumentIds(transactionId, { existing: false, ...now.document, ...output }),
		hints: [placement.hint, now.hint, fewerDesignations(fields, now.document), referenceHint(call)],
	};
}
