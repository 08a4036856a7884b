import type { ICredentialDataDecryptedObject, INode } from 'n8n-workflow';

import { createService } from '../../../../nodes/SignAndClose/transport/client.ts';
import {
	confirmEvent,
	confirmDelivery,
} from '../../../../nodes/SignAndClose/trigger/delivery/confirmation.ts';
import { listening, nextNumber } from '../../../support/delivery.mts';
import { accounts, webhookContext } from '../../../support/engine.mts';
import { liveClosing } from '../../../support/live/answers.mts';
import { withService, type Answer } from '../../../support/live/service.mts';

/** The question about an event to the service: what it asks, and what each answer means. */

beforeEach(() => accounts.clear());

const PATH = '/mortgage/v2/transactions/ot_od4kenk';
const closing = (more = {}) =>
	liveClosing([], { status: 'sent', detailed_status: 'open', ...more });
/** An event of long ago, so that the service's answer doesn't lag behind it. */
const delivery = (event = 'transaction.sent', occurred = '2026-01-02T03:04:05Z') => ({
	event,
	transactionId: 'ot_od4kenk',
	occurred,
	data: {},
	key: `question-${nextNumber()}`,
});
const justNow = () => new Date().toISOString();
/** A node's reference to a credential that no test has used before. */
const freshCredential = (): INode['credentials'] => ({
	signAndCloseApi: { id: `credential-${nextNumber()}`, name: 'Test' },
});
/** A delivery's context for a node with this credential, and how often it was read. */
function contextOf(credential: ICredentialDataDecryptedObject, credentials = freshCredential()) {
	const options = { credential, parameters: listening(), node: { credentials } };
	const { context } = webhookContext({ type: 'signAndCloseTrigger', ...options }, {}, {});
	return { context, reads: jest.spyOn(context, 'getCredentials').mock.calls };
}
/** What a delivery is told. */
const answerTo = async (...given: Parameters<typeof confirmDelivery>) =>
	(await confirmDelivery(...given)).confirmation;
/** Runs `work` without the pauses of repeats. */
async function withoutPauses<T>(work: () => Promise<T>): Promise<T> {
	const { setTimeout: wait } = globalThis;
	const spy = jest
		.spyOn(globalThis, 'setTimeout')
		.mockImplementation(((call: () => void, ms = 0) =>
			wait(call, ms >= 100 && ms <= 5_000 ? 0 : ms)) as never);
	try {
		return await work();
	} finally {
		spy.mockRestore();
	}
}
/** Asks a service that always gives this answer, and says what it was asked. */
const asked = async (event: string, answer: Answer, { signed = false, occurred = '' } = {}) =>
	await withService(
		() => answer,
		async ({ credential, requests }) => ({
			confirmation: await withoutPauses(
				async () =>
					await answerTo(
						contextOf(credential).context,
						delivery(event, occurred || undefined),
						signed,
					),
			),
			paths: requests.map(({ path }) => path),
		}),
	);

describe('an answer with the transaction confirms the event', () => {
	test.each([
		['transaction.sent', false],
		['transaction.created', true],
		['transaction.document.upload', undefined],
	])('%s; outdated: %s', async (event, outdated) => {
		const signed = event === 'transaction.document.upload';
		expect(await asked(event, { body: closing() }, { signed })).toEqual({
			confirmation: {
				kind: 'confirmed',
				transaction: closing(),
				...(outdated !== undefined && { outdated }),
			},
			paths: [PATH],
		});
	});
});

