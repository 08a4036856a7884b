import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { LAYOUTS, type Prefixes } from '../endpoints';
import { ServiceFailure } from '../errors/failure';
import { checkBaseUrl } from './baseUrl';

/* Reads the credential into the settings that the service layer works with. */

/** The credential's name in n8n. Workflows store it, so it never changes. */
export const CREDENTIAL_TYPE = 'signAndCloseApi';

/**
 * The documented name of the identity-assurance object. A live service may use a branded one
 * (docs/service/signers.md#identity-assurance).
 */
const DEFAULT_ASSURANCE_FIELD = 'assurance_requirement';

/** The credential, checked and with defaults filled in. */
export interface ServiceSettings {
	/** Without a trailing slash. */
	baseUrl: string;
	origin: string;
	organizationId?: string;
	prefixes: Prefixes;
	/** The service's name for the identity-assurance object of a signer. */
	assuranceField: string;
	/** Texts that must not appear in any output, log or message. */
	secrets: string[];
}

/**
 * Reads and checks the credential.
 * @throws ServiceFailure when the base URL can't be used or there is no API key
 */
export function readSettings(credential: ICredentialDataDecryptedObject): ServiceSettings {
	const base = checkBaseUrl(credential.baseUrl);
	if (!base.ok) {
		throw new ServiceFailure({ code: 'unusableBaseUrl', fault: base.fault }, { final: true });
	}
	if (text(credential.apiKey) === '') {
		throw new ServiceFailure({ code: 'missingApiKey' }, { final: true });
	}
	return {
		baseUrl: base.url,
		origin: base.origin,
		organizationId: text(credential.organizationId) || undefined,
		prefixes: readPrefixes(credential),
		assuranceField: text(credential.assuranceField) || DEFAULT_ASSURANCE_FIELD,
		secrets: [text(credential.apiKey), text(credential.webhookSigningSecret)].filter(
			(secret) => secret !== '',
		),
	};
}

function readPrefixes(credential: ICredentialDataDecryptedObject): Prefixes {
	if (credential.pathLayout === 'current') return LAYOUTS.current;
	if (credential.pathLayout !== 'custom') return LAYOUTS.documented;
	return {
		business: prefix(credential.businessPrefix),
		realEstate: prefix(credential.realEstatePrefix),
		realEstateAssurance:
			prefix(credential.realEstateAssurancePrefix) || LAYOUTS.documented.realEstateAssurance,
		webhooks: prefix(credential.webhooksPrefix),
	};
}

/** Normalizes a prefix: 'a/b' and '/a/b/' become '/a/b'; an empty one stays empty. */
function prefix(value: unknown): string {
	const path = text(value).replace(/^\/+|\/+$/g, '');
	return path === '' ? '' : `/${path}`;
}

function text(value: unknown): string {
	return typeof value === 'string' ? value.trim() : '';
}
