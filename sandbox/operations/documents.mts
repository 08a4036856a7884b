/** The operations on documents and on the eNote (docs/service/api.md#endpoints-of-documents). */

import { findDocument, findDocumentById, findTransaction } from './findRequested.mts';
import { linkVersion, type OperationHandler, type OperationRequest } from './handler.mts';
import { documentView } from './views/documents.mts';
import { addDocument } from '../domain/documents/addDocument.mts';
import { addEnote, deleteEnote } from '../domain/documents/enote.mts';
import { startImport } from '../domain/documents/externalDocuments.mts';
import { deleteDocument, updateDocument } from '../domain/documents/updateDocument.mts';
import { published } from '../domain/refusal.mts';
import type { Document, Platform, Transaction, World } from '../world/world.mts';

/** Clients recognize it by its missing document id (docs/service/documents.md#bookmarked-pdfs). */
const UPLOAD_IN_PROGRESS = 'Document upload in progress';
const ENCODINGS = new Set(['base64', 'uri']);

export function documentOperations(world: World): Record<string, OperationHandler> {
	const show = (
		request: OperationRequest,
		platform: Platform,
		transaction: Transaction,
		document: Document,
	) => documentView(world, transaction, document, { platform, links: linkVersion(request) });
	/** No text is published. It may be no JSON at all. */
	const showProgress = ({ reply }: OperationRequest) =>
		world.settings.switches.bookmarkedAnswer === 'text'
			? reply.type('text/plain').send(UPLOAD_IN_PROGRESS)
			: { message: UPLOAD_IN_PROGRESS };
	/** Real estate answers with a list (docs/service/documents.md#add-a-document). */
	const add =
		(platform: Platform): OperationHandler =>
		async (request) => {
			const transaction = findOn(world, request, platform);
			const document = await addDocument(world, transaction, request.body);
			if (document === undefined) return showProgress(request);
			const shown = show(request, platform, transaction, document);
			return platform === 'realEstate' ? [shown] : shown;
		};
	const get =
		(platform: Platform): OperationHandler =>
		(request) => {
			const transaction = findOn(world, request, platform);
			const document = findDocument(transaction, request.params.document_id);
			const encoding = encodingOf(world, request, platform);
			// Real estate may answer 409 while the content is not ready. Its text is no help
			// (docs/service/documents.md#get-a-document).
			const isPending = platform === 'realEstate' && document.state === 'pending';
			const isWithheld = document.final !== undefined && !transaction.released;
			if (encoding !== undefined && (isPending || isWithheld)) throw published('contentNotReady');
			const shown = documentView(world, transaction, document, {
				platform,
				single: true,
				links: linkVersion(request),
			});
			if (encoding !== 'base64') return shown;
			const content = document.final ?? document.note ?? document.uploaded;
			return { ...shown, data: content.toString('base64') };
		};
	const update =
		(platform: Platform): OperationHandler =>
		async (request) => {
			const { transaction, document } = findByIdOn(world, request, platform);
			const stays = await updateDocument(world, transaction, document, request.body, platform);
			return stays ? show(request, platform, transaction, document) : showProgress(request);
		};
	const remove =
		(platform: Platform): OperationHandler =>
		(request) => {
			const { transaction, document } = findByIdOn(world, request, platform);
			if (platform === 'business' && transaction.platform === 'realEstate')
				throw published('realEstateOnly');
			deleteDocument(world, transaction, document);
			return { message: `Deleted document ${document.id} successfully` };
		};
	return {
		addDocument: add('business'),
		addClosingDocument: add('realEstate'),
		getDocument: get('business'),
		getClosingDocument: get('realEstate'),
		replaceDocument: update('business'),
		changeDocument: update('business'),
		replaceClosingDocument: update('realEstate'),
		changeClosingDocument: update('realEstate'),
		deleteDocument: remove('business'),
		deleteClosingDocument: remove('realEstate'),
		importDocument: (request) => {
			startImport(world, findOn(world, request, 'realEstate'), request.body);
			return { response: 'processing' };
		},
		addEnote: async (request) => {
			const transaction = findOn(world, request, 'realEstate');
			const enote = await addEnote(world, transaction, request.body);
			return show(request, 'realEstate', transaction, enote);
		},
		deleteEnote: (request) => {
			deleteEnote(world, findOn(world, request, 'realEstate'));
			return { message: 'Deleted enote successfully' };
		},
	};
}

/** The paths of business find closings, too: Add and Get Document are documented only once. */
function findOn(world: World, request: OperationRequest, platform: Platform): Transaction {
	return findTransaction(world, request, platform === 'business' ? undefined : platform);
}

function findByIdOn(world: World, request: OperationRequest, platform: Platform) {
	return findDocumentById(world, request, platform === 'business' ? undefined : platform);
}

/**
 * The form of the content that Get Document is asked for. Real estate sends the whole file unless
 * it is told otherwise.
 */
function encodingOf(
	{ settings }: World,
	{ query }: OperationRequest,
	platform: Platform,
): string | undefined {
	const byDefault = platform === 'realEstate' && settings.profile === 'full' ? 'base64' : undefined;
	const { encoding = byDefault } = query;
	if (encoding !== undefined && !ENCODINGS.has(encoding)) throw published('invalidEncoding');
	return encoding;
}
