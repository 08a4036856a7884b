/** Recording jurisdictions with agencies and underwriters (gaps.md §7). */
export interface Jurisdiction {
	id: string;
	name: string;
	state: string;
	supported: boolean;
	eligible: boolean;
	recording_type: string;
	eligible_title_agencies: Array<{ id: string; name: string; alta_id: string; eligible_underwriters: Array<{ id: string; name: string }> }>;
	eligible_title_underwriters: Array<{ id: string; name: string }>;
}

const UNDERWRITERS = [
	{ id: 'or_underwriter_atlantic', name: 'Atlantic Title Insurance' },
	{ id: 'or_underwriter_summit', name: 'Summit National Title' },
];

const AGENCIES = [
	{ id: 'or_agency_harbor', name: 'Harbor Title & Escrow', alta_id: '1004471', eligible_underwriters: UNDERWRITERS },
	{ id: 'or_agency_beacon', name: 'Beacon Settlement Services', alta_id: '1009902', eligible_underwriters: UNDERWRITERS.slice(1) },
];

function jurisdiction(id: string, name: string, state: string): Jurisdiction {
	return {
		id,
		name,
		state,
		supported: true,
		eligible: true,
		recording_type: 'electronic',
		eligible_title_agencies: AGENCIES,
		eligible_title_underwriters: UNDERWRITERS,
	};
}

/**
 * The jurisdictions of an address. Springfield lies in two (interface.md §2: some addresses return several), Hawaii can not be closed online
 * here; any other address lies in the county named after its city.
 */
export function findJurisdictions(city: string, state: string): Jurisdiction[] {
	if (state.toUpperCase() === 'HI') return [];
	const slug = city.toLowerCase().replace(/[^a-z]+/g, '');
	if (slug === 'springfield') return [jurisdiction('rlhampden', 'Hampden County', state), jurisdiction('rlhampshire', 'Hampshire County', state)];
	return [jurisdiction(`rl${slug}`, `${city} County`, state)];
}

/** What a documented-only service answers (interface.md §2, Verify-address result). */
export function documentedAnswer(found: Jurisdiction[]): object {
	return {
		supported: found.length > 0,
		eligible_title_agencies: found.length > 0 ? AGENCIES.map(({ id, name, eligible_underwriters }) => ({ id, name, eligible_underwriters })) : [],
	};
}
