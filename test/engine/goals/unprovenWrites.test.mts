import { describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { createClosing, id } from '../../support/closing.mts';
import { fullSent, PLATFORMS } from '../../support/everyField/transactions.mts';
import { addEnote } from '../../support/matrix/documents.mts';
import { attempt, complaint, EMPTY_SUCCESSES, transaction } from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/**
 * Writes of which the service shows nothing, or too little to tell that they were not done. An empty
 * success leaves their outcome unknown, and doing them again could do them twice.
 */

useSandbox();

const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 5 };
const posts = () => sandbox.requests.filter(({ method }) => method === 'POST');

/** A write, and the request that it consists of. */
interface Write {
	parameters: IDataObject;
	path: RegExp;
}
const WRITES: Record<string, () => Promise<Write>> = {
	'eNote: Add': async () => ({
		parameters: addEnote(await createClosing(credential()), `${sandbox.url}/samples/enote.xml`),
		path: /\/enote$/,
	}),
};
WRITES['Document: Import'] = async () => ({
	parameters: {
		resource: 'document',
		operation: 'import',
		transactionId: id(await createClosing(credential())),
		documentCode: '7001234',
		externalSource: 'docmagic',
	},
	path: /\/documents\/external$/,
});
WRITES['Transaction: Resend to Contacts'] = async () => ({
	parameters: {
		resource: 'transaction',
		operation: 'resendToContacts',
		transactionId: (await fullSent(sandbox, 'realEstate')).chosen.transactionId,
		contactEmail: '',
	},
	path: /\/send_contacts_email$/,
});
for (const platform of PLATFORMS)
	for (const [operation, path, more] of [
		['resendEmail', /\/send_email$/, { messageToSigner: '' }],
		['resendSms', /\/send_sms$/, { phoneNumber: '617 555 0123', phoneCountryCode: '1' }],
	] as const)
		WRITES[`Transaction: ${operation} (${platform})`] = async () => {
			const { chosen } = await fullSent(sandbox, platform);
			const parameters = { resource: 'transaction', operation, ...chosen, ...more };
			return { parameters, path };
		};

describe.each(Object.entries(WRITES))('%s', (_name, make) => {
	test.each(EMPTY_SUCCESSES)(
		'answered with %s, and nothing was done: the outcome is unknown',
		async (_how, answer) => {
			const { parameters, path } = await make();
			sandbox.faults.add({ method: 'POST', path, status: 200, ...answer });
			const said = await complaint(parameters);
			expect(said).toMatch(
				/^The service answered, but doesn't show what it did, so the outcome is unknown\. It may have been done/,
			);
			if (JSON.stringify(answer).includes('switched off'))
				expect(said).toMatch(/The service said: Feature switched off/);
		},
	);
	test('refused in a 200: Retry On Fail does not repeat it blindly', async () => {
		const { parameters, path } = await make();
		sandbox.requests.length = 0;
		sandbox.faults.add({ method: 'POST', path, status: 200, body: { error: 'Switched off' } });
		const said = await complaint(parameters, { node: RETRY });
		expect(said).toMatch(
			/^The service answered, but .* outcome is unknown\. It may have been done.* Switched off/,
		);
		expect(posts().filter((request) => path.test(request.path))).toHaveLength(1);
	});
});

test.each(EMPTY_SUCCESSES)(
	'an eNote answered with %s, but added, is not added again',
	async (_how, answer) => {
		const { parameters, path } = await WRITES['eNote: Add']();
		sandbox.requests.length = 0;
		sandbox.faults.add({ method: 'POST', path, kind: 'respondAfter', status: 200, ...answer });
		const { items, error } = await attempt(parameters, { node: RETRY });
		// An answer that names an error is no success, and then nobody knows whose eNote it is.
		if (JSON.stringify(answer).includes('error'))
			expect(error?.message).toMatch(/outcome is unknown/);
		else expect(items[0].json).toMatchObject({ document_id: expect.any(String), is_enote: true });
		expect(posts()).toHaveLength(1);
	},
);
test.each(EMPTY_SUCCESSES)(
	'of three eNotes, the first of which is answered with %s, none is added again',
	async (_how, answer) => {
		const closings: string[] = [];
		for (let count = 0; count < 3; count++) closings.push(await createClosing(credential()));
		sandbox.requests.length = 0;
		sandbox.faults.add({ method: 'POST', path: /\/enote$/, status: 200, ...answer });
		const { items } = await attempt(
			{ ...addEnote('', `${sandbox.url}/samples/enote.xml`), transactionId: id('={{ $json.id }}') },
			{
				items: closings.map((closing) => ({ json: { id: closing } })),
				node: { ...RETRY, onError: 'continueRegularOutput' },
			},
		);
		expect(items.map(({ json }) => json.transaction_id ?? json.error)).toEqual([
			expect.stringMatching(/outcome is unknown.*\(item 1 of 3\)/),
			...closings.slice(1),
		]);
		expect(posts().map(({ path }) => /transactions\/([^/]+)\/enote$/.exec(path)?.[1])).toEqual(
			closings,
		);
		const enotes = closings.map(
			(closing) => transaction(closing).documents.filter(({ isEnote }) => isEnote).length,
		);
		expect(enotes).toEqual([0, 1, 1]);
	},
);
