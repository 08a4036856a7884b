import type { Json } from '../types.mts';
import { noResource, page, Refusal, refuse, route, type Call } from './call.mts';

/** Places, parties and other look-ups that nothing changes (docs/service/closings.md). */

const TYPES = [
	'refinance',
	'trailing_docs',
	'purchase_seller',
	'purchase_buyer_cash',
	'purchase_buyer_loan',
	'heloc',
	'loan_mod_borrower',
	'other',
	'wet_sign',
	'real_estate_esign',
	'real_estate_proof',
];

const UNDERWRITERS = [
	{ id: 'tu_first', name: 'First Underwriter' },
	{ id: 'tu_second', name: 'Second Underwriter' },
];

const AGENCIES = [1, 2].map((number) => ({
	id: `ta_agency${number}`,
	name: `Title Agency ${number}`,
	alta_id: `100000${number}`,
	address: `${number} Main Street, Fairfax, VA 22030`,
	eligible_underwriters: UNDERWRITERS,
	company_notaries: false,
}));

function checkType(call: Call): void {
	const type = (call.query.get('transaction_type') ?? '').replace(/^hybrid_/, '');
	if (!TYPES.includes(type)) refuse(400, 'Transaction type is invalid');
}

function locations(call: Call): Json[] {
	const state = call.query.get('street_address[state]') ?? 'VA';
	return ['Fairfax County', 'Arlington County'].map((name, index) => ({
		id: `rlcounty${index}`,
		name,
		state,
		recording_type: index === 0 ? 'ELECTRONIC' : 'PAPER',
		supported: index === 0,
		eligible: true,
		eligible_title_agencies: AGENCIES,
		eligible_title_underwriters: UNDERWRITERS,
	}));
}

function verifyAddress(call: Call): Json | Json[] {
	checkType(call);
	for (const part of ['line1', 'city', 'state', 'postal'])
		if (!call.query.get(`street_address[${part}]`))
			refuse(400, `street_address[${part}] is required`);
	if (call.world.options.verifyAddress === 'published') return locations(call);
	return {
		supported: true,
		eligible_title_agencies: AGENCIES,
		recording_jurisdictions: locations(call).map(({ id, name }) => ({ id, name })),
	};
}

function underwriters(call: Call): Json {
	checkType(call);
	const state = call.query.get('state_abbreviation') ?? '';
	if (!/^[A-Za-z]{2}$/.test(state) || state === 'XX') refuse(422, `Invalid state code: ${state}`);
	const email = call.query.get('title_agent_email');
	return {
		title_agent_found: email?.endsWith('@example.com') ?? false,
		eligible_title_underwriters: UNDERWRITERS,
	};
}

function agencies(call: Call): Json[] {
	const asked = [...call.query].some(
		([name, value]) => value && (name === 'email' || name.startsWith('address[')),
	);
	if (!asked) refuse(400, 'Email or address is required');
	return AGENCIES;
}

function templates(call: Call): Json {
	const wrong = ['limit', 'offset'].some((name) => /\D/.test(call.query.get(name) ?? ''));
	if (wrong) throw new Refusal(400, { errors: { request: ['invalid request parameters'] } });
	const all = call.world.templates;
	return { total_count: all.length, templates: page(call, all, { usual: 100, most: 1000 }) };
}

function organization({ world }: Call): Json {
	if (!world.organizationId) noResource();
	return { id: world.organizationId, name: 'Fault Organization', email: 'owner@example.com' };
}

export const placeRoutes = [
	...route('GET', 'R', '/transactions/verify_address', 'list', verifyAddress),
	...route('GET', 'R', '/recording_locations', 'list', (call) => {
		checkType(call);
		return locations(call);
	}),
	...route('GET', 'R', '/title_agencies', 'list', agencies),
	...route('GET', 'R', '/transactions/title_underwriters', 'object', underwriters),
	...route('GET', 'B', '/templates', 'page', templates),
	...route('GET', 'B', '/organization', 'object', organization),
];
