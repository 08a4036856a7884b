/**
 * The recording jurisdictions, title agencies and underwriters of the sandbox
 * (docs/service/closings.md#verify-an-address, docs/service/closings.md#recording-locations).
 */

interface Underwriter {
	id: string;
	name: string;
}

interface Address {
	line1: string;
	city: string;
	state: string;
	postal: string;
	country: string;
}

interface Agency {
	id: string;
	name: string;
	alta_id: string;
	/** What it is found by. No answer has it. */
	email: string;
	place: Address;
	eligible_underwriters: Underwriter[];
	/** Whether it has notaries of its own. */
	company_notaries: boolean;
}

/** An agency in an answer, where its address is one text (docs/service/closings.md#title-agencies). */
export type ListedAgency = Omit<Agency, 'email' | 'place'> & { address: string };

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
		place: { line1: '2 Long Wharf', city: 'Boston', state: 'MA', postal: '02110', country: 'US' },
		eligible_underwriters: UNDERWRITERS.slice(0, 2),
		company_notaries: true,
	},
	{
		id: 'or_agency_beacon',
		name: 'Beacon Settlement Services',
		alta_id: '1009902',
		email: 'closings@beacon-settlement.example',
		place: {
			line1: '18 Beacon Street',
			city: 'Springfield',
			state: 'MA',
			postal: '01103',
			country: 'US',
		},
		eligible_underwriters: UNDERWRITERS.slice(1, 2),
		company_notaries: false,
	},
	{
		id: 'or_agency_prairie',
		name: 'Prairie Title Company',
		alta_id: '1012044',
		email: 'desk@prairie-title.example',
		place: {
			line1: '400 Main Street',
			city: 'Omaha',
			state: 'NE',
			postal: '68102',
			country: 'US',
		},
		eligible_underwriters: UNDERWRITERS.slice(1),
		company_notaries: false,
	},
];

/** States where no address can be closed online here. */
const UNSUPPORTED_STATES = new Set(['HI']);
/** A type and the state where it isn't eligible: Texas has its own rules for home equity. */
const NOT_ELIGIBLE: Record<string, string> = { heloc: 'TX' };

/** How a county records. Live services write it in any case. */
type RecordingType = 'electronic' | 'ELECTRONIC' | 'PAPER' | 'NONE';

/**
 * Counties whose office does not record electronically. A closing there is eligible all the same
 * (docs/service/closings.md#supported-and-eligible).
 */
const RECORDING_TYPES: Record<string, RecordingType> = {
	rlnantucket: 'PAPER',
	rlhampshire: 'ELECTRONIC',
	rlomaha: 'ELECTRONIC',
	rlmentone: 'NONE',
};

interface AddressQuery {
	city?: string;
	state?: string;
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
	const recording_type = RECORDING_TYPES[id] ?? 'electronic';
	return {
		id,
		name,
		state,
		// Whether the office records electronically, which says nothing about the closing.
		supported: recording_type.toLowerCase() === 'electronic',
		eligible,
		recording_type,
		eligible_title_agencies: eligible ? agencies.map(withoutEmail) : [],
		eligible_title_underwriters: eligible ? [...underwriters.values()] : [],
	};
}

/** Cities of which a search without a city finds the counties. */
const KNOWN_CITIES: Array<[city: string, state: string]> = [
	['Boston', 'MA'],
	['Springfield', 'MA'],
	['Nantucket', 'MA'],
	['Austin', 'TX'],
	['Omaha', 'NE'],
];

/**
 * The jurisdictions of an address: the county that is named after its city. Springfield lies in two
 * counties with different agencies, as some addresses return several. Hawaii has none. Without a
 * city, all that the sandbox knows of the state.
 */
export function findJurisdictions({ city, state, transactionType }: AddressQuery): Jurisdiction[] {
	if (!city || !state)
		return KNOWN_CITIES.filter(
			([name, code]) => (!city || name === city) && (!state || code === state.toUpperCase()),
		).flatMap(([name, code]) => findJurisdictions({ city: name, state: code, transactionType }));
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
 * The agencies with an email address, or with a bare domain of one, and with an address, of which
 * any part can be given (docs/service/closings.md#title-agencies).
 */
export function findAgencies(
	email: string | undefined,
	address: Partial<Record<string, string>> = {},
): Agency[] {
	const wanted = email?.toLowerCase();
	return AGENCIES.filter(
		(agency) =>
			(wanted === undefined || agency.email === wanted || agency.email.endsWith(`@${wanted}`)) &&
			Object.entries(address).every(
				([part, value]) =>
					part === 'country' ||
					agency.place[part as keyof Address]?.toLowerCase() === value?.toLowerCase(),
			),
	);
}

export function withoutEmail({ email: _email, place, ...agency }: Agency): ListedAgency {
	const { line1, city, state, postal } = place;
	return { ...agency, address: `${line1}, ${city}, ${state} ${postal}` };
}
