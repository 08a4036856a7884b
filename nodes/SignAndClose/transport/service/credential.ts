import { createHash } from 'crypto';
import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { asText } from '../../values/json';
import { asError, asFailure, ServiceFailure, type BaseUrlFault } from '../failure/failure';
import { LAYOUTS, type Prefixes } from './paths';

/*
 * Reads the credential into the settings that the service layer works with, and puts its API key on
 * requests for the service's origin only.
 */

/** The credential's name in n8n. Workflows store it, so it never changes. */
export const CREDENTIAL_TYPE = 'signAndCloseApi';

/**
 * The documented name of the identity-assurance object. A live service may use a branded one
 * (docs/service/signers.md#identity-assurance).
 */
const DEFAULT_ASSURANCE_FIELD = 'assurance_requirement';
/** The header with the signature of a delivery, unless the service puts its brand into the name. */
const DEFAULT_SIGNATURE_HEADER = 'X-Signature';

/** The credential, checked and with defaults filled in. */
export interface ServiceSettings {
	/** Without a trailing slash. */
	baseUrl: string;
	origin: string;
	/** Names base URL and key without giving the key away. */
	account: string;
	organizationId?: string;
	prefixes: Prefixes;
	/** The service's name for the identity-assurance object of a signer. */
	assuranceField: string;
	/** How deliveries are signed (docs/service/webhooks.md#signatures-of-deliveries). */
	signing: { webhookSigningSecret?: string; webhookSignatureHeader: string };
	/** Texts that must not appear in any message or log. */
	secrets: string[];
	/** Those of them that must not appear in any output either. */
	outputSecrets: string[];
}

/**
 * Reads the credential that is selected in the node.
 * @throws ServiceFailure `notSent` when n8n can't read it: final when a person has to mend something,
 *   otherwise n8n, e.g. its database, may only be too busy
 */
export async function loadCredential(
	context: Pick<IExecuteFunctions, 'getCredentials'>,
): Promise<ICredentialDataDecryptedObject> {
	try {
		return await context.getCredentials(CREDENTIAL_TYPE);
	} catch (thrown) {
		const { name, message: reason } = asError(thrown);
		// n8n gives an expression a few seconds, which a busy machine may not have.
		const isFaultyExpression = name === 'ExpressionError' && !/timed out/.test(reason);
		const final = /credential/i.test(reason) || isFaultyExpression;
		throw asFailure(thrown, new ServiceFailure({ code: 'notSent', details: reason }, { final }));
	}
}

/**
 * Reads and checks the fields of a credential.
 * @throws ServiceFailure when the base URL can't be used or there is no API key
 */
export function parseSettings(credential: ICredentialDataDecryptedObject): ServiceSettings {
	const { baseUrl, origin } = parseBaseUrl(credential.baseUrl);
	const apiKey = parseApiKey(credential);
	const secrets = [apiKey, toTrimmedText(credential.webhookSigningSecret)].filter(
		(secret) => secret !== '',
	);
	return {
		baseUrl,
		origin,
		account: createHash('sha256').update(`${baseUrl}\n${apiKey}`).digest('hex'),
		organizationId: toTrimmedText(credential.organizationId) || undefined,
		prefixes: parsePrefixes(credential),
		assuranceField: toTrimmedText(credential.assuranceField) || DEFAULT_ASSURANCE_FIELD,
		signing: {
			webhookSigningSecret: asText(credential.webhookSigningSecret),
			webhookSignatureHeader:
				toTrimmedText(credential.webhookSignatureHeader) || DEFAULT_SIGNATURE_HEADER,
		},
		secrets,
		outputSecrets: [...secrets],
	};
}

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Checks the form of the credential's base URL (docs/service/api.md#base-url-and-requests). Plain
 * http is accepted for this machine only, because the API key travels in a header.
 * @returns the URL without a trailing slash and its origin
 * @throws ServiceFailure that says what is wrong with it
 */
export function parseBaseUrl(value: unknown): { baseUrl: string; origin: string } {
	const entered = toTrimmedText(value);
	const fault = findBaseUrlFault(entered);
	if (fault !== undefined)
		throw new ServiceFailure({ code: 'unusableBaseUrl', fault }, { final: true });
	const { origin, pathname } = new URL(entered);
	return { baseUrl: (origin + pathname).replace(/\/+$/, ''), origin };
}

