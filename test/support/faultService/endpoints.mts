import type { AnswerKind, Host, Json, Platform } from './types.mts';
import {
	bare,
	compact,
	isComplete,
	isDraft,
	isSent,
	isTrue,
	markerOf,
	referenceOf,
	samplePdf,
	type DocumentRecord,
	type TransactionRecord,
	type WebhookRecord,
	type World,
} from './world.mts';

/**
 * The endpoints of docs/service, with the states in which they refuse. Whether fields are well-formed
 * is for the sandbox to judge; here it's what becomes of the work that counts.
 */

/** One request that has been read, as the handlers get it. */
export interface Call {
	world: World;
	platform: Platform;
	params: Record<string, string>;
	query: URLSearchParams;
	body: Json;
	/** The request's number, for the ledger. */
	number: number;
	/** With the query. */
	path: string;
}

/** A file instead of JSON. */
export class File {
	readonly content: Buffer;
	readonly type: string;
	readonly name: string;

	constructor(content: Buffer, type: string, name: string) {
		this.content = content;
		this.type = type;
		this.name = name;
	}
}

export class Refusal extends Error {
	readonly status: number;
	readonly body: unknown;
	readonly type: string;

	constructor(status: number, body: unknown, type = 'application/json') {
		super(JSON.stringify(body));
		this.status = status;
		this.body = body;
		this.type = type;
	}
}

/** The most common shape, docs/service/errors.md#common-answers. */
export function refuse(status: number, text: string): never {
	throw new Refusal(status, { errors: [text] });
}

export function noResource(): never {
	throw new Refusal(404, { errors: { request: 'resource not found' } });
}

function findTransaction({ world, platform, params }: Call): TransactionRecord {
	const found = world.transactions.get(bare(params.id));
	return found?.platform === platform ? found : refuse(404, 'Transaction Not Found');
}

function findDraft(call: Call, refusal = 'Transaction Cannot Be Modified'): TransactionRecord {
	const transaction = findTransaction(call);
	return isDraft(transaction) ? transaction : refuse(422, refusal);
}

/** The part of a list that `limit` and `offset` ask for. */
function page<Item>({ query }: Call, items: Item[], usual: number): Item[] {
	const offset = Number(query.get('offset') ?? 0);
	return items.slice(offset, offset + Number(query.get('limit') ?? usual));
}

/** Notes an effect on a transaction, and answers it. */
function touched({ world, number }: Call, transaction: TransactionRecord, kind: string): Json {
	transaction.updated = world.now();
	world.note(kind, transaction.id, number, markerOf(transaction));
	if (kind.startsWith('transaction.')) world.emit(kind, transaction);
	return world.showTransaction(transaction);
}

// Transactions (docs/service/transactions.md).

/** The signers that a body names. One who stays keeps the id. */
function signersOf({ world }: Call, body: Json, before: Json[] = []): Json[] | undefined {
	const given: Json[] | undefined = body.signers ?? (body.signer && [body.signer]);
	const all = body.cosigner ? [...given!, body.cosigner] : given;
	return all?.map((fields) => {
		const same = before.find((one) => one.external_id === fields.external_id);
		return { ...fields, signer_id: same?.signer_id ?? world.newId('oc_') };
	});
}

const NOT_KEPT = ['signer', 'signers', 'cosigner', 'documents', 'draft'];
const kept = (body: Json): Json =>
	Object.fromEntries(Object.entries(body).filter(([name]) => !NOT_KEPT.includes(name)));

