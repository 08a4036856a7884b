import type { IDataObject } from 'n8n-workflow';

import { id } from '../../support/closing.mts';
import { runNode, useBinaryMode, type RunOptions } from '../../support/engine.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import { liveRecord, liveWebhook, signingStatus } from '../../support/live/answers.mts';
import { withService, type Answer, type Script } from '../../support/live/service.mts';
import { hints } from '../../support/operations.mts';

/** Webhooks and event records as live services answer them. */

beforeAll(async () => await useBinaryMode('filesystem'));

const WEBHOOK = 'wh1a2b3c4';

/** Runs an operation on the webhook against a service that follows the script. */
const runOn = async (
	script: Script,
	operation: string,
	more: IDataObject = {},
	options: Partial<RunOptions> = {},
) =>
	await withService(script, async ({ credential, requests, bodies }) => ({
		...(await runNode({
			credential,
			parameters: { resource: 'webhook', operation, webhookId: id(WEBHOOK), ...more },
			...options,
		})),
		requests,
		bodies,
	}));

describe('event records', () => {
	const LIST = { returnAll: true, filters: {} };
	const records = (list: IDataObject[]): Script => {
		return ({ path }) => (path.endsWith('/events') ? { body: list } : undefined);
	};
	test('Get Missed Events: a code that is text counts, and signers have their IDs', async () => {
		const list = [
			liveRecord('transaction.partially_completed', signingStatus(), { code: '502' }),
			liveRecord(
				'transaction.sent',
				{ event: 'transaction.sent', data: { transaction_id: 'ot_2' } },
				{
					code: '200',
				},
			),
		];
		const { items, error } = await runOn(records(list), 'getMissedEvents', LIST);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json)).toEqual([
			expect.objectContaining({
				event: 'transaction.partially_completed',
				transaction_id: 'ot_od4kenk',
				data: expect.objectContaining({
					signers: [expect.objectContaining({ signer_id: 'oc_q7dj34n' })],
				}),
			}),
		]);
	});
});

/** A service with one webhook, which takes updates and shows them. */
function holding(webhook: IDataObject, more: { updated?: Answer } = {}): Script {
	let now = webhook;
	return ({ method, path, body }) => {
		if (method === 'PUT') {
			now = { ...now, ...(body as IDataObject) };
			return more.updated ?? { body: { updated: true } };
		}
		return path.endsWith('/webhooks') ? { body: [now] } : { body: now };
	};
}

describe('what an output shows', () => {
	const trigger = `https://n8n.example.com/webhook/1/events?key=${'Ab-_'.repeat(10)}Xyz`;
	test.each(['get', 'getAll', 'update'])(
		'%s: a header that is not there, without the secret of a trigger or of OAuth',
		async (operation) => {
			const webhook = liveWebhook({ url: trigger, signing_key: 'sesame-1', later: { kept: true } });
			const { items, error } = await runOn(holding(webhook), operation, {
				updateFields: { events: ['transaction.sent'] },
				returnAll: true,
			});
			expect(error).toBeUndefined();
			expect(items[0].json).toMatchObject({
				webhook_id: WEBHOOK,
				url: 'https://n8n.example.com/webhook/1/events?key=***',
				header: '',
				headers: [],
				later: { kept: true },
			});
			expect(JSON.stringify(items)).not.toMatch(/Ab-_|sesame/);
		},
	);
	test('the values of headers are hidden, in each form', async () => {
		const headers = ['X-Case:sesame-1', { name: 'X-Team', value: 'sesame-2' }];
		const webhook = liveWebhook({ header: 'X-Case:sesame-1', headers: headers as never });
		const { items } = await runOn(holding(webhook), 'get');
		expect(items[0].json).toMatchObject({
			header: 'X-Case: ***',
			headers: ['X-Case: ***', 'X-Team: ***'],
		});
	});
	test('a URL whose secret is hidden is not sent back', async () => {
		const { error, requests } = await runOn(holding(liveWebhook()), 'update', {
			updateFields: { url: 'https://n8n.example.com/webhook/1/events?key=***' },
		});
		expect(error?.message).toMatch(/'URL'.*hidden/);
		expect(requests).toEqual([]);
	});
});

