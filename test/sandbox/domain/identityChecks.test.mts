/** The identity checks of signers (docs/service/signers.md#identity-assurance). */

import { expect, test } from '@jest/globals';

import { addDocument, IAL2, newSent } from '../support/client.mts';
import { client, sandbox, useSandbox } from '../support/useSandbox.mts';

useSandbox();

test('Selfie retakes, failed selfies, limits: a signer may retake a failed selfie twice, the third failure goes to a trusted referee', async () => {
	const id = await newSent(client, {
		signers: [{ email: 'kim@example.com', assurance_requirement: IAL2 }],
	});
	await sandbox.act.failSelfie(id);
	await sandbox.act.failSelfie(id);
	expect((await client.transaction(id)).detailed_status).toBe('viewed');
	await sandbox.act.failSelfie(id);
	expect((await client.transaction(id)).detailed_status).toBe('held_for_review');
	await expect(sandbox.act.sign(id)).rejects.toThrow(/trusted referee/);
	await expect(sandbox.act.failSelfie(id)).rejects.toThrow(/trusted referee/);
	await sandbox.act.passReferee(id);
	await sandbox.act.sign(id);
	expect((await client.transaction(id)).status).toBe('completed');
});

test('Selfie retakes: a signer who fails twice can still pass', async () => {
	const id = await newSent(client, {
		signers: [{ email: 'kim@example.com', assurance_requirement: IAL2 }],
	});
	await sandbox.act.failSelfie(id);
	await sandbox.act.failSelfie(id);
	await sandbox.act.sign(id);
	expect((await client.transaction(id)).status).toBe('completed');
});

test('identity checks apply to e-signature documents, not to a notarization', async () => {
	const { id } = await client.ok('POST', '/mortgage/v2/transactions', {
		transaction_type: null,
		signer: { email: 'a@example.com', assurance_requirement: IAL2 },
		street_address: { line1: '1', city: 'Boston', state: 'MA' },
		title_agency_id: 'or_agency_harbor',
	});
	await addDocument(client, id, { requirement: 'notarization' });
	await client.ok('POST', `/mortgage/v2/transactions/${id}/place_order`, {});
	await expect(sandbox.act.failSelfie(id)).rejects.toThrow(/No selfie is asked/);
});

test('only all three checks reach IAL2', async () => {
	const level = async (assurance: object) => {
		const id = await newSent(client, {
			signers: [{ email: 'a@example.com', assurance_requirement: assurance }],
		});
		await sandbox.act.sign(id);
		return sandbox.world.transactions.get(id)!.auditLog.join('\n');
	};
	expect(await level(IAL2)).toMatch(
		/selfie, knowledge-based questions, code by text message \(IAL2\)/,
	);
	const sms = await level({ multi_factor_authentication: { type: 'sms' } });
	expect(sms).toMatch(/code by text message/);
	expect(sms).not.toMatch(/IAL2|selfie|questions/);
});

test('E-signature authentication records: what was failed last, then that all was passed', async () => {
	const id = await newSent(client, {
		signers: [{ email: 'kim@example.com', assurance_requirement: IAL2 }],
	});
	const records = async () =>
		(await client.transaction(id)).signers[0].esign_authentication_records;
	expect(await records()).toBeUndefined();
	await sandbox.act.failSelfie(id);
	await sandbox.act.failKnowledge(id);
	expect(await records()).toMatchObject([
		{ status: 'failure', verified: false, failure_reasons: [{ category: 'kba_mismatch' }] },
		{ status: 'failure', failure_reasons: [{ verification_type: 'selfie', required: true }] },
	]);
	await sandbox.act.sign(id);
	expect(await records()).toMatchObject([{ status: 'success', verified: true }]);
});
