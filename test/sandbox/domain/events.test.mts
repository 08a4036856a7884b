/**
 * Something that people do stands behind every event of the list (docs/service/webhooks.md#events).
 */

import { expect, test } from '@jest/globals';

import { EVENTS } from '../../../sandbox/domain/webhooks/events.mts';
import { addDocument, IAL2, newClosing, newDraft, newSent } from '../support/client.mts';
import { client, receiver, sandbox, useReceiver } from '../support/useSandbox.mts';

/** The list of events, written down once more: the sandbox's own must agree. */
const LISTED = (
	'transaction.: created, updated, deleted, expired, recalled, reviewed, sent, received, sent_to_signer, sent_to_closing_ops, sent_to_title_agency, ' +
	'document.upload, document.processed, meeting.requested, meeting.created, meeting.failed, meeting.video.processed, notary.assigned, signer.kba_passed, ' +
	'signer.kba_failed, signer.high_risk_detected, signer.medium_risk_detected, underwriter.not_available, partially_completed, completed, ' +
	'completed_with_rejections, released, held_for_review, declined, import.processed, import.failed, ' +
	'transaction.automated_identity_verification_by_idv_service_failed, ' +
	'transaction.automated_identity_verification_by_idv_service_passed; ' +
	'notary.: created, needs_review, compliant, non_compliant, signer_ready'
)
	.split('; ')
	.flatMap((line) =>
		line
			.slice(line.indexOf(':') + 2)
			.split(', ')
			.map((name) => line.slice(0, line.indexOf(':')) + name),
	);

useReceiver({ closingTeam: 'manual' });

/** The stories below, one an event that no other flow brings; together they play the whole list. */
const STORIES: Array<[string, () => Promise<unknown>]> = [
	[
		'a closing by way of the closing team, notarized',
		async () => {
			const id = await newClosing(client);
			await addDocument(client, id, { requirement: 'notarization' });
			await client.ok('POST', `/mortgage/v1/transactions/${id}/place_order`);
			await sandbox.act.sendToTitleAgency(id);
			await sandbox.act.sendToSigner(id);
			await sandbox.act.sign(id);
			await sandbox.act.failMeeting(id);
			await sandbox.act.notarize(id);
		},
	],
	[
		'a draft that is updated and deleted',
		async () => {
			const id = await newDraft(client);
			await client.ok('PATCH', `/transactions/${id}`, { transaction_name: 'Renamed' });
			await client.ok('DELETE', `/transactions/${id}`);
		},
	],
	['recalled', async () => await sandbox.act.recall(await newSent(client))],
	['expired', async () => await sandbox.act.expire(await newSent(client))],
	['declined', async () => await sandbox.act.decline(await newSent(client))],
	['rejected', async () => await sandbox.act.reject(await newSent(client))],
	[
		'questions failed, then passed',
		async () => {
			const id = await newSent(client, {
				signers: [{ email: 'kim@example.com', assurance_requirement: IAL2 }],
			});
			await sandbox.act.failKnowledge(id);
			await sandbox.act.sign(id);
		},
	],
	[
		'identities that are confirmed by themselves, and not',
		async () => {
			const document = { requirement: 'identity_confirmation' };
			await sandbox.act.sign(await newSent(client, {}, document));
			await sandbox.act.failIdentity(await newSent(client, {}, document));
		},
	],
	[
		'two signers',
		async () => {
			const signers = [{ email: 'a@example.com' }, { email: 'b@example.com' }];
			await sandbox.act.sign(await newSent(client, { signers }));
		},
	],
	[
		'risk and review',
		async () => {
			const id = await newSent(client);
			await sandbox.act.detectMediumRisk(id);
			await sandbox.act.detectHighRisk(id);
			await sandbox.act.review(id);
		},
	],
	[
		'imports and a missing underwriter',
		async () => {
			const id = await newClosing(client);
			await sandbox.act.importDocument(id);
			// A document is processed a moment after it was added.
			await sandbox.clock.advance(1_000);
			await sandbox.act.failImport(id);
			await sandbox.act.reportNoUnderwriter(id);
		},
	],
	[
		'a notary who joins and is reviewed',
		async () => {
			const id = sandbox.act.addNotary();
			sandbox.act.setCompliance(id, 'needs_review');
			sandbox.act.setCompliance(id, 'non_compliant');
			sandbox.act.setCompliance(id, 'compliant');
		},
	],
];

test('every event of the list can be played, and nothing else is delivered', async () => {
	expect([...EVENTS.transaction, ...EVENTS.notary].sort()).toEqual([...LISTED].sort());
	for (const [, play] of STORIES) await play();
	await sandbox.clock.settled();
	expect([...new Set(receiver.events)].sort()).toEqual([...LISTED].sort());
});
