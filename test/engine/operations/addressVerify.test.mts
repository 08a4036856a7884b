import { describe, expect, test } from '@jest/globals';

import { startSandbox } from '../../../sandbox/index.mts';
import { credentialFor, runNode } from '../../support/engine.mts';
import { run } from '../../support/operations.mts';
import { useSandbox } from '../../support/useSandbox.mts';

/** Address: Verify. */

useSandbox();

describe('Address: Verify', () => {
	const verify = {
		resource: 'address',
		operation: 'verify',
		transactionType: 'refinance',
		addressLine1: '1 Main St',
		addressLine2: '',
		addressCity: '={{ $json.city }}',
		addressState: '={{ $json.state ?? "MA" }}',
		addressZipCode: '01101',
	};
	test('gives one item for each recording jurisdiction, paired with its address', async () => {
		const { items } = await run(verify, {
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
		const { items } = await run(verify, { items: [{ json: { city: 'Hilo', state: 'HI' } }] });
		expect(items[0].json).toEqual({ supported: false, eligible_title_agencies: [] });
	});
	test('the single object of a service with only the documented endpoints is one item', async () => {
		const documented = await startSandbox({ profile: 'documented' });
		const { items } = await runNode({
			credential: credentialFor(documented.url),
			parameters: verify,
			items: [{ json: { city: 'Springfield' } }],
		});
		expect(items).toHaveLength(1);
		expect(items[0].json.supported).toBe(true);
		await documented.close();
	});
});
