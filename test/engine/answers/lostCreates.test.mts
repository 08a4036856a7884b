import { afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
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
	/** Whether somebody else makes a twin while the list is read before the create. */
	meanwhile?: boolean;
	/** Lets the time pass that a request takes. */
	pass?: (request: 'before' | 'create' | 'after') => void;
}

/** Creates a closing at a service of that world; gives its ID, or what the person reads. */
async function create({
	skew,
	twins,
	made,
	zoned,
	listed,
	meanwhile,
	pass,
}: World): Promise<string> {
	const now = () => Date.now() + skew;
	const closing = (value: string, at: number): IDataObject => ({
		id: value,
		transaction_name: CLOSING.transactionName,
		date_created: new Date(at).toISOString().slice(0, zoned ? undefined : -1),
	});
	let closings: IDataObject[] | undefined;
	let posted = false;
	await using service = await startSmallService((request) => {
		closings ??= twins.map((age, index) => closing(`older${index}`, now() - age));
		pass?.(request.startsWith('POST') ? 'create' : posted ? 'after' : 'before');
		const headers = { date: new Date(now()).toUTCString() };
		if (meanwhile === true && !posted && request.startsWith('GET'))
			closings.unshift(closing('meanwhile', now() - 200));
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
		parameters: { ...CLOSING },
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

describe('by the date of answers alone, which has whole seconds', () => {
	// Both clocks show the same, and move only when a request is said to take some time.
	beforeEach(() => {
		jest.useFakeTimers({
			doNotFake: [
				'clearImmediate',
				'clearInterval',
				'clearTimeout',
				'hrtime',
				'nextTick',
				'performance',
				'queueMicrotask',
				'setImmediate',
				'setInterval',
				'setTimeout',
			],
		});
	});
	afterEach(() => void jest.useRealTimers());
	const fixed = { skew: 0, zoned: true, listed: false };

	test.each([300, 1])('one that is %i ms older is not taken for it', async (age) => {
		jest.setSystemTime(Date.parse('2026-03-04T05:06:07.999Z'));
		expect(await create({ ...fixed, twins: [age], made: false })).toMatch(/outcome is unknown/);
	});
	test('one that somebody else makes while the list is read is not taken for it', async () => {
		jest.setSystemTime(Date.parse('2026-03-04T05:06:07Z'));
		const pass = (request: string) =>
			void jest.setSystemTime(Date.now() + (request === 'before' ? 3_000 : 0));
		expect(await create({ ...fixed, twins: [], made: false, meanwhile: true, pass })).toMatch(
			/outcome is unknown/,
		);
	});
	test.each([
		['before', { before: 0, create: 2_000, after: 5_000 }],
		['after', { before: 5_000, create: 500, after: 0 }],
	])('it is found by a quick answer %s it, though others are slow', async (_when, ms) => {
		jest.setSystemTime(Date.parse('2026-03-04T05:06:07Z'));
		const pass = (request: keyof typeof ms) => void jest.setSystemTime(Date.now() + ms[request]);
		expect(await create({ ...fixed, twins: [300], made: true, pass })).toBe('new');
	});
});