function createTransaction(call: Call): Json {
	const { world, body, platform, number } = call;
	const realEstate = platform === 'realEstate';
	const draft = realEstate || isTrue(body.draft);
	const signers = signersOf(call, body) ?? [];
	const documents: Json[] = body.documents ?? [];
	if (!realEstate && signers.length === 0) refuse(422, 'Need at least 1 signer');
	if (!draft && documents.length === 0) refuse(422, 'Need at least 1 document');
	const created = world.now();
	const transaction: TransactionRecord = {
		id: world.newId('ot_'),
		platform,
		fields: kept(body),
		signers,
		documents: [],
		status: draft ? 'started' : 'sent',
		detailedStatus: draft ? 'draft' : 'sent_to_signer',
		created,
		updated: created,
	};
	const forms = signers.map((_signer, index) => ({
		filename: `eSign Consent Form - Signer ${index + 1}`,
		requirement: 'esign',
	}));
	for (const one of [...(realEstate ? forms : []), ...documents])
		transaction.documents.push(newDocument(call, typeof one === 'string' ? {} : one));
	world.transactions.set(bare(transaction.id), transaction);
	world.note('transaction.created', transaction.id, number, markerOf(transaction));
	world.emit('transaction.created', transaction);
	return draft
		? world.showTransaction(transaction)
		: touched(call, transaction, 'transaction.sent');
}

function updateTransaction(call: Call): Json {
	const { body } = call;
	const transaction = findDraft(call, 'Transaction cannot be edited at this time.');
	const order: Json[] = body.documents ?? [];
	const positionOf = ({ id }: DocumentRecord) =>
		order.find((one) => bare(String(one.id)) === bare(id))?.bundle_position ?? Infinity;
	if (order.length > 0)
		transaction.documents.sort((one, other) => positionOf(one) - positionOf(other));
	transaction.signers = signersOf(call, body, transaction.signers) ?? transaction.signers;
	Object.assign(transaction.fields, kept(body));
	return touched(call, transaction, 'transaction.updated');
}

function deleteTransaction(call: Call): Json {
	const transaction = findTransaction(call);
	if (isComplete(transaction))
		refuse(422, 'Transaction has already been completed by at least 1 signer.');
	touched(call, transaction, 'transaction.deleted');
	call.world.transactions.delete(bare(transaction.id));
	return { message: `Deleted Transaction ${transaction.id} successfully` };
}

function listTransactions(call: Call): Json {
	const { world, query, platform } = call;
	const time = (name: string, without: number) => Date.parse(query.get(name) ?? '') || without;
	const status = query.get('transaction_status');
	const loan = query.get('loan_number');
	const found = [...world.transactions.values()]
		.filter((one) => one.platform === platform)
		.filter((one) => !status || one.status === status)
		.filter((one) => !loan || one.fields.loan_number === loan)
		.filter(
			({ created, updated }) =>
				created >= time('created_date_start', -Infinity) &&
				created <= time('created_date_end', Infinity) &&
				updated >= time('last_updated_date_start', -Infinity) &&
				updated <= time('last_updated_date_end', Infinity),
		)
		.sort((one, other) => other.created - one.created);
	const data = page(call, found, 10).map((one) => world.showTransaction(one));
	return { total_count: found.length, count: data.length, data };
}

function send(call: Call): Json {
	const transaction = findDraft(call);
	if (transaction.signers.length === 0) refuse(422, 'Need at least 1 signer');
	Object.assign(transaction, { status: 'sent', detailedStatus: 'sent_to_signer' });
	return touched(call, transaction, 'transaction.sent');
}

function findSent(call: Call, refusal: string): TransactionRecord {
	const transaction = findTransaction(call);
	return isSent(transaction) ? transaction : refuse(422, refusal);
}

function recall(call: Call): Json {
	const refusal = 'Organization Transaction cannot be recalled at this time.';
	const transaction = findSent(call, refusal);
	Object.assign(transaction, { status: 'started', detailedStatus: 'recalled' });
	transaction.recallReason = call.query.get('recall_reason') ?? undefined;
	return touched(call, transaction, 'transaction.recalled');
}

/** The answer shows the transaction as it was before (docs/service/transactions.md#force-complete). */
function forceComplete(call: Call): Json {
	const transaction = findSent(call, 'Unable to force complete transaction.');
	const before = touched(call, transaction, 'transaction.forceCompleted');
	call.world.complete(transaction.id);
	return before;
}

const remind = (effect: string) => (call: Call) =>
	touched(call, findSent(call, 'Cannot resend email for started transaction.'), effect);

// Documents (docs/service/documents.md).

