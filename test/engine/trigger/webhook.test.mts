import { createRequire } from 'node:module';

import { ExpressionError, type IDataObject } from 'n8n-workflow';

import { eventLogSignal } from '../../../nodes/SignAndClose/trigger/memory.ts';
import { signBody } from '../../../nodes/SignAndClose/trigger/authenticity.ts';
import { createClosing } from '../../support/closing.mts';
import {
	CONFIRMING,
	deliver,
	event,
	listening,
	SECRET,
	type Sent,
	SIGNING_KEY,
} from '../../support/delivery.mts';
import { webhookContext } from '../../support/engine.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import { signingStatus } from '../../support/live/answers.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Which calls the trigger accepts, how it answers them, and what it gives n8n for one. */

useSandbox();

const REQUIRED = { options: { signatureRequired: true } };
/** The service's key is known, so that the credential needn't be read. */
const KNOWN = { secret: SECRET, signingKey: SIGNING_KEY, signatureHeader: 'x-signature' };
const signed = (body: unknown, key: string, header = 'x-signature') => ({
	[header]: signBody(typeof body === 'string' ? body : JSON.stringify(body), key),
});
const statusOf = async (body: unknown, sent: Sent = {}) => (await deliver(body, sent)).status;
/** A refusal has been answered already. */
const refused = (status: number) => ({ status, said: '', item: undefined, error: undefined });
/** What the node writes into n8n's log meanwhile. */
async function loggedBy(work: () => Promise<void>): Promise<unknown[]> {
	const { context } = webhookContext({ credential: {}, parameters: {} }, {}, {});
	const warn = jest.spyOn(context.logger, 'warn');
	await work();
	const said = warn.mock.calls.map(([message]) => message);
	warn.mockRestore();
	return said;
}

describe('the secret in the address', () => {
	test.each([
		['a wrong', { secret: 'x'.repeat(43) }],
		['a shorter', { secret: 's' }],
		['an empty', { secret: '' }],
		['any, while none is stored', { staticData: {} }],
		['an empty one, while none is stored', { secret: '', staticData: {} }],
		['the signing key', { secret: SIGNING_KEY }],
	])('%s gets 401 and an empty body', async (_name, sent) => {
		expect(await deliver(event(), sent)).toEqual(refused(401));
	});
	test('that was replaced is valid until its grace time ends, and not in that millisecond any more', async () => {
		const secret = 'p'.repeat(43);
		const until = Date.now() + 60_000;
		const staticData = { secret: SECRET, former: [{ secret, key: '', until }] };
		const statusAt = async (now: number) => {
			const clock = jest.spyOn(Date, 'now').mockReturnValue(now);
			const status = await statusOf(event(), { secret, staticData });
			clock.mockRestore();
			return status;
		};
		expect([await statusAt(until - 1), await statusAt(until)]).toEqual([200, 401]);
	});
	test('and the key are in no item, wherever the service or a proxy repeats them', async () => {
		const { item } = await deliver(event({ note: `${SIGNING_KEY} ${SECRET}` }), {
			headers: { 'user-agent': `proxy ${SIGNING_KEY}`, 'x-original-url': `/webhook?key=${SECRET}` },
		});
		expect(item).toBeDefined();
		expect(JSON.stringify(item)).not.toMatch(/k{43}|s{43}/);
	});
});

