import { ABSENT, TINY_PDF, type Generator } from './generate.mts';
import { absent, plain, recordOf, type Fields, type Memory, type Transaction } from './memory.mts';
import {
	answeredDocument,
	answeredSigners,
	answeredTransaction,
	answeredWebhook,
} from './renaming.mts';

/** What the published server knows of the answer of each operation; the rest is made up. */

export class Refused extends Error {
	readonly status: number;
	readonly body: unknown;

	constructor(status: number, body: unknown) {
		super(JSON.stringify(body));
		this.status = status;
		this.body = body;
	}
}

export interface Call {
	params: Record<string, string>;
	query: Record<string, string>;
	body: Fields;
}
type Answer = (call: Call) => unknown;
type Platform = Transaction['platform'];

const NO_TRANSACTION = { errors: ['Transaction Not Found'] };
const NO_DOCUMENT = { errors: ['Document Not Found'] };
const NO_RESOURCE = { errors: { request: 'resource not found' } };
const refuse = (status: number, text: string): never => {
	throw new Refused(status, { errors: [text] });
};

/** Events that can be subscribed to; here only some. */
export const SUBSCRIPTIONS = {
	transaction: ['transaction.completed', 'transaction.sent', 'transaction.received'],
	notary: ['notary.created', 'notary.compliant'],
};

