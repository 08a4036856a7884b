import { randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { newDocument, Refusal, updateDocument } from './input.mts';
import {
	EDITABLE,
	type Kept,
	type KeptDocument,
	type KeptTransaction,
	type Platform,
} from './kept.mts';
import { shownDocument } from './shown.mts';

/** The calls about documents. */

export interface Asked {
	kept: Kept;
	platform: Platform;
	query: URLSearchParams;
	body: IDataObject;
	/** What the path names. */
	ids: string[];
}

export function transactionOf({ kept, platform, ids: [id] }: Asked): KeptTransaction {
	const one = kept.transactions.find((entry) => entry.id === id && entry.platform === platform);
	if (one === undefined) throw new Refusal(404, 'Transaction Not Found');
	return one;
}

export function editable(asked: Asked, text = 'Transaction Cannot Be Modified'): KeptTransaction {
	const transaction = transactionOf(asked);
	if (!EDITABLE.includes(transaction.state)) throw new Refusal(422, text);
	transaction.updated = new Date().toISOString();
	return transaction;
}

/** A document of the service's own. */
export const ownDocument = (name: string, more: Partial<KeptDocument>): KeptDocument => ({
	...newDocument({ resource: Buffer.from(`%PDF-1.7 ${name}`).toString('base64') }),
	name,
	...more,
	flags: [],
});

export function add(asked: Asked): IDataObject | IDataObject[] {
	const { kept, platform, body } = asked;
	const transaction = editable(asked);
	const document = newDocument(body);
	const { documents } = transaction;
	const forms = documents.filter(({ isConsentForm }) => isConsentForm).length;
	const place = body.bundle_position;
	documents.splice(place === undefined ? documents.length : forms + Number(place), 0, document);
	const shown = shownDocument(kept, transaction, document);
	return platform === 'business' ? shown : [shown];
}

/** The document of a path, whose owner may be changed. */
function ownedDocument(asked: Asked): [KeptTransaction, KeptDocument] {
	for (const { id, documents, platform } of asked.kept.transactions) {
		const document = documents.find((one) => one.id === asked.ids[0]);
		if (document === undefined) continue;
		if (platform === 'realEstate' && asked.platform === 'business')
			throw new Refusal(422, 'You must use the RealEstate API for real estate transactions');
		return [editable({ ...asked, ids: [id] }), document];
	}
	throw new Refusal(404, 'Document Not Found');
}

export function change(asked: Asked): IDataObject {
	const [owner, document] = ownedDocument(asked);
	updateDocument(document, asked.body);
	return shownDocument(asked.kept, owner, document);
}

function remove(owner: KeptTransaction, document: KeptDocument, message: string): IDataObject {
	owner.documents.splice(owner.documents.indexOf(document), 1);
	return { message };
}

export function removeDocument(asked: Asked): IDataObject {
	const [owner, document] = ownedDocument(asked);
	return remove(owner, document, `Deleted document ${document.id} successfully`);
}

export function retrieveDocument(asked: Asked): IDataObject {
	const { kept, query, ids, platform } = asked;
	const owner = transactionOf(asked);
	const document = owner.documents.find((one) => one.id === ids[1]);
	if (document === undefined) throw new Refusal(404, 'Document Not Found');
	const encoding = query.get('encoding') ?? (platform === 'realEstate' ? 'base64' : 'uri');
	if (!['base64', 'uri'].includes(encoding)) throw new Refusal(400, 'Invalid encoding');
	const shown = shownDocument(kept, owner, document, true);
	if (encoding === 'uri') return shown;
	if (platform === 'realEstate' && shown.processing_state === 'pending')
		throw new Refusal(409, 'Document processing: done');
	return { ...shown, data: document.bytes.toString('base64') };
}

const AFTER_SENDING = 'Transaction cannot be modified from sent state';

export function addEnote(asked: Asked): IDataObject {
	const { file = '', borrowers = [] } = asked.body;
	const owner = editable(asked, AFTER_SENDING);
	if (!Array.isArray(borrowers)) throw new Refusal(400, 'borrowers argument must be array');
	const document = ownDocument('enote.xml', {
		bytes: Buffer.from(String(file), /^https?:/.test(String(file)) ? 'utf8' : 'base64'),
		requirement: 'readonly',
		designations: [1, 2].map(() => ({ id: `ad${randomUUID()}` })),
		isEnote: true,
	});
	owner.documents.push(document);
	return shownDocument(asked.kept, owner, document);
}

export function removeEnote(asked: Asked): IDataObject {
	const owner = editable(asked, AFTER_SENDING);
	const note = owner.documents.find(({ isEnote }) => isEnote);
	if (note === undefined) throw new Refusal(404, 'Transaction Not Found');
	return remove(owner, note, 'Deleted enote successfully');
}
