import type { IHttpRequestMethods } from 'n8n-workflow';

import { ServiceFailure, type IdName } from './errors/failure';

/* Every path of the service (docs/service/api.md#endpoints). No other file holds a path. */

/**
 * The two platforms of the service (docs/service/README.md#the-two-platforms), and the webhooks,
 * whose paths have a prefix of their own (docs/service/webhooks.md#webhook-paths).
 */
export type Platform = 'business' | 'realEstate' | 'webhooks';

/**
 * How certain it is that a service has a path (docs/service/README.md#certainty-marks):
 *
 * - `doc`: documented; the service's interface document shows the call.
 * - `pub`: published; the description of a live service has it, but a service may lack it.
 * - `lik`: likely; inferred or assumed.
 */
export type Mark = 'doc' | 'pub' | 'lik';

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
}

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
		platforms: { business: 'doc', realEstate: 'pub' },
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
	getAuditTrail: {
		method: 'GET',
		path: '/transactions/{transactionId}/assets/audit_trail',
		platforms: { business: 'pub' },
	},

	addDocument: {
		method: 'POST',
		path: '/transactions/{transactionId}/documents',
		platforms: { business: 'doc', realEstate: 'pub' },
	},
	getDocument: {
		method: 'GET',
		path: '/transactions/{transactionId}/documents/{documentId}',
		platforms: { business: 'doc', realEstate: 'pub' },
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
	listTemplates: { method: 'GET', path: '/templates', platforms: { business: 'pub' } },
	listNotaries: { method: 'GET', path: '/notaries', platforms: { business: 'pub' } },

	listWebhooks: { method: 'GET', path: '/webhooks', platforms: { webhooks: 'doc' } },
	createWebhook: { method: 'POST', path: '/webhooks/', platforms: { webhooks: 'doc' } },
	getWebhook: { method: 'GET', path: '/webhooks/{webhookId}', platforms: { webhooks: 'pub' } },
	updateWebhook: { method: 'PUT', path: '/webhooks/{webhookId}', platforms: { webhooks: 'pub' } },
	deleteWebhook: {
		method: 'DELETE',
		path: '/webhooks/{webhookId}',
		platforms: { webhooks: 'pub' },
	},
	listWebhookEvents: {
		method: 'GET',
		path: '/webhooks/{webhookId}/events',
		platforms: { webhooks: 'doc' },
	},
	listEventTypes: {
		method: 'GET',
		path: '/webhooks/subscriptions',
		platforms: { webhooks: 'pub' },
	},
} as const satisfies Record<string, Endpoint>;

/** The name of an endpoint. */
export type EndpointName = keyof typeof ENDPOINTS;

/** Values for the IDs in a path. */
export type PathValues = Partial<Record<IdName, string>>;

/** The part of a link's path that precedes an ID, by the name of the ID. */
export const LINK_PARTS: Record<string, string> = {
	transactionId: 'transactions',
	documentId: 'documents',
	recordId: 'notarization_records',
	webhookId: 'webhooks',
};

/**
 * Reads the ID in a link of the service, e.g. one that a person pasted.
 * @param name the ID's name, e.g. transactionId
 * @returns the decoded ID; undefined when the text isn't such a link
 */
export function idInLink(name: string, text: string): string | undefined {
	const part = LINK_PARTS[name];
	const id =
		part === undefined || !/^https?:\/\//i.test(text)
			? undefined
			: new RegExp(`/${part}/([^/?#]+)`).exec(text)?.[1];
	try {
		return id === undefined ? undefined : decodeURIComponent(id);
	} catch {
		return id;
	}
}

/**
 * The path prefix of each platform. Closings with identity assurance have their own
 * (docs/service/api.md#path-of-a-closing-with-identity-assurance).
 */
export interface Prefixes {
	business: string;
	realEstate: string;
	realEstateAssurance: string;
	webhooks: string;
}

/** The path layouts that the credential offers by name (docs/service/api.md#path-layouts). */
export const LAYOUTS: Record<'documented' | 'current', Prefixes> = {
	documented: {
		business: '',
		realEstate: '/mortgage/v1',
		realEstateAssurance: '/mortgage/v2',
		webhooks: '/v2',
	},
	current: {
		business: '/v1',
		realEstate: '/mortgage/v2',
		realEstateAssurance: '/mortgage/v2',
		webhooks: '/v2',
	},
};

/**
 * Fills a path template. IDs are opaque text: they are encoded, never parsed
 * (docs/service/README.md#identifiers).
 * @throws ServiceFailure when an ID is empty or consists of dots, which would change the path
 */
export function fillPath(template: string, values: PathValues): string {
	return template.replace(/\{(\w+)\}/g, (_match, name: string) => {
		const value = (values[name as IdName] ?? '').trim();
		// Dots survive encoding and would be resolved as a parent folder.
		if (/^\.*$/.test(value)) {
			throw new ServiceFailure(
				{ code: 'unusableId', name: name as IdName, id: value },
				{ final: true },
			);
		}
		return encodeURIComponent(value);
	});
}

/**
 * Builds the path of one request, with its prefix.
 * @param assurance whether signers have the identity-assurance object, which needs /mortgage/v2 in
 *   every named layout (docs/service/api.md#path-of-a-closing-with-identity-assurance)
 * @throws ServiceFailure when an ID can't be part of a path
 */
export function buildPath(
	name: EndpointName,
	platform: Platform,
	prefixes: Prefixes,
	values: PathValues = {},
	assurance = false,
): string {
	const endpoint: Endpoint = ENDPOINTS[name];
	const template =
		platform === 'realEstate' ? (endpoint.realEstatePath ?? endpoint.path) : endpoint.path;
	const prefix =
		platform === 'realEstate' && assurance ? prefixes.realEstateAssurance : prefixes[platform];
	return prefix + fillPath(template, values);
}
