import { beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { CLOSING } from '../../support/closing.mts';
import { credentialFor, runNode, useBinaryMode } from '../../support/engine.mts';
import { startSmallService } from '../../support/smallService.mts';

/**
 * A create whose answer is lost, at a service whose clock differs from ours: what it made is found,
 * and nothing older is taken for it.
 */

beforeAll(async () => await useBinaryMode('filesystem'));

const HOUR = 3_600_000;

interface World {
	/** The service's clock, compared with this machine's, in milliseconds. */
	skew: number;
	/** How old the twins are, in milliseconds. */
	twins: number[];
	/** Whether the create had an effect before its answer was lost. */
	made: boolean;
	/** Whether dates have a zone. */
	zoned: boolean;
	/** Whether the list can be read before the create. */
	listed: boolean;
}

/** Creates a closing at a service of that world; gives its ID, or what the person reads. */
async function create({ skew, twins, made, zoned, listed }: World): Promise<string> {
	const now = () => Date.now() + skew;
	const closing = (value: string, at: number): IDataObject => ({
		id: value,
		transaction_name: CLOSING.transactionName,
		date_created: new Date(at).toISOString().slice(0, zoned ? undefined : -1),
	});
	let closings: IDataObject[] | undefined;
	let posted = false;
	await using service = await startSmallService((request) => {
		const headers = { date: new Date(now()).toUTCString() };
		closings ??= twins.map((age, index) => closing(`older${index}`, now() - age));
		if (request.startsWith('GET'))
			return listed || posted
				? { headers, body: { total_count: closings.length, data: closings } }
				: { headers, status: 404, body: {} };
		posted = true;
		if (made) closings.unshift(closing('new', now()));
		return { headers, status: 502, body: {} };
	});
	const { items, error } = await runNode({
		credential: credentialFor(service.url),
		parameters: { ...CLOSING, simplify: true },
	});
	return error === undefined ? String(items[0].json.transaction_id) : error.message;
}

const world = fc.record({
	skew: fc.oneof(fc.integer({ min: -HOUR, max: HOUR }), fc.integer({ min: -1500, max: 1500 })),
	twins: fc
		.array(fc.integer({ min: 1, max: 3_000 }), { maxLength: 4 })
		.map((ages) => [...ages].sort((one, other) => one - other)),
	made: fc.boolean(),
	zoned: fc.boolean(),
});

test('it is found where the list was seen before, and nothing older ever', async () => {
	await fc.assert(
		fc.asyncProperty(world, async (one) => {
			const outcome = await create({ ...one, listed: true });
			if (one.made) expect(outcome).toBe('new');
			else expect(outcome).toMatch(/outcome is unknown/);
		}),
		{ numRuns: 40 },
	);
});

test('nothing older is taken for it by clocks alone', async () => {
	await fc.assert(
		fc.asyncProperty(world, async (one) => {
			const outcome = await create({ ...one, listed: false });
			expect(outcome).toMatch(one.made ? /^new$|outcome is unknown/ : /outcome is unknown/);
		}),
		{ numRuns: 40 },
	);
});