describe('a signature', () => {
	const body = `  ${JSON.stringify(event())} `;
	const staticData = {
		...KNOWN,
		former: [
			{ secret: 'one before', key: 'former', until: Date.now() + 600_000 },
			{ secret: 'the first', key: 'expired', until: Date.now() - 1 },
		],
	};
	test.each<[string, number, string, IDataObject]>([
		['the registered key', 200, SIGNING_KEY, {}],
		['a key of before', 200, 'former', {}],
		['a key whose time is over', 401, 'expired', {}],
		['the key of the credential', 200, 'its key', { webhookSigningSecret: 'its key' }],
		['the API key', 200, 'demo-full-access-key', {}],
		['an API key with spaces around it', 200, 'the-key', { apiKey: ' the-key \n' }],
		['another key', 401, 'another key', {}],
		['the secret of the URL', 401, SECRET, {}],
	])('by %s: %i', async (_whose, status, key, more) => {
		const sent = { staticData, credential: more, headers: signed(body, key) };
		expect(await statusOf(body, { ...sent, parameters: REQUIRED })).toBe(status);
	});
	test('counts for the bytes of the body', async () => {
		expect(await statusOf(`${body} `, { headers: signed(body, SIGNING_KEY) })).toBe(401);
		expect(await statusOf(body, { headers: signed('', SIGNING_KEY) })).toBe(401);
	});
	test('that is missing, or in a header that nobody has named, is refused where one is required', async () => {
		expect(await statusOf(body)).toBe(200);
		expect(await statusOf(body, { parameters: REQUIRED })).toBe(401);
		await forEachCase(['undefined', 'x-other-signature'], async (header) =>
			expect(
				await statusOf(body, { headers: signed(body, SIGNING_KEY, header), parameters: REQUIRED }),
			).toBe(401),
		);
	});
	test('in a header that is corrected in the credential counts at once, and a wrong one in it is refused', async () => {
		const sent = {
			staticData: KNOWN,
			credential: { webhookSignatureHeader: ' X-Brand-Signature' },
			parameters: REQUIRED,
		};
		await forEachCase(
			[
				[SIGNING_KEY, 200],
				['other', 401],
			] as const,
			async ([key, status]) =>
				expect(
					await statusOf(body, { ...sent, headers: signed(body, key, 'x-brand-signature') }),
				).toBe(status),
		);
	});
});

describe('while n8n can not read the credential, which the service repeats deliveries for', () => {
	/** What n8n's pool of connections throws when no connection gets free (pg-pool). */
	const busy = { credentialError: new Error(`timeout exceeded, ${SECRET}`) };
	const n8n = createRequire(new URL('../../../host/n8n/package.json', import.meta.url));
	const { CredentialNotFoundError } = n8n('n8n/dist/errors/credential-not-found.error.js') as {
		CredentialNotFoundError: new (id: string, type: string) => Error;
	};
	test.each([
		['for the signature', false],
		['for the question to the service', true],
	])('%s, a delivery gets 503, and its repeat passes', async (_name, confirm) => {
		const id = await createClosing(credential());
		const body = event({ transaction_id: id }, 'transaction.created');
		// What is signed with our own key needs no credential to be believed.
		const own = { headers: signed(body, SIGNING_KEY), staticData: KNOWN };
		const sent = { parameters: { options: { confirm } }, ...(confirm && own) };
		expect(await deliver(body, { ...sent, ...busy })).toEqual(refused(503));
		expect((await deliver(body, sent)).item).toMatchObject({
			transaction_id: id,
			...(confirm && { confirmed: true }),
		});
	});
	test('a signature with the registered key needs none, one with another key does', async () => {
		const body = event();
		const sent = { staticData: KNOWN, parameters: REQUIRED, ...busy };
		expect(await statusOf(body, { ...sent, headers: signed(body, SIGNING_KEY) })).toBe(200);
		expect(await statusOf(body, { ...sent, headers: signed(body, 'other') })).toBe(503);
	});
	test.each<[string, Sent, RegExp]>([
		[
			'is not read',
			{ credentialError: new Error(`busy with ${SECRET}`) },
			/^Sign and Close Trigger: n8n stopped the request.*busy with \*\*\*/,
		],
		[
			'is gone',
			{ credentialError: new CredentialNotFoundError('1', 'signAndCloseApi') },
			/Credential with ID "1" does not exist.*Select the credential/,
		],
		['has an unusable base URL', { credential: { baseUrl: 'ftp://x' } }, /'Base URL'/],
		['has no key', { credential: { apiKey: ' ' } }, /'API Key' is empty/],
		[
			'can not be evaluated',
			{ credentialError: new ExpressionError('access to env vars denied') },
			/access to env vars denied/,
		],
		['had no time', { credentialError: new ExpressionError('timed out') }, /timed out/],
	])(
		'a credential that %s: each delivery gets 503, nothing is asked, and the log says once what to do',
		async (_name, sent, said) => {
			const asked = sandbox.requests.length;
			const logged = await loggedBy(async () => {
				await forEachCase(Array(3).keys(), async () =>
					expect(await deliver(event(), { parameters: CONFIRMING, ...sent })).toEqual(refused(503)),
				);
			});
			expect(logged).toEqual([expect.stringMatching(said)]);
			expect(JSON.stringify(logged)).not.toContain(SECRET);
			expect(sandbox.requests).toHaveLength(asked);
		},
	);
});