function findBaseUrlFault(entered: string): BaseUrlFault | undefined {
	if (!URL.canParse(entered)) return entered === '' ? 'empty' : 'incomplete';
	const { protocol, hostname, username, password, search, hash } = new URL(entered);
	if (protocol !== 'https:' && protocol !== 'http:') return 'notHttps';
	if (protocol === 'http:' && !LOOPBACK_HOSTS.has(hostname)) return 'unencrypted';
	if (username + password !== '') return 'hasUserInfo';
	return search + hash === '' ? undefined : 'hasQuery';
}

/**
 * Reads the API key, without what a copy brings along unseen: spaces, line ends and characters
 * without width. A header can't hold them.
 * @throws ServiceFailure when there is no key, or one that a header can't hold
 */
export function parseApiKey({ apiKey }: ICredentialDataDecryptedObject): string {
	const key = toTrimmedText(typeof apiKey === 'string' ? apiKey.replace(/\p{Cf}/gu, '') : apiKey);
	if (key === '') throw new ServiceFailure({ code: 'missingApiKey' }, { final: true });
	if (/[^ -~]/.test(key)) throw new ServiceFailure({ code: 'unusableApiKey' }, { final: true });
	return key;
}

function parsePrefixes(credential: ICredentialDataDecryptedObject): Prefixes {
	if (credential.pathLayout === 'current') return LAYOUTS.current;
	if (credential.pathLayout !== 'custom') return LAYOUTS.documented;
	const { documented } = LAYOUTS;
	return {
		...documented,
		business: normalizePrefix(credential.businessPrefix),
		realEstate: normalizePrefix(credential.realEstatePrefix),
		realEstateAssurance:
			normalizePrefix(credential.realEstateAssurancePrefix) || documented.realEstateAssurance,
		webhooks: normalizePrefix(credential.webhooksPrefix),
		// Not below the prefix of closings: /mortgage/v1/webhooks is an older call that replaces the
		// account's only webhook (docs/service/webhooks.md#older-webhooks).
		realEstateWebhooks:
			normalizePrefix(credential.realEstateWebhooksPrefix) || documented.realEstateWebhooks,
	};
}

/** Normalizes a prefix: 'a/b' and '/a/b/' become '/a/b'; an empty one stays empty. */
function normalizePrefix(value: unknown): string {
	const path = toTrimmedText(value).replace(/^\/+|\/+$/g, '');
	return path === '' ? '' : `/${path}`;
}

function toTrimmedText(value: unknown): string {
	return typeof value === 'string' ? value.trim() : '';
}

/**
 * Puts the API key on a request (docs/service/api.md#api-key); nothing else does. It is the last
 * check before a request leaves: it refuses a request to any origin other than the base URL's,
 * whoever sends it, including n8n's HTTP Request node.
 * @throws ServiceFailure when the base URL or the key can't be used, or the request goes to another
 *   origin
 */
export function authenticateRequest(
	credentials: ICredentialDataDecryptedObject,
	options: IHttpRequestOptions,
): IHttpRequestOptions {
	const { baseUrl, origin } = parseBaseUrl(credentials.baseUrl);
	// n8n's HTTP Request node names it `uri`, everything else `url`. What can't be read is refused.
	const { url, uri, baseURL = baseUrl } = options as IHttpRequestOptions & { uri?: unknown };
	const address: unknown = url ?? uri;
	const isReadable = typeof address === 'string' && URL.canParse(address, baseURL);
	const target = isReadable ? new URL(address, baseURL).origin : undefined;
	if (target !== origin)
		throw new ServiceFailure({ code: 'foreignOrigin', origin, target }, { final: true });
	return {
		...options,
		// A redirect would carry the key to wherever it points. The first option is the one of n8n's HTTP
		// helper, the others are those of its HTTP Request node.
		disableFollowRedirect: true,
		...{ followRedirect: false, followAllRedirects: false },
		headers: { ...options.headers, ApiKey: parseApiKey(credentials) },
	};
}
