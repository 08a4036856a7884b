import type { Json } from '../types.mts';
import { showTransaction } from '../state/views.mts';
import { bare, markerOf, type TransactionRecord } from '../state/world.mts';
import {
	checkLength,
	checkTypes,
	findTransaction,
	isObject,
	page,
	refuse,
	route,
	type Call,
} from './call.mts';
import { newDocument } from './documentFields.mts';
import { readSigners } from './signers.mts';

const NOT_KEPT = [
	'signer',
	'signers',
	'cosigner',
	'documents',
	'document',
	'draft',
	'suppress_email',
];
const STRINGS = [
	'transaction_name',
	'external_id',
	'message_to_signer',
	'message_subject',
	'message_signature',
	'transaction_type',
	'loan_number',
	'file_number',
	'notary_id',
	'config_id',
	'recording_jurisdiction_id',
	'title_agency_id',
	'title_underwriter_id',
	'expiry',
	'expiration_time',
	'activation_time',
];
/** What a strict PUT resets (docs/service/transactions.md#update-a-draft). */
const RESET = STRINGS.filter((name) => name !== 'transaction_type');

function check(body: Json): void {
	checkTypes(body, {
		strings: STRINGS,
		arrays: ['cc_recipient_emails', 'contacts', 'notary_instructions'],
		objects: ['street_address', 'redirect', 'document'],
	});
	checkLength(body, {
		message_to_signer: 30_000,
		message_subject: 30_000,
		message_signature: 30_000,
		transaction_name: 5000,
		external_id: 5000,
	});
	if ('allow_signer_annotations' in body)
		refuse(422, 'Cannot override default value for allow_signer_annotations');
	if (body.notary_instructions)
		refuse(403, 'Organization does not have access to notary_instructions');
}

function kept(body: Json): Json {
	return Object.fromEntries(Object.entries(body).filter(([name]) => !NOT_KEPT.includes(name)));
}

function create(call: Call): Json {
	const { world, body, platform, number } = call;
	const realEstate = platform === 'realEstate';
	check(body);
	const signers = readSigners(world, body, platform) ?? [];
	const draft = realEstate || body.draft === true || body.draft === 'true';
	const given: unknown[] = body.documents ?? (body.document ? [body.document] : []);
	if (!Array.isArray(given)) refuse(400, 'Invalid value for documents - expected Array');
	if (!realEstate && signers.length === 0) refuse(422, 'Need at least 1 signer');
	if (!draft && given.length === 0) refuse(422, 'Need at least 1 document');
	if (body.organization_id && bare(body.organization_id) !== bare(world.organizationId))
		refuse(404, 'Not Found: Organization');
	if (realEstate && world.options.account === 'lender' && !hasTitleAgent(body))
		refuse(422, 'Title agency or contact with role title_agent is required');
	const created = world.now();
	const transaction: TransactionRecord = {
		id: world.newId('ot_'),
		platform,
		fields: kept(body),
		signers,
		documents: [],
		splits: [],
		status: draft ? 'started' : 'sent',
		detailedStatus: draft ? 'draft' : 'sent_to_signer',
		created,
		updated: created,
		recordIds: [],
	};
	if (realEstate)
		for (const index of signers.keys()) {
			const name = `eSign Consent Form - Signer ${index + 1}`;
			const form = newDocument(call, transaction, { filename: name, requirement: 'esign' });
			form.isConsentForm = true;
			transaction.documents.push(form);
		}
	for (const one of given)
		transaction.documents.push(newDocument(call, transaction, atCreation(one, given.indexOf(one))));
	world.transactions.set(bare(transaction.id), transaction);
	world.note('transaction.created', transaction.id, number, markerOf(transaction));
	world.emit('transaction.created', transaction);
	if (!draft) {
		world.note('transaction.sent', transaction.id, number, markerOf(transaction));
		world.emit('transaction.sent', transaction);
	}
	return showTransaction(world, transaction);
}

/** docs/service/transactions.md#documents-at-creation. */
function atCreation(one: unknown, index: number): Json {
	const name = `Document ${index + 1}`;
	if (typeof one === 'string')
		return {
			resource: one,
			filename: name,
			requirement: 'notarization',
			customer_can_annotate: true,
		};
	if (!isObject(one)) refuse(400, 'Invalid value for documents - expected Object');
	return { ...one, resource: one.resource ?? one.document, filename: one.filename ?? one.name };
}

