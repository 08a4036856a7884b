import type { IDataObject } from 'n8n-workflow';

import * as documents from './documents.mts';
import { editable, ownDocument, transactionOf, type Asked } from './documents.mts';
import { applyBody, newDocument, Refusal } from './input.mts';
import { snapshot, type KeptTransaction, type Platform } from './kept.mts';
import { shownTransaction, statusOf } from './shown.mts';

/** The calls of the service, each with what it refuses. */

function send({ kept }: Asked, transaction: KeptTransaction): void {
	const { fields, signers, documents: papers } = transaction;
	if (signers.length === 0) throw new Refusal(422, 'Need at least 1 signer');
	const needsNote =
		['refinance', 'purchase_buyer_loan'].includes(String(fields.transaction_type)) &&
		fields.paper_note_consent !== true;
	if (transaction.platform === 'realEstate' && needsNote && !papers.some((one) => one.isEnote))
		throw new Refusal(422, 'eNote Required');
	transaction.state = 'sent';
	kept.sent.push(snapshot(transaction));
}

function create(asked: Asked): IDataObject {
	const { kept, platform, body } = asked;
	const { documents: added = [], ...more } = body;
	const now = new Date().toISOString();
	const empty = { fields: {}, signers: [], documents: [], created: now, updated: now };
	const made: KeptTransaction = { ...empty, id: kept.newId('ot'), platform, state: 'draft' };
	applyBody(kept, made, more);
	if (platform === 'realEstate' && kept.options.addsConsentForms)
		made.documents = made.signers.map((_signer, index) =>
			ownDocument(`eSign Consent Form - Signer ${index + 1}`, {
				requirement: 'esign',
				isConsentForm: true,
			}),
		);
	made.documents.push(...(added as IDataObject[]).map(newDocument));
	// Closings are drafts by default.
	if (platform === 'business' && String(body.draft) !== 'true') send(asked, made);
	kept.transactions.push(made);
	return shownTransaction(kept, made);
}

function list({ kept, platform, query }: Asked): IDataObject {
	const has = (name: string, value: unknown) => [null, value].includes(query.get(name));
	const time = (name: string, otherwise: string) => query.get(name) ?? otherwise;
	const found = kept.transactions
		.filter((one) => one.platform === platform && has('transaction_status', statusOf(one)))
		.filter(({ fields }) => platform === 'business' || has('loan_number', fields.loan_number))
		.filter(({ created }) => created >= time('created_date_start', ''))
		.filter(({ created }) => created <= time('created_date_end', '9'))
		.reverse();
	const limit = Number(query.get('limit') ?? (platform === 'business' ? 10 : 100));
	const offset = Number(query.get('offset') ?? 0);
	const page = found.slice(offset, offset + Math.min(limit, kept.options.mostOnPage));
	const data = page.map((one) => shownTransaction(kept, one, true));
	return { total_count: found.length, count: page.length, data };
}

const update = (replaces: boolean) => (asked: Asked) => {
	const { kept, body } = asked;
	const transaction = editable(asked, 'Transaction cannot be edited at this time.');
	applyBody(kept, transaction, body, replaces && kept.options.put === 'replaces');
	return shownTransaction(kept, transaction);
};

function removeTransaction(asked: Asked): IDataObject {
	const one = transactionOf(asked);
	if (one.state === 'completed')
		throw new Refusal(422, 'Transaction has already been completed by at least 1 signer.');
	asked.kept.transactions.splice(asked.kept.transactions.indexOf(one), 1);
	return { message: `Deleted Transaction ${one.id} successfully` };
}

function sendCall(asked: Asked): IDataObject {
	if (transactionOf(asked).state === 'expired') throw new Refusal(422, 'Transaction has expired');
	const transaction = editable(asked);
	send(asked, transaction);
	return shownTransaction(asked.kept, transaction);
}

function recall(asked: Asked): IDataObject {
	const transaction = transactionOf(asked);
	if (transaction.state !== 'sent')
		throw new Refusal(422, 'Organization Transaction cannot be recalled at this time.');
	transaction.state = 'recalled';
	transaction.recallReason = asked.query.get('recall_reason') ?? undefined;
	return shownTransaction(asked.kept, transaction);
}

type Call = (asked: Asked) => IDataObject | IDataObject[];
const ORGANIZATION = { id: 'or_od4kenk', name: 'Harbor Bank', email: 'desk@harbor.example.com' };

/** By method and path; `*` stands for an ID. */
const BOTH: Record<string, Call> = {
	'POST /transactions': create,
	'GET /transactions': list,
	'GET /transactions/*': (asked) => shownTransaction(asked.kept, transactionOf(asked)),
	'PUT /transactions/*': update(true),
	'DELETE /transactions/*': removeTransaction,
	'POST /transactions/*/recall': recall,
	'POST /transactions/*/documents': documents.add,
	'GET /transactions/*/documents/*': documents.retrieveDocument,
	'PUT /documents/*': documents.change,
	'PATCH /documents/*': documents.change,
	'DELETE /documents/*': documents.removeDocument,
};
export const CALLS: Record<Platform, Record<string, Call>> = {
	business: {
		...BOTH,
		'GET /organization': () => ORGANIZATION,
		'PATCH /transactions/*': update(false),
		'POST /transactions/*/notarization_ready': sendCall,
	},
	realEstate: {
		...BOTH,
		'POST /transactions/*/place_order': sendCall,
		'POST /transactions/*/enote': documents.addEnote,
		'DELETE /transactions/*/enote': documents.removeEnote,
	},
};
