import { describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { readTransaction } from '../../../../../nodes/SignAndClose/service/answers.ts';
import {
	closingSigners,
	updateDraft,
} from '../../../../../nodes/SignAndClose/service/resources/drafts/draftUpdate.ts';
import { thrownBy, withClient } from '../../../../support/live/client.mts';

/** What an update of a draft sends, so that a closing keeps what doesn't change. */

/** Signers as they are sent. */
const jane = { email: 'jane@example.com', first_name: 'Jane' };
const joe = { email: 'joe@example.com', first_name: 'Joe' };
/** The same as they are answered. */
const JANE = { signer_id: 'oc_1', ...jane };
const JOE = { signer_id: 'oc_2', ...joe };
const CLOSING = {
	id: 'ot_1',
	status: 'started',
	detailed_status: 'draft',
	transaction_type: 'refinance',
	loan_number: '1',
	street_address: { line1: '100 Harbor Street', city: 'Boston', state: 'MA' },
	signers: [JANE],
	documents: [],
};
const ASSURANCE = { assurance_requirement: { id_verification: { selfie: true } } };

/** Updates a draft, and gives what was sent and what came of it. */
async function update(
	changes: IDataObject,
	before: IDataObject = CLOSING,
	platform: 'business' | 'realEstate' = 'realEstate',
) {
	return await withClient(
		// The service takes all changes.
		({ body }) => ({ body: { ...before, ...(body as IDataObject) } }),
		async (service, { requests }) => {
			const work = updateDraft(service, platform, readTransaction(before)!, changes);
			const failure = await work.then(
				() => undefined,
				(thrown: unknown) => thrown,
			);
			return { failure, requests, body: requests[0]?.body as IDataObject };
		},
		// Here, closings with identity checks have a path of their own.
		{ fields: { pathLayout: 'documented' } },
	);
}

test('one signer is sent as a signer, several as signers, none as nothing', () => {
	expect(closingSigners([])).toEqual({});
	expect(closingSigners([JANE])).toEqual({ signer: JANE });
	expect(closingSigners([JANE, JOE])).toEqual({ signers: [JANE, JOE] });
});

describe('a closing', () => {
	const KEPT = {
		transaction_type: 'refinance',
		loan_number: '1',
		street_address: CLOSING.street_address,
		signer: jane,
	};
	test('is sent as a whole, with the change', async () => {
		const { body, requests } = await update({ loan_number: '2' });
		expect(requests.map(({ method }) => method)).toEqual(['PUT']);
		expect(body).toEqual({ ...KEPT, loan_number: '2' });
	});
	test('keeps the parts of its address that do not change', async () => {
		const { body } = await update({ street_address: { line1: '1 Main Street', city: '' } });
		expect(body.street_address).toEqual({ line1: '1 Main Street', state: 'MA' });
	});
	test('with several signers is sent with all of them', async () => {
		const { body } = await update({}, { ...CLOSING, signers: [JANE, JOE] });
		expect(body).toEqual({ ...KEPT, signer: undefined, signers: [jane, joe] });
	});
	test.each([
		['one of two', [JANE, { ...JOE, ...ASSURANCE }], true],
		['both', [JANE, JOE].map((signer) => ({ ...signer, ...ASSURANCE })), true],
		['none', [JANE, JOE], false],
	])('with identity checks of %s of its signers', async (_who, signers, isOther) => {
		const { body, requests } = await update({ loan_number: '2' }, { ...CLOSING, signers });
		expect(body.transaction_type).toBe(isOther ? null : 'refinance');
		expect(requests[0].path).toBe(`/mortgage/v${isOther ? 2 : 1}/transactions/ot_1`);
	});
	test.each<[string, IDataObject, IDataObject, unknown]>([
		['null stays null', { transaction_type: null }, {}, null],
		[
			'null becomes what is wanted',
			{ transaction_type: null },
			{ transaction_type: 'other' },
			'other',
		],
		['that is not shown is not sent', { transaction_type: undefined }, {}, undefined],
		['becomes what is wanted', {}, { transaction_type: 'other' }, 'other'],
	])('its type: %s', async (_how, before, changes, expected) => {
		const { body } = await update({ ...changes, loan_number: '2' }, { ...CLOSING, ...before });
		expect(body.transaction_type).toBe(expected);
	});
	test.each<[string, IDataObject, string[]]>([
		['signers', { signers: null }, ['signers']],
		[
			'signers and documents',
			{ signers: undefined, documents: undefined },
			['signers', 'documents'],
		],
		[
			'address and status',
			{ street_address: undefined, status: undefined },
			['street_address', 'status'],
		],
		['an email address', { signers: [JANE, { first_name: 'Joe' }] }, ['signers[].email']],
	])('that does not show its %s is not written back', async (_what, more, missing) => {
		const { failure, requests } = await update({ loan_number: '2' }, { ...CLOSING, ...more });
		expect(failure).toMatchObject({
			reason: { code: 'incompletelyRead', missing, toWriteBack: true },
			flags: { final: true },
		});
		expect(requests).toEqual([]);
	});
	test('whose signer is a group needs no email address', async () => {
		const group = { recipient_group: { shared_inbox_email: 'desk@example.com' } };
		const { body, failure } = await update({}, { ...CLOSING, signers: [group] });
		expect(failure).toBeUndefined();
		expect(body.signer).toEqual(group);
	});
});

test('a business draft is sent nothing but the change', async () => {
	const { body, requests } = await update(
		{ payer: 'sender' },
		{ id: 'ot_1', signers: [JANE], transaction_name: 'Deed', payer: 'signer' },
		'business',
	);
	expect(requests.map(({ method }) => method)).toEqual(['PATCH']);
	expect(body).toEqual({ payer: 'sender' });
});

test('an answer without a transaction is looked up', async () => {
	await withClient(
		({ method }) => ({ body: method === 'PUT' ? {} : CLOSING }),
		async (service, { requests }) => {
			const draft = readTransaction(CLOSING)!;
			const failure = await thrownBy(
				updateDraft(service, 'realEstate', draft, { loan_number: '2' }),
			);
			expect(failure).toMatchObject({
				reason: { code: 'notDone', why: { unchanged: ['loan_number'] } },
			});
			expect(requests.map(({ method }) => method)).toEqual(['PUT', 'GET']);
		},
	);
});
