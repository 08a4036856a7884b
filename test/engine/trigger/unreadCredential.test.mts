import { createRequire } from 'node:module';

import { expect, test } from '@jest/globals';
import { ExpressionError } from 'n8n-workflow';

import { signBody } from '../../../nodes/SignAndClose/trigger/authenticity/signature.ts';
import { createClosing } from '../../support/closing.mts';
import { deliver, event, SECRET } from '../../support/delivery.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/**
 * Deliveries while n8n can't read the credential. A database that is too busy for it is asked again
 * by the service's repeats; only what a person has to mend becomes a failed run.
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
		const body = event({ transaction_id: await createClosing(credential()) });
		// What is signed with our own secret needs no credential to be trusted.
		const sent = {
			parameters: { confirm },
			...(confirm && {
				headers: { 'x-signature': signBody(JSON.stringify(body), SECRET) },
				staticData: { secret: SECRET, signatureHeader: 'x-signature' },
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

test.each([{ confirm: false }, { confirm: true }])(
	'a credential that is gone makes a failed run that says what to do (%j)',
	async (parameters) => {
		const asked = sandbox.requests.length;
		const { status, item, error } = await deliver(event(), {
			parameters,
			credentialError: new CredentialNotFoundError('1', 'signAndCloseApi'),
		});
		expect({ status, item }).toEqual({ status: 500, item: undefined });
		expect(error?.message).toMatch(/nothing was sent: Credential with ID "1" does not exist/);
		expect(error?.description).toMatch(/^Select the credential in the node again/);
		expect(sandbox.requests).toHaveLength(asked);
	},
);

test.each([
	['that can not be evaluated', 'access to env vars denied', 500],
	['that had no time', 'Expression timed out', 503],
])('an expression in the credential %s', async (_name, message, status) => {
	const answer = await deliver(event(), { credentialError: new ExpressionError(message) });
	expect(answer.status).toBe(status);
	expect(answer.error?.message).toEqual(
		status === 500 ? expect.stringContaining(message) : undefined,
	);
});
