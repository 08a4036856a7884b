import type { IDataObject } from 'n8n-workflow';

import { CLOSING, createClosing, id, toForm } from '../../support/closing.mts';
import { searchAnew } from '../../support/dropdowns.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** What depends on the address of a closing: jurisdictions, title agencies and underwriters. */

useSandbox();

const search = async (method: string, parameters: IDataObject, filter?: string) =>
	await searchAnew(method, sandbox.url, { parameters, filter });
const names = async (...list: Parameters<typeof search>) =>
	(await search(...list)).results.map(({ name }) => name);
const answerOnce = (body: object) => sandbox.faults.add({ method: 'GET', status: 200, body });

const BEACON = 'Beacon Settlement Services · 18 Beacon Street, Springfield, MA 01103';
const COUNTIES = ['Hampden County · MA', 'Hampshire County · MA'];
const SUMMIT = 'Summit National Title';
const springfield = (additionalFields: IDataObject = {}, more: IDataObject = {}) => ({
	...CLOSING,
	addressCity: 'Springfield',
	addressZipCode: '01101',
	...toForm(additionalFields),
	...more,
});
const withAgency = (agency: string) => springfield({ titleAgencyId: id(agency) });
test('address -> recording jurisdiction -> title agency -> underwriter, each within the one before', async () => {
	const ids = (await search('searchJurisdictions', springfield())).results;
	expect(ids).toEqual([
		{ name: COUNTIES[0], value: 'rlhampden' },
		{ name: COUNTIES[1], value: 'rlhampshire' },
	]);
	expect(await names('searchAgencies', springfield())).toEqual([
		'Harbor Title & Escrow · 2 Long Wharf, Boston, MA 02110',
		BEACON,
	]);
	const chosen = springfield({ recordingJurisdictionId: id('rlhampshire') });
	expect(await names('searchAgencies', chosen)).toEqual([BEACON]);
	const ofBeacon = withAgency('or_agency_beacon');
	expect(await names('searchUnderwriters', ofBeacon)).toEqual([SUMMIT]);
	const ofHarbor = withAgency('or_agency_harbor');
	expect(await names('searchUnderwriters', ofHarbor, 'summit')).toEqual([SUMMIT]);
	const state = { ...springfield(), addressState: 'Massachusetts' };
	expect(await names('searchJurisdictions', state)).toEqual(COUNTIES);
});
describe('counties of a live service', () => {
	const county = { state: 'MA', supported: true, eligible: true, recording_type: 'ELECTRONIC' };
	const agency = (value: string, name: string) => ({
		id: value,
		name,
		address: '18 Beacon Street, Springfield, MA 01103',
		eligible_underwriters: [{ id: 'orunder1', name: SUMMIT }],
	});
	const paper = {
		...county,
		id: 'rlpaper',
		name: 'Nantucket County',
		supported: false,
		recording_type: 'PAPER',
		eligible_title_agencies: [agency('orbeacon1', 'Beacon Settlement')],
	};
	const closed = {
		...county,
		id: 'rlclosed',
		name: 'Dukes County',
		eligible: 'false',
		eligible_title_agencies: [agency('orisland1', 'Island Title')],
	};
	test('one that records on paper can be chosen, and says so', async () => {
		answerOnce([paper, closed]);
		expect(await names('searchJurisdictions', springfield())).toEqual([
			'Nantucket County · MA · paper recording',
			'Dukes County · MA · not eligible',
		]);
	});
	test('agencies of a county that is not eligible are not offered; an address is one text', async () => {
		answerOnce([paper, closed]);
		const name = 'Beacon Settlement · 18 Beacon Street, Springfield, MA 01103';
		const { results } = await search('searchAgencies', springfield());
		expect(results).toEqual([{ name, value: 'orbeacon1' }]);
		answerOnce([paper, closed]);
		const chosen = springfield({ recordingJurisdictionId: id('rlclosed') });
		await expect(search('searchAgencies', chosen)).rejects.toThrow(
			/'Recording Jurisdiction' rlclosed isn't eligible.*'Transaction Type'/,
		);
	});
	test('an agency is found by its ID with an underscore, too', async () => {
		answerOnce([paper, closed]);
		expect(await names('searchUnderwriters', withAgency('or_beacon1'))).toEqual([SUMMIT]);
	});
});
describe('while a closing is updated', () => {
	const update = (transactionId: string, updateFields: IDataObject) => ({
		resource: 'transaction',
		platform: 'realEstate',
		transactionId: id(transactionId),
		operation: 'update',
		updateFields,
	});
	const answers = (street_address: IDataObject) =>
		sandbox.faults.add({
			method: 'GET',
			path: /\/transactions\/ot_1$/,
			status: 200,
			body: { id: 'ot_1', transaction_type: null, street_address },
		});
	test('its own address counts', async () => {
		const springfieldClosing = springfield({ recordingJurisdictionId: id('rlhampden') });
		const transactionId = await createClosing(credential(), springfieldClosing);
		const parameters = update(transactionId, { recordingJurisdictionId: id('rlhampshire') });
		expect(await names('searchJurisdictions', parameters)).toEqual(COUNTIES);
		expect(await names('searchAgencies', parameters)).toEqual([BEACON]);
	});
	test('the changed type and address count, the rest is that of the closing', async () => {
		answers({ line1: '1 Main St', city: 'Boston', state: 'MA', postal: '02110' });
		const street_address = { row: { city: 'Springfield', zipCode: '01101' } };
		const parameters = update('ot_1', { transaction_type: 'heloc', street_address });
		expect(await names('searchJurisdictions', parameters)).toEqual(COUNTIES);
		expect(sandbox.requests.at(-1)!.query).toEqual({
			transaction_type: 'heloc',
			'street_address[line1]': '1 Main St',
			'street_address[city]': 'Springfield',
			'street_address[state]': 'MA',
			'street_address[postal]': '01101',
		});
	});
	test('a closing without an address is refused', async () => {
		answers({ line1: '', city: '', state: '', postal: '' });
		await expect(search('searchJurisdictions', update('ot_1', {}))).rejects.toThrow(
			/closing has no complete address.*'Address'/,
		);
	});
});
test.each<[string, IDataObject, RegExp]>([
	['an empty city', { addressCity: '' }, /'City' is empty.*Fill in 'City' first/],
	[
		'a city from an expression without data',
		{ addressCity: null },
		/'City' uses an expression that has no data yet.*'By ID'/,
	],
	[
		"a place that can't be closed online",
		{ addressCity: 'Hilo', addressState: 'HI' },
		/can't be closed online/,
	],
	[
		'a state that does not exist',
		{ addressState: 'Atlantis' },
		/^'State' is 'Atlantis', which isn't a state/,
	],
	[
		'an agency that does not belong to it',
		{ ...toForm({ titleAgencyId: id('or_agency_prairie') }) },
		/'Title Agency' or_agency_prairie doesn't belong to the address/,
	],
])('%s is named', async (_name, more, expected) => {
	await expect(search('searchUnderwriters', springfield({}, more))).rejects.toThrow(expected);
});
test.each(['searchJurisdictions', 'searchAgencies', 'searchUnderwriters'])(
	'%s says why there is no list for rows, which have an address each',
	async (method) => {
		const fromRows = { ...CLOSING, fieldsFrom: 'row', ...toForm({}) };
		await expect(search(method, fromRows)).rejects.toThrow(
			/^'Fields From' takes the address from each input item.*Add a column 'Recording Jurisdiction ID'/,
		);
	},
);
test('a documented-only service names agencies, but no jurisdictions', async () => {
	sandbox.world.settings.profile = 'documented';
	try {
		await expect(search('searchJurisdictions', springfield())).rejects.toThrow(
			/doesn't provide recording jurisdictions.*Leave 'Recording Jurisdiction' empty/,
		);
		expect((await names('searchAgencies', springfield())).length).toBeGreaterThan(0);
	} finally {
		sandbox.world.settings.profile = 'full';
	}
});
