import type { IDataObject } from 'n8n-workflow';

import type { Params } from '../../../run/parameters/params';
import type { Platform } from '../../../transport/service/endpoints';
import { parseCollection } from '../../shared/fields';
import { checkEmail } from '../../shared/checks';
import {
	expires,
	hasFailedDocument,
	hasFailedIdentity,
	hasSigner,
	hasText,
	inDetailedStatus,
	nameContains,
	ofOrganization,
	OPEN,
	orUnknown,
	type Filter,
} from './conditions';
import { DETAILED_STATUSES, listFilters } from './filters';
import type { Search } from './find';
import type { Order, SortKey } from './order';

/* Reads what Transaction: Get Many looks for: what the service filters by, and what we do. */

/** Filters that the service has (docs/service/transactions.md#filters-of-the-list). */
const OF_BOTH = [
	'created_date_start',
	'created_date_end',
	'last_updated_date_start',
	'last_updated_date_end',
	'transaction_status',
];
const OF_REAL_ESTATE = [...OF_BOTH, 'loan_number', 'organization_id'];

/** Makes a filter of our own from what was entered; undefined when it doesn't filter. */
type Maker = (value: string, label: string) => Filter | undefined;

/** Filters of our own, where the service doesn't have them. */
const MAKERS: Record<string, Maker> = {
	document_failed: (value) => (value === 'true' ? hasFailedDocument : undefined),
	expires_after: (value) => expires({ from: Date.parse(value) }),
	expires_before: (value) => expires({ to: Date.parse(value) }),
	external_id: (value) => hasText('external_id', value),
	identity_check_failed: (value) => (value === 'true' ? hasFailedIdentity : undefined),
	loan_number: (value) => hasText('loan_number', value),
	name_contains: nameContains,
	organization_id: ofOrganization,
	signer_email: (value, label) => {
		checkEmail(value, label);
		return hasSigner(value);
	},
};

/** The detailed statuses of drafts, whose status is "started" (docs/service/states.md#transitions). */
const OF_DRAFTS = ['draft', 'recalled'];

/** What an item looks for. */
interface Wanted extends Pick<Search, 'query' | 'filters'> {
	/** Whether it looks for one reference. */
	hasKey: boolean;
	/** Detailed statuses that nobody knows. */
	unknownStates: string[];
}

/**
 * Reads what an item looks for.
 * @param organization the one in the credential
 * @returns the filters of our own by their names in the editor
 * @throws InputFailure naming the filter
 */
export function readListFilters(
	params: Params,
	platform: Platform,
	organization: string | undefined,
): Wanted {
	const chosen = parseCollection(params, params.object('filters'), listFilters);
	const names = platform === 'business' ? OF_BOTH : OF_REAL_ESTATE;
	const query: IDataObject = Object.fromEntries(
		names.filter((name) => chosen[name] !== undefined).map((name) => [name, chosen[name]]),
	);
	const filters: Record<string, Filter> = {};
	for (const [name, make] of Object.entries(MAKERS)) {
		const value = names.includes(name) ? undefined : params.textOf(chosen, name);
		const filter = value === undefined ? undefined : make(value, params.label(name));
		if (filter !== undefined) filters[params.label(name)] = filter;
	}
	if (organization !== undefined && chosen.organization_id === undefined) {
		if (names.includes('organization_id')) query.organization_id = organization;
		// What doesn't say whose it is may be ours.
		else filters[params.label('organization_id')] = orUnknown(ofOrganization(organization));
	}
	const states = statesIn(chosen.detailed_status);
	if (states.length > 0) {
		filters[params.label('detailed_status')] = inDetailedStatus(states);
		if (states.every((state) => OF_DRAFTS.includes(state))) query.transaction_status ??= 'started';
	}
	const { not_updated_since: since } = chosen;
	if (typeof since === 'string')
		query.last_updated_date_end = earlier(since, query.last_updated_date_end);
	return {
		query,
		filters,
		hasKey: chosen.external_id !== undefined,
		unknownStates: states.filter((state) => state !== OPEN && !DETAILED_STATUSES.includes(state)),
	};
}

/** Detailed statuses as the service writes them: an expression may give the names of the list. */
function statesIn(value: unknown): string[] {
	return Array.isArray(value)
		? value.map((state) =>
				String(state)
					.toLowerCase()
					.replace(/[\s-]+/g, '_'),
			)
		: [];
}

function earlier(one: string, other: unknown): string {
	return typeof other === 'string' && Date.parse(other) < Date.parse(one) ? other : one;
}

/**
 * Reads the order that an item wants; undefined for the service's own.
 * @throws InputFailure naming the choices
 */
export function readOrder(params: Params): Order | undefined {
	const chosen = params.choice('sort', params.object('options').sort);
	if (chosen === undefined) return undefined;
	const [by, direction] = chosen.split('_');
	return { by: by as SortKey, descending: direction === 'desc' };
}
