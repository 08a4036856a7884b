import type { Json } from '../types.mts';
import { isComplete, showDocument } from '../state/views.mts';
import { samplePdf } from '../state/pdf.mts';
import {
	bare,
	isDraft,
	type DocumentRecord,
	type TransactionRecord,
	type World,
	referenceOf,
} from '../state/world.mts';
import {
	checkTypes,
	File,
	findTransaction,
	noResource,
	refuse,
	route,
	type Call,
} from './call.mts';
import { newDocument, readContent } from './documentFields.mts';

const CHANGEABLE = [
	'requirement',
	'notarization_required',
	'witness_required',
	'identity_confirmation_required',
	'customer_can_annotate',
	'tracking_id',
];

function form(call: Call): 'flags' | 'nulls' {
	return call.platform === 'business' ? 'flags' : 'nulls';
}

function add(call: Call): Json | Json[] {
	const { world, body, number } = call;
	const transaction = findTransaction(call);
	checkTypes(body, { strings: ['requirement'], arrays: ['signing_designations'] });
	if (!isDraft(transaction)) refuse(422, 'Transaction Cannot Be Modified');
	if (body.resource === undefined && body.document === undefined)
		refuse(400, 'Invalid value for required field resource - expected String');
	const document = newDocument(call, transaction, body);
	const marker = String(referenceOf(body.tracking_id) ?? document.name);
	if (body.pdf_bookmarked === true || body.pdf_bookmarked === 'true') {
		transaction.splits.push({
			at: Date.now() + world.options.splitMs,
			documents: split(world, document),
		});
		world.note('document.split', transaction.id, number, marker);
		return { message: 'Document upload in progress' };
	}
	transaction.documents.push(document);
	transaction.updated = world.now();
	world.note('document.added', document.id, number, marker);
	const about = { document: { document_id: document.id, name: document.name } };
	world.emit('transaction.document.upload', transaction, about);
	const processed = () => world.emit('transaction.document.processed', transaction, about);
	if (world.options.processingMs === 0) processed();
	else setTimeout(processed, world.options.processingMs).unref();
	const shown = showDocument(world, transaction, document, form(call), true);
	return call.platform === 'business' ? shown : [shown];
}

function split(world: World, whole: DocumentRecord): DocumentRecord[] {
	return Array.from({ length: world.options.splitInto }, (_, index) => ({
		...whole,
		id: world.newId('do_'),
		name: `${whole.name} - Bookmark ${index + 1}`,
		position: whole.position + index,
	}));
}

/** A document is found with its transaction, whatever the platform. */
function findDocument(
	call: Call,
	id: string,
): { transaction: TransactionRecord; document: DocumentRecord } {
	for (const transaction of call.world.transactions.values()) {
		call.world.settle(transaction);
		const document = transaction.documents.find((one) => bare(one.id) === bare(id));
		if (document) return { transaction, document };
	}
	return refuse(404, 'Document Not Found');
}

function update(call: Call): Json {
	const { world, body, params } = call;
	const { transaction, document } = findDocument(call, params.id);
	if (transaction.platform !== call.platform) refuse(404, 'Document Not Found');
	checkTypes(body, { strings: ['name', 'filename', 'requirement', 'tracking_id'] });
	if (!isDraft(transaction)) refuse(422, 'Transaction Cannot Be Modified');
	for (const name of CHANGEABLE) if (body[name] !== undefined) document.fields[name] = body[name];
	if (body.requirement) document.requirement = body.requirement;
	document.name = body.name ?? body.filename ?? document.name;
	document.updated = transaction.updated = world.now();
	world.note('document.updated', document.id, call.number, document.name);
	return showDocument(world, transaction, document, form(call));
}

function remove(call: Call): Json {
	const { world } = call;
	const { transaction, document } = findDocument(call, call.params.id);
	if (transaction.platform !== call.platform) {
		if (call.platform === 'realEstate') refuse(404, 'Document Not Found');
		refuse(422, 'You must use the RealEstate API for real estate transactions');
	}
	if (!isDraft(transaction)) refuse(422, 'Transaction Cannot Be Modified');
	transaction.documents.splice(transaction.documents.indexOf(document), 1);
	transaction.updated = world.now();
	world.note('document.deleted', document.id, call.number, document.name);
	return { message: `Deleted document ${document.id} successfully` };
}

