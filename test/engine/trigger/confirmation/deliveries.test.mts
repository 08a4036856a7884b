import { credentialCache } from '../../../../nodes/SignAndClose/trigger/delivery/confirmation.ts';
import { signBody } from '../../../../nodes/SignAndClose/trigger/authenticity.ts';
import { startSandbox } from '../../../../sandbox/index.mts';
import { completedClosing, createClosing } from '../../../support/closing.mts';
import {
	CONFIRMING,
	credentialReads,
	deliver,
	deliveries,
	event,
	SECRET,
	type Sent,
	SIGNING_KEY,
} from '../../../support/delivery.mts';
import { credentialFor, accounts } from '../../../support/engine.mts';
import { PATIENCE_MS } from '../../../../host/run/patience.mts';
import { waitFor } from '../../../support/faultMatrix/rounds.mts';
import { forEachCase } from '../../../support/forEachCase.mts';
import { credential, sandbox, useSandbox } from '../../../support/useSandbox.mts';
import { until } from '../../../support/until.mts';

/** Asking the service whether an event is true before the workflow starts. */

useSandbox();

/** An event that a draft doesn't contradict. */
const created = (id: unknown) => event({ transaction_id: id as string }, 'transaction.created');

describe('an event that is confirmed with the service', () => {
	const confirm = { parameters: CONFIRMING };
	test('has the transaction, its IDs at top level, and how it was delivered', async () => {
		const transactionId = await completedClosing(sandbox, credential());
		const { status, item } = await deliver(event({ transaction_id: transactionId }), {
			...confirm,
			headers: { 'x-case': '7', cookie: 'secret=1', authorization: 'Bearer x' },
		});
		expect(status).toBe(200);
		expect(item).toMatchObject({
			event: 'transaction.completed',
			transaction_id: transactionId,
			notarization_record_id: expect.stringMatching(/^me_/),
			confirmed: true,
			outdated: false,
			transaction: { detailed_status: 'complete' },
		});
		expect(item!.delivery).toEqual({
			by: 'delivery',
			at: expect.stringMatching(/Z$/),
		});
		expect(JSON.stringify(item)).not.toMatch(/x-case|secret=1|Bearer x|demo-full-access-key|s{43}/);
	});
	test('while the key is refused, each delivery gets 503, and its repeat meets the conditions once the key works', async () => {
		const transactionId = await completedClosing(sandbox, credential());
		const body = event({ transaction_id: transactionId });
		const wanting = (organization: string) => ({
			parameters: {
				...CONFIRMING,
				onlyRunIf: {
					row: [{ field: 'organization_id', comparison: 'equals', value: organization }],
				},
			},
		});
		await forEachCase(['an-old-key', 'an-old-key'], async (apiKey) =>
			expect(await deliver(body, { ...wanting('or_harbor'), credential: { apiKey } })).toEqual({
				status: 503,
				said: '',
				item: undefined,
			}),
		);
		expect((await deliver(body, wanting('or_other'))).item).toBeUndefined();
		expect((await deliver(body, wanting('or_harbor'))).item).toMatchObject({
			confirmed: true,
			transaction: { transaction_id: transactionId },
		});
	});
	test('a credential edited between two deliveries counts from the next one on, and its key goes to no other host than its own', async () => {
		const transactionId = await createClosing(credential());
		expect((await deliver(created(transactionId), confirm)).item).toMatchObject({
			confirmed: true,
		});
		const other = await startSandbox();
		try {
			const moved = { baseUrl: other.url, apiKey: other.keys.full };
			const there = await createClosing(credentialFor(other.url, moved));
			const before = sandbox.requests.length;
			expect((await deliver(created(there), { ...confirm, credential: moved })).item).toMatchObject(
				{ confirmed: true, transaction: { transaction_id: there } },
			);
			expect(sandbox.requests.length).toBe(before);
			// Another layout at the same address: the paths of before are not there any more.
			const layout = {
				...moved,
				pathLayout: 'custom',
				businessPrefix: '/v1',
				realEstatePrefix: '/mortgage/v2',
				realEstateAssurancePrefix: '/mortgage/v2',
				webhooksPrefix: '/v2',
			};
			expect(
				(await deliver(created(there), { ...confirm, credential: layout })).item,
			).toMatchObject({ confirmed: true });
		} finally {
			await other.close();
		}
	});
	test('a delivery reads the credential once, for the question to the service', async () => {
		const transactionId = await createClosing(credential());
		await deliver(event({ transaction_id: transactionId }), confirm);
		credentialReads.count = 0;
		await forEachCase(Array(3).keys(), async () => {
			const body = created(transactionId);
			const signed = {
				headers: { 'x-signature': signBody(JSON.stringify(body), SIGNING_KEY) },
				staticData: { secret: SECRET, signingKey: SIGNING_KEY, signatureHeader: 'x-signature' },
			};
			expect((await deliver(body, { ...confirm, ...signed })).item).toMatchObject({
				confirmed: true,
			});
		});
		expect(credentialReads.count).toBe(3);
	});
	describe('right after another one', () => {
		const send = async (transactionId: string, more: Sent = {}) => {
			const body = created(transactionId);
			return await deliver(body, {
				...confirm,
				headers: { 'x-signature': signBody(JSON.stringify(body), SIGNING_KEY) },
				staticData: { secret: SECRET, signingKey: SIGNING_KEY, signatureHeader: 'x-signature' },
				soon: true,
				...more,
			});
		};
		test('shares the credential with those that come while it is read, and with those after them', async () => {
			const id = await createClosing(credential());
			credentialCache.forget();
			// Longer than a busy machine takes for all of it.
			const { keptMs } = credentialCache;
			credentialCache.keptMs = PATIENCE_MS;
			let goOn = () => {};
			const reading = new Promise<void>((resolve) => (goOn = resolve));
			credentialReads.count = 0;
			deliveries.begun = 0;
			const sent = Promise.all(Array.from({ length: 8 }, async () => await send(id, { reading })));
			await until(() => deliveries.begun === 8);
			// A test of the same trigger reads it for itself.
			expect((await send(id, { mode: 'manual' })).item).toMatchObject({ confirmed: true });
			goOn();
			forEachCase(await sent, ({ item }) => expect(item).toMatchObject({ confirmed: true }));
			expect((await send(id)).item).toMatchObject({ confirmed: true });
			expect(credentialReads.count).toBe(2);
			credentialCache.keptMs = keptMs;
		});
		test('reads it anew when a second has gone by', async () => {
			const id = await createClosing(credential());
			credentialCache.forget();
			credentialReads.count = 0;
			await send(id);
			await until(async () => {
				expect((await send(id)).status).toBe(200);
				return credentialReads.count > 1;
			});
			expect(credentialReads.count).toBe(2);
		});
		test('shares no failure to read it', async () => {
			const id = await createClosing(credential());
			credentialCache.forget();
			expect((await send(id, { credentialError: new Error('busy') })).status).toBe(503);
			expect((await send(id)).item).toMatchObject({ confirmed: true });
		});
	});
	test('of a deleted transaction "not found" is the confirmation, if the call was signed', async () => {
		const body = event({ transaction_id: 'ot_gone' }, 'transaction.deleted');
		expect((await deliver(body, confirm)).item).toMatchObject({ confirmed: false });
		const headers = { 'x-signature': signBody(JSON.stringify(body), SIGNING_KEY) };
		expect((await deliver(body, { ...confirm, headers })).item).toMatchObject({ confirmed: true });
	});
	test('while the service can not be asked the delivery gets 503, and when it is repeated it passes', async () => {
		const body = created(await createClosing(credential()));
		sandbox.faults.add({ method: 'GET', path: /\/transactions\//, status: 503, times: 50 });
		// The service waits 30 seconds for an answer.
		const soon = async () => (await waitFor(deliver(body, confirm), 1_000)).result;
		expect(await soon()).toEqual({ status: 503, said: '', item: undefined });
		sandbox.faults.clear();
		sandbox.faults.add({
			method: 'GET',
			path: /\/transactions\//,
			status: 429,
			headers: { 'retry-after': '60' },
		});
		expect((await soon())?.status).toBe(503);
		// As long as the pause lasts, the service isn't asked again.
		const asked = sandbox.requests.length;
		expect((await soon())?.status).toBe(503);
		expect(sandbox.requests).toHaveLength(asked);
		sandbox.faults.clear();
		accounts.clear();
		expect((await deliver(body, confirm)).item).toMatchObject({ confirmed: true, outdated: false });
	});
});
