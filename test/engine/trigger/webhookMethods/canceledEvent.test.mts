import { nextNumber } from '../../../support/delivery.mts';
import { hookContext } from '../../../support/engine.mts';
import { storedMemory } from '../../../support/live/webhooks.mts';
import { credential, sandbox, useSandbox } from '../../../support/useSandbox.mts';

/** `transaction.canceled`, which older services don't have (docs/service/webhooks.md#events-of-transactions). */

useSandbox();

const CANCELED = 'transaction.canceled';
const ATTENTION = ['group:attention'];

afterEach(() => {
	sandbox.world.settings.canceledEvent = 'offered';
	jest.restoreAllMocks();
});

/** Publishes a trigger. Returns what the service is asked to call it for, and what the log says. */
async function publish(events: string[]) {
	const node = { id: `canceled-${nextNumber()}` };
	const options = { credential: credential(), parameters: { events }, node };
	const { context, methods } = hookContext(options, node.id);
	const warn = jest.spyOn(context.logger, 'warn').mockImplementation(() => undefined);
	await methods.create.call(context);
	const [{ id, subscriptions }] = [...sandbox.world.webhooks.values()];
	expect(storedMemory(context)).toMatchObject({ webhookId: id, events: subscriptions });
	return { context, methods, subscriptions, warned: warn.mock.calls.map(([text]) => String(text)) };
}

test.each([
	['offered', true],
	['refused', false],
	['unlisted', false],
] as const)('where it is %s, it is subscribed to: %s', async (canceledEvent, expected) => {
	sandbox.world.settings.canceledEvent = canceledEvent;
	const { subscriptions, warned } = await publish(ATTENTION);
	expect(subscriptions.includes(CANCELED)).toBe(expected);
	expect(subscriptions).toContain('transaction.declined');
	expect(warned.some((text) => text.includes(`refuses the event ${CANCELED}`))).toBe(
		canceledEvent === 'refused',
	);
});

test('a wildcard brings it, whatever the service lists', async () => {
	sandbox.world.settings.canceledEvent = 'unlisted';
	expect((await publish(['transaction.*'])).subscriptions).toEqual(['transaction.*']);
});

test('without a list of events, a group leaves it out', async () => {
	sandbox.faults.add({ method: 'GET', path: /subscriptions$/, status: 404, times: Infinity });
	const { subscriptions } = await publish(ATTENTION);
	expect(subscriptions).toContain('transaction.declined');
	expect(subscriptions).not.toContain(CANCELED);
});

test('a service that refuses it after an update of n8n keeps its webhook, and the log says so', async () => {
	const { context, methods } = await publish(ATTENTION);
	sandbox.world.settings.canceledEvent = 'refused';
	const warn = jest.spyOn(context.logger, 'warn').mockImplementation(() => undefined);
	// Published again while it stands, as after a start of n8n, with a webhook that somebody changed.
	const [hook] = [...sandbox.world.webhooks.values()];
	hook.subscriptions = ['transaction.declined'];
	await methods.create.call(context);
	const [after, ...others] = [...sandbox.world.webhooks.values()];
	expect([after.id, others]).toEqual([hook.id, []]);
	expect(after.subscriptions).not.toContain(CANCELED);
	expect(after.subscriptions).toContain('transaction.expired');
	expect(warn.mock.calls.join()).toContain(`refuses the event ${CANCELED}`);
});

test('chosen alone, a refusal stays one, with its remedy', async () => {
	sandbox.world.settings.canceledEvent = 'refused';
	await expect(publish([CANCELED])).rejects.toMatchObject({
		description: expect.stringMatching(/that this service offers/),
	});
	sandbox.world.settings.canceledEvent = 'unlisted';
	await expect(publish([CANCELED])).rejects.toThrow(/which the service doesn't offer/);
});
