import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import type { ServiceFailure } from '../../../../nodes/SignAndClose/transport/failure/failure.ts';
import { waitForDocuments } from '../../../../nodes/SignAndClose/resources/transaction/documentProcessing.ts';
import { inTurn, thrownBy, withClient } from '../../../support/live/client.mts';

/** The wait until the service has processed the documents of a draft. */

const DONE = { id: 'do_1', document_name: 'Deed', processing_state: 'done' };
const PENDING = { id: 'do_2', document_name: 'Note', processing_state: 'pending' };
const draft = (...documents: IDataObject[]) => ({ id: 'ot_1', status: 'started', documents });

/** Waits, and gives how it ended and how often the service was asked. */
const wait = async (limitMs: number, ...answers: unknown[]) =>
	await withClient(inTurn(...answers), async (service, { requests }) => {
		const waiting = waitForDocuments(service, 'ot_1', 'realEstate', { limitMs });
		const end = await waiting.then(
			(waited) => ({ waited }),
			(failure: unknown) => ({ failure }),
		);
		return { ...end, asked: requests.length };
	});

describe('the wait for documents', () => {
	afterEach(() => {
		jest.restoreAllMocks();
	});

	test('ends at once when all are done, or do not say how far they are', async () => {
		for (const answer of [draft(DONE), draft({ id: 'do_1' }), draft(), { id: 'ot_1' }])
			expect(await wait(0, answer)).toEqual({ waited: expect.any(Number), asked: 1 });
	});
	test('goes on while one is pending, and tells how long it took', async () => {
		const end = await wait(60_000, draft(DONE, PENDING), draft(DONE, DONE));
		expect(end).toEqual({ waited: expect.any(Number), asked: 2 });
		expect((end as { waited: number }).waited).toBeGreaterThanOrEqual(95);
	});
	test('ends with those that are pending, when another pause would be too long', async () => {
		const { asked, ...end } = await wait(150, draft(DONE, PENDING, { ...PENDING, id: 'do_3' }));
		expect(end).toMatchObject({
			failure: {
				reason: { code: 'documentsPending', documents: ['Note', 'Note'] },
				flags: { final: false },
			},
		});
		expect(asked).toBeLessThanOrEqual(2);
		const { seconds } = (end as { failure: { reason: { seconds: number } } }).failure.reason;
		expect(seconds).toBeLessThan(60);
	});
	test('asks less and less often', async () => {
		expect((await wait(650, draft(PENDING))).asked).toBeLessThanOrEqual(3);
	});
	test('takes up to the whole limit', async () => {
		// The clock stands still, so that only the pauses count.
		jest.spyOn(Date, 'now').mockReturnValue(Date.now());
		expect(await wait(100, draft(PENDING))).toMatchObject({
			failure: { reason: { code: 'documentsPending', seconds: 0 } },
			asked: 2,
		});
	});
	test.each([
		['its name', { id: 'do_3', document_name: 'Deed of Trust' }, 'Deed of Trust'],
		['its ID, without a name', { id: 'do_3', document_name: '' }, 'do_3'],
	])('ends with %s when the service cannot process a document', async (_what, named, expected) => {
		const failed = { ...named, processing_state: 'pending', processing_error: 'Encrypted' };
		expect(await wait(500, draft(DONE, PENDING, failed))).toMatchObject({
			failure: {
				reason: { code: 'documentFailed', document: expected, why: 'Encrypted' },
				flags: { final: true },
			},
			asked: 1,
		});
	});
	test.each([
		['', undefined],
		[null, undefined],
		[undefined, undefined],
		['Encrypted', 'Encrypted'],
	])('ends when a document has failed, with the error %j', async (error, why) => {
		const failed = { ...PENDING, processing_state: 'failed', processing_error: error };
		const { failure } = (await wait(500, draft(DONE, failed))) as { failure: ServiceFailure };
		expect(failure).toMatchObject({ flags: { final: true } });
		expect(failure.reason).toEqual({ code: 'documentFailed', document: 'Note', why });
	});
	test('ends when the execution is canceled', async () => {
		await withClient(inTurn(draft(PENDING)), async (service, { requests }) => {
			const limits = { limitMs: 60_000, signal: AbortSignal.abort() };
			await thrownBy(waitForDocuments(service, 'ot_1', 'realEstate', limits));
			expect(requests).toHaveLength(1);
		});
	});
});
