import { describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { createClosing, id } from '../../support/closing.mts';
import { fullSent, PLATFORMS } from '../../support/everyField/transactions.mts';
import { CONTACTS } from '../../support/everyField/values.mts';
import { sentClosing } from '../../support/matrix/scene.mts';
import { complaint, EMPTY_SUCCESSES, run, transaction } from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/**
 * Reminders: Transaction: Resend Email, SMS and to Contacts. The service shows no trace of them, so an
 * answer that isn't the transaction leaves the outcome unknown, and nobody is reminded twice.
 */

useSandbox();

const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 5 };
const [{ email }] = CONTACTS.row;
const toContacts = (transactionId: string, contactEmail = '') => ({
	resource: 'transaction',
	operation: 'resendToContacts',
	transactionId: id(transactionId),
	contactEmail,
});

const REMINDERS: Array<[string, RegExp, (platform: 'business' | 'realEstate') => IDataObject]> = [
	['Email', /\/send_email$/, () => ({ operation: 'resendEmail', messageToSigner: '' })],
	[
		'SMS',
		/\/send_sms$/,
		() => ({ operation: 'resendSms', phoneNumber: '617 555 0123', phoneCountryCode: '1' }),
	],
	[
		'to Contacts',
		/\/send_contacts_email$/,
		() => ({ operation: 'resendToContacts', contactEmail: '' }),
	],
];
const cases = PLATFORMS.flatMap((platform) =>
	REMINDERS.map(([name, path, more]) => [name, platform, path, more(platform)] as const),
).filter(([name, platform]) => name !== 'to Contacts' || platform === 'realEstate');

describe.each(cases)('%s on %s', (_name, platform, path, more) => {
	const make = async () => {
		const { chosen } = await fullSent(sandbox, platform);
		sandbox.requests.length = 0;
		return { resource: 'transaction', ...chosen, ...more };
	};
	const posts = () => sandbox.requests.filter((request) => path.test(request.path));

	test.each([...EMPTY_SUCCESSES, ['nothing', { kind: 'cutAfter' }] as [string, object]])(
		'answered with %s: the outcome is unknown, and Retry On Fail does not repeat it',
		async (_how, answer) => {
			const parameters = await make();
			sandbox.faults.add({ method: 'POST', path, status: 200, ...answer });
			const said = await complaint(parameters, { node: RETRY });
			expect(said).toMatch(/outcome is unknown/);
			if (JSON.stringify(answer).includes('switched off'))
				expect(said).toMatch(/The service said: Feature switched off/);
			expect(posts()).toHaveLength(1);
		},
	);
});

test('all contacts get the email, or the one that is named', async () => {
	const closing = await sentClosing(sandbox, { contacts: CONTACTS });
	await run(toContacts(closing));
	await run(toContacts(closing, email));
	const sent = JSON.stringify(transaction(closing)).match(
		new RegExp(`email sent again to contacts: ${email}`, 'g'),
	);
	expect(sent).toHaveLength(2);
	expect(sandbox.requests.slice(-2).map(({ query }) => query)).toEqual([
		{},
		{ contact_email: email },
	]);
});
test('what is refused is told with its remedy, and what is no address is not sent', async () => {
	const closing = await sentClosing(sandbox, { contacts: CONTACTS });
	expect(await complaint(toContacts(closing, 'nobody@title.example'))).toMatch(
		/Contact not found for transaction.*contacts of the closing in 'Contact Email'/,
	);
	const draft = await createClosing(credential(), { additionalFields: { contacts: CONTACTS } });
	expect(await complaint(toContacts(draft))).toMatch(/inactive transactions.*'Transaction: Send'/);
	sandbox.requests.length = 0;
	expect(await complaint(toContacts('ot_1', 'agent'))).toMatch(/^'Contact Email' is 'agent'/);
	expect(sandbox.requests).toEqual([]);
});