export function createAnswers(
	memory: Memory,
	generator: Generator,
	origins: { files: string },
): Record<string, Answer> {
	const known = {
		transaction: (transaction: Transaction): Fields => {
			const { id, state, status, detailedStatus, fields, signers, documents, age, writes } =
				transaction;
			const people = signers.map((signer) => knownSigner(signer, transaction));
			const record = recordOf(transaction);
			return {
				...fields,
				id,
				status,
				detailed_status: detailedStatus,
				date_created: timeOf(age, 0),
				date_updated: timeOf(age, writes),
				signers: people,
				signer_info: people[0] ?? ABSENT,
				cosigner_info: people[1] ?? ABSENT,
				documents: documents.map((document) => known.document(document, state === 'done')),
				...(state === 'done'
					? {
							notarization_record: generator.secondForm ? { id: record } : record,
							notarization_records: [{ id: record }],
							audit_trail_url: `${origins.files}/audit-${id}.pdf`,
						}
					: absent('notarization_record', 'notarization_records', 'audit_trail_url')),
			};
		},
		document: (id: string, finished: boolean, encoding?: string): Fields => {
			const document = memory.findDocument(id) ?? { id };
			const link = `${origins.files}/final-${document.id}.pdf`;
			return {
				requirement: 'notarization',
				is_enote: false,
				...document,
				processing_error: null,
				rejection_reason: null,
				rejection_anecdote: null,
				processing_state: 'done',
				completion_state: finished ? 'complete' : 'incomplete',
				final_document_url: finished ? link : null,
				signed_url: finished ? `${link}?second` : ABSENT,
				data: encoding === 'base64' ? TINY_PDF.toString('base64') : ABSENT,
			};
		},
	};
	const transactionOf = (platform: Platform, { params }: Call): Transaction =>
		memory.findTransaction(platform, params.transaction_id) ?? no(NO_TRANSACTION);
	/** Does something to a transaction, and answers with it. */
	const change =
		(platform: Platform, work: (transaction: Transaction, call: Call) => void): Answer =>
		(call) => {
			const transaction = transactionOf(platform, call);
			work(transaction, call);
			if (work !== nothing) transaction.writes++;
			return known.transaction(transaction);
		};
	const nothing = () => undefined;
	const message = (text: string) => ({ message: text });

	function onPlatform(platform: Platform): Record<string, Answer> {
		const realEstate = platform === 'real estate';
		const update = change(platform, (transaction, { body }) => {
			if (transaction.state !== 'draft') refuse(422, 'Transaction cannot be edited at this time.');
			writeTransaction(transaction, body, realEstate);
		});
		const updateDocument: Answer = ({ params, body }) => {
			const document = memory.findDocument(params.document_id) ?? no(NO_DOCUMENT);
			Object.assign(document, answeredDocument(body, document));
			return known.document(document.id, false);
		};
		return {
			list: ({ query }) => {
				const found = memory
					.listTransactions(platform)
					.filter((transaction) => fits(transaction, query));
				const data = page(found, query, 10).map(known.transaction);
				return { total_count: found.length, count: data.length, data };
			},
			create: ({ body }) => {
				const state = realEstate || body.draft === true ? 'draft' : 'sent';
				const transaction = memory.addTransaction(platform, state, {}, []);
				writeTransaction(transaction, body, realEstate);
				const { fields } = transaction;
				fields.transaction_name ??= realEstate
					? (fields.street_address?.full_address ?? '')
					: 'Untitled Transaction';
				if (realEstate) {
					for (const index of transaction.signers.keys())
						memory.addDocument(transaction, {
							document_name: `eSign Consent Form - Signer ${index + 1}`,
							requirement: 'esign',
						});
				}
				for (const document of [...(body.documents ?? []), body.document ?? []].flat())
					memory.addDocument(
						transaction,
						answeredDocument(typeof document === 'string' ? {} : document),
					);
				return known.transaction(transaction);
			},
			get: change(platform, nothing),
			replace: update,
			change: update,
			delete: (call) => {
				const transaction = transactionOf(platform, call);
				if (transaction.state === 'done')
					refuse(422, 'Transaction has already been completed by at least 1 signer.');
				memory.delete(transaction.id);
				return message(`Deleted Transaction ${transaction.id} successfully`);
			},
			send: change(platform, (transaction) => memory.move(transaction, 'sent')),
			recall: change(platform, (transaction, { query }) => {
				if (transaction.state !== 'sent')
					refuse(422, 'Organization Transaction cannot be recalled at this time.');
				memory.move(transaction, 'draft', 'recalled');
				if (query.recall_reason !== undefined)
					transaction.fields.recall_reason = query.recall_reason;
			}),
			forceComplete: (call) => {
				const transaction = transactionOf(platform, call);
				if (transaction.state !== 'sent') refuse(422, 'Unable to force complete transaction.');
				const before = known.transaction(transaction);
				memory.move(transaction, 'done');
				return before;
			},
			resendEmail: change(platform, ({ state }) => {
				if (state === 'draft') refuse(422, 'Cannot resend email for started transaction.');
			}),
			resendSms: change(platform, ({ state }) => {
				if (state === 'draft') refuse(422, 'Cannot resend SMS for started transaction.');
			}),
			listNotaries: (call) => {
				transactionOf(platform, call);
				return memory.list('us');
			},
			addDocument: (call) => {
				const transaction = transactionOf(platform, call);
				if (transaction.state !== 'draft') refuse(422, 'Transaction Cannot Be Modified');
				if (String(call.body.pdf_bookmarked) === 'true')
					return message('The upload is in progress');
				const { id } = memory.addDocument(transaction, answeredDocument(call.body));
				const added = known.document(id, false);
				return realEstate ? [added] : added;
			},
			getDocument: (call) => {
				const transaction = transactionOf(platform, call);
				const { id } = memory.findDocument(call.params.document_id) ?? no(NO_DOCUMENT);
				const encoding = call.query.encoding ?? (realEstate ? 'base64' : undefined);
				return known.document(id, transaction.state === 'done', encoding);
			},
			replaceDocument: updateDocument,
			changeDocument: updateDocument,
			deleteDocument: ({ params }) => {
				const { id } = memory.findDocument(params.document_id) ?? no(NO_DOCUMENT);
				memory.delete(id);
				return message(`Deleted document ${id} successfully`);
			},
			getRecord: ({ params }) => memory.find('me', params.record_id) ?? no(NO_RESOURCE),
		};
	}

	function writeTransaction(transaction: Transaction, body: Fields, realEstate: boolean): void {
		Object.assign(transaction.fields, answeredTransaction(body, realEstate));
		const signers = answeredSigners(body);
		if (signers !== undefined) {
			transaction.signers = signers.map((signer, index) => ({
				signer_id: `oc_${index + 1}${plain(transaction.id).slice(2)}`,
				...signer,
			}));
		}
		if (Array.isArray(body.documents) && body.documents.every((entry) => entry.id !== undefined))
			for (const { id, bundle_position } of body.documents)
				Object.assign(memory.findDocument(id) ?? no(NO_DOCUMENT), { bundle_position });
	}

	const webhooks: Record<string, Answer> = {
		list: () =>
			memory.list('wh').map(({ id, ...rest }) => (generator.secondForm ? id : { id, ...rest })),
		create: ({ body }) => {
			checkEvents(body.subscriptions);
			return memory.add('wh', { enabled: true, ...answeredWebhook(body) });
		},
		subscriptions: () => SUBSCRIPTIONS,
		get: ({ params }) => memory.find('wh', params.webhook_id) ?? no(NO_RESOURCE),
		update: ({ params, body }) => {
			if (memory.find('wh', params.webhook_id) === undefined) no(NO_RESOURCE);
			checkEvents(body.subscriptions);
			memory.change('wh', params.webhook_id, answeredWebhook(body));
			return { updated: true };
		},
		delete: ({ params }) => {
			if (memory.find('wh', params.webhook_id) === undefined) no(NO_RESOURCE);
			memory.delete(params.webhook_id);
			return { deleted: true };
		},
		events: ({ params, query }) => {
			if (memory.find('wh', params.webhook_id) === undefined) no(NO_RESOURCE);
			return page([200, 500, 200], query, 20).map((code, index) =>
				knownEvent(generator.secondForm, index, code),
			);
		},
	};
	const notaries: Record<string, Answer> = {
		list: () => memory.list('us'),
		create: ({ body }) => memory.add('us', { ...body, status: 'not_compliant' }),
		get: ({ params }) => memory.find('us', params.notary_id) ?? no({ errors: ['Not Found'] }),
		delete: ({ params }) => {
			if (memory.find('us', params.notary_id) === undefined) no({ errors: ['Not Found'] });
			memory.delete(params.notary_id);
			return undefined;
		},
	};
	const business = onPlatform('business');
	const closing = onPlatform('real estate');
	const locations: Answer = () => [{ id: 'rlboston1' }, { id: 'rlsalem01' }];
	return {
		listTransactions: business.list,
		createTransaction: business.create,
		getTransaction: business.get,
		replaceTransaction: business.replace,
		changeTransaction: business.change,
		deleteTransaction: business.delete,
		sendTransaction: business.send,
		recallTransaction: business.recall,
		forceCompleteTransaction: business.forceComplete,
		resendEmail: business.resendEmail,
		resendSms: business.resendSms,
		listEligibleNotaries: business.listNotaries,
		getVideo: () => undefined,
		getAsset: () => undefined,
		getAuditTrail: (call) => {
			if (transactionOf('business', call).state !== 'done') no(NO_RESOURCE);
			return { data: TINY_PDF.toString('base64') };
		},
		addDocument: business.addDocument,
		getDocument: business.getDocument,
		replaceDocument: business.replaceDocument,
		changeDocument: business.changeDocument,
		deleteDocument: business.deleteDocument,
		listRecords: ({ query }) => ({ records: page(memory.list('me'), query, 20) }),
		getRecord: business.getRecord,
		listTemplates: ({ query }) => {
			const all = memory.list('od');
			return { total_count: all.length, templates: page(all, query, 100) };
		},
		listNotaries: notaries.list,
		createNotary: notaries.create,
		getNotary: notaries.get,
		deleteNotary: notaries.delete,
		getOrganization: () => ({ id: 'or_account' }),

		listClosings: closing.list,
		createClosing: closing.create,
		getClosing: closing.get,
		replaceClosing: closing.replace,
		deleteClosing: closing.delete,
		sendClosing: closing.send,
		recallClosing: closing.recall,
		forceCompleteClosing: closing.forceComplete,
		resendClosingEmail: closing.resendEmail,
		resendClosingSms: closing.resendSms,
		sendContactsEmail: closing.resendEmail,
		listClosingEligibleNotaries: closing.listNotaries,
		addClosingDocument: closing.addDocument,
		importDocument: (call) => {
			transactionOf('real estate', call);
			return { response: 'processing' };
		},
		getClosingDocument: closing.getDocument,
		replaceClosingDocument: closing.replaceDocument,
		changeClosingDocument: closing.changeDocument,
		deleteClosingDocument: closing.deleteDocument,
		addEnote: (call) => {
			const transaction = transactionOf('real estate', call);
			if (transaction.state !== 'draft') refuse(422, 'Transaction Cannot Be Modified');
			const { id } = memory.addDocument(transaction, {
				document_name: 'enote.xml',
				requirement: 'readonly',
				is_enote: true,
			});
			return known.document(id, false);
		},
		deleteEnote: (call) => {
			const { state, documents } = transactionOf('real estate', call);
			if (state !== 'draft') refuse(422, 'Transaction cannot be modified from sent state');
			for (const id of documents) if (memory.findDocument(id)?.is_enote) memory.delete(id);
			return message('Deleted enote successfully');
		},
		getClosingRecord: closing.getRecord,
		verifyAddress: (call) => (generator.secondForm ? { supported: true } : locations(call)),
		listRecordingLocations: locations,
		listTitleAgencies: () => [{ id: 'or_agency1' }, { id: 'or_agency2' }],
		listTitleUnderwriters: () => ({
			title_agent_found: true,
			eligible_title_underwriters: [{ id: 'or_undrwr1' }, { id: 'or_undrwr2' }],
		}),
		listClosingNotaries: notaries.list,
		createClosingNotary: notaries.create,
		getClosingNotary: notaries.get,
		deleteClosingNotary: notaries.delete,

		listWebhooks: webhooks.list,
		createWebhook: webhooks.create,
		listSubscriptions: webhooks.subscriptions,
		getWebhook: webhooks.get,
		updateWebhook: webhooks.update,
		deleteWebhook: webhooks.delete,
		listWebhookEvents: webhooks.events,
		listClosingWebhooks: webhooks.list,
		createClosingWebhook: webhooks.create,
		listClosingSubscriptions: webhooks.subscriptions,
		getClosingWebhook: webhooks.get,
		updateClosingWebhook: webhooks.update,
		deleteClosingWebhook: webhooks.delete,
		listClosingWebhookEvents: webhooks.events,
	};
}

