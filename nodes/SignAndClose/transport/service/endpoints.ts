import type { IHttpRequestMethods } from 'n8n-workflow';

/*
 * Every call of the service (docs/service/api.md#endpoints). No other file holds a path; paths.ts
 * adds the prefixes.
 */

/**
 * The two platforms of the service (docs/service/README.md#the-two-platforms), and the webhooks of
 * business, whose paths have a prefix of their own (docs/service/webhooks.md#webhook-paths).
 */
export type Platform = 'business' | 'realEstate' | 'webhooks';

/** One endpoint of the service. */
export interface Endpoint {
	method: IHttpRequestMethods;
	/**
	 * The method on real estate where it differs: a closing has PUT only
	 * (docs/service/transactions.md#update-a-draft).
	 */
	realEstateMethod?: IHttpRequestMethods;
	/** The path after the platform's prefix. Names in braces are filled with the IDs of the call. */
	path: string;
	/**
	 * The platforms that have the endpoint, the default one first, and whether the service's interface
	 * document shows the call there. A service may lack one that it doesn't show.
	 */
	platforms: { [platform in Platform]?: boolean };
	/** The path on real estate where it differs. */
	realEstatePath?: string;
	/** The prefix on real estate where it isn't that of closings. */
	realEstatePrefix?: 'realEstateWebhooks' | 'realEstateNotaries';
	/** The call takes no query on real estate. */
	realEstateTakesNoQuery?: boolean;
	/** The answer is a file or holds one, which the service may still be preparing. */
	givesFile?: boolean;
	/** The answer is about a part of what the path names last, e.g. about a new document. */
	answersPart?: boolean;
}

/**
 * What an endpoint may have besides: the path and the method on real estate where they differ, and
 * what its answer is.
 */
type More = Omit<Endpoint, 'method' | 'path' | 'platforms'>;

const on = (
	method: IHttpRequestMethods,
	path: string,
	platforms: Endpoint['platforms'],
	more: More = {},
): Endpoint => ({ method, path, platforms, ...more });

/** Real estate has webhooks of its own, with the same calls (docs/service/webhooks.md#webhook-paths). */
const ofWebhooks = (
	method: IHttpRequestMethods,
	path: string,
	isDocumented: boolean,
	more: More = {},
): Endpoint => ({
	method,
	path,
	platforms: { webhooks: isDocumented, realEstate: false },
	realEstatePrefix: 'realEstateWebhooks',
	...more,
});

const BUSINESS: Endpoint['platforms'] = { business: false };
const REAL_ESTATE: Endpoint['platforms'] = { realEstate: false };
const BOTH: Endpoint['platforms'] = { business: false, realEstate: false };
const DOCUMENTED: Endpoint['platforms'] = { business: true, realEstate: false };

const TRANSACTION = '/transactions/{transactionId}';

/** The endpoints by the names that the code uses. */
export const ENDPOINTS = {
	verifyAddress: on('GET', '/transactions/verify_address', { realEstate: true }),
	listRecordingLocations: on('GET', '/recording_locations', REAL_ESTATE),
	listTitleAgencies: on('GET', '/title_agencies', REAL_ESTATE),
	listTitleUnderwriters: on('GET', '/transactions/title_underwriters', REAL_ESTATE),

	createTransaction: on('POST', '/transactions', { business: true, realEstate: true }),
	listTransactions: on('GET', '/transactions', BOTH),
	getTransaction: on('GET', TRANSACTION, { realEstate: false, business: true }),
	updateTransaction: on('PATCH', TRANSACTION, BOTH, { realEstateMethod: 'PUT' }),
	deleteTransaction: on('DELETE', TRANSACTION, BOTH),
	sendTransaction: on('POST', `${TRANSACTION}/notarization_ready`, BOTH, {
		realEstatePath: `${TRANSACTION}/place_order`,
	}),
	recallTransaction: on('POST', `${TRANSACTION}/recall`, BOTH),
	resendEmail: on('POST', `${TRANSACTION}/send_email`, BOTH),
	resendSms: on('POST', `${TRANSACTION}/send_sms`, BOTH),
	resendToContacts: on('POST', `${TRANSACTION}/send_contacts_email`, REAL_ESTATE),
	forceComplete: on('POST', `${TRANSACTION}/force_complete`, BOTH),
	getAuditTrail: on('GET', `${TRANSACTION}/assets/audit_trail`, BUSINESS, { givesFile: true }),

	addDocument: on('POST', `${TRANSACTION}/documents`, DOCUMENTED, { answersPart: true }),
	importDocuments: on('POST', `${TRANSACTION}/documents/external`, REAL_ESTATE, {
		answersPart: true,
	}),
	getDocument: on('GET', `${TRANSACTION}/documents/{documentId}`, DOCUMENTED, { givesFile: true }),
	updateDocument: on('PATCH', '/documents/{documentId}', BOTH),
	deleteDocument: on('DELETE', '/documents/{documentId}', BOTH),
	addEnote: on('POST', `${TRANSACTION}/enote`, REAL_ESTATE, { answersPart: true }),
	deleteEnote: on('DELETE', `${TRANSACTION}/enote`, REAL_ESTATE, { answersPart: true }),

	listRecords: on('GET', '/notarization_records', BUSINESS),
	getNotarizationRecord: on('GET', '/notarization_records/{recordId}', DOCUMENTED),
	listTemplates: on('GET', '/templates', BUSINESS),
	listNotaries: on('GET', '/notaries', BOTH, {
		realEstatePrefix: 'realEstateNotaries',
		realEstateTakesNoQuery: true,
	}),
	getNotary: on('GET', '/notaries/{notaryId}', BOTH, { realEstatePrefix: 'realEstateNotaries' }),
	listEligibleNotaries: on('GET', `${TRANSACTION}/notaries`, BOTH),
	getOrganization: on('GET', '/organization', BUSINESS),

	listWebhooks: ofWebhooks('GET', '/webhooks', true),
	createWebhook: ofWebhooks('POST', '/webhooks/', true),
	getWebhook: ofWebhooks('GET', '/webhooks/{webhookId}', false),
	updateWebhook: ofWebhooks('PUT', '/webhooks/{webhookId}', false),
	deleteWebhook: ofWebhooks('DELETE', '/webhooks/{webhookId}', false),
	listWebhookEvents: ofWebhooks('GET', '/webhooks/{webhookId}/events', true, {
		realEstateTakesNoQuery: true,
	}),
	listEventTypes: ofWebhooks('GET', '/webhooks/subscriptions', false),
} satisfies Record<string, Endpoint>;

/** The name of an endpoint. */
export type EndpointName = keyof typeof ENDPOINTS;
