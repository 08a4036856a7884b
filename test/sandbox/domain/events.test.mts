/**
 * Something that people do stands behind every event of the list (docs/service/webhooks.md#events).
 */

import { expect, test } from '@jest/globals';

import { EVENTS } from '../../../sandbox/domain/webhooks/events.mts';
import {
	B,
	IAL2,
	newClosing,
	newDraft,
	newOrdered,
	newSent,
	Receiver,
} from '../support/client.mts';
import { client, sandbox, useSandbox } from '../support/useSandbox.mts';

/** The list of events, written down once more: the sandbox's own must agree. */
const LISTED = Object.entries({
	transaction:
		'created updated deleted expired recalled reviewed sent received sent_to_signer sent_to_closing_ops sent_to_title_agency ' +
		'document.upload document.processed meeting.requested meeting.created meeting.failed meeting.video.processed notary.assigned ' +
		'signer.kba_passed signer.kba_failed signer.high_risk_detected signer.medium_risk_detected underwriter.not_available ' +
		'partially_completed completed completed_with_rejections released held_for_review declined import.processed import.failed ' +
		'transaction.automated_identity_verification_by_idv_service_failed transaction.automated_identity_verification_by_idv_service_passed',
	notary: 'created needs_review compliant non_compliant signer_ready',
})
	.flatMap(([kind, names]) => names.split(' ').map((name) => `${kind}.${name}`))
	.sort();

useSandbox({ closingTeam: 'manual' });

test('every event of the list can be played, and nothing else is delivered', async () => {
	expect([...EVENTS.transaction, ...EVENTS.notary].sort()).toEqual(LISTED);
	const receiver = await Receiver.on(client, ['*']);
	const { act } = sandbox;
	const identity = { requirement: 'identity_confirmation' };
	const TWO = [{ email: 'a@example.com' }, { email: 'b@example.com' }];

	// A closing by way of the closing team, notarized.
	const order = await newOrdered(client);
	for (const name of [
		'sendToTitleAgency',
		'sendToSigner',
		'sign',
		'failMeeting',
		'notarize',
	] as const)
		await act[name](order);
	const draft = `${B}/${await newDraft(client)}`;
	await client.ok('PATCH', draft, { transaction_name: 'Renamed' });
	await client.ok('DELETE', draft);
	for (const name of ['recall', 'expire', 'decline', 'reject'] as const)
		await act[name](await newSent(client));
	// Questions that are failed, then passed, and identities that are confirmed by themselves or not.
	const signers = [{ email: 'kim@example.com', assurance_requirement: IAL2 }];
	const asked = await newSent(client, { signers });
	await act.failKnowledge(asked);
	await act.sign(asked);
	await act.sign(await newSent(client, {}, identity));
	await act.failIdentity(await newSent(client, {}, identity));
	await act.sign(await newSent(client, { signers: TWO }));
	const risky = await newSent(client);
	for (const name of ['detectMediumRisk', 'detectHighRisk', 'review'] as const)
		await act[name](risky);
	const closing = await newClosing(client);
	for (const name of ['importDocument', 'failImport', 'reportNoUnderwriter'] as const)
		await act[name](closing);
	const notary = act.addNotary();
	for (const compliance of ['needs_review', 'non_compliant', 'compliant'] as const)
		act.setCompliance(notary, compliance);

	expect([...new Set(await receiver.events())].sort()).toEqual(LISTED);
});
