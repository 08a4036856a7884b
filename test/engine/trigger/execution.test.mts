import { describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { completedClosing } from '../../support/closing.mts';
import { CONFIRMING, listening, deliver, event, runOf } from '../../support/delivery.mts';
import { readFile, runNode } from '../../support/engine.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** What the execution adds to an event: the transaction and its files. */

useSandbox();

describe('an execution', () => {
	test('retrieves the transaction if the delivery has none, and leaves it out if it is not wanted', async () => {
		const transactionId = await completedClosing(sandbox, credential());
		const { item } = await deliver(event({ transaction_id: transactionId }));
		expect(item!.transaction).toBeUndefined();
		const { items } = await runOf([{ json: item! }], CONFIRMING);
		expect(items[0].json).toMatchObject({
			notarization_record_id: expect.stringMatching(/^me_/),
			transaction: {
				detailed_status: 'complete',
				documents: [
					{ document_name: 'eSign Consent Form - Signer 1' },
					{ document_name: 'Deed of Trust' },
				],
			},
		});
		const other = await completedClosing(sandbox, credential());
		const confirmed = await deliver(event({ transaction_id: other }), { parameters: CONFIRMING });
		expect(confirmed.item!.transaction).toBeDefined();
		expect((await runOf([{ json: confirmed.item! }])).items[0].json.transaction).toBeUndefined();
	});
	test('opens the credential only for what is missing: the transaction, its files, secrets to hide', async () => {
		const transactionId = await completedClosing(sandbox, credential());
		// An event that may come more than once.
		const received = () => event({ transaction_id: transactionId }, 'transaction.sent');
		const delivered = await deliver(received());
		const confirmed = await deliver(received(), { parameters: CONFIRMING });
		const opened = async (item: IDataObject, parameters: IDataObject = {}) => {
			let count = 0;
			const key = credential();
			const { items } = await runNode({
				type: 'signAndCloseTrigger',
				credential: () => (count++, key),
				parameters: listening(parameters),
				items: [{ json: item }],
				mode: 'webhook',
			});
			expect(items).toHaveLength(1);
			return count;
		};
		expect(await opened({ ...confirmed.item!, delivery_key: 'a' })).toBe(0);
		expect(
			await opened(
				{ ...confirmed.item!, delivery_key: 'b' },
				{ options: { downloadDocuments: true } },
			),
		).toBe(1);
		expect(await opened({ ...delivered.item!, delivery_key: 'c' })).toBe(1);
		expect(await opened({ ...delivered.item!, delivery_key: 'd' })).toBe(1);
	});
	test('adds the finished documents as files', async () => {
		const transactionId = await completedClosing(sandbox, credential());
		const { item } = await deliver(event({ transaction_id: transactionId }));
		const { items } = await runOf([{ json: item! }], { options: { downloadDocuments: true } });
		const file = items[0].binary!.document_2;
		expect(
			Object.values(items[0].binary!).map(({ fileName, mimeType }) => [fileName, mimeType]),
		).toEqual([
			['eSign Consent Form - Signer 1.pdf', 'application/pdf'],
			['Deed of Trust.pdf', 'application/pdf'],
		]);
		expect(
			(await readFile(file)).equals(
				sandbox.world.transactions.get(transactionId)!.documents[1].final!,
			),
		).toBe(true);
	});
	test('does not look for a transaction that was deleted', async () => {
		const { item } = await deliver(event({ transaction_id: 'ot_gone' }, 'transaction.deleted'));
		expect((await runOf([{ json: item! }])).items[0].json).toMatchObject({
			event: 'transaction.deleted',
			transaction_id: 'ot_gone',
		});
	});
});