describe('Update', () => {
	const update = { updateFields: { events: ['transaction.sent'] } };
	test('sends back everything that it has read and that the service takes', async () => {
		const { bodies, error } = await runOn(
			holding(
				liveWebhook({
					header: 'X-Case:1',
					headers: ['X-Case:1', { name: 'X-Team', value: '2' }] as never,
					request_id_header_name: 'X-Trace',
				}),
			),
			'update',
			update,
		);
		expect(error).toBeUndefined();
		expect(bodies('PUT')).toEqual([
			{
				url: 'https://files.example.com/events',
				subscriptions: ['transaction.sent'],
				headers: ['X-Case:1', 'X-Team:2'],
				request_id_header_name: 'X-Trace',
			},
		]);
	});
	test('a webhook with OAuth is left alone, until its secret is entered again', async () => {
		const webhook = liveWebhook({
			oauth: { enabled: true, token_url: 'https://idp.example.com/token', client_id: 'closings' },
		});
		const refused = await runOn(holding(webhook), 'update', update);
		expect(refused.error?.message).toMatch(/OAuth/);
		expect(refused.error?.description).toMatch(/'OAuth Client Secret'/);
		expect(refused.bodies('PUT')).toEqual([]);
		const { bodies, error } = await runOn(holding(webhook), 'update', {
			updateFields: {
				...update.updateFields,
				oauth_url: 'https://idp.example.com/token',
				oauth_client_id: 'closings',
				oauth_client_secret: 'sesame-3',
			},
		});
		expect(error).toBeUndefined();
		expect(bodies('PUT')).toMatchObject([
			{
				oauth_config: {
					oauth_token_url: 'https://idp.example.com/token',
					client_id: 'closings',
					client_secret: 'sesame-3',
				},
			},
		]);
	});
	test("a trigger's webhook keeps its signing key, which isn't the secret of its URL", async () => {
		const secret = 's'.repeat(43);
		const url = `https://n8n.example.com/webhook/1/events?key=${secret}`;
		const outcome = await runOn(holding(liveWebhook({ url })), 'update', update);
		expect(outcome.bodies('PUT')).toMatchObject([{ url }]);
		expect(outcome.bodies('PUT')[0]).not.toHaveProperty('signing_key');
		expect(hints(outcome)).toBe('');
	});
	test('a webhook that is not shown whole is not written', async () => {
		const { error, bodies } = await runOn(holding({ id: WEBHOOK }), 'update', update);
		expect(error?.message).toMatch(/'URL'/);
		expect(bodies('PUT')).toEqual([]);
	});
	test('shows what the service made of a change, without what is secret', async () => {
		const before = liveWebhook({ headers: ['X-Case:1'] });
		const after = liveWebhook({ subscriptions: ['transaction.*'], headers: ['X-Other:1'] });
		let written = false;
		const outcome = await runOn(
			(request) => {
				written ||= request.method === 'PUT';
				return request.method === 'PUT' ? { body: '' } : holding(written ? after : before)(request);
			},
			'update',
			{
				updateFields: {
					...update.updateFields,
					headers: { row: [{ name: 'X-Case', value: 'sesame-7' }] },
				},
			},
		);
		expect(outcome.error).toBeUndefined();
		expect(hints(outcome)).toMatch(
			`Event Names or IDs': sent '["transaction.sent"]', the service shows '["transaction.*"]'. 'Headers': sent '["X-Case: ***"]', the service shows '["X-Other: ***"]'`,
		);
		expect(JSON.stringify(outcome.run)).not.toContain('sesame-7');
	});
});

describe('Create', () => {
	const create = { url: 'https://files.example.com/events', events: ['transaction.sent'] };
	/** A service that creates, or does not, and answers neither time with the webhook. */
	const silent = (list: (made: boolean) => unknown, answer: Answer = { body: '' }): Script => {
		let made = false;
		return ({ method }) => {
			made ||= method === 'POST';
			return method === 'POST' ? answer : { body: list(made) };
		};
	};
	const newer = liveWebhook({ id: 'whnewer', subscriptions: ['transaction.sent'] });
	test('whose answer is lost is not sent by a later try, whatever there is', async () => {
		await forEachCase([[], [newer]], async (after) => {
			const { bodies } = await runOn(
				silent((made) => (made ? after : []), { status: 502 }),
				'create',
				create,
				{ node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 } },
			);
			expect(bodies('POST')).toHaveLength(1);
		});
	});
	test('adds events that are not in the list to those that are', async () => {
		const script: Script = ({ method, body }) =>
			method === 'POST' ? { body: liveWebhook(body as IDataObject) } : { body: [] };
		const { bodies } = await runOn(script, 'create', {
			...create,
			additionalFields: { other_events: ' transaction.archived,transaction.sent, ,notary.moved' },
		});
		expect(bodies('POST')).toMatchObject([
			{ subscriptions: ['transaction.sent', 'transaction.archived', 'notary.moved'] },
		]);
	});
	test('sends OAuth and the header of the request ID', async () => {
		const script: Script = ({ method, body }) =>
			method === 'POST' ? { body: liveWebhook(body as IDataObject) } : { body: [] };
		const oauth = {
			oauth_url: 'https://idp.example.com/token',
			oauth_client_id: 'closings',
			oauth_client_secret: 'sesame-6',
		};
		const { bodies, items } = await runOn(script, 'create', {
			...create,
			additionalFields: { ...oauth, request_id_header_name: 'X-Trace' },
		});
		expect(bodies('POST')).toMatchObject([
			{
				request_id_header_name: 'X-Trace',
				oauth_config: {
					oauth_token_url: oauth.oauth_url,
					client_id: 'closings',
					client_secret: 'sesame-6',
				},
			},
		]);
		expect(JSON.stringify(items)).not.toContain('sesame-6');
		const { error, requests } = await runOn(script, 'create', {
			...create,
			additionalFields: { oauth_client_id: 'closings' },
		});
		expect(error?.description).toMatch(
			/'OAuth Token URL' is empty.*'OAuth Client Secret' is empty/s,
		);
		expect(requests).toEqual([]);
	});
});

describe('Delete', () => {
	/** A service that answers a deletion, and then lists its webhooks. */
	const answering = (answer: Answer, list: unknown): Script => {
		return ({ method }) => (method === 'DELETE' ? answer : { body: list });
	};
	test('is done when the service says so, or no longer lists the webhook', async () => {
		await forEachCase(
			[
				[{ body: { deleted: true } }, undefined],
				[{ body: '' }, []],
				[{ status: 502 }, ['wh2']],
			] as const,
			async ([answer, list]) => {
				const { items, error } = await runOn(answering(answer, list), 'delete');
				expect(error).toBeUndefined();
				expect(items[0].json).toEqual({ deleted: true, webhook_id: WEBHOOK });
			},
		);
	});
});