function hasTitleAgent(body: Json): boolean {
	const contacts: Json[] = body.contacts ?? [];
	return Boolean(body.title_agency_id) || contacts.some(({ role }) => role === 'title_agent');
}

function update(call: Call, replaces: boolean): Json {
	const { world, body } = call;
	const transaction = findTransaction(call);
	check(body);
	if (transaction.status !== 'started' || hasExpired(transaction))
		refuse(422, 'Transaction cannot be edited at this time.');
	const signers = readSigners(world, body, call.platform, transaction.signers);
	const order: Json[] = body.documents ?? [];
	if (!Array.isArray(order)) refuse(400, 'Invalid value for documents - expected Array');
	for (const { id, bundle_position } of order) {
		const moved = transaction.documents.find((one) => bare(one.id) === bare(String(id)));
		if (!moved) refuse(404, 'Document Not Found');
		moved.position = Number(bundle_position);
	}
	transaction.documents.sort((one, other) => one.position - other.position);
	if (signers) transaction.signers = signers;
	if (replaces) for (const name of RESET) delete transaction.fields[name];
	Object.assign(transaction.fields, kept(body));
	return touched(call, transaction, 'transaction.updated');
}

export function hasExpired(transaction: TransactionRecord): boolean {
	const end = transaction.fields.expiry ?? transaction.fields.expiration_time;
	return typeof end === 'string' && new Date(end).getTime() < Date.now();
}

/** Notes an effect on a transaction, and answers it. */
export function touched(call: Call, transaction: TransactionRecord, kind: string): Json {
	const { world } = call;
	transaction.updated = world.now();
	world.note(kind, transaction.id, call.number, markerOf(transaction));
	if (kind.startsWith('transaction.')) world.emit(kind, transaction);
	return showTransaction(world, transaction);
}

function remove(call: Call): Json {
	const transaction = findTransaction(call);
	if (/complete/.test(transaction.status))
		refuse(422, 'Transaction has already been completed by at least 1 signer.');
	touched(call, transaction, 'transaction.deleted');
	call.world.transactions.delete(bare(transaction.id));
	return { message: `Deleted Transaction ${transaction.id} successfully` };
}

function list(call: Call): Json {
	const { world, query, platform } = call;
	const from = (name: string) => Date.parse(query.get(name) ?? '') || -Infinity;
	const to = (name: string) => Date.parse(query.get(name) ?? '') || Infinity;
	const status = query.get('transaction_status');
	const loan = platform === 'realEstate' ? query.get('loan_number') : null;
	const organization = platform === 'realEstate' ? query.get('organization_id') : null;
	const ownerOf = ({ fields }: TransactionRecord) =>
		String(fields.organization_id ?? world.organizationId);
	const found = [...world.transactions.values()]
		.filter((one) => one.platform === platform)
		.filter((one) => !organization || bare(ownerOf(one)) === bare(organization))
		.filter((one) => !status || one.status === status)
		.filter((one) => !loan || one.fields.loan_number === loan)
		.filter(
			({ created, updated }) =>
				created >= from('created_date_start') &&
				created <= to('created_date_end') &&
				updated >= from('last_updated_date_start') &&
				updated <= to('last_updated_date_end'),
		)
		.sort((one, other) => other.created - one.created);
	const data = page(call, found, { usual: 10, most: 1000 }).map((one) =>
		showTransaction(world, one),
	);
	return { total_count: found.length, count: data.length, data };
}

export const transactionRoutes = [
	...route('POST', 'BR', '/transactions', 'object', create),
	...route('GET', 'BR', '/transactions', 'page', list),
	...route('GET', 'BR', '/transactions/:id', 'object', (call) =>
		showTransaction(call.world, findTransaction(call)),
	),
	...route('PATCH', 'B', '/transactions/:id', 'object', (call) => update(call, false)),
	...route('PUT', 'BR', '/transactions/:id', 'object', (call) =>
		update(call, call.world.options.strictPut),
	),
	...route('DELETE', 'BR', '/transactions/:id', 'receipt', remove),
];