function get(call: Call): Json {
	const { world, platform, params, query } = call;
	const transaction = findTransaction(call);
	const document = transaction.documents.find((one) => bare(one.id) === bare(params.documentId));
	if (!document) refuse(404, 'Document Not Found');
	const encoding = query.get('encoding') ?? (platform === 'realEstate' ? 'base64' : 'none');
	if (query.has('encoding') && !['base64', 'uri'].includes(encoding))
		refuse(400, 'Invalid encoding');
	if (encoding === 'base64' && document.processedAt > Date.now())
		refuse(409, 'Document processing: done');
	const shown = showDocument(world, transaction, document, 'nulls');
	return encoding === 'base64' ? { ...shown, data: document.content.toString('base64') } : shown;
}

function importExternal(call: Call): Json {
	const transaction = findTransaction(call);
	const { document_code, external_source } = call.body;
	if (typeof document_code !== 'string')
		refuse(400, 'Invalid value for required field document_code - expected String');
	if (external_source !== 'docmagic') refuse(400, 'Invalid value for external_source');
	call.world.note('documents.imported', transaction.id, call.number, document_code);
	return { response: 'processing' };
}

/** docs/service/closings.md#add-an-enote. */
function addEnote(call: Call): Json {
	const { world, body } = call;
	const transaction = findTransaction(call);
	const type = String(transaction.fields.transaction_type ?? '');
	if (body.borrowers !== undefined && !Array.isArray(body.borrowers))
		refuse(400, 'borrowers argument must be array');
	if (type.startsWith('hybrid_')) refuse(403, 'Cannot add enotes to hybrid transactions.');
	if (type === 'wet_sign') refuse(422, 'Cannot add enotes to wet sign transactions.');
	if (!isDraft(transaction)) refuse(422, 'Transaction cannot be modified from sent state');
	if (body.type && body.integration) refuse(422, 'Use either type or integration');
	if (!body.type && !body.integration) refuse(400, 'type or integration is required');
	if (body.type !== 'EORIGINAL_CONTAINER' && !body.file) refuse(400, 'file is required');
	if (body.type === 'EORIGINAL_CONTAINER' && !body.container) refuse(400, 'container is required');
	if (transaction.documents.some(({ isEnote }) => isEnote)) refuse(422, 'eNote exists already');
	const { content, source } = readContent(call, body.file, { filename: 'enote.xml' });
	const fields = { filename: 'enote.xml', requirement: 'readonly' };
	const enote: DocumentRecord = {
		...newDocument(call, transaction, fields),
		content,
		source,
		isEnote: true,
		processedAt: 0,
		designations: [world.newId('ad'), world.newId('ad')],
	};
	transaction.documents.push(enote);
	world.note('enote.added', enote.id, call.number, transaction.id);
	return showDocument(world, transaction, enote, 'nulls');
}

function deleteEnote(call: Call): Json {
	const transaction = findTransaction(call);
	if (!isDraft(transaction)) refuse(422, 'Transaction cannot be modified from sent state');
	const enote = transaction.documents.find(({ isEnote }) => isEnote);
	if (!enote) refuse(404, 'Document Not Found');
	transaction.documents.splice(transaction.documents.indexOf(enote), 1);
	call.world.note('enote.deleted', enote.id, call.number, transaction.id);
	return { message: 'Deleted enote successfully' };
}

/** docs/service/documents.md#audit-trail. */
function auditTrail(call: Call): Json | File {
	const transaction = findTransaction(call);
	if (isDraft(transaction)) noResource();
	const pdf = samplePdf(`Audit trail of ${transaction.id}, ${isComplete(transaction)}`);
	if (call.query.get('encoding') === 'base64') return { data: pdf.toString('base64') };
	return new File(pdf, 'application/pdf', 'audit_trail.pdf');
}

const DOCUMENT = '/transactions/:id/documents/:documentId';

export const documentRoutes = [
	...route('POST', 'BR', '/transactions/:id/documents', { R: 'list' }, add),
	...route('POST', 'R', '/transactions/:id/documents/external', 'receipt', importExternal),
	...route('PUT,PATCH', 'BR', '/documents/:id', 'object', update),
	...route('DELETE', 'BR', '/documents/:id', 'receipt', remove),
	...route('GET', 'BR', DOCUMENT, 'encoded', get),
	...route('POST', 'R', '/transactions/:id/enote', 'object', addEnote),
	...route('DELETE', 'R', '/transactions/:id/enote', 'receipt', deleteEnote),
	...route('GET', 'B', '/transactions/:id/assets/audit_trail', 'file', auditTrail),
];
