import { createClosing, id } from '../../support/closing.mts';
import { attempt, run } from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Webhook: Get Events. */

useSandbox();

describe('webhook events', () => {
	test('failed deliveries of one event, with the transaction at top level and the payload as an object', async () => {
		const hook = await run({
			resource: 'webhook',
			operation: 'create',
			url: `${sandbox.url}/samples/nothing`,
			events: ['*'],
			additionalFields: {},
		});
		const transactionId = await createClosing(credential());
		await sandbox.clock.settled();
		const get = {
			resource: 'webhook',
			operation: 'getEvents',
			webhookId: id(String(hook.json.webhook_id)),
			returnAll: true,
		};
		const { items } = await run({
			...get,
			filters: { failedOnly: true, events: ['transaction.created'], after: '2020-01-01T00:00:00' },
		});
		expect(items.map(({ json }) => json)).toEqual([
			expect.objectContaining({
				event: 'transaction.created',
				transaction_id: transactionId,
				delivered_successfully: false,
				payload: expect.objectContaining({ event: 'transaction.created' }),
			}),
		]);
		expect((await run({ ...get, filters: { before: '2020-01-01T00:00:00' } })).items).toEqual([]);
	});
});

describe('the filter Events', () => {
	test('takes wildcards, and a text instead of a list', async () => {
		const hook = await run({
			resource: 'webhook',
			operation: 'create',
			url: `${sandbox.url}/samples/nothing`,
			events: ['*'],
			additionalFields: {},
		});
		await createClosing(credential());
		await sandbox.clock.settled();
		const get = async (events: unknown) =>
			(
				await attempt({
					resource: 'webhook',
					operation: 'getEvents',
					webhookId: id(String(hook.json.webhook_id)),
					returnAll: true,
					filters: { events } as never,
				})
			).items.length;
		expect(await get(['*'])).toBe(1);
		expect(await get(['transaction.*'])).toBe(1);
		expect(await get('={{ "transaction.created" }}')).toBe(1);
		expect(await get('={{ "transaction.sent" }}')).toBe(0);
	});
});