/** Makes a document of what a body says, without adding it. */
function newDocument(
	{ world }: Call,
	{ resource, document, file, ...fields }: Json,
): DocumentRecord {
	const given = resource ?? document ?? file;
	const isPdf = String(given).startsWith('JVBERi');
	const content = isPdf
		? Buffer.from(given, 'base64')
		: samplePdf(String(given ?? fields.filename));
	const created = world.now();
	return {
		id: world.newId('do_'),
		name: fields.filename ?? fields.name ?? 'Untitled Document',
		requirement: fields.requirement ?? 'notarization',
		fields,
		content: Buffer.isBuffer(given) ? given : content,
		created,
		updated: created,
		isEnote: false,
	};
}

function addDocument(call: Call): Json | Json[] {
	const { world, body, number, platform } = call;
	const transaction = findDraft(call);
	const document = newDocument(call, body);
	transaction.documents.push(document);
	transaction.updated = world.now();
	const marker = String(referenceOf(body.tracking_id) ?? document.name);
	world.note('document.added', document.id, number, marker);
	const shown = world.showDocument(transaction, document, { isNew: true });
	return platform === 'business' ? shown : [shown];
}

/** A document is found without its transaction. */
function findDocument({ world, params, platform }: Call): {
	transaction: TransactionRecord;
	document: DocumentRecord;
} {
	for (const transaction of world.transactions.values()) {
		const document = transaction.documents.find((one) => bare(one.id) === bare(params.id));
		if (document && transaction.platform === platform) {
			if (!isDraft(transaction)) refuse(422, 'Transaction Cannot Be Modified');
			return { transaction, document };
		}
	}
	return refuse(404, 'Document Not Found');
}

function updateDocument(call: Call): Json {
	const { world, body, number } = call;
	const { transaction, document } = findDocument(call);
	Object.assign(document.fields, body);
	document.requirement = body.requirement ?? document.requirement;
	document.name = body.name ?? body.filename ?? document.name;
	document.updated = transaction.updated = world.now();
	world.note('document.updated', document.id, number, document.name);
	return world.showDocument(transaction, document);
}

function removeDocument(
	{ world, number }: Call,
	transaction: TransactionRecord,
	document: DocumentRecord,
): void {
	transaction.documents.splice(transaction.documents.indexOf(document), 1);
	transaction.updated = world.now();
	const [kind, marker] = document.isEnote
		? ['enote.deleted', transaction.id]
		: ['document.deleted', document.name];
	world.note(kind, document.id, number, marker);
}

function deleteDocument(call: Call): Json {
	const { transaction, document } = findDocument(call);
	removeDocument(call, transaction, document);
	return { message: `Deleted document ${document.id} successfully` };
}

function getDocument(call: Call): Json {
	const { world, platform, params, query } = call;
	const transaction = findTransaction(call);
	const document = transaction.documents.find((one) => bare(one.id) === bare(params.documentId));
	if (!document) refuse(404, 'Document Not Found');
	const shown = world.showDocument(transaction, document, { form: 'realEstate' });
	return (query.get('encoding') ?? usualEncoding(platform)) === 'base64'
		? { ...shown, data: document.content.toString('base64') }
		: shown;
}

export const usualEncoding = (platform: Platform) =>
	platform === 'realEstate' ? 'base64' : 'none';

function importExternal(call: Call): Json {
	const transaction = findTransaction(call);
	call.world.note('documents.imported', transaction.id, call.number, call.body.document_code);
	return { response: 'processing' };
}

const enoteOf = ({ documents }: TransactionRecord) => documents.find(({ isEnote }) => isEnote);

/** docs/service/closings.md#add-an-enote. */
function addEnote(call: Call): Json {
	const { world, body, number } = call;
	const transaction = findDraft(call, 'Transaction cannot be modified from sent state');
	if (enoteOf(transaction)) refuse(422, 'eNote exists already');
	const isLink = /^https?:/.test(String(body.file));
	const file = isLink ? body.file : Buffer.from(String(body.file), 'base64');
	const given = { file, filename: 'enote.xml', requirement: 'readonly' };
	const enote = { ...newDocument(call, given), isEnote: true };
	transaction.documents.push(enote);
	world.note('enote.added', enote.id, number, transaction.id);
	return world.showDocument(transaction, enote);
}

