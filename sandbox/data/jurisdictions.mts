/**
 * The recording jurisdictions, title agencies and underwriters of the sandbox
 * (docs/service/closings.md#verify-an-address, docs/service/closings.md#recording-locations).
 */

interface Underwriter {
	id: string;
	name: string;
}

interface Agency {
	id: string;
	name: string;
	alta_id: string;
	email: string;
	address: { line1: string; city: string; state: string; postal: string; country: string };
	eligible_underwriters: Underwriter[];
}

/** An agency in a verify-address result, which has no email address. */
export type ListedAgency = Omit<Agency, 'email'>;

export interface Jurisdiction {
	id: string;
	name: string;
	state: string;
	supported: boolean;
	eligible: boolean;
	recording_type: string;
	eligible_title_agencies: ListedAgency[];
	eligible_title_underwriters: Underwriter[];
}

export const UNDERWRITERS: Underwriter[] = [
	{ id: 'or_underwriter_atlantic', name: 'Atlantic Title Insurance' },
	{ id: 'or_underwriter_summit', name: 'Summit National Title' },
	{ id: 'or_underwriter_prairie', name: 'Prairie Land Guaranty' },
];

export const AGENCIES: Agency[] = [
	{
		id: 'or_agency_harbor',
		name: 'Harbor Title & Escrow',
		alta_id: '1004471',
		email: 'orders@harbor-title.example',
		address: { line1: '2 Long Wharf', city: 'Boston', state: 'MA', postal: '02110', country: 'US' },
		eligible_underwriters: UNDERWRITERS.slice(0, 2),
	},
	{
		id: 'or_agency_beacon',
		name: 'Beacon Settlement Services',
		alta_id: '1009902',
		email: 'closings@beacon-settlement.example',
		address: {
			line1: '18 Beacon Street',
			city: 'Springfield',
			state: 'MA',
			postal: '01103',
			country: 'US',
		},
		eligible_underwriters: UNDERWRITERS.slice(1, 2),
	},
	{
		id: 'or_agency_prairie',
		name: 'Prairie Title Company',
		alta_id: '1012044',
		email: 'desk@prairie-title.example',
		address: {
			line1: '400 Main Street',
			city: 'Omaha',
			state: 'NE',
			postal: '68102',
			country: 'US',
		},
		eligible_underwriters: UNDERWRITERS.slice(1),
	},
];

/** States where no address can be closed online here. */
const UNSUPPORTED_STATES = new Set(['HI']);
/** A type and the state where it isn't eligible: Texas has its own rules for home equity. */
const NOT_ELIGIBLE: Record<string, string> = { heloc: 'TX' };

interface AddressQuery {
	city: string;
	state: string;
	transactionType?: string | null;
}

function jurisdiction(
	id: string,
	name: string,
	state: string,
	eligible: boolean,
	agencies: Agency[],
): Jurisdiction {
	const underwriters = new Map(
		agencies
			.flatMap(({ eligible_underwriters }) => eligible_underwriters)
			.map((entry) => [entry.id, entry]),
	);
	return {
		id,
		name,
		state,
		supported: true,
		eligible,
		recording_type: 'electronic',
		eligible_title_agencies: eligible ? agencies.map(({ email: _email, ...agency }) => agency) : [],
		eligible_title_underwriters: eligible ? [...underwriters.values()] : [],
	};
}

/**
 * The jurisdictions of an address: the county that is named after its city. Springfield lies in two
 * counties with different agencies, as some addresses return several. Hawaii has none.
 */
export function findJurisdictions({ city, state, transactionType }: AddressQuery): Jurisdiction[] {
	const code = state.toUpperCase();
	if (UNSUPPORTED_STATES.has(code)) return [];
	const slug = city.toLowerCase().replace(/[^a-z]+/g, '') || 'unnamed';
	const eligible = NOT_ELIGIBLE[transactionType ?? ''] !== code;
	const agencies = code === 'MA' ? AGENCIES.slice(0, 2) : AGENCIES;
	if (slug === 'springfield') {
		return [
			jurisdiction('rlhampden', 'Hampden County', code, eligible, agencies),
			jurisdiction('rlhampshire', 'Hampshire County', code, eligible, AGENCIES.slice(1, 2)),
		];
	}
	return [jurisdiction(`rl${slug}`, `${city} County`, code, eligible, agencies)];
}

/** The same as a documented-only service answers it. */
export function toDocumentedAnswer(found: Jurisdiction[]): object {
	const usable = found.filter(({ eligible }) => eligible);
	const agencies = new Map(
		usable
			.flatMap(({ eligible_title_agencies }) => eligible_title_agencies)
			.map((agency) => [agency.id, agency]),
	);
	return {
		supported: usable.length > 0,
		eligible_title_agencies: [...agencies.values()].map(({ id, name, eligible_underwriters }) => ({
			id,
			name,
			eligible_underwriters,
		})),
	};
}

/**
 * GET R/title_agencies: by email, by state, or by both (docs/service/closings.md#title-agencies).
 */
export function findAgencies(email: string | undefined, state: string | undefined): Agency[] {
	return AGENCIES.filter(
		(agency) =>
			(email === undefined || agency.email === email.toLowerCase()) &&
			(state === undefined || !UNSUPPORTED_STATES.has(state.toUpperCase())),
	);
}
