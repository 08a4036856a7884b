import { createRequire } from 'node:module';

import { expect, jest, test } from '@jest/globals';
import { ExpressionError } from 'n8n-workflow';

import { signBody } from '../../../nodes/SignAndClose/trigger/authenticity.ts';
import { createClosing } from '../../support/closing.mts';
import { CONFIRMING, deliver, event, SECRET, SIGNING_KEY } from '../../support/delivery.mts';
import { webhookContext } from '../../support/engine.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/**
 * Deliveries while n8n can't read the credential. The service repeats them, up to 16 times, so that
 * none becomes a failed run, and the log says once what is wrong.
 */

useSandbox();

const n8n = createRequire(new URL('../../../host/n8n/package.json', import.meta.url));
const { CredentialNotFoundError } = n8n('n8n/dist/errors/credential-not-found.error.js') as {
	CredentialNotFoundError: new (id: string, type: string) => Error;
};
/** What n8n's pool of connections throws when no connection gets free (pg-pool). */
const busy = new Error('timeout exceeded when trying to connect');

test.each([
	['for the signature', false],
	['for the question to the service', true],
])(
	'%s, a busy database makes no failed run: the delivery gets 503, and its repeat passes',
	async (_name, confirm) => {
		const body = event(
			{ transaction_id: await createClosing(credential()) },
			'transaction.created',
		);
		// What is signed with our own secret needs no credential to be trusted.
		const sent = {
			parameters: { options: { confirm } },
			...(confirm && {
				headers: { 'x-signature': signBody(JSON.stringify(body), SIGNING_KEY) },
				staticData: { secret: SECRET, signingKey: SIGNING_KEY, signatureHeader: 'x-signature' },
			}),
		};
		const refused = await deliver(body, { ...sent, credentialError: busy });
		expect(refused).toEqual({ status: 503, said: '', item: undefined, error: undefined });
		expect((await deliver(body, sent)).item).toMatchObject({
			transaction_id: body.data.transaction_id,
			...(confirm && { confirmed: true }),
		});
	},
);

const gone = new CredentialNotFoundError('1', 'signAndCloseApi');
test.each([
	[
		'is gone',
		{ credentialError: gone },
		/Credential with ID "1" does not exist.*Select the credential/,
	],
	['has an unusable base URL', { credential: { baseUrl: 'ftp://x' } }, /'Base URL'/],
	['has no key', { credential: { apiKey: ' ' } }, /'API Key' is empty/],
	[
		'can not be evaluated',
		{ credentialError: new ExpressionError('access to env vars denied') },
		/access to env vars denied/,
	],
])(
	'a credential that %s: each delivery gets 503, nothing is asked, and the log says once what to do',
	async (_name, sent, said) => {
		const { context } = webhookContext({ credential: {}, parameters: {} }, {}, {});
		const warn = jest.spyOn(context.logger, 'warn');
		const asked = sandbox.requests.length;
		for (let times = 0; times < 3; times++)
			expect(await deliver(event(), { parameters: CONFIRMING, ...sent })).toEqual({
				status: 503,
				said: '',
				item: undefined,
				error: undefined,
			});
		const warned = warn.mock.calls.map(([message]) => message);
		warn.mockRestore();
		expect(warned).toEqual([expect.stringMatching(said)]);
		expect(sandbox.requests).toHaveLength(asked);
	},
);

test('an expression in the credential that had no time', async () => {
	const answer = await deliver(event(), { credentialError: new ExpressionError('timed out') });
	expect(answer).toMatchObject({ status: 503, error: undefined });
});
