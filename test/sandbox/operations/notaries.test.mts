/** List, add, get and delete notaries (docs/service/notarization.md#list-notaries). */

import { describe, expect, test } from '@jest/globals';

import { Client, newClosing, newDraft, Receiver } from '../support/client.mts';
import { client, sandbox, useSandbox } from '../support/useSandbox.mts';

useSandbox();

const ADA = {
	email: 'ada@notaries.example',
	first_name: 'Ada',
	middle_name: 'Mae',
	last_name: 'Attest',
	us_state_abbr: 'tx',
};
const idsOf = (found: any[]) => found.map(({ id }) => id);

describe.each(['/notaries', '/v1/notaries', '/mortgage/v1/notaries'])('%s', (path) => {
	test('add, get, list and delete', async () => {
		const receiver = await Receiver.start();
		const hook = await receiver.subscribe(client, ['notary.created']);
		const added = await client.ok('POST', `${path}/`, ADA);
		expect(added).toEqual({
			...ADA,
			id: expect.stringMatching(/^us_/),
			us_state_abbr: 'TX',
			status: 'not_compliant',
			status_description: 'Notary is missing required documentation.',
		});
		await sandbox.clock.settled();
		expect(receiver.received[0].data).toMatchObject({ notary_id: added.id });
		expect(await client.ok('GET', `${path}/${added.id}`)).toEqual(added);
		expect(idsOf(await client.ok('GET', `${path}/`))).toEqual([
			'us_nora_notary',
			'us_oscar_oath',
			added.id,
		]);
		const deleted = await client.call('DELETE', `${path}/${added.id}`);
		expect([deleted.status, deleted.body]).toEqual([204, undefined]);
		for (const method of ['GET', 'DELETE'])
			expect(await client.refused(method, `${path}/${added.id}`)).toEqual([404, 'Not Found']);
		await client.ok('DELETE', `/v2/webhooks/${hook}`);
		receiver.close();
	});
	test('who is known already, or has a state that does not exist, can not be added', async () => {
		for (const wrong of [{ email: 'nora@notaries.example' }, { us_state_abbr: 'XX' }])
			expect(await client.refused('POST', path, { ...ADA, ...wrong })).toEqual([
				422,
				'Notary cannot be added',
			]);
	});
});

test('the notaries of real estate are under version 1 only', async () => {
	expect((await client.call('GET', '/mortgage/v2/notaries')).status).toBe(404);
	expect((await client.call('POST', '/mortgage/v2/notaries', ADA)).status).toBe(404);
	expect((await client.call('GET', '/mortgage/v2/notaries/us_nora_notary')).status).toBe(404);
});

test('the statuses: compliant, needs_review and, other than in the event, not_compliant', async () => {
	const id = sandbox.act.addNotary({ name: 'Ben Book' });
	const found = async () => {
		const { status, status_description } = await client.ok('GET', `/notaries/${id}`);
		return [status, status_description];
	};
	const texts = [await found()];
	for (const compliance of ['needs_review', 'compliant', 'non_compliant'] as const) {
		sandbox.act.setCompliance(id, compliance);
		texts.push(await found());
	}
	expect(texts.map(([status]) => status)).toEqual([
		'not_compliant',
		'needs_review',
		'compliant',
		'not_compliant',
	]);
	expect(texts[2][1]).toBe('Notary is clear to take meetings.');
	expect(new Set(texts.map(([, text]) => text)).size).toBe(4);
	await client.call('DELETE', `/notaries/${id}`);
});

test('business lists by state and by child organization', async () => {
	expect(idsOf(await client.ok('GET', '/notaries?us_state_abbr=tx'))).toEqual(['us_oscar_oath']);
	const { child } = sandbox.organizations;
	const branch = new Client(sandbox, sandbox.keys.childFull);
	const { id } = await branch.ok('POST', '/notaries', { ...ADA, email: 'branch@notaries.example' });
	expect(idsOf(await client.ok('GET', `/notaries?organization_id=${child}`))).toEqual([id]);
	expect(idsOf(await client.ok('GET', '/notaries'))).not.toContain(id);
	expect(idsOf(await branch.ok('GET', '/notaries'))).toEqual([id]);
	expect((await branch.call('GET', '/notaries/us_nora_notary')).status).toBe(404);
});

test('the notaries of a transaction are those who can take its meeting', async () => {
	const waiting = sandbox.act.addNotary({ name: 'Cid Clerk' });
	for (const path of [
		`/transactions/${await newDraft(client)}`,
		`/mortgage/v2/transactions/${await newClosing(client)}`,
	]) {
		const found = await client.ok('GET', `${path}/notaries`);
		expect(idsOf(found)).toEqual(['us_nora_notary', 'us_oscar_oath']);
		expect(found[0]).toMatchObject({ status: 'compliant', first_name: 'Nora' });
	}
	expect(await client.refused('GET', '/transactions/ot_none/notaries')).toEqual([
		404,
		'Transaction Not Found',
	]);
	await client.call('DELETE', `/notaries/${waiting}`);
});