function deleteEnote(call: Call): Json {
	const transaction = findDraft(call, 'Transaction cannot be modified from sent state');
	removeDocument(call, transaction, enoteOf(transaction) ?? refuse(404, 'Document Not Found'));
	return { message: 'Deleted enote successfully' };
}

/** docs/service/documents.md#audit-trail. */
function auditTrail(call: Call): Json | File {
	const transaction = findTransaction(call);
	if (isDraft(transaction)) noResource();
	const pdf = samplePdf(`Audit trail of ${transaction.id}`);
	return call.query.get('encoding') === 'base64'
		? { data: pdf.toString('base64') }
		: new File(pdf, 'application/pdf', 'audit_trail.pdf');
}

const IMAGE = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
	'base64',
);
const VIDEO = Buffer.concat([
	Buffer.from('0000001866747970', 'hex'),
	Buffer.from('isom0000isommp42'),
	Buffer.alloc(20_000, 7),
]);

/** A refused link is answered with XML, as cloud storages do (docs/service/documents.md#links). */
function downloadFile({ world, params, path }: Call): File {
	const denied = '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>';
	if (!world.isValidLink(path)) throw new Refusal(403, denied, 'application/xml');
	if (params.sort === 'image') return new File(IMAGE, 'image/png', `${params.name}.png`);
	if (params.sort === 'trail')
		return new File(samplePdf(`Audit trail of ${params.name}`), 'application/pdf', 'audit.pdf');
	const documents = [...world.transactions.values()].flatMap((one) => one.documents);
	const found = documents.find(({ id }) => id === params.name)!;
	return new File(found.content, 'application/pdf', 'document.pdf');
}

// Notarization records, notaries and places (docs/service/closings.md).

const recordsOf = ({ world, platform }: Call) =>
	[...world.records.values()].filter((one) => one.platform === platform);

function getRecord(call: Call): Json {
	const record = recordsOf(call).find(({ id }) => bare(id) === bare(call.params.id));
	return record ? call.world.showRecord(record) : noResource();
}

const listNotaries = ({ world }: Call) => [...world.notaries.values()];

const findNotary = ({ world, params }: Call): Json =>
	world.notaries.get(bare(params.id)) ?? refuse(404, 'Not Found');

/** Answers nothing. */
function deleteNotary(call: Call): void {
	const { id } = findNotary(call);
	call.world.notaries.delete(bare(id));
	call.world.note('notary.deleted', id, call.number, id);
}

const UNDERWRITERS = [
	{ id: 'tu_first', name: 'First Underwriter' },
	{ id: 'tu_second', name: 'Second Underwriter' },
];
const AGENCIES = [1, 2].map((number) => ({
	id: `ta_agency${number}`,
	name: `Title Agency ${number}`,
	alta_id: `100000${number}`,
	address: `${number} Main Street, Fairfax, VA 22030`,
	eligible_underwriters: UNDERWRITERS,
	company_notaries: false,
}));

const locations = ({ query }: Call): Json[] =>
	['Fairfax County', 'Arlington County'].map((name, index) => ({
		id: `rlcounty${index}`,
		name,
		state: query.get('street_address[state]') ?? 'VA',
		recording_type: index === 0 ? 'ELECTRONIC' : 'PAPER',
		supported: index === 0,
		eligible: true,
		eligible_title_agencies: AGENCIES,
		eligible_title_underwriters: UNDERWRITERS,
	}));

// Webhooks (docs/service/webhooks.md).

const EVENTS = {
	transaction: [
		'created',
		'updated',
		'sent',
		'completed',
		'released',
		'recalled',
		'expired',
		'canceled',
	].map((name) => `transaction.${name}`),
	notary: ['created', 'compliant'].map((name) => `notary.${name}`),
};

