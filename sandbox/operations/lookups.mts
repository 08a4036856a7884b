/**
 * The operations that look something up for a transaction: addresses, agencies, underwriters,
 * templates, the organization of the key (docs/service/api.md#endpoints-of-places-and-parties).
 */

import type { OperationHandler, OperationRequest } from './handler.mts';
import { page } from './page.mts';
import {
	findAgencies,
	findJurisdictions,
	toDocumentedAnswer,
	UNDERWRITERS,
	withoutEmail,
} from '../data/jurisdictions.mts';
import { findOrganization } from '../data/organizations.mts';
import { isState } from '../data/states.mts';
import { listTemplates } from '../data/templates.mts';
import { CLOSING_TYPES } from '../domain/closingRules.mts';
import { published, publishedText, Refusal } from '../domain/refusal.mts';
import type { World } from '../world/world.mts';

const TEMPLATE_LIMIT = 100;
const MAX_TEMPLATE_LIMIT = 1000;
const ADDRESS_PARTS = ['line1', 'line2', 'city', 'state', 'postal', 'country'];

export function lookupOperations(world: World): Record<string, OperationHandler> {
	const isBusiness = () => world.settings.account === 'business';
	const jurisdictions = ({ query }: OperationRequest) => {
		checkType(query.transaction_type);
		return findJurisdictions({
			city: query['street_address[city]'],
			state: query['street_address[state]'],
			transactionType: query.transaction_type,
		});
	};
	return {
		verifyAddress: (request) => {
			const { query } = request;
			if (isBusiness()) throw published('lendersOnlyRule');
			if (
				query.organization_id !== undefined &&
				findOrganization(query.organization_id) === undefined
			)
				throw published('noOrganization');
			if (world.settings.profile === 'documented')
				return toDocumentedAnswer(jurisdictions(request));
			// The documented request has no postal code, but live services require one
			// (docs/service/closings.md#verify-an-address).
			if (!query['street_address[postal]'])
				throw new Refusal(400, 'street_address[postal] is missing');
			return jurisdictions(request);
		},
		listRecordingLocations: jurisdictions,
		listTitleAgencies: ({ query }) => {
			if (isBusiness()) throw published('notPermitted');
			const address = Object.fromEntries(
				ADDRESS_PARTS.flatMap((part) => {
					const value = query[`address[${part}]`];
					return value ? [[part, value]] : [];
				}),
			);
			if (!query.email && Object.keys(address).length === 0) throw published('emailOrAddress');
			return findAgencies(query.email, address).map(withoutEmail);
		},
		listTitleUnderwriters: ({ query }) => {
			if (isBusiness()) throw published('lendersOnlyFeature');
			const { state_abbreviation: state, title_agent_email: email } = query;
			checkType(query.transaction_type);
			if (!isState(state)) throw publishedText(422, `Invalid state code: ${state}`);
			const agency = email === undefined ? undefined : findAgencies(email)[0];
			const eligible = agency?.eligible_underwriters ?? UNDERWRITERS;
			return {
				title_agent_found: agency !== undefined,
				eligible_title_underwriters: state.toUpperCase() === 'HI' ? [] : eligible,
			};
		},
		listTemplates: ({ query }) => {
			const { limit = TEMPLATE_LIMIT, offset = 0 } = query;
			const isPage = /^\d+$/.test(String(offset)) && /^\d+$/.test(String(limit));
			if (!isPage || Number(limit) < 1 || Number(limit) > MAX_TEMPLATE_LIMIT)
				throw published('invalidParameters');
			const all = listTemplates();
			return { total_count: all.length, templates: page(all, query, TEMPLATE_LIMIT) };
		},
		getOrganization: ({ key }) => findOrganization(key.organization),
	};
}

/** Any type of a closing (docs/service/closings.md#transaction-types). */
function checkType(type: string | undefined): void {
	if (!CLOSING_TYPES.has(type)) throw published('invalidType');
}
