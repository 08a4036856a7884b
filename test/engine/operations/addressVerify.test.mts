import { describe, expect, test } from '@jest/globals';

import { startSandbox } from '../../../sandbox/index.mts';
import { credentialFor, runNode } from '../../support/engine.mts';
import { complaint, hints, run } from '../../support/operations.mts';
import { sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Address: Verify, and Recording Jurisdiction: Get Many. */

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

describe('Address: Verify', () => {
	test('gives one item for each recording jurisdiction, paired with its address', async () => {
		const { items } = await run(VERIFY, {
			items: [{ json: { city: 'Boston' } }, { json: { city: 'Springfield' } }],
		});
		expect(
			items.map(({ json, pairedItem }) => [
				json.recording_jurisdiction_id,
				(pairedItem as any).item,
			]),
		).toEqual([
			['rlboston', 0],
			['rlhampden', 1],
			['rlhampshire', 1],
		]);
		expect((items[0].json.eligible_title_agencies as any)[0].eligible_underwriters[0].id).toBe(
			'or_underwriter_atlantic',
		);
	});
	test("a property that can't be closed online is an item that says so", async () => {
		const { items } = await run(VERIFY, { items: [{ json: { city: 'Hilo', state: 'HI' } }] });
		expect(items[0].json).toEqual({ supported: false, eligible_title_agencies: [] });
	});
	test('the single object of a service with only the documented endpoints is one item', async () => {
		const documented = await startSandbox({ profile: 'documented' });
		const { items } = await runNode({
			credential: credentialFor(documented.url),
			parameters: VERIFY,
			items: [{ json: { city: 'Springfield' } }],
		});
		expect(items).toHaveLength(1);
		expect(items[0].json.supported).toBe(true);
		await documented.close();
	});
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
	test('an answer that is no JSON object is reported, not taken for a property', async () => {
		sandbox.faults.add({ method: 'GET', status: 200, body: 'null' });
		const said = await complaint({ ...VERIFY, addressCity: 'Nantucket', addressState: 'MA' });
		expect(said).toMatch(/sent null instead of a list/);
	});
	test.each([{}, { resource: 'recordingJurisdiction', operation: 'getAll', returnAll: true }])(
		'flags that are texts come out as booleans %j',
		async (operation) => {
			const { json } = await answered(operation, county({ supported: 'FALSE', eligible: 'true' }));
			expect(json).toMatchObject({ supported: false, eligible: true });
		},
	);
});
