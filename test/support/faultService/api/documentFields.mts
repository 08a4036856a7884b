import type { Json } from '../types.mts';
import { samplePdf } from '../state/pdf.mts';
import type { DocumentRecord, TransactionRecord } from '../state/world.mts';
import { checkTypes, isObject, refuse, type Call } from './call.mts';

/** Reads what a client says of a new document (docs/service/documents.md#document-fields). */

const MOST_BYTES = 30 * 1024 * 1024;
const NUMBERS = { page_number: 0, x: 0, y: 0, height: 1, width: 1 };

/** Checks the fields and makes a document of them, without adding it. */
export function newDocument(
	call: Call,
	transaction: TransactionRecord,
	fields: Json,
): DocumentRecord {
	const { world } = call;
	checkTypes(fields, {
		strings: ['filename', 'requirement', 'tracking_id', 'authorization_header'],
		arrays: ['signing_designations', 'signing_designation_groups'],
	});
	const designations: Json[] = fields.signing_designations ?? [];
	for (const one of designations) checkDesignation(one, transaction);
	if (isYes(fields.notarization_required) && isYes(fields.identity_confirmation_required))
		refuse(422, 'Use either notarization_required or identity_confirmation_required');
	const { content, source } = readContent(call, fields.resource ?? fields.document, fields);
	const kept = { ...fields };
	delete kept.resource;
	delete kept.document;
	const created = world.now();
	return {
		id: world.newId('do_'),
		name: fields.filename ?? nameOf(source),
		requirement: fields.requirement ?? 'notarization',
		fields: kept,
		content,
		source,
		position: fields.bundle_position ?? transaction.documents.length,
		created,
		updated: created,
		processedAt: Date.now() + world.options.processingMs,
		isEnote: false,
		isConsentForm: false,
		designations: designations.map(() => world.newId('ad')),
	};
}

/** A URL, the permalink of a template, base64 or a file (docs/service/documents.md#resource). */
export function readContent(
	call: Call,
	resource: unknown,
	fields: Json,
): { content: Buffer; source?: string } {
	if (Buffer.isBuffer(resource)) return { content: checkSize(resource) };
	if (resource === undefined) return { content: samplePdf(String(fields.filename)) };
	if (typeof resource !== 'string') refuse(400, 'Invalid value for resource - expected String');
	if (/^https?:\/\//i.test(resource) || call.world.templates.some((t) => t.permalink === resource))
		return { content: samplePdf(resource), source: resource };
	const content = Buffer.from(resource, 'base64');
	// A strict judge: what does not come out of base64 unchanged was damaged on its way.
	if (content.length === 0 || content.toString('base64') !== resource.replace(/\s+/g, ''))
		refuse(400, 'Invalid value for resource - expected URL or base64');
	return { content: checkSize(content) };
}

function checkSize(content: Buffer): Buffer {
	if (content.length > MOST_BYTES) refuse(422, 'File is too big (max is 30MB)');
	return content;
}

function checkDesignation(designation: unknown, transaction: TransactionRecord): void {
	if (!isObject(designation))
		refuse(400, 'Invalid value for signing_designations - expected Object');
	for (const name of ['signer_identifier', 'type'])
		if (typeof designation[name] !== 'string')
			refuse(400, `Invalid value for ${name} - expected String`);
	for (const [name, least] of Object.entries(NUMBERS))
		if (!Number.isInteger(designation[name]) || designation[name] < least)
			refuse(400, `Invalid value for ${name} - expected Integer`);
	const identifier: string = designation.signer_identifier;
	const known = transaction.signers.some(({ fields }) => fields.external_id === identifier);
	if (!known && identifier !== 'notary' && !/^witness[1-9]\d*$/.test(identifier))
		refuse(422, `Signer not found for signer_identifier ${identifier}`);
	const { optional, signing_designation_group } = designation;
	if (isYes(optional) && (signing_designation_group || identifier === 'notary'))
		refuse(422, 'optional cannot be used with a group or a notary');
}

function isYes(value: unknown): boolean {
	return value === true || value === 'true';
}

function nameOf(source: string | undefined): string {
	const end = source && /^https?:/.test(source) ? new URL(source).pathname.split('/').pop() : '';
	return end || 'Untitled Document';
}