function showWebhook({ id, fields }: WebhookRecord): Json {
	const { url, subscriptions, header = '', headers = header ? [header] : [] } = fields;
	return {
		...{ id, url, subscriptions, header, headers },
		enabled: true,
		request_id_header_name: 'X-Request-Id',
		request_id_header_value_template: null,
		oauth: { enabled: false },
	};
}

const findWebhook = ({ world, params }: Call): WebhookRecord =>
	world.webhooks.get(bare(params.id)) ?? noResource();

function createWebhook({ world, body, number }: Call): Json {
	const webhook = { id: world.newId('wh'), fields: body, events: [] };
	world.webhooks.set(webhook.id, webhook);
	world.note('webhook.created', webhook.id, number, body.url);
	return showWebhook(webhook);
}

function updateWebhook(call: Call): Json {
	const webhook = findWebhook(call);
	// A secret that is left out is kept (docs/service/webhooks.md#update-a-webhook).
	webhook.fields = compact({ signing_key: webhook.fields.signing_key, ...call.body });
	call.world.note('webhook.updated', webhook.id, call.number, call.body.url);
	return { updated: true };
}

function deleteWebhook(call: Call): Json {
	const webhook = findWebhook(call);
	call.world.webhooks.delete(webhook.id);
	call.world.note('webhook.deleted', webhook.id, call.number, webhook.fields.url);
	return { deleted: true };
}

/** Only `/v2` has pages (docs/service/webhooks.md#event-records). */
function listEvents(call: Call): Json[] {
	const { events } = findWebhook(call);
	return call.path.startsWith('/v2/') ? page(call, events, 20) : events;
}

const DOCUMENT = '/transactions/:id/documents/:documentId';
const ASSET = '/transactions/:id/notarization_records/:recordId/download_asset';
const video = () => new File(VIDEO, 'video/mp4', 'meeting.mp4');

type Row = [
	/** A method, or several with a comma. */
	methods: string,
	/**
	 * B and R as in docs/service/api.md#path-layouts, N for the real-estate notaries, W for webhooks, F
	 * for files on their own host, V for the fixed prefix of videos.
	 */
	on: string,
	path: string,
	kind: AnswerKind,
	handler: (call: Call) => unknown,
];

