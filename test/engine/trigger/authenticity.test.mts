import { describe, expect, test } from '@jest/globals';

import { signBody } from '../../../nodes/SignAndClose/trigger/authenticity.ts';
import { deliver, event, SECRET, SIGNING_KEY } from '../../support/delivery.mts';
import { useSandbox } from '../../support/useSandbox.mts';

/** Which deliveries the trigger accepts: the secret of the address, and signatures. */

useSandbox();

describe('what the trigger accepts', () => {
	test.each([
		['a wrong', 'x'.repeat(43)],
		['a shorter', 's'],
		['an empty', ''],
	])('%s secret gets 401 and an empty body', async (_name, secret) => {
		expect(await deliver(event(), { secret })).toEqual({ status: 401, said: '', item: undefined });
	});
	test('without a stored secret, nothing is accepted', async () => {
		expect((await deliver(event(), { staticData: {} })).status).toBe(401);
		expect((await deliver(event(), { secret: '', staticData: {} })).status).toBe(401);
	});
	test('a signature over the raw body is checked with each key it can be made with', async () => {
		const body = `  ${JSON.stringify(event())} `;
		for (const [key, more] of [
			[SIGNING_KEY, {}],
			['key of the credential', { webhookSigningSecret: 'key of the credential' }],
			['demo-full-access-key', {}],
		] as const) {
			expect(
				(await deliver(body, { headers: { 'x-signature': signBody(body, key) }, credential: more }))
					.status,
			).toBe(200);
		}
		expect(
			(await deliver(body, { headers: { 'x-signature': signBody(body, 'another key') } })).status,
		).toBe(401);
		expect(
			(await deliver(`${body} `, { headers: { 'x-signature': signBody(body, SIGNING_KEY) } }))
				.status,
		).toBe(401);
		expect(
			(
				await deliver(body, {
					headers: { 'x-brand-signature': signBody(body, SIGNING_KEY) },
					credential: { webhookSignatureHeader: 'X-Brand-Signature' },
					parameters: { options: { signatureRequired: true } },
				})
			).status,
		).toBe(200);
	});
	test('who has seen the URL can not sign: the key is another value, and an earlier one counts for a while', async () => {
		const body = event();
		const text = JSON.stringify(body);
		const until = Date.now() + 60_000;
		const staticData = {
			secret: SECRET,
			signingKey: 'k'.repeat(43),
			former: [
				{ secret: 'one before', key: 'former', until },
				{ secret: 'the first', key: 'expired', until: Date.now() - 1 },
			],
			signatureHeader: 'x-signature',
		};
		const statusOf = async (key: string) =>
			(await deliver(text, { staticData, headers: { 'x-signature': signBody(text, key) } })).status;
		expect(await statusOf('k'.repeat(43))).toBe(200);
		expect(await statusOf('former')).toBe(200);
		expect(await statusOf('expired')).toBe(401);
		expect(await statusOf(SECRET)).toBe(401);
		// The key alone opens nothing.
		expect((await deliver(text, { staticData, secret: 'k'.repeat(43) })).status).toBe(401);
	});
	test('no item holds the secret or the key, wherever the service or a proxy repeats them', async () => {
		const signingKey = 'k'.repeat(43);
		const { item } = await deliver(event({ note: `${signingKey} ${SECRET}` }), {
			staticData: { secret: SECRET, signingKey },
			headers: { 'user-agent': `proxy ${signingKey}`, 'x-original-url': `/webhook?key=${SECRET}` },
		});
		expect(item).toBeDefined();
		expect(JSON.stringify(item)).not.toMatch(/k{43}|s{43}/);
	});
	test('a missing signature is refused where one is required', async () => {
		expect((await deliver(event())).status).toBe(200);
		expect(
			(await deliver(event(), { parameters: { options: { signatureRequired: true } } })).status,
		).toBe(401);
	});
});

describe('after a change', () => {
	test('a signature header that is corrected in the credential counts at once, and a wrong signature in it is refused', async () => {
		const body = event();
		const staticData = { secret: SECRET, signingKey: SIGNING_KEY, signatureHeader: 'x-signature' };
		const credentialNow = { webhookSignatureHeader: 'X-Brand-Signature' };
		const required = { options: { signatureRequired: true } };
		expect(
			(
				await deliver(body, {
					headers: { 'x-brand-signature': signBody(JSON.stringify(body), SIGNING_KEY) },
					staticData,
					credential: credentialNow,
					parameters: required,
				})
			).status,
		).toBe(200);
		expect(
			(
				await deliver(body, {
					headers: { 'x-brand-signature': signBody('other', SIGNING_KEY) },
					staticData,
					credential: credentialNow,
				})
			).status,
		).toBe(401);
		expect(
			(await deliver(body, { staticData, credential: credentialNow, parameters: required })).status,
		).toBe(401);
	});
});
