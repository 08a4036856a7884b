import { canBeId } from '../../values/ids';
import { ServiceFailure, type IdName } from '../failure/failure';
import { ENDPOINTS, type Endpoint, type EndpointName, type Platform } from './endpoints';

/* Builds the path of a call from the prefix of its platform, its endpoint and its IDs. */

/** Values for the IDs in a path. */
export type PathValues = Partial<Record<IdName, string>>;

/** The path prefix of each platform, and of what has a prefix of its own there. */
export interface Prefixes {
	business: string;
	realEstate: string;
	/** Closings with identity assurance (docs/service/api.md#path-of-a-closing-with-identity-assurance). */
	realEstateAssurance: string;
	webhooks: string;
	realEstateWebhooks: string;
	/** The same in every layout (docs/service/api.md#paths-of-notaries). */
	realEstateNotaries: string;
}

const COMMON = {
	realEstateAssurance: '/mortgage/v2',
	webhooks: '/v2',
	realEstateWebhooks: '/mortgage/v2',
	realEstateNotaries: '/mortgage/v1',
};

/** The path layouts that the credential offers by name (docs/service/api.md#path-layouts). */
export const LAYOUTS: Record<'documented' | 'current', Prefixes> = {
	documented: { ...COMMON, business: '', realEstate: '/mortgage/v1' },
	current: { ...COMMON, business: '/v1', realEstate: '/mortgage/v2' },
};

/**
 * Fills a path template. IDs are opaque text: they are encoded, never parsed
 * (docs/service/README.md#identifiers).
 * @throws ServiceFailure when an ID is empty, consists of dots, which would change the path, or can't
 *   be an ID
 */
export function fillPath(template: string, values: PathValues): string {
	return template.replace(/\{(\w+)\}/g, (_match, name: string) => {
		const value = (values[name as IdName] ?? '').trim();
		// Dots survive encoding and would be resolved as a parent folder.
		if (/^\.*$/.test(value) || !canBeId(value)) {
			const reason = { code: 'unusableId' as const, name: name as IdName, id: value };
			throw new ServiceFailure(reason, { final: true });
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
	const { path, realEstatePath = path, realEstatePrefix }: Endpoint = ENDPOINTS[name];
	if (platform !== 'realEstate') return prefixes[platform] + fillPath(path, values);
	const prefix = realEstatePrefix ?? (assurance ? 'realEstateAssurance' : 'realEstate');
	return prefixes[prefix] + fillPath(realEstatePath, values);
}