describe('without the transaction', () => {
	test.each([
		[400, 'unconfirmed', 'unconfirmed'],
		// A refused key says nothing about the event.
		[401, 'later', 'later'],
		[403, 'later', 'later'],
		[404, 'unconfirmed', 'confirmed'],
		[409, 'later', 'later'],
		[422, 'unconfirmed', 'unconfirmed'],
		[500, 'later', 'later'],
	])('%i: a completed one is %s, a deleted one %s', async (status, completed, deleted) => {
		const answer = { status, body: { errors: ['No'] } };
		const kindOf = async (event: string) =>
			(await asked(event, answer, { signed: true })).confirmation.kind;
		expect(await kindOf('transaction.completed')).toBe(completed);
		expect(await kindOf('transaction.deleted')).toBe(deleted);
	});
	const gone = { status: 404, body: { errors: ['Not Found'] } };
	test('a deleted one that is gone is confirmed with nothing else, if nobody else can have sent it', async () => {
		expect((await asked('transaction.deleted', gone, { signed: true })).confirmation).toEqual({
			kind: 'confirmed',
		});
		expect((await asked('transaction.deleted', gone)).confirmation).toEqual({
			kind: 'unconfirmed',
			reason: expect.stringMatching(/unsigned event/),
		});
	});
	test('one without a date is waited for ten minutes from its first delivery', async () => {
		await withService(
			() => gone,
			async ({ credential }) => {
				const { context } = contextOf(credential);
				const undated = { ...delivery(), occurred: undefined };
				const began = Date.now();
				const kindAfter = async (minutes: number) => {
					const now = jest.spyOn(Date, 'now').mockReturnValue(began + minutes * 60_000);
					const { kind } = await answerTo(context, undated);
					now.mockRestore();
					return kind;
				};
				expect([await kindAfter(0), await kindAfter(9.9), await kindAfter(10.1)]).toEqual([
					'later',
					'later',
					'unconfirmed',
				]);
			},
		);
	});
	test('of the key of a business account, which real estate refuses, is gone where business says so', async () => {
		await withService(
			({ path }) =>
				path.startsWith('/mortgage') ? { status: 401, body: { errors: ['No'] } } : gone,
			async ({ credential }) => {
				const { context } = contextOf(credential);
				expect(await answerTo(context, delivery('transaction.deleted'), true)).toEqual({
					kind: 'confirmed',
				});
				expect((await answerTo(context, delivery())).kind).toBe('unconfirmed');
			},
		);
	});
	test('the reason has no key of the credential', async () => {
		const answer = { status: 422, body: { errors: ['bad demo-full-access-key'] } };
		const { confirmation } = await asked('transaction.completed', answer);
		expect(JSON.stringify(confirmation)).not.toContain('demo-full-access-key');
	});
	test('a service that can not be reached is asked later', async () => {
		const gone = await withService(
			() => undefined,
			async ({ credential }) => await Promise.resolve(credential),
		);
		const { context } = contextOf(gone);
		expect(await withoutPauses(async () => await answerTo(context, delivery()))).toMatchObject({
			kind: 'later',
			reason: expect.stringMatching(/^Nothing answers at/),
		});
	});
	test('an event of no transaction asks nothing', async () => {
		await withService(
			() => undefined,
			async ({ credential, requests }) => {
				const { context } = contextOf(credential);
				expect(await answerTo(context, { event: 'notary.created', data: {}, key: 'k' })).toEqual({
					kind: 'unconfirmed',
					reason: 'The event has no transaction',
				});
				expect(requests).toEqual([]);
			},
		);
	});
});

describe('an event that the transaction contradicts', () => {
	test.each([
		['transaction.completed', "The transaction has the status 'sent'"],
		['transaction.deleted', 'The service still has the transaction'],
	])('%s: for some minutes the answer may lag, then it is not confirmed', async (event, reason) => {
		const answer = { body: closing() };
		expect((await asked(event, answer, { occurred: justNow() })).confirmation).toEqual({
			kind: 'later',
			reason,
		});
		expect((await asked(event, answer)).confirmation).toEqual({
			kind: 'unconfirmed',
			reason,
			transaction: closing(),
		});
	});
	test('is confirmed as soon as the service shows it', async () => {
		let status = 'sent';
		await withService(
			() => ({ body: closing({ status, detailed_status: status }) }),
			async ({ credential }) => {
				const { context } = contextOf(credential);
				const completed = delivery('transaction.completed', justNow());
				expect((await answerTo(context, completed)).kind).toBe('later');
				status = 'completed';
				expect(await answerTo(context, completed)).toMatchObject({
					kind: 'confirmed',
					outdated: false,
				});
			},
		);
	});
});

describe('an unavailable service is asked', () => {
	test('twice while a delivery waits for its answer, and five times from the event records', async () => {
		await withService(
			() => ({ status: 503, body: closing() }),
			async ({ credential, requests }) => {
				const { context } = contextOf(credential);
				const { kind } = await withoutPauses(async () => await answerTo(context, delivery()));
				expect(kind).toBe('later');
				expect(requests).toHaveLength(2);
				const service = await createService(context);
				await withoutPauses(async () => await confirmEvent(service, delivery()));
				expect(requests).toHaveLength(7);
			},
		);
	});
});
