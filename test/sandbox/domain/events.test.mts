/**
 * Something that people do stands behind every event of the list (docs/service/webhooks.md#events).
 */

import { EVENTS } from '../../../sandbox/domain/webhooks/events.mts';
import { loadOpenapi } from '../../../sandbox/http/openapi.mts';
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

/** The events that openapi.yaml lists, as docs/service does. The sandbox's own must agree. */
const LISTED: string[] = loadOpenapi()
	.components.schemas.EventName['x-known-values'].filter((name: string) => !name.includes('*'))
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
	for (const name of ['recall', 'expire', 'cancel', 'decline', 'reject'] as const)
		await act[name](await newSent(client));
	// Questions that are failed, then passed, and identities that are confirmed by themselves or not.
	const signers = [{ email: 'kim@example.com', assurance_requirement: IAL2 }];
	const asked = await newSent(client, { signers });
	await act.failKnowledge(asked);
	await act.failKnowledge(asked);
	await sandbox.clock.advance(86_400_000);
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
