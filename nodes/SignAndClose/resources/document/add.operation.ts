import type { IDataObject } from 'n8n-workflow';

import { Faults } from '../../messages/faults';
import {
	defineOperation,
	defineWrite,
	Found,
	type OperationCall,
	type OperationResult,
} from '../../run/operation';
import type { TransactionAnswer } from '../../transport/answers/answers';
import { digestOf } from '../../transport/files/streams';
import { asText } from '../../values/json';
import { contentOf, documentReference, wishOf } from '../../values/reference';
import { parsePlatform, platform, sendReference, wantsReference } from '../shared/commonFields';
import { collection } from '../shared/fields';
import { joined, referenceHint } from '../shared/hints';
import { transactionLocator } from '../shared/locators';
import { fewerDesignations, sendNewDocument, type NewDocument } from './adding';
import {
	describeLeftOut,
	detailsOfNew,
	divideByFiles,
	nameOfNew,
	PDFS,
	refuseReference,
} from './allFiles';
import { retriever, withDocumentIds } from './api';
import { PDF } from './fileKinds';
import { readableFile } from './fileReading';
import { parseNewFields, requirement } from './form';
import { addedGoal, claimDocument } from './goals';
import {
	differingHint,
	findExisting,
	ifExists,
	noteAdded,
	skipsExisting,
	type Existing,
} from './ifExists';
import { checkPlaced, placeDesignations } from './placeDesignations';
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
		return await divideByFiles(call, additionWrite(retriever(call)));
	},
	summary: describeLeftOut,
	write: additionWrite(),
});

/**
 * The write that adds a document.
 * @param shared retrieves the transaction for several documents of an item
 */
function additionWrite(shared?: () => Promise<TransactionAnswer>) {
	return defineWrite({
		async parse(call) {
			const document = await parseDocument(call);
			if (shared !== undefined) document.faults.collect(() => refuseReference(call));
			return document;
		},
		async prepare(call, document): Promise<Ready | Found> {
			return await prepareDocument(call, document, shared ?? retriever(call));
		},
		async send(call, document, { digest }) {
			const { fields, resource } = document;
			const own = digest && documentReference('add', digest, wishFor(fields));
			const reference = { isWanted: wantsReference(call.params), own };
			return await sendNewDocument(call, newDocument(call, fields), resource, reference);
		},
		goal(call, { fields, faults }) {
			faults.throwIfAny();
			return addedGoal({ ...call, ...newDocument(call, fields) });
		},
		async result(call, shown, document, ready) {
			const result = await toResult(call, document, shown);
			return {
				...result,
				...(document.skips && { counted: 'added' }),
				hint: joined([ready?.hint, result.hint]),
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
	const transactionId = faults.collect(() => params.requiredLocator('transactionId'));
	const resource = await faults.collectLater(async () => await parseFile(call, PDF));
	const given = faults.collect(() => parseNewFields(call)) ?? {};
	const { waitUntilProcessed, ifExists: wish } = params.object('additionalFields');
	const waits =
		faults.collect(() => params.toBoolean('waitUntilProcessed', waitUntilProcessed)) === true;
	const skips = skipsExisting(params, wish);
	const where = faults.collect(() => parseWhere(params));
	const file = readableFile(call, resource, given, where?.fetches === true);
	const looks = skips && faults.all.length === 0;
	// What can't be placed is no fault of a document that's there.
	const placing = looks ? new Faults() : faults;
	const known = { fields: given, resource: file ?? resource };
	const placement = await placeDesignations(call, known, placing);
	const fields = { ...placement.fields, ...given };
	return {
		transactionId,
		resource,
		file,
		fields,
		waits,
		skips,
		looks,
		placement,
		placing,
		faults,
	};
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
	retrieve: () => Promise<TransactionAnswer>,
): Promise<Ready | Found> {
	const { fields, placement, placing, faults, looks, skips, transactionId } = document;
	if (transactionId !== undefined) await checkPlaced(placement, retrieve, placing);
	if (!looks) faults.throwIfAny();
	const digest = await digestOfNew(call, document, skips);
	const existing: Existing = looks
		? await findExisting(call, retrieve, { fields, content: digest && contentOf(digest) })
		: {};
	if (existing.document !== undefined) {
		const { document: there, hint } = existing;
		const wish = placing.all.length === 0 ? wishOf(wishFor(fields)) : undefined;
		return new Found({
			json: withDocumentIds(String(transactionId), { existing: true, ...there }),
			counted: 'skipped',
			isFound: true,
			hint: joined([hint, differingHint(there, fields.requirement, wish)]),
		});
	}
	placing.throwIfAny();
	return { digest, hint: existing.hint };
}

/** The SHA-256 of the file of one document; undefined if only the service reads it, or nobody asks. */
async function digestOfNew(
	call: OperationCall,
	{ resource, file, fields }: ParsedDocument,
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

const newDocument = ({ params }: OperationCall, fields: IDataObject): NewDocument => ({
	transactionId: params.requiredLocator('transactionId'),
	platform: parsePlatform(params),
	fields,
});

/** Notes and returns the document, or, without an ID, what is known while a bookmarked PDF is split. */
async function toResult(
	call: OperationCall,
	{ fields, placement, waits }: ParsedDocument,
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
