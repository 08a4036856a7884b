import { describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { listening, deliver, event, runOf, SECRET, SIGNING_KEY } from '../../support/delivery.mts';
import { readFile, runNode } from '../../support/engine.mts';
import {
	liveBusinessDocument,
	liveClosing,
	liveDocument,
	signingStatus,
} from '../../support/live/answers.mts';
import { withService } from '../../support/live/service.mts';
import { useSandbox } from '../../support/useSandbox.mts';

/** Deliveries as live services send them, and what the trigger gives for them. */

useSandbox();

describe('a delivery of a live service', () => {
	test('tells who has signed, by the signer IDs of the service', async () => {
		const name = 'transaction.partially_completed';
		for (const data of [signingStatus(), JSON.stringify(signingStatus())]) {
			const { item } = await deliver({ event: name, data });
			expect(item).toMatchObject({ event: name, transaction_id: 'ot_od4kenk' });
			expect((item!.data as typeof data & { signers: unknown }).signers).toMatchObject([
				{ signer_id: 'oc_q7dj34n', external_id: 'borrower-1', signing_status: 'complete' },
			]);
		}
	});
	test('of the older singular name starts a workflow that waits for the plural', async () => {
		const { item } = await deliver(event({}, 'transaction.completed_with_rejection'), {
			parameters: { events: ['transaction.completed_with_rejections'] },
		});
		expect(item?.event).toBe('transaction.completed_with_rejections');
	});
	test('has its request ID in the output, from the header that the webhook names', async () => {
		const usual = await deliver(event(), { headers: { 'X-Request-Id': 'req-1' } });
		expect(usual.item?.delivery).toMatchObject({ by: 'delivery', request_id: 'req-1' });
		const named = await deliver(event(), {
			headers: { 'X-Trace': 'req-2', 'X-Request-Id': 'of a proxy' },
			staticData: { secret: SECRET, signingKey: SIGNING_KEY, requestIdHeader: 'x-trace' },
		});
		expect(named.item?.delivery).toMatchObject({ request_id: 'req-2' });
		const { items } = await runOf([{ json: named.item! }]);
		expect(items[0].json.delivery).toMatchObject({ request_id: 'req-2' });
		expect((await deliver(event())).item?.delivery).not.toHaveProperty('request_id');
	});
});

test('an event that is not selected gets 200 and starts nothing; one of "Other Events" passes', async () => {
	expect(await deliver(event(), { parameters: { events: ['transaction.sent'] } })).toMatchObject({
		status: 200,
		item: undefined,
	});
	expect(
		(
			await deliver(event({}, 'transaction.archived'), {
				parameters: { events: [], options: { otherEvents: [' transaction.archived '] } },
			})
		).item,
	).toBeDefined();
});

describe('the finished documents of an event', () => {
	const PDF = Buffer.from('%PDF-1.7\n%%EOF\n');
	/** Runs the trigger for a completed transaction with these documents. */
	const runFor = async (documents: IDataObject[], link: string | null) =>
		await withService(
			({ path, headers }) => {
				const url = `http://${headers.host}/file`;
				if (path === '/file') return { body: PDF };
				if (path.includes('/documents/'))
					return { body: liveDocument({ final_document_url: link && url }) };
				const complete = { status: 'completed', detailed_status: 'complete' };
				return { body: liveClosing(documents, complete) };
			},
			async ({ credential }) =>
				await runNode({
					type: 'signAndCloseTrigger',
					credential,
					parameters: listening({ options: { downloadDocuments: true } }),
					items: [{ json: event({ transaction_id: 'ot_od4kenk' }).data }],
					mode: 'manual',
				}),
		);
	test('are found where the transaction shows no links, as on business', async () => {
		const { items, error } = await runFor(
			[liveBusinessDocument({ completion_state: 'complete' })],
			'given',
		);
		expect(error).toBeUndefined();
		expect(await readFile(items[0].binary!.document_1)).toEqual(PDF);
	});
});
