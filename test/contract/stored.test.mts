import { buildStableReference } from '../../nodes/SignAndClose/resources/transaction/createAndSend/itemDocuments.ts';
import { isOwnReference } from '../../nodes/SignAndClose/values/reference.ts';
import { startSandbox } from '../../sandbox/index.mts';
import { credentialFor, hookContext } from '../support/engine.mts';
import {
	lostFrom,
	storedNow,
	storedPage,
	storedRecorded,
} from '../../scripts/generated/storedInterface.mts';
import { expectUpToDate } from '../support/expectUpToDate.mts';
import { storedMemory } from '../support/live/webhooks.mts';

/**
 * What is stored outside of the node: in saved workflows and credentials, in n8n's memory of a
 * trigger, and in the service. From 1.0.0 on, what is here stays readable.
 */

const sandbox = await startSandbox();
afterAll(async () => await sandbox.close());

test('nothing that a saved workflow or credential can hold is gone or has another default', async () => {
	expect(lostFrom(await storedRecorded(), storedNow())).toEqual([]);
});
test('what has come to it is recorded', async () => {
	const { now, text } = await storedPage();
	expectUpToDate(now, text);
});
test('what is gone, has another default or lacks a choice is noticed', () => {
	const of = (key: string, ...values: string[]) => [key, new Set<unknown>(values)] as const;
	const recorded = new Map([of('gone'), of('kept', 'a'), of('less', 'a', 'b')]);
	expect(lostFrom(recorded, new Map([of('kept', 'a', 'c'), of('less', 'b')]))).toEqual([
		'gone',
		'less: ["a"]',
	]);
});

test('a published trigger remembers its webhook under the same names', async () => {
	const { context, methods } = hookContext(
		{
			type: 'signAndCloseTrigger',
			credential: credentialFor(sandbox.url),
			parameters: { events: ['transaction.completed'] },
		},
		'production',
	);
	await methods.create.call(context);
	const [webhook] = sandbox.world.webhooks.values();
	expect(storedMemory(context)).toMatchObject({
		webhookId: webhook.id,
		callback: webhook.url,
		secret: expect.any(String),
		signingKey: expect.any(String),
		events: expect.any(Array),
		signatureHeader: expect.any(String),
		owner: { instanceId: expect.any(String), workflowId: expect.any(String) },
		account: { key: expect.any(String), organization: expect.any(String) },
		seenUntil: expect.any(Number),
		beganAt: expect.any(Number),
	});
	await methods.delete.call(context);
});

test('a draft that this version has begun is gone on with: its documents keep their references', () => {
	const planned = { digest: 'ab'.repeat(32), before: 0 };
	const place = { signer_identifier: 'signer-1', type: 'signature', page_number: 0, x: 1, y: 2 };
	const wanted = { planned, wish: { signing_designations: [place], witness_required: true } };
	expect(
		buildStableReference(wanted as unknown as Parameters<typeof buildStableReference>[0]),
	).toBe('n8n-s-000000-ababababababab-556091a2-8664');
	// Those of earlier versions are known by the files of the documents.
	expect(isOwnReference('n8n-c56df2fd-f978-d573-0666-deef47d8ddca')).toBe(true);
});
