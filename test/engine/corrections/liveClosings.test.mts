import { describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { id } from '../../support/closing.mts';
import { runNode } from '../../support/engine.mts';
import { changingService, type Held } from '../../support/live/changingService.mts';
import { withService } from '../../support/live/service.mts';
import { hints } from '../../support/operations.mts';

/**
 * Closings as recorded answers show them: without address, jurisdiction and the fields of signers that
 * only the schema has. They are corrected and updated, and nothing is lost that nobody has chosen to
 * lose (docs/service/transactions.md#unset-fields, docs/service/signers.md#signer-answer).
 */

const CHECKS = { knowledge_based_authentication: true };
const JANE = {
	email: 'jane@exmaple.com',
	first_name: 'Jane',
	last_name: 'De La Cruz',
	external_id: 's1',
	phone: { country_code: '44', number: '7700900123' },
	assurance_requirement: CHECKS,
	order: 1,
};
const JOE = {
	email: 'joe@example.com',
	first_name: 'Joe',
	last_name: 'Poe',
	external_id: 's2',
	order: 2,
};
const FIELDS = {
	business: { transaction_name: 'A' },
	realEstate: { transaction_name: 'A', loan_number: '77', paper_note_consent: true },
};
type Platform = keyof typeof FIELDS;

const held = (platform: Platform, more: Partial<Held> = {}): Held => ({
	fields: {
		...FIELDS[platform],
		...(platform === 'realEstate' && { transaction_type: 'refinance' }),
	},
	signers: [structuredClone(JANE), structuredClone(JOE)],
	status: 'sent',
	detailed_status: 'sent_to_signer',
	...more,
});
const DRAFT = { status: 'started', detailed_status: 'draft' };
const SETTINGS = {
	settingsNotShown: 'set',
	signerSettings: {
		row: [
			{ signerId: id('s1'), identityChecks: ['knowledge'], details: { order: 1 } },
			{ signerId: id('joe@example.com'), details: { order: 2 } },
		],
	},
	closingSettings: { paper_note_consent: true },
};
const correct = (platform: Platform, more: IDataObject = {}): IDataObject => ({
	resource: 'transaction',
	operation: 'correctSigner',
	platform,
	transactionId: id('ot_held001'),
	signerId: id('s1'),
	corrections: { email: 'jane@example.com' },
	sendAgain: true,
	...more,
});
const update = (more: IDataObject = {}): IDataObject => ({
	resource: 'transaction',
	operation: 'update',
	platform: 'realEstate',
	transactionId: id('ot_held001'),
	updateFields: { loan_number: '78' },
	...more,
});

/** Runs an operation there, and gives what a person reads and what was asked. */
const runAt = async (now: Held, put: 'merge' | 'replace', parameters: IDataObject) =>
	await withService(changingService(now, { put }), async ({ credential, requests }) => {
		const outcome = await runNode({ credential, parameters });
		return {
			said: outcome.error && `${outcome.error.message}. ${outcome.error.description}`,
			hint: hints(outcome),
			asked: requests.map(({ method, path }) => `${method} ${path.split('/').at(-1)}`),
		};
	});

const WAYS = (['business', 'realEstate'] as const).flatMap((platform) =>
	(['merge', 'replace'] as const).map((put) => ({ platform, put })),
);

describe.each(WAYS)('$platform, $put: a sent transaction', ({ platform, put }) => {
	test('is not touched while nobody says what is not shown', async () => {
		const now = held(platform);
		const { said, asked } = await runAt(now, put, correct(platform));
		expect(said).toMatch(/doesn't show these settings.*identity checks.*signing order/);
		expect(said).toMatch(/Nothing was changed.*'Settings Not Shown' to There Are None.*Set Below/);
		expect(asked).toEqual(['GET ot_held001']);
		expect(now).toEqual(held(platform));
	});
	test('is corrected, and keeps what is set below', async () => {
		const now = held(platform);
		const { said, hint } = await runAt(now, put, correct(platform, SETTINGS));
		expect(said).toBeUndefined();
		expect(hint).toBe(
			platform === 'business'
				? ''
				: 'The service shows no street address, recording jurisdiction, title agency, title underwriter of this closing, so none was sent back',
		);
		const [jane, joe] = held(platform).signers;
		expect(now.signers).toMatchObject([{ ...jane, email: 'jane@example.com' }, joe]);
		expect(now).toMatchObject({ status: 'sent', fields: held(platform).fields });
	});
	test('loses only what was said to be none', async () => {
		const now = held(platform);
		const { said } = await runAt(now, put, correct(platform, { settingsNotShown: 'none' }));
		expect(said).toBeUndefined();
		expect(now.signers).toMatchObject([
			{ email: 'jane@example.com', last_name: 'De La Cruz', external_id: 's1', phone: JANE.phone },
			{ email: 'joe@example.com', last_name: 'Poe', external_id: 's2' },
		]);
		expect(now.status).toBe('sent');
	});
	test('with a cosigner without an email address keeps them', async () => {
		const cosigner = { first_name: 'Jim', last_name: 'Poe' };
		const now = held(platform, { signers: [structuredClone(JANE), cosigner] });
		const { said } = await runAt(now, put, correct(platform, { settingsNotShown: 'none' }));
		expect(said).toBeUndefined();
		expect(now.signers).toMatchObject([{ email: 'jane@example.com' }, cosigner]);
	});
	test('with such a person among three is left as it is', async () => {
		const now = held(platform, { signers: [JANE, { first_name: 'Jim', last_name: 'Poe' }, JOE] });
		const { said, asked } = await runAt(now, put, correct(platform, { settingsNotShown: 'none' }));
		expect(said).toMatch(/doesn't show the email address of Jim Poe.*Nothing was changed/);
		expect(asked).toEqual(['GET ot_held001']);
	});
	test.each<[string, IDataObject, RegExp]>([
		[
			'the external ID of another one',
			{ corrections: { external_id: 's2' } },
			/'External ID' s2 is already that of Joe Poe.*Nothing was changed/,
		],
		[
			'a capacity without an entity',
			{ corrections: { details: { capacity: 'Trustee' } } },
			/would have a capacity without an entity\. Nothing was changed/,
		],
		[
			'an SMS code without a phone',
			{
				settingsNotShown: 'set',
				signerSettings: { row: [{ signerId: id('s2'), identityChecks: ['sms'] }] },
			},
			/Joe Poe · joe@example\.com would have an SMS code without a phone/,
		],
	])('is left as it is where a signer would have %s', async (_what, more, expected) => {
		const now = held(platform);
		const { said, asked } = await runAt(
			now,
			put,
			correct(platform, { settingsNotShown: 'none', ...more }),
		);
		expect(said).toMatch(expected);
		expect(asked).toEqual(['GET ot_held001']);
		expect(now).toEqual(held(platform));
	});
	test('keeps what two rows say of one signer', async () => {
		const now = held(platform);
		const row = [
			{ signerId: id('s1'), identityChecks: ['knowledge'] },
			{ signerId: id(JANE.email), details: { order: 1 } },
		];
		await runAt(now, put, correct(platform, { ...SETTINGS, signerSettings: { row } }));
		expect(now.signers[0]).toMatchObject({ assurance_requirement: CHECKS, order: 1 });
	});
	test('is left as it is when settings are given for somebody else', async () => {
		const now = held(platform);
		const row = [{ signerId: id('nobody@example.com'), identityChecks: ['knowledge'] }];
		const { said, asked } = await runAt(
			now,
			put,
			correct(platform, { ...SETTINGS, signerSettings: { row } }),
		);
		expect(said).toMatch(/'Signer' nobody@example\.com isn't in this transaction/);
		expect(asked).toEqual(['GET ot_held001']);
	});
});

describe.each(['merge', 'replace'] as const)('%s: a draft of a closing', (put) => {
	test('is not written while nobody says what is not shown', async () => {
		const now = held('realEstate', DRAFT);
		const { said, asked } = await runAt(now, put, update());
		expect(said).toMatch(/doesn't show these settings.*paper note consent/);
		expect(asked).toEqual(['GET ot_held001']);
	});
	test('is updated without address and jurisdiction, and keeps what is set below', async () => {
		const now = held('realEstate', DRAFT);
		const { said, hint } = await runAt(now, put, update(SETTINGS));
		expect(said).toBeUndefined();
		expect(hint).toMatch(/shows no street address, recording jurisdiction/);
		expect(now.fields).toEqual({ ...held('realEstate').fields, loan_number: '78' });
		expect(now.signers).toMatchObject([JANE, JOE]);
	});
	test('with a type that is null keeps it, and takes the one that is set below', async () => {
		const nullType = { ...FIELDS.realEstate, transaction_type: null };
		const now = held('realEstate', { ...DRAFT, fields: nullType });
		await runAt(now, put, update(SETTINGS));
		expect(now.fields.transaction_type).toBeNull();
		const closingSettings = { paper_note_consent: true, transaction_type: 'heloc' };
		await runAt(now, put, update({ ...SETTINGS, closingSettings }));
		expect(now.fields.transaction_type).toBe('heloc');
	});
	test('with identity checks keeps a type that is shown', async () => {
		const now = held('realEstate', DRAFT);
		await runAt(now, put, update(SETTINGS));
		expect(now.fields.transaction_type).toBe('refinance');
		expect(now.signers[0].assurance_requirement).toEqual(CHECKS);
	});
});
