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

/**
 * How certain it is that a service has a path (docs/service/README.md#certainty-marks):
 *
 * - `doc`: documented; the service's interface document shows the call.
 * - `pub`: published; the description of a live service has it, but a service may lack it.
 * - `lik`: likely; inferred or assumed.
 */
type Mark = 'doc' | 'pub' | 'lik';

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
	/** The platforms that have the endpoint. The first one is the default. */
	platforms: { [platform in Platform]?: Mark };
	/** The path on real estate where it differs. */
	realEstatePath?: string;
	/** The prefix on real estate where it isn't that of closings. */
	realEstatePrefix?: 'realEstateWebhooks' | 'realEstateNotaries';
	/** The call takes no query on real estate. */
	realEstateTakesNoQuery?: boolean;
	/** The answer is a file or holds one, which the service may still be preparing. */
	givesFile?: boolean;
}

/** Real estate has webhooks of its own, with the same calls (docs/service/webhooks.md#webhook-paths). */
const WEBHOOKS = { realEstatePrefix: 'realEstateWebhooks' } as const;

/** The endpoints by the names that the code uses. */
export const ENDPOINTS = {
	verifyAddress: {
		method: 'GET',
		path: '/transactions/verify_address',
		platforms: { realEstate: 'doc' },
	},
	listRecordingLocations: {
		method: 'GET',
		path: '/recording_locations',
		platforms: { realEstate: 'pub' },
	},
	listTitleAgencies: { method: 'GET', path: '/title_agencies', platforms: { realEstate: 'pub' } },
	listTitleUnderwriters: {
		method: 'GET',
		path: '/transactions/title_underwriters',
		platforms: { realEstate: 'pub' },
	},

	createTransaction: {
		method: 'POST',
		path: '/transactions',
		platforms: { business: 'doc', realEstate: 'doc' },
	},
	listTransactions: {
		method: 'GET',
		path: '/transactions',
		platforms: { business: 'pub', realEstate: 'pub' },
	},
	getTransaction: {
		method: 'GET',
		path: '/transactions/{transactionId}',
		platforms: { realEstate: 'pub', business: 'doc' },
	},
	updateTransaction: {
		method: 'PATCH',
		realEstateMethod: 'PUT',
		path: '/transactions/{transactionId}',
		platforms: { business: 'pub', realEstate: 'pub' },
	},
	deleteTransaction: {
		method: 'DELETE',
		path: '/transactions/{transactionId}',
		platforms: { business: 'pub', realEstate: 'pub' },
	},
	sendTransaction: {
		method: 'POST',
		path: '/transactions/{transactionId}/notarization_ready',
		realEstatePath: '/transactions/{transactionId}/place_order',
		platforms: { business: 'pub', realEstate: 'pub' },
	},
	recallTransaction: {
		method: 'POST',
		path: '/transactions/{transactionId}/recall',
		platforms: { business: 'pub', realEstate: 'pub' },
	},
	resendEmail: {
		method: 'POST',
		path: '/transactions/{transactionId}/send_email',
		platforms: { business: 'pub', realEstate: 'pub' },
	},
	resendSms: {
		method: 'POST',
		path: '/transactions/{transactionId}/send_sms',
		platforms: { business: 'pub', realEstate: 'pub' },
	},
	resendToContacts: {
		method: 'POST',
		path: '/transactions/{transactionId}/send_contacts_email',
		platforms: { realEstate: 'pub' },
	},
	forceComplete: {
		method: 'POST',
		path: '/transactions/{transactionId}/force_complete',
		platforms: { business: 'pub', realEstate: 'pub' },
	},
	getAuditTrail: {
		method: 'GET',
		path: '/transactions/{transactionId}/assets/audit_trail',
		platforms: { business: 'pub' },
		givesFile: true,
	},

	addDocument: {
		method: 'POST',
		path: '/transactions/{transactionId}/documents',
		platforms: { business: 'doc', realEstate: 'pub' },
	},
	importDocuments: {
		method: 'POST',
		path: '/transactions/{transactionId}/documents/external',
		platforms: { realEstate: 'pub' },
	},
	getDocument: {
		method: 'GET',
		path: '/transactions/{transactionId}/documents/{documentId}',
		platforms: { business: 'doc', realEstate: 'pub' },
		givesFile: true,
	},
	updateDocument: {
		method: 'PATCH',
		path: '/documents/{documentId}',
		platforms: { business: 'pub', realEstate: 'pub' },
	},
	deleteDocument: {
		method: 'DELETE',
		path: '/documents/{documentId}',
		platforms: { business: 'pub', realEstate: 'pub' },
	},
	addEnote: {
		method: 'POST',
		path: '/transactions/{transactionId}/enote',
		platforms: { realEstate: 'pub' },
	},
	deleteEnote: {
		method: 'DELETE',
		path: '/transactions/{transactionId}/enote',
		platforms: { realEstate: 'pub' },
	},

	listRecords: { method: 'GET', path: '/notarization_records', platforms: { business: 'pub' } },
	getNotarizationRecord: {
		method: 'GET',
		path: '/notarization_records/{recordId}',
		platforms: { business: 'doc', realEstate: 'pub' },
	},
	listTemplates: {
		method: 'GET',
		path: '/templates',
		platforms: { business: 'pub' },
	},
	listNotaries: {
		method: 'GET',
		path: '/notaries',
		platforms: { business: 'pub', realEstate: 'pub' },
		realEstatePrefix: 'realEstateNotaries',
		realEstateTakesNoQuery: true,
	},
	getNotary: {
		method: 'GET',
		path: '/notaries/{notaryId}',
		platforms: { business: 'pub', realEstate: 'pub' },
		realEstatePrefix: 'realEstateNotaries',
	},
	listEligibleNotaries: {
		method: 'GET',
		path: '/transactions/{transactionId}/notaries',
		platforms: { business: 'pub', realEstate: 'pub' },
	},
	getOrganization: { method: 'GET', path: '/organization', platforms: { business: 'pub' } },

	listWebhooks: {
		method: 'GET',
		path: '/webhooks',
		platforms: { webhooks: 'doc', realEstate: 'pub' },
		...WEBHOOKS,
	},
	createWebhook: {
		method: 'POST',
		path: '/webhooks/',
		platforms: { webhooks: 'doc', realEstate: 'pub' },
		...WEBHOOKS,
	},
	getWebhook: {
		method: 'GET',
		path: '/webhooks/{webhookId}',
		platforms: { webhooks: 'pub', realEstate: 'pub' },
		...WEBHOOKS,
	},
	updateWebhook: {
		method: 'PUT',
		path: '/webhooks/{webhookId}',
		platforms: { webhooks: 'pub', realEstate: 'pub' },
		...WEBHOOKS,
	},
	deleteWebhook: {
		method: 'DELETE',
		path: '/webhooks/{webhookId}',
		platforms: { webhooks: 'pub', realEstate: 'pub' },
		...WEBHOOKS,
	},
	listWebhookEvents: {
		method: 'GET',
		path: '/webhooks/{webhookId}/events',
		platforms: { webhooks: 'doc', realEstate: 'pub' },
		...WEBHOOKS,
		realEstateTakesNoQuery: true,
	},
	listEventTypes: {
		method: 'GET',
		path: '/webhooks/subscriptions',
		platforms: { webhooks: 'pub', realEstate: 'pub' },
		...WEBHOOKS,
	},
} as const satisfies Record<string, Endpoint>;

/** The name of an endpoint. */
export type EndpointName = keyof typeof ENDPOINTS;