/** Paths with fixed words come before those with placeholders. */
const ROWS: Row[] = [
	['GET', 'R', '/transactions/verify_address', 'list', locations],
	['GET', 'R', '/recording_locations', 'list', locations],
	['GET', 'R', '/title_agencies', 'list', () => AGENCIES],
	[
		'GET',
		'R',
		'/transactions/title_underwriters',
		'object',
		() => ({ title_agent_found: false, eligible_title_underwriters: UNDERWRITERS }),
	],
	[
		'GET',
		'B',
		'/templates',
		'page',
		(call) => {
			const { templates } = call.world;
			return { total_count: templates.length, templates: page(call, templates, 100) };
		},
	],
	[
		'GET',
		'B',
		'/organization',
		'object',
		({ world }) => ({ id: world.organizationId, name: 'Fault Organization' }),
	],
	['POST', 'BR', '/transactions', 'object', createTransaction],
	['GET', 'BR', '/transactions', 'page', listTransactions],
	[
		'GET',
		'BR',
		'/transactions/:id',
		'object',
		(call) => call.world.showTransaction(findTransaction(call)),
	],
	['PATCH', 'B', '/transactions/:id', 'object', updateTransaction],
	['PUT', 'BR', '/transactions/:id', 'object', updateTransaction],
	['DELETE', 'BR', '/transactions/:id', 'receipt', deleteTransaction],
	['POST', 'B', '/transactions/:id/notarization_ready', 'object', send],
	['POST', 'R', '/transactions/:id/place_order', 'object', send],
	['POST', 'BR', '/transactions/:id/recall', 'object', recall],
	['POST', 'BR', '/transactions/:id/force_complete', 'object', forceComplete],
	['POST', 'BR', '/transactions/:id/send_email', 'object', remind('email.resent')],
	['POST', 'BR', '/transactions/:id/send_sms', 'object', remind('sms.resent')],
	['POST', 'R', '/transactions/:id/send_contacts_email', 'object', remind('contactsEmail.resent')],
	['POST', 'B', '/transactions/:id/documents', 'object', addDocument],
	['POST', 'R', '/transactions/:id/documents', 'list', addDocument],
	['POST', 'R', '/transactions/:id/documents/external', 'receipt', importExternal],
	['PUT,PATCH', 'BR', '/documents/:id', 'object', updateDocument],
	['DELETE', 'BR', '/documents/:id', 'receipt', deleteDocument],
	['GET', 'BR', DOCUMENT, 'encoded', getDocument],
	['POST', 'R', '/transactions/:id/enote', 'object', addEnote],
	['DELETE', 'R', '/transactions/:id/enote', 'receipt', deleteEnote],
	['GET', 'B', '/transactions/:id/assets/audit_trail', 'file', auditTrail],
	[
		'GET',
		'B',
		'/notarization_records',
		'page',
		(call) => ({
			records: page(call, recordsOf(call), 20).map((one) => call.world.showRecord(one)),
		}),
	],
	['GET', 'BR', '/notarization_records/:id', 'object', getRecord],
	['GET', 'V', ASSET, 'file', video],
	['GET', 'V', `${ASSET}/:asset`, 'file', video],
	['GET', 'F', '/files/:sort/:name', 'file', downloadFile],
	['GET', 'BN', '/notaries', 'list', listNotaries],
	[
		'POST',
		'BN',
		'/notaries',
		'object',
		({ world, body }) => world.addNotary({ ...body, status: 'not_compliant' }),
	],
	['GET', 'BN', '/notaries/:id', 'object', findNotary],
	['DELETE', 'BN', '/notaries/:id', 'none', deleteNotary],
	['GET', 'BR', '/transactions/:id/notaries', 'list', listNotaries],
	['GET', 'W', '/webhooks', 'list', ({ world }) => [...world.webhooks.values()].map(showWebhook)],
	['POST', 'W', '/webhooks', 'object', createWebhook],
	['GET', 'W', '/webhooks/subscriptions', 'object', () => EVENTS],
	['GET', 'W', '/webhooks/:id', 'object', (call) => showWebhook(findWebhook(call))],
	['PUT', 'W', '/webhooks/:id', 'receipt', updateWebhook],
	['DELETE', 'W', '/webhooks/:id', 'receipt', deleteWebhook],
	['GET', 'W', '/webhooks/:id/events', 'list', listEvents],
];

/**
 * docs/service/api.md#path-layouts and the exceptions below it. Identity assurance takes every layout
 * to /mortgage/v2.
 */
const PREFIXES: Record<string, string[]> = {
	B: ['', '/v1'],
	R: ['/mortgage/v1', '/mortgage/v2'],
	N: ['/mortgage/v1'],
	W: ['/v2', '/mortgage/v2'],
	V: ['/v1'],
	F: [''],
};

const ROUTES = ROWS.flatMap(([methods, ons, path, kind, handler]) =>
	[...ons].flatMap((on) =>
		PREFIXES[on].map((prefix) => {
			const pattern = (prefix + path).replace(/:(\w+)/g, '(?<$1>[^/]+)');
			const platform: Platform = 'RN'.includes(on) ? 'realEstate' : 'business';
			// The empty group makes `groups` exist for paths without a placeholder.
			return {
				methods: methods.split(','),
				on,
				pattern: RegExp(`^${pattern}/?(?<_>)$`),
				kind,
				handler,
				platform,
			};
		}),
	),
);

export type Found = (typeof ROUTES)[number] & { params: Record<string, string> };

/** The endpoint of a request. */
export function findRoute(host: Host, method: string, pathname: string): Found | undefined {
	for (const route of ROUTES) {
		if (!route.methods.includes(method) || (route.on === 'F') !== (host === 'files')) continue;
		const params = route.pattern.exec(pathname)?.groups;
		if (params) return { ...route, params };
	}
	return undefined;
}
