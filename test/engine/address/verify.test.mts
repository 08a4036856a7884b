import { hints, run } from '../../support/operations.mts';
import { sandbox, useSandbox } from '../../support/useSandbox.mts';

/** What an address leads to: recording jurisdictions, title agencies and underwriters. */

useSandbox();

const VERIFY = {
	resource: 'address',
	operation: 'verify',
	transactionType: 'refinance',
	addressLine1: '1 Main St',
	addressLine2: '',
	addressCity: '={{ $json.city }}',
	addressState: '={{ $json.state ?? "MA" }}',
	addressZipCode: '01101',
};

test("a property that can't be closed online is an item that says so", async () => {
	const { items } = await run(VERIFY, { items: [{ json: { city: 'Hilo', state: 'HI' } }] });
	expect(items[0].json).toEqual({ supported: false, eligible_title_agencies: [] });
});

describe('a county that the service describes as a live one does', () => {
	const county = (more: object) => ({
		id: 'rl1',
		name: 'Nantucket County',
		state: 'MA',
		eligible_title_agencies: [],
		eligible_title_underwriters: [],
		...more,
	});
	const answered = async (operation: object, ...counties: object[]) => {
		sandbox.faults.add({ method: 'GET', status: 200, body: counties });
		return await run({ ...VERIFY, addressCity: 'Nantucket', addressState: 'MA', ...operation });
	};
	test('one that records on paper can be closed', async () => {
		const paper = county({ supported: false, eligible: true, recording_type: 'PAPER' });
		expect(hints(await answered({}, paper))).toBe('');
	});
	test.each([
		['not eligible, although it records electronically', { supported: true, eligible: false }],
		['not supported, without a word about eligible', { supported: false }],
		['not eligible, as a text', { supported: 'true', eligible: 'false' }],
	])("one that is %s can't be closed", async (_name, flags) => {
		expect(hints(await answered({}, county(flags)))).toMatch(/can't be closed online/);
	});
	test.each([{}, { resource: 'recordingJurisdiction', operation: 'getAll', returnAll: true }])(
		'flags that are texts come out as booleans %j',
		async (operation) => {
			const { json } = await answered(operation, county({ supported: 'FALSE', eligible: 'true' }));
			expect(json).toMatchObject({ supported: false, eligible: true });
		},
	);
});

test('a zip code is judged by the chosen country', async () => {
	sandbox.faults.add({ method: 'GET', status: 200, body: [{ id: 'rl1', supported: true }] });
	const outcome = await run({
		...VERIFY,
		addressCity: 'Sydney',
		addressState: 'MA',
		addressZipCode: '2000',
		additionalFields: { country: 'AU' },
	});
	expect(outcome.json.recording_jurisdiction_id).toBe('rl1');
});

test('a title agent whom the service does not know, as a text', async () => {
	const body = { title_agent_found: 'false', eligible_title_underwriters: [{ id: 'or1' }] };
	sandbox.faults.add({ method: 'GET', status: 200, body });
	const outcome = await run({
		resource: 'underwriter',
		operation: 'getAll',
		transactionType: 'refinance',
		returnAll: true,
		addressState: 'MA',
		filters: { title_agent_email: 'a@b.example' },
	});
	expect(outcome.json.title_agent_found).toBe(false);
});
