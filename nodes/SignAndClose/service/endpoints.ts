import type { IHttpRequestMethods } from 'n8n-workflow';

import { ServiceFailure, type IdName } from './errors/failure';

/**
 * The platforms of interface.md §1, plus the webhook endpoints, whose version is their own (§9).
 */
export type Platform = 'business' | 'realEstate' | 'webhooks';

/**
 * How well a path is known: said by interface.md, published by a live service, or likely (gaps.md).
 */
export type Mark = 'doc' | 'pub' | 'lik';

export interface Endpoint {
	method: IHttpRequestMethods;
	/** On real estate where it differs: its draft has no partial update (gaps.md §1). */
	realEstateMethod?: IHttpRequestMethods;
	/** Below the platform's prefix; {names} are filled from the call. */
	path: string;
	/** Platforms that have it, the documented one first. */
	platforms: { [platform in Platform]?: Mark };
	/** Real-estate path where it differs from the business one. */
	realEstatePath?: string;
}

/** Every path of the service (interface.md §4, gaps.md §1). No other file holds a path. */
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

export type EndpointName = keyof typeof ENDPOINTS;

/** What the ids in a path's template stand for. */
export type PathValues = Partial<Record<IdName, string>>;

/** What stands before an id in a link of the service, by the id's name. */
export const LINK_PARTS: Record<string, string> = {
	transactionId: 'transactions',
	documentId: 'documents',
	recordId: 'notarization_records',
	webhookId: 'webhooks',
};

/** The id in a link of the service, e.g. a pasted one; undefined when the text is no such link. */
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
 * One prefix a platform; the real-estate one for identity assurance stands apart (interface.md §2,
 * §9).
 */
export interface Prefixes {
	business: string;
	realEstate: string;
	realEstateAssurance: string;
	webhooks: string;
}

/** The named path layouts of gaps.md §1. */
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
 * Fills a path template. Ids are opaque text: encoded, never parsed (gaps.md §1).
 * @throws ServiceFailure when an id is empty or would climb out of its place in the path
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
 * The path of one request, prefix included. The version prefix is chosen per request: identity
 * assurance needs /mortgage/v2 in every layout (interface.md §2).
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
