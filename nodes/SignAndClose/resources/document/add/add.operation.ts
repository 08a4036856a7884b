import type { IDataObject } from 'n8n-workflow';

import {
	defineOperation,
	defineWrite,
	ExistingResult,
	type OperationCall,
} from '../../../run/operation';
import { normalizeId } from '../../../values/ids';
import { asText } from '../../../values/json';
import { shortenDigest, buildDocumentReference, hashSettings } from '../../../values/reference';
import { platform, defineSendReference, needsReference } from '../../../form/commonFields';
import { defineCollection } from '../../../form/fields';
import { joinHints, describeRefusedReference } from '../../../form/hints';
import { transactionLocator } from '../../../form/locators';
import {
	buildAdditionGoal,
	awaitNewDocument,
	describeMissingDesignations,
	sendNewDocument,
	waitUntilProcessed,
} from './addition';
import {
	describeLeftOut,
	newDocumentDetails,
	divideByFiles,
	newDocumentName,
	PDFS,
	refuseReference,
} from './allFiles';
import { buildRetriever, withDocumentIds, type Retrieve } from '../api';
import { requirement } from '../form';
import { isTrue } from '../comparison';
import { describeDocumentDifference, findExistingDocument, noteAdded } from './ifExists';
import { ifExists } from './ifExistsChoice';
import { parseNewDocument, type ParsedDocument } from './input';
import { checkPlacement, withFaultsFirst } from '../places/placement';
import { describeLeftOutPlaces, explainLeftOutPlaces, toLeftOutOutput } from '../places/leftOut';
import { defineFileSource } from '../files/source';
import { placeOptions } from '../places/placeOptions';
import { whereOfNew } from '../places/whereToSign';

const SPLITTING =
	"The service is splitting the file at its bookmarks, which takes about five minutes. The documents then appear in the transaction. Next: 'Document: Apply Rules'. Another run of the workflow would add its parts again";

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
		...defineFileSource(PDFS),
		newDocumentName,
		requirement,
		...whereOfNew,
		defineCollection('Additional Fields', 'additionalFields', [
			...newDocumentDetails,
			...placeOptions,
			ifExists,
			defineSendReference('Tracking ID'),
			waitUntilProcessed,
		]),
	],
	async divide(call) {
		return await divideByFiles(call, defineAdditionWrite(buildRetriever(call)));
	},
	summary: describeLeftOut,
	write: defineAdditionWrite(),
});

/**
 * The write that adds a document.
 * @param retrieveOnce retrieves the transaction for several documents of an item
 */
function defineAdditionWrite(retrieveOnce?: Retrieve) {
	return defineWrite({
		async parse(call) {
			const document = await parseNewDocument(call, retrieveOnce);
			if (retrieveOnce !== undefined) document.faults.collect(() => refuseReference(call));
			return document;
		},
		prepare: prepareAddition,
		async send(call, { place, fields, resource }, { digest }) {
			const value = digest && buildDocumentReference('add', digest, omitAuthorization(fields));
			return await sendNewDocument(call, { ...place!, fields }, resource, {
				isWanted: needsReference(call.params),
				value,
			});
		},
		goal(call, { place, fields, faults }) {
			faults.throwIfAny();
			return buildAdditionGoal({ ...call, ...place!, fields });
		},
		async result(call, answer, document, ready) {
			const { json, hints } = await describeAdded(call, document, answer);
			return {
				json,
				...(document.skips && !document.isDefault && { counted: 'added' }),
				hint: joinHints([ready?.hint, ...hints]),
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

/**
 * Compares a document with the transaction.
 * @returns the existing one, if it's skipped
 * @throws InputFailure with all that can't be used
 */
async function prepareAddition(
	call: OperationCall,
	document: ParsedDocument,
): Promise<Ready | ExistingResult> {
	const { fields, place, retrieve, placement, placing, faults, looks, isDefault } = document;
	if (place !== undefined) await checkPlacement(placement, retrieve, placing);
	faults.throwIfAny();
	const digest = await digestNewFile(call, document);
	const content = digest && shortenDigest(digest);
	const candidate = { ...place!, fields, content, isDefault };
	const existing = looks
		? await withFaultsFirst(
				placing,
				async () => await findExistingDocument(call, retrieve, candidate),
			)
		: {};
	if (existing.document === undefined) {
		placing.throwIfAny();
		return { digest, hint: existing.hint };
	}
	const wish = placing.all.length === 0 ? hashSettings(omitAuthorization(fields)) : undefined;
	return new ExistingResult({
		json: withDocumentIds(place!.transactionId, { existing: true, ...existing.document }),
		counted: 'skipped',
		isFound: true,
		hint: joinHints([
			existing.hint,
			describeDocumentDifference(existing.document, fields.requirement, wish),
		]),
	});
}

/** The SHA-256 of the file of one document; undefined if only the service reads it, or nobody asks. */
async function digestNewFile({ params }: OperationCall, document: ParsedDocument) {
	const { resource, file, fields, skips } = document;
	const isAsked = skips || (needsReference(params) && fields.tracking_id === undefined);
	// The parts of a file that's split have contents of their own.
	if (file === undefined || !isAsked || isTrue(fields.pdf_bookmarked)) return undefined;
	// The node fetches a link only to check places in it.
	return file === resource ? await file.readDigest() : file.digest;
}

/** What a reference says was wanted: how the service gets the file changes with each token. */
const omitAuthorization = (fields: IDataObject): IDataObject => ({
	...fields,
	authorization_header: undefined,
});

/** Notes and describes the document, or, without an ID, what is known while a bookmarked PDF is split. */
async function describeAdded(call: OperationCall, parsed: ParsedDocument, document: IDataObject) {
	const { place, fields, placement, waits } = parsed;

	const { transactionId } = place!;
	const leftOut = explainLeftOutPlaces(placement.leftOut, place!.platform);
	const output = {
		...(placement.foundPlaces && { placed: placement.foundPlaces }),
		...(leftOut.length > 0 && { left_out: toLeftOutOutput(leftOut) }),
	};
	if (asText(document.id) === undefined) {
		const split = { document_name: fields.filename ?? null, upload_in_progress: true };
		const json = { transaction_id: transactionId, ...split, ...document, ...output };
		return { json, hints: [SPLITTING, placement.hint, describeLeftOutPlaces(leftOut)] };
	}
	noteAdded(call, transactionId, document);
	// Others may have the reference that a person gave.
	if (asText(fields.tracking_id) !== undefined) call.claimKey(normalizeId(String(document.id)));
	const now = waits ? await awaitNewDocument(call, place!, document, fields) : { document };
	return {
		json: withDocumentIds(transactionId, { existing: false, ...now.document, ...output }),
		hints: [
			placement.hint,
			describeLeftOutPlaces(leftOut),
			now.hint,
			describeMissingDesignations(fields, now.document),
			describeRefusedReference(call),
		],
	};
}
