import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { checkBaseUrl } from './baseUrl';
import { LAYOUTS, type Prefixes } from '../endpoints';
import { ServiceFailure } from '../errors/failure';

export const CREDENTIAL_TYPE = 'signAndCloseApi';

/** Documented wire name of the identity-assurance object (interface.md §2). */
const DEFAULT_ASSURANCE_FIELD = 'assurance_requirement';

/** The credential as the code below needs it. */
export interface ServiceSettings {
	baseUrl: string;
	origin: string;
	organizationId?: string;
	prefixes: Prefixes;
	assuranceField: string;
	/** Texts that may appear in no output, log or message. */
	secrets: string[];
}

/**
 * Reads and checks the credential.
 * @throws ServiceFailure when the base URL can't be used or there is no key
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

/** '/a/b' whatever the person typed: 'a/b', '/a/b/', ''. */
function prefix(value: unknown): string {
	const path = text(value).replace(/^\/+|\/+$/g, '');
	return path === '' ? '' : `/${path}`;
}

function text(value: unknown): string {
	return typeof value === 'string' ? value.trim() : '';
}