function no(body: unknown): never {
	throw new Refused(404, body);
}

/** In a draft nobody has a link yet (docs/service/signers.md#signer-of-a-draft). */
function knownSigner(signer: Fields, { platform, state }: Transaction): Fields {
	if (state !== 'draft') {
		const signing_status = state === 'done' ? 'complete' : 'incomplete';
		return { ...signer, link_expired: false, signing_status };
	}
	return platform === 'business'
		? { ...signer, ...absent('signing_status') }
		: {
				...signer,
				link_expired: true,
				transaction_access_link: '',
				...absent('signing_status', 'sdk_token'),
			};
}

/** A later transaction is an hour younger, and each write takes a second. */
const timeOf = (age: number, writes: number) =>
	new Date(Date.UTC(2026, 4, 1, age, 0, writes)).toISOString().replace('Z', '000Z');

function checkEvents(names: string[]): void {
	const known = (name: string) =>
		name === '*' || /^(transaction|notary)\.(\*|[a-z_.]+)$/.test(name);
	if (!names.every(known) || names.includes('transaction.canceled'))
		refuse(422, 'Invalid subscription passed');
}

/** The entry of a delivery that the receiver answered with this status. */
function knownEvent(asObject: boolean, index: number, code: number): Fields {
	const payload = {
		event: 'transaction.completed',
		data: { transaction_id: `ot_done00${index + 1}` },
	};
	return {
		event: payload.event,
		response: { code, body: code === 200 ? 'ok' : 'failed', error: ABSENT },
		delivered: `2026-05-0${3 - index}T10:00:00.000000Z`,
		payload: asObject ? payload : JSON.stringify(payload),
	};
}

function page<T>(all: T[], { limit, offset }: Record<string, string>, size: number): T[] {
	const from = Number(offset ?? 0);
	return all.slice(from, from + Number(limit ?? size));
}

/** Whether a transaction fits the filters of a list. What was never written fits none. */
function fits({ status, fields }: Transaction, query: Record<string, string>): boolean {
	const equals = (wanted: string | undefined, value: unknown) =>
		wanted === undefined || wanted === value;
	return equals(query.transaction_status, status) && equals(query.loan_number, fields.loan_number);
}
