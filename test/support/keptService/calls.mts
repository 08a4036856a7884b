import { randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { applyBody, newDocument, Refusal, updateDocument } from './input.mts';
import {
	EDITABLE,
	snapshot,
	type Kept,
	type KeptDocument,
	type KeptTransaction,
	type Platform,
} from './kept.mts';
import { shownDocument, shownTransaction, statusOf } from './shown.mts';

/** The calls of the service, each with what it refuses. */

export interface Asked {
	kept: Kept;
	platform: Platform;
	query: URLSearchParams;
	body: IDataObject;
	/** What the path names. */
	parts: string[];
}

const NOT_FOUND = 'Transaction Not Found';
const LOCKED = 'Transaction Cannot Be Modified';

function transactionOf({ kept, platform, parts: [id] }: Asked): KeptTransaction {
	const one = kept.transactions.find((entry) => entry.id === id && entry.platform === platform);
	if (one === undefined) throw new Refusal(404, NOT_FOUND);
	return one;
}

function editable(asked: Asked, text = LOCKED): KeptTransaction {
	const transaction = transactionOf(asked);
	if (!EDITABLE.includes(transaction.state)) throw new Refusal(422, text);
	return changed(transaction);
}

function changed(transaction: KeptTransaction): KeptTransaction {
	transaction.updated = new Date().toISOString();
	return transaction;
}

function send({ kept }: Asked, transaction: KeptTransaction): void {
	const { fields, signers, documents, platform } = transaction;
	if (signers.length === 0) throw new Refusal(422, 'Need at least 1 signer');
	const needsNote = ['refinance', 'purchase_buyer_loan'].includes(String(fields.transaction_type));
	if (platform === 'realEstate' && needsNote && fields.paper_note_consent !== true)
		if (!documents.some(({ isEnote }) => isEnote)) throw new Refusal(422, 'eNote Required');
	transaction.state = 'sent';
	kept.sent.push(snapshot(transaction));
}

/** The consent forms of a new closing, which come first. */
const consentForms = ({ signers }: KeptTransaction): KeptDocument[] =>
	signers.map((_signer, index) => ({
		id: `do_${randomUUID()}`,
		name: `eSign Consent Form - Signer ${index + 1}`,
		bytes: Buffer.from(`%PDF-1.7 consent ${index + 1}`),
		requirement: 'esign',
		flags: [],
		designations: [],
		groups: [],
		isEnote: false,
		isConsentForm: true,
		added: 0,
	}));

function create(asked: Asked): IDataObject {
	const { kept, platform, body } = asked;
	const now = new Date().toISOString();
	const transaction: KeptTransaction = {
		id: kept.newId('ot'),
		platform,
		state: 'draft',
		fields: {},
		signers: [],
		documents: [],
		created: now,
		updated: now,
	};
	const { documents, ...more } = body;
	applyBody(kept, transaction, more);
	if (platform === 'realEstate' && kept.options.addsConsentForms)
		transaction.documents = consentForms(transaction);
	for (const document of (documents ?? []) as Array<IDataObject | string>)
		transaction.documents.push(
			newDocument(typeof document === 'string' ? { resource: document } : document),
		);
	// Closings are drafts by default.
	if (platform === 'business' && String(body.draft) !== 'true') send(asked, transaction);
	kept.transactions.push(transaction);
	return shownTransaction(kept, transaction);
}

const PERIODS: Array<[string, (one: KeptTransaction, time: string) => boolean]> = [
	['created_date_start', ({ created }, time) => created >= time],
	['created_date_end', ({ created }, time) => created <= time],
	['last_updated_date_start', ({ updated }, time) => updated >= time],
	['last_updated_date_end', ({ updated }, time) => updated <= time],
];

function list({ kept, platform, query }: Asked): IDataObject {
	const [loan, status] = [query.get('loan_number'), query.get('transaction_status')];
	const found = kept.transactions
		.filter((one) => one.platform === platform)
		.filter(({ fields }) => platform === 'business' || loan === null || fields.loan_number === loan)
		.filter((one) => status === null || statusOf(one) === status)
		.filter((one) =>
			PERIODS.every(([name, fits]) => {
				const time = query.get(name);
				return time === null || fits(one, new Date(time).toISOString());
			}),
		)
		.reverse();
	const limit = Number(query.get('limit') ?? (platform === 'business' ? 10 : 100));
	const offset = Number(query.get('offset') ?? 0);
	const page = found.slice(offset, offset + Math.min(limit, kept.options.mostOnPage));
	return {
		total_count: found.length,
		count: page.length,
		data: page.map((one) => shownTransaction(kept, one, true)),
	};
}

function add(asked: Asked): IDataObject | IDataObject[] {
	const { kept, platform, body } = asked;
	const transaction = editable(asked);
	const document = newDocument(body);
	const { documents } = transaction;
	const forms = documents.filter(({ isConsentForm }) => isConsentForm).length;
	const place = body.bundle_position;
	const index = place === undefined ? documents.length : forms + Number(place);
	documents.splice(index, 0, document);
	const shown = shownDocument(kept, transaction, document);
	return platform === 'business' ? shown : [shown];
}

/** The document of a path, whose owner may be changed. */
function ownedDocument(asked: Asked): [KeptTransaction, KeptDocument] {
	const { kept, parts: [id] } = asked; // prettier-ignore
	const owner = kept.transactions.find(({ documents }) => documents.some((one) => one.id === id));
	const document = owner?.documents.find((one) => one.id === id);
	if (owner === undefined || document === undefined) throw new Refusal(404, 'Document Not Found');
	if (owner.platform === 'realEstate' && asked.platform === 'business')
		throw new Refusal(422, 'You must use the RealEstate API for real estate transactions');
	return [editable({ ...asked, parts: [owner.id] }), document];
}

function change(asked: Asked): IDataObject {
	const [owner, document] = ownedDocument(asked);
	updateDocument(document, asked.body);
	return shownDocument(asked.kept, owner, document);
}

function remove(owner: KeptTransaction, document: KeptDocument, message: string): IDataObject {
	owner.documents.splice(owner.documents.indexOf(document), 1);
	return { message };
}

function retrieve(asked: Asked): IDataObject {
	const { kept, query, parts: [, id] } = asked; // prettier-ignore
	const owner = transactionOf(asked);
	const document = owner.documents.find((one) => one.id === id);
	if (document === undefined) throw new Refusal(404, 'Document Not Found');
	const encoding = query.get('encoding') ?? (asked.platform === 'realEstate' ? 'base64' : null);
	if (![null, 'base64', 'uri'].includes(encoding)) throw new Refusal(400, 'Invalid encoding');
	const shown = shownDocument(kept, owner, document, true);
	if (encoding !== 'base64') return shown;
	if (asked.platform === 'realEstate' && shown.processing_state === 'pending')
		throw new Refusal(409, 'Document processing: done');
	return { ...shown, data: document.bytes.toString('base64') };
}

function addEnote(asked: Asked): IDataObject {
	const { file, borrowers } = asked.body;
	const transaction = editable(asked, 'Transaction cannot be modified from sent state');
	if (borrowers !== undefined && !Array.isArray(borrowers))
		throw new Refusal(400, 'borrowers argument must be array');
	const text = String(file ?? '');
	const document: KeptDocument = {
		...consentForms({ ...transaction, signers: transaction.signers.slice(0, 1) })[0],
		name: 'enote.xml',
		bytes: Buffer.from(text, /^https?:/.test(text) ? 'utf8' : 'base64'),
		requirement: 'readonly',
		designations: [{ id: `ad${randomUUID()}` }, { id: `ad${randomUUID()}` }],
		isEnote: true,
		isConsentForm: false,
	};
	transaction.documents.push(document);
	return shownDocument(asked.kept, transaction, document);
}

function removeEnote(asked: Asked): IDataObject {
	const owner = editable(asked, 'Transaction cannot be modified from sent state');
	const note = owner.documents.find(({ isEnote }) => isEnote);
	if (note === undefined) throw new Refusal(404, NOT_FOUND);
	return remove(owner, note, 'Deleted enote successfully');
}

/** Answers with the transaction after a change of it. */
const shown = (asked: Asked, work: (transaction: KeptTransaction) => void): IDataObject => {
	const transaction = transactionOf(asked);
	work(transaction);
	return shownTransaction(asked.kept, changed(transaction));
};

const update = (replaces: boolean) => (asked: Asked) =>
	shown(asked, () => {
		const transaction = editable(asked, 'Transaction cannot be edited at this time.');
		applyBody(
			asked.kept,
			transaction,
			asked.body,
			replaces && asked.kept.options.put === 'replaces',
		);
	});

const sendCall = (asked: Asked) =>
	shown(asked, (transaction) => {
		if (transaction.state === 'expired') throw new Refusal(422, 'Transaction has expired');
		send(asked, editable(asked));
	});

type Call = (asked: Asked) => IDataObject | IDataObject[];

/** By method and path; `R` is of real estate only, `B` of business only. */
export const CALLS: Array<[method: string, path: RegExp, call: Call, on?: Platform]> = [
	['GET', /^\/organization$/, () => ({ id: 'or_od4kenk', name: 'Harbor Bank', email: 'desk@harbor.example.com' }), 'business'], // prettier-ignore
	['POST', /^\/transactions$/, create],
	['GET', /^\/transactions$/, list],
	[
		'GET',
		/^\/transactions\/([^/]+)$/,
		(asked) => shownTransaction(asked.kept, transactionOf(asked)),
	],
	['PATCH', /^\/transactions\/([^/]+)$/, update(false), 'business'],
	['PUT', /^\/transactions\/([^/]+)$/, update(true)],
	[
		'DELETE',
		/^\/transactions\/([^/]+)$/,
		(asked) => {
			const one = transactionOf(asked);
			if (one.state === 'completed')
				throw new Refusal(422, 'Transaction has already been completed by at least 1 signer.');
			asked.kept.transactions.splice(asked.kept.transactions.indexOf(one), 1);
			return { message: `Deleted Transaction ${one.id} successfully` };
		},
	],
	['POST', /^\/transactions\/([^/]+)\/notarization_ready$/, sendCall, 'business'],
	['POST', /^\/transactions\/([^/]+)\/place_order$/, sendCall, 'realEstate'],
	[
		'POST',
		/^\/transactions\/([^/]+)\/recall$/,
		(asked) =>
			shown(asked, (transaction) => {
				if (transaction.state !== 'sent')
					throw new Refusal(422, 'Organization Transaction cannot be recalled at this time.');
				transaction.state = 'recalled';
				transaction.recallReason = asked.query.get('recall_reason') ?? undefined;
			}),
	],
	['POST', /^\/transactions\/([^/]+)\/documents$/, add],
	['GET', /^\/transactions\/([^/]+)\/documents\/([^/]+)$/, retrieve],
	['PUT', /^\/documents\/([^/]+)$/, change],
	['PATCH', /^\/documents\/([^/]+)$/, change],
	[
		'DELETE',
		/^\/documents\/([^/]+)$/,
		(asked) => {
			const [owner, document] = ownedDocument(asked);
			return remove(owner, document, `Deleted document ${document.id} successfully`);
		},
	],
	['POST', /^\/transactions\/([^/]+)\/enote$/, addEnote, 'realEstate'],
	['DELETE', /^\/transactions\/([^/]+)\/enote$/, removeEnote, 'realEstate'],
];
