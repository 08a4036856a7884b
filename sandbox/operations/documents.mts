/** The operations on documents and on the eNote (docs/service/api.md#endpoints-of-documents). */

import { findDocument, findDocumentById, findTransaction } from './findRequested.mts';
import type { OperationHandler } from './handler.mts';
import { documentView } from './views.mts';
import { addDocument } from '../domain/documents/addDocument.mts';
import { addEnote, requireEnote } from '../domain/documents/enote.mts';
import { deleteDocument, updateDocument } from '../domain/documents/updateDocument.mts';
import { Refusal } from '../domain/refusal.mts';
import type { Document, Platform, Transaction, World } from '../world/world.mts';

/** Clients recognize it by its missing document id (docs/service/documents.md#bookmarked-pdfs). */
const UPLOAD_IN_PROGRESS = { message: 'Document upload in progress' };

export function documentOperations(world: World): Record<string, OperationHandler> {
	const show = (transaction: Transaction, document: Document) =>
		documentView(world, transaction, document);
	/** Real estate answers with a list (docs/service/documents.md#add-a-document). */
	const add =
		(platform?: Platform): OperationHandler =>
		async (request) => {
			const transaction = findTransaction(world, request, platform);
			const document = await addDocument(world, transaction, request.body);
			if (document === undefined) return UPLOAD_IN_PROGRESS;
			return platform === 'realEstate'
				? [show(transaction, document)]
				: show(transaction, document);
		};
	const get =
		(platform?: Platform): OperationHandler =>
		(request) => {
			const transaction = findTransaction(world, request, platform);
			const document = findDocument(transaction, request.params.document_id);
			const { encoding } = request.query;
			// Real estate may answer 409 while the content is not ready
			// (docs/service/documents.md#get-a-document).
			if (platform === 'realEstate' && encoding !== undefined && document.state === 'pending')
				throw new Refusal(409, 'The content is not ready');
			if (document.final && !transaction.released && encoding !== undefined)
				throw new Refusal(409, 'The content is not ready');
			if (encoding === 'base64')
				return {
					...show(transaction, document),
					data: (document.final ?? document.uploaded).toString('base64'),
				};
			if (encoding === 'uri' && document.final)
				return { ...show(transaction, document), uri: world.links.sign(`final/${document.id}`) };
			return show(transaction, document);
		};
	const update =
		(platform?: Platform): OperationHandler =>
		async (request) => {
			const { transaction, document } = findDocumentById(world, request, platform);
			await updateDocument(world, transaction, document, request.body);
			return request.body.pdf_bookmarked === true
				? UPLOAD_IN_PROGRESS
				: show(transaction, document);
		};
	const remove =
		(platform?: Platform): OperationHandler =>
		(request) => {
			const { transaction, document } = findDocumentById(world, request, platform);
			deleteDocument(world, transaction, document);
			return { message: 'Document deleted' };
		};
	return {
		addDocument: add(),
		addClosingDocument: add('realEstate'),
		getDocument: get(),
		getClosingDocument: get('realEstate'),
		replaceDocument: update(),
		changeDocument: update(),
		replaceClosingDocument: update('realEstate'),
		changeClosingDocument: update('realEstate'),
		deleteDocument: remove(),
		deleteClosingDocument: remove('realEstate'),
		addEnote: async (request) => {
			const transaction = findTransaction(world, request, 'realEstate');
			return show(transaction, await addEnote(world, transaction, request.body));
		},
		deleteEnote: (request) => {
			const transaction = findTransaction(world, request, 'realEstate');
			deleteDocument(world, transaction, requireEnote(transaction));
			return { message: 'eNote deleted' };
		},
	};
}
