/** The notaries of the account (docs/service/webhooks.md#events-of-notaries). */

import { describe, expect, test } from '@jest/globals';

import { startSandbox } from '../../../sandbox/index.mts';
import { Client, newClosing, newSent, Receiver } from '../support/client.mts';
import { client, receiver, sandbox, useReceiver } from '../support/useSandbox.mts';

useReceiver({ closingTeam: 'manual' });

describe('notaries of the account', () => {
	test('the event names the notary and no transaction', async () => {
		const id = sandbox.act.addNotary({ name: 'Ada Attest', state: 'TX' });
		await sandbox.clock.settled();
		expect(receiver.received.at(-1)).toMatchObject({
			event: 'notary.created',
			data: { notary_id: id, date_occurred: expect.any(String) },
		});
		expect(receiver.received.at(-1)!.data.transaction_id).toBeUndefined();
		expect(
			(await client.ok('GET', '/notaries?us_state_abbr=TX')).map((notary: any) => notary.id),
		).toEqual(['us_oscar_oath', id]);
	});
	test('notary.non_compliant: who is not compliant takes no meeting', async () => {
		const id = sandbox.act.addNotary();
		const signed = await newSent(client, { notary_id: id }, { requirement: 'notarization' });
		await sandbox.act.sign(signed);
		await expect(sandbox.act.notarize(signed)).rejects.toThrow(
			'Paula Public is not compliant and can take no meeting',
		);
		sandbox.act.setCompliance(id, 'compliant');
		await sandbox.act.notarize(signed);
		expect(
			(
				await client.ok(
					'GET',
					`/notarization_records/${(await client.transaction(signed)).notarization_record.id}`,
				)
			).notary_name,
		).toBe('Paula Public');
		sandbox.act.setCompliance('us_nora_notary', 'non_compliant');
		const other = await newSent(client, {}, { requirement: 'notarization' });
		await sandbox.act.sign(other);
		await sandbox.act.notarize(other);
		expect(
			(
				await client.ok(
					'GET',
					`/notarization_records/${(await client.transaction(other)).notarization_record.id}`,
				)
			).notary_name,
		).toBe('Oscar Oath');
		sandbox.act.setCompliance('us_nora_notary', 'compliant');
		expect(() => sandbox.act.setCompliance('us_nobody', 'compliant')).toThrow(/no notary/);
	});
	test('Deliveries: a documented-only service has no event without a transaction id', async () => {
		const documented = await startSandbox({ profile: 'documented' });
		const other = new Client(documented);
		const quiet = await Receiver.start();
		await other.ok('POST', '/v2/webhooks/', { url: quiet.url, subscriptions: ['*'] });
		documented.act.addNotary();
		await newClosing(other);
		await documented.clock.settled();
		expect(quiet.received.map(({ data }) => Object.keys(data))).toEqual([['transaction_id']]);
		quiet.close();
		await documented.close();
	});
});
