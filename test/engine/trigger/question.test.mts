import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { ICredentialDataDecryptedObject, INode } from 'n8n-workflow';

import { createService } from '../../../nodes/SignAndClose/service/client.ts';
import {
	confirm,
	confirmDelivery,
} from '../../../nodes/SignAndClose/trigger/authenticity/confirmation.ts';
import { ANY, nextNumber } from '../../support/delivery.mts';
import { credentialFor, paces, webhookContext } from '../../support/engine.mts';
import { liveClosing } from '../../support/live/answers.mts';
import { withService, type Answer } from '../../support/live/service.mts';

/** The question about an event to the service: what it asks, and what each answer means. */

beforeEach(() => paces.clear());

const PATH = '/mortgage/v2/transactions/ot_od4kenk';
const closing = (more = {}) =>
	liveClosing([], { status: 'sent', detailed_status: 'open', ...more });
const delivery = (event = 'transaction.completed') => ({
	event,
	transactionId: 'ot_od4kenk',
	data: {},
	key: `question-${nextNumber()}`,
});
/** A node's reference to a credential that no test has used before. */
const freshCredential = (): INode['credentials'] => ({
	signAndCloseApi: { id: `credential-${nextNumber()}`, name: 'Test' },
});
/** A delivery's context for a node with this credential, and how often it was read. */
function contextOf(credential: ICredentialDataDecryptedObject, credentials = freshCredential()) {
	const options = { credential, parameters: ANY, node: { credentials } };
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
const asked = async (event: string, answer: Answer) =>
	await withService(
		() => answer,
		async ({ credential, requests }) => ({
			confirmation: await withoutPauses(
				async () => await answerTo(contextOf(credential).context, delivery(event)),
			),
			paths: requests.map(({ path }) => path),
		}),
	);

describe('an answer with the transaction confirms the event', () => {
	test.each([
		['transaction.sent', false],
		['transaction.created', true],
		['transaction.document.upload', undefined],
		// It was deleted, and is there again or still.
		['transaction.deleted', true],
	])('%s; outdated: %s', async (event, outdated) => {
		expect(await asked(event, { body: closing() })).toStrictEqual({
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
		[401, 'unconfirmed', 'unconfirmed'],
		[403, 'unconfirmed', 'unconfirmed'],
		[404, 'unconfirmed', 'confirmed'],
		[409, 'later', 'later'],
		[422, 'unconfirmed', 'unconfirmed'],
		[500, 'later', 'later'],
	])('%i: a completed one is %s, a deleted one %s', async (status, completed, deleted) => {
		const answer = { status, body: { errors: ['No'] } };
		const kindOf = async (event: string) => (await asked(event, answer)).confirmation.kind;
		expect(await kindOf('transaction.completed')).toBe(completed);
		expect(await kindOf('transaction.deleted')).toBe(deleted);
	});
	test('a deleted one that is gone is confirmed with nothing else', async () => {
		expect(
			(await asked('transaction.deleted', { status: 404, body: { errors: ['Not Found'] } }))
				.confirmation,
		).toStrictEqual({ kind: 'confirmed' });
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
		expect(await withoutPauses(async () => await answerTo(context, delivery()))).toStrictEqual({
			kind: 'later',
			reason: expect.stringMatching(/^The service refused the connection/),
		});
	});
	test('an event of no transaction asks nothing', async () => {
		await withService(
			() => undefined,
			async ({ credential, requests }) => {
				const { context } = contextOf(credential);
				expect(
					await answerTo(context, { event: 'notary.created', data: {}, key: 'k' }),
				).toStrictEqual({ kind: 'unconfirmed', reason: 'The event has no transaction' });
				expect(requests).toEqual([]);
			},
		);
	});
	test('an error that is none of the service says nothing about the event', async () => {
		const { context } = contextOf(credentialFor('http://127.0.0.1:9'));
		const service = await createService(context);
		const spy = jest.spyOn(service, 'json').mockRejectedValue(new TypeError('secret detail'));
		expect(await confirm(service, delivery())).toStrictEqual({
			kind: 'later',
			reason: "The service couldn't be asked",
		});
		spy.mockRestore();
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
				await withoutPauses(async () => await confirm(service, delivery()));
				expect(requests).toHaveLength(7);
			},
		);
	});
});

test('n8n opens the credential once for a question', async () => {
	await withService(
		() => ({ body: closing() }),
		async ({ credential }) => {
			const { context, reads } = contextOf(credential);
			expect((await answerTo(context, delivery())).kind).toBe('confirmed');
			expect(reads).toHaveLength(1);
		},
	);
});
