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
type EndpointDetails = Omit<Endpoint, 'method' | 'path' | 'platforms'>;

const on = (
	method: IHttpRequestMethods,
	path: string,
	platforms: Endpoint['platforms'],
	details: EndpointDetails = {},
): Endpoint => ({ method, path, platforms, ...details });

/** Real estate has webhooks of its own, with the same calls (docs/service/webhooks.md#webhook-paths). */
const onWebhooks = (
	method: IHttpRequestMethods,
	path: string,
	isDocumented: boolean,
	details: EndpointDetails = {},
): Endpoint => ({
	method,
	path,
	platforms: { webhooks: isDocumented, realEstate: false },
	realEstatePrefix: 'realEstateWebhooks',
	...details,
});

const BUSINESS: Endpoint['platforms'] = { business: false };
const REAL_ESTATE: Endpoint['platforms'] = { realEstate: false };
const BOTH_PLATFORMS: Endpoint['platforms'] = { business: false, realEstate: false };
const DOCUMENTED: Endpoint['platforms'] = { business: true, realEstate: false };

const TRANSACTION = '/transactions/{transactionId}';

/** The endpoints by the names that the code uses. */
export const ENDPOINTS = {
	verifyAddress: on('GET', '/transactions/verify_address', { realEstate: true }),
	listRecordingLocations: on('GET', '/recording_locations', REAL_ESTATE),
	listTitleAgencies: on('GET', '/title_agencies', REAL_ESTATE),
	listTitleUnderwriters: on('GET', '/transactions/title_underwriters', REAL_ESTATE),

	createTransaction: on('POST', '/transactions', { business: true, realEstate: true }),
	listTransactions: on('GET', '/transactions', BOTH_PLATFORMS),
	getTransaction: on('GET', TRANSACTION, { realEstate: false, business: true }),
	updateTransaction: on('PATCH', TRANSACTION, BOTH_PLATFORMS, { realEstateMethod: 'PUT' }),
	deleteTransaction: on('DELETE', TRANSACTION, BOTH_PLATFORMS),
	sendTransaction: on('POST', `${TRANSACTION}/notarization_ready`, BOTH_PLATFORMS, {
		realEstatePath: `${TRANSACTION}/place_order`,
	}),
	recallTransaction: on('POST', `${TRANSACTION}/recall`, BOTH_PLATFORMS),
	resendEmail: on('POST', `${TRANSACTION}/send_email`, BOTH_PLATFORMS),
	resendSms: on('POST', `${TRANSACTION}/send_sms`, BOTH_PLATFORMS),
	resendToContacts: on('POST', `${TRANSACTION}/send_contacts_email`, REAL_ESTATE),
	forceComplete: on('POST', `${TRANSACTION}/force_complete`, BOTH_PLATFORMS),
	getAuditTrail: on('GET', `${TRANSACTION}/assets/audit_trail`, BUSINESS, { givesFile: true }),

	addDocument: on('POST', `${TRANSACTION}/documents`, DOCUMENTED, { answersPart: true }),
	importDocuments: on('POST', `${TRANSACTION}/documents/external`, REAL_ESTATE, {
		answersPart: true,
	}),
	getDocument: on('GET', `${TRANSACTION}/documents/{documentId}`, DOCUMENTED, { givesFile: true }),
	updateDocument: on('PATCH', '/documents/{documentId}', BOTH_PLATFORMS),
	deleteDocument: on('DELETE', '/documents/{documentId}', BOTH_PLATFORMS),
	addEnote: on('POST', `${TRANSACTION}/enote`, REAL_ESTATE, { answersPart: true }),
	deleteEnote: on('DELETE', `${TRANSACTION}/enote`, REAL_ESTATE, { answersPart: true }),

	listRecords: on('GET', '/notarization_records', BUSINESS),
	getNotarizationRecord: on('GET', '/notarization_records/{recordId}', DOCUMENTED),
	listTemplates: on('GET', '/templates', BUSINESS),
	listNotaries: on('GET', '/notaries', BOTH_PLATFORMS, {
		realEstatePrefix: 'realEstateNotaries',
		realEstateTakesNoQuery: true,
	}),
	getNotary: on('GET', '/notaries/{notaryId}', BOTH_PLATFORMS, {
		realEstatePrefix: 'realEstateNotaries',
	}),
	listEligibleNotaries: on('GET', `${TRANSACTION}/notaries`, BOTH_PLATFORMS),
	getOrganization: on('GET', '/organization', BUSINESS),

	listWebhooks: onWebhooks('GET', '/webhooks', true),
	createWebhook: onWebhooks('POST', '/webhooks/', true),
	getWebhook: onWebhooks('GET', '/webhooks/{webhookId}', false),
	updateWebhook: onWebhooks('PUT', '/webhooks/{webhookId}', false),
	deleteWebhook: onWebhooks('DELETE', '/webhooks/{webhookId}', false),
	listWebhookEvents: onWebhooks('GET', '/webhooks/{webhookId}/events', true, {
		realEstateTakesNoQuery: true,
	}),
	listEventTypes: onWebhooks('GET', '/webhooks/subscriptions', false),
} satisfies Record<string, Endpoint>;

/** The name of an endpoint. */
export type EndpointName = keyof typeof ENDPOINTS;