test('what a person has to mend in the node is a failed run in its own words', async () => {
	const { status, error } = await deliver(event(), {
		parameters: { events: "={{ $('Nowhere').item.json.events }}" },
	});
	expect([status, error?.constructor.name]).toEqual([500, 'NodeOperationError']);
	expect(error?.message).toMatch(/Nowhere|node/i);
});

test('a call while the workflow is being published has to come again: account and source may have changed', async () => {
	const staticData = { secret: SECRET, unpublishedAt: Date.now() };
	expect(await deliver(event(), { staticData })).toEqual(refused(503));
	expect((await deliver(event(), { staticData, mode: 'manual' })).item).toBeDefined();
});

test('where events come from the event log, a call of the service starts nothing but its reading', async () => {
	let read = 0;
	const { context } = webhookContext({ credential: {}, parameters: listening() }, {}, {});
	const stop = eventLogSignal.listen(context, () => void (read += 1));
	const parameters = { options: { eventSource: 'pull' } };
	expect(await deliver(event(), { parameters })).toMatchObject({ status: 200, item: undefined });
	expect(read).toBe(1);
	expect(await deliver({ no: 'event' }, { parameters })).toEqual(refused(400));
	await deliver(event(), { parameters, secret: 'x'.repeat(43) });
	await deliver(event());
	// A test listener waits for the event itself.
	expect((await deliver(event(), { parameters, mode: 'manual' })).item).toBeDefined();
	expect(read).toBe(1);
	stop();
});

describe('the item of a delivery', () => {
	test('tells who has signed, by the signer IDs of the service', async () => {
		const name = 'transaction.partially_completed';
		await forEachCase([signingStatus(), JSON.stringify(signingStatus())], async (data) => {
			const { item } = await deliver({ event: name, data });
			expect(item).toMatchObject({ event: name, transaction_id: 'ot_od4kenk' });
			expect((item!.data as typeof data & { signers: unknown }).signers).toMatchObject([
				{ signer_id: 'oc_q7dj34n', external_id: 'borrower-1', signing_status: 'complete' },
			]);
		});
	});
	test('of the older singular name starts a workflow that waits for the plural', async () => {
		const { item } = await deliver(event({}, 'transaction.completed_with_rejection'), {
			parameters: { events: ['transaction.completed_with_rejections'] },
		});
		expect(item?.event).toBe('transaction.completed_with_rejections');
	});
	test('has its request ID', async () => {
		const { item } = await deliver(event(), { headers: { 'X-Request-Id': 'req-1' } });
		expect(item?.delivery).toMatchObject({ by: 'delivery', request_id: 'req-1' });
		expect((await deliver(event())).item?.delivery).not.toHaveProperty('request_id');
	});
	test('is none for an event that is not selected, which gets 200', async () => {
		const parameters = { events: ['transaction.sent'] };
		expect(await deliver(event(), { parameters })).toMatchObject({ status: 200, item: undefined });
	});
});
