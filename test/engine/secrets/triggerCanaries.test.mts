import { createRequire } from 'node:module';

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { createService } from '../../../nodes/SignAndClose/transport/client.ts';
import { emitRecordedEvents } from '../../../nodes/SignAndClose/trigger/missed/eventLog.ts';
import { parseTriggerParameters } from '../../../nodes/SignAndClose/trigger/parameters.ts';
import { checkSubscription } from '../../../nodes/SignAndClose/trigger/subscription/check.ts';
import { CANARIES, formsOf, textsIn } from '../../support/canaries/canaries.mts';
import {
	startEchoingService,
	type EchoingService,
	type Manner,
} from '../../support/canaries/echoingService.mts';
import { Search } from '../../support/canaries/search.mts';
import { createClosing } from '../../support/closing.mts';
import { listening, deliver, event, nextNumber } from '../../support/delivery.mts';
import { hookContext, runNode, triggerContext } from '../../support/engine.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import { credential as ofSandbox, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** The trigger at a service that repeats secrets: where n8n keeps or shows something, is none. */

useSandbox();
const search = new Search('the trigger, n8n-core');
const crypto = createRequire(import.meta.url)('node:crypto') as typeof import('node:crypto');
let service: EchoingService;
beforeAll(async () => {
	service = await startEchoingService(sandbox);
	search.readLog();
	jest
		.spyOn(crypto, 'randomBytes')
		.mockImplementation((() => Buffer.from(CANARIES.callbackSecret, 'base64url')) as never);
});
beforeEach(() => {
	service.manner = 'echo';
	search.logged.length = 0;
});
afterAll(async () => {
	search.write('trigger');
	await service.close();
});

const SECRETS = {
	apiKey: CANARIES.apiKey,
	webhookSigningSecret: CANARIES.signingSecret,
};
const credential = () => ofSandbox({ baseUrl: service.url, ...SECRETS });
/** What a delivery or its record repeats. */
const ECHO: IDataObject = {
	note: formsOf(CANARIES.apiKey),
	signing_key: CANARIES.signingSecret,
	borrowers: [{ ssn: CANARIES.socialSecurityNumber }],
	transaction_access_link: `https://sign.example.com/?token=${CANARIES.accessToken}`,
};
const MANNERS: Manner[] = [
	'refuse',
	'refuseWrites',
	'refuseAtLength',
	'complain',
	'page',
	'text',
	'redirect',
];
const log = () => search.logged.join('\n\n');

/** The trigger as n8n publishes it, through the echoing service. */
function hook(parameters: IDataObject = {}) {
	const path = `canaries-${nextNumber()}`;
	const options = {
		type: 'signAndCloseTrigger' as const,
		credential: credential(),
		parameters: listening({ events: ['transaction.created'], ...parameters }),
		// What follows an unpublishing, ten seconds later, is about no other test.
		node: { id: path },
	};
	const { context, methods, workflow } = hookContext(options, path);
	const memory = () => workflow.getStaticData('node', workflow.getNode('Tested')!) as IDataObject;
	return { options, context, methods, memory };
}

test.each(MANNERS)(
	'publishing and unpublishing, and the service answers with: %s',
	async (manner) => {
		const { options, context, methods, memory } = hook();
		const failures: unknown[] = [];
		const attempt = async (work: () => Promise<unknown>) =>
			await work().catch((error: unknown) => failures.push(error));
		service.manner = manner;
		await attempt(async () => await methods.create.call(context));
		service.manner = 'echo';
		await methods.create.call(context);
		service.manner = manner;
		await attempt(async () => await methods.create.call(context));
		// Something has to be repaired.
		for (const webhook of sandbox.world.webhooks.values()) webhook.enabled = false;
		const trigger = triggerContext({ ...options, staticData: { 'node:Tested': { ...memory() } } });
		await checkSubscription(trigger, parseTriggerParameters(trigger));
		await attempt(async () => await methods.delete.call(context));
		expect(failures.length + search.logged.length).toBeGreaterThan(0);
		const leaks = search.leaks({
			errors: `${textsIn(failures, ['parameters'])}\n\n${JSON.stringify(failures)}`,
			log: log(),
			'static data': textsIn(memory()),
			'other host': service.elsewhere.join('\n\n'),
		});
		expect(leaks).toEqual([]);
	},
);

test('events that are kept while the workflow is not published, and those that are emitted', async () => {
	const { options, context, methods, memory } = hook({ confirm: true, output: 'raw' });
	await methods.create.call(context);
	await createClosing(credential());
	await sandbox.clock.settled();
	const [webhook] = [...sandbox.world.webhooks.values()].slice(-1);
	for (const record of webhook.events) {
		const payload = JSON.parse(String(record.payload)) as { data: object };
		record.payload = JSON.stringify({ ...payload, data: { ...payload.data, ...ECHO } });
	}
	const trigger = triggerContext({ ...options, staticData: { 'node:Tested': { ...memory() } } });
	const emitted: unknown[] = [];
	trigger.emit = (data: INodeExecutionData[][]) => emitted.push(data);
	const service = await createService(trigger);
	const settings = parseTriggerParameters(trigger);
	const look = { context: trigger, settings, service, handled: new Set<string>() };
	await emitRecordedEvents({ ...look, isClosed: () => false });
	await methods.delete.call(context);
	expect(emitted).toHaveLength(1);
	expect(memory().undelivered).toHaveLength(1);
	const { undelivered, ...rest } = memory();
	const leaks = search.leaks({
		outputs: textsIn([emitted, undelivered]),
		log: log(),
		'static data': textsIn(rest),
	});
	expect(leaks).toEqual([]);
});

test.each(['continueRegularOutput', 'stopWorkflow'] as const)(
	'a delivery with the secrets in its body and headers, its run, and On Error: %s',
	async (onError) => {
		await forEachCase([true, false], async (confirm) => {
			await forEachCase(['echo', ...MANNERS] as Manner[], async (manner) => {
				const call = {
					credential: { baseUrl: service.url, ...SECRETS },
					parameters: { output: 'raw', options: { confirm } },
					secret: CANARIES.callbackSecret,
					staticData: { secret: CANARIES.callbackSecret },
					headers: { 'x-original-url': `/webhook?key=${CANARIES.callbackSecret}` },
				};
				let delivered = await deliver(event(ECHO), call);
				// A busy machine may not be able to ask in time. The service repeats what is refused then.
				while (delivered.status === 503) delivered = await deliver(event(ECHO), call);
				const { item, status, error: refused } = delivered;
				expect({ item, status, refused }).toEqual({
					item: expect.anything(),
					status: 200,
					refused: undefined,
				});
				// n8n stores it before the run, and in queue mode until the run has ended.
				if (confirm) expect(search.leaks({ 'rest of the run': textsIn(item) })).toEqual([]);
				service.manner = manner;
				const { run, items, error } = await runNode({
					type: 'signAndCloseTrigger',
					credential: credential(),
					parameters: listening({ output: 'raw', options: { downloadDocuments: true } }),
					// As if the service knew the transaction.
					items: [{ json: { ...item!, ...(confirm && { confirmed: true }) } }],
					mode: 'webhook',
					node: { onError },
				});
				service.manner = 'echo';
				const leaks = search.leaks({
					outputs: textsIn(items),
					errors: `${textsIn(error, ['parameters'])}\n\n${JSON.stringify(error ?? {})}`,
					// Also what n8n keeps of a run that failed, to run it again.
					'rest of the run': textsIn(run, ['parameters', 'error', 'runData']),
					log: log(),
				});
				expect([confirm, manner, leaks]).toEqual([confirm, manner, []]);
			});
		});
	},
);
