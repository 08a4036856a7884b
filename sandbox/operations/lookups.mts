/**
 * The operations that look something up for a transaction: addresses, agencies, underwriters,
 * templates, notaries (docs/service/api.md#endpoints-of-places-and-parties).
 */

import type { OperationHandler } from './handler.mts';
import { page } from './page.mts';
import { notaryView } from './views.mts';
import {
	AGENCIES,
	findAgencies,
	findJurisdictions,
	toDocumentedAnswer,
	UNDERWRITERS,
} from '../data/jurisdictions.mts';
import { listTemplates } from '../data/templates.mts';
import { Refusal } from '../domain/refusal.mts';
import type { World } from '../world/world.mts';

const TEMPLATE_LIMIT = 100;

export function lookupOperations(world: World): Record<string, OperationHandler> {
	const jurisdictions: OperationHandler = ({ query }) =>
		findJurisdictions({
			city: query['street_address[city]'],
			state: query['street_address[state]'],
			transactionType: query.transaction_type,
		});
	return {
		verifyAddress: (request) => {
			const { query, layout } = request;
			// Live services require the postal code, but the documented request has none
			// (docs/service/closings.md#verify-an-address).
			if (layout === 'current' && query['street_address[postal]'] === undefined)
				throw new Refusal(400, 'street_address[postal] is missing');
			const found = jurisdictions(request) as ReturnType<typeof findJurisdictions>;
			return world.settings.profile === 'documented' ? toDocumentedAnswer(found) : found;
		},
		listRecordingLocations: jurisdictions,
		listTitleAgencies: ({ query }) => {
			const state = query['address[state]'];
			if (query.email === undefined && state === undefined)
				throw new Refusal(400, 'email or address[state] is missing');
			return findAgencies(query.email, state);
		},
		listTitleUnderwriters: ({ query }) => {
			const agency = AGENCIES.find(({ email }) => email === query.title_agent_email?.toLowerCase());
			const eligible = agency?.eligible_underwriters ?? UNDERWRITERS;
			return {
				title_agent_found: agency !== undefined,
				eligible_title_underwriters: query.state_abbreviation === 'HI' ? [] : eligible,
			};
		},
		listTemplates: ({ query }) => {
			const all = listTemplates(world.origin());
			return { total_count: all.length, templates: page(all, query, TEMPLATE_LIMIT) };
		},
		listNotaries: ({ key, query }) =>
			world.notaries
				.filter(
					({ state }) =>
						query.us_state_abbr === undefined || state === query.us_state_abbr.toUpperCase(),
				)
				.map((notary) => notaryView(notary, query.organization_id ?? key.organization)),
	};
}
