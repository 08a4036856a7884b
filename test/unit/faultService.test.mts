import { PATIENCE_MS } from '../../host/run/patience.mts';
import { knownDeviation, unneededEntries } from '../support/faultMatrix/known.mts';
import { FAULTS } from '../support/faultMatrix/faults.mts';
import { wrongEffects } from '../support/faultMatrix/observe.mts';
import { startFaultService, type FaultService } from '../support/faultService/service.mts';
import { until } from '../support/until.mts';

/** What would hide a fault of ours, if the fault service or the judge of the matrix had it wrong. */

let service: FaultService;
beforeEach(async () => {
	service = await startFaultService({ bigBytes: 300_000, secondMs: 2 });
});
afterEach(async () => {
	expect(service.problems).toEqual([]);
	await service.close();
});

const create = (name: string, signal = AbortSignal.timeout(PATIENCE_MS)) =>
	fetch(`${service.url}/transactions`, {
		method: 'POST',
		headers: { ApiKey: service.key, 'content-type': 'application/json' },
		body: JSON.stringify({
			draft: true,
			external_id: name,
			signers: [{ email: 'ann@example.com' }],
		}),
		signal,
		redirect: 'manual',
	}).catch(() => undefined);

const made = () => service.effects.map(({ marker }) => marker);

test('the ledger counts what is done twice twice, and the judge says so', async () => {
	await create('twice');
	await create('twice');
	expect(made()).toEqual(['twice', 'twice']);
	const wanted = { effects: [[{ kind: 'transaction.created', marker: 'twice' }]] };
	const judged = (state: 'done' | 'failed', effects: typeof service.effects) =>
		wrongEffects([{ state, said: '' }], wanted, effects).join();
	expect(judged('done', service.effects)).toMatch(/was done 2 times/);
	expect(judged('done', [])).toMatch(/reported as done, without/);
	expect(judged('failed', service.effects.slice(1))).toMatch(/reported as failed, but/);
});

const strikable = FAULTS.filter((fault) =>
	fault.appliesTo({
		...{ host: 'api', method: 'POST', path: '/transactions', key: '' },
		...{ write: true, hasBody: true, kind: 'object' },
	}),
);
test.each(strikable)('$name does the work or not, as it says', async (fault) => {
	const injected = service.inject({ fault });
	const given = new AbortController();
	const asked = create(fault.name, fault.endless ? given.signal : undefined);
	await until(() => injected.struck > 0);
	// What has no end was waited for long enough when it has begun.
	given.abort();
	const answer = await asked;
	expect(injected.struck).toBe(1);
	await service.settle();
	expect(made()).toEqual(fault.when === 'before' ? [] : [fault.name]);
	if (fault.reaches === 'refused' && !fault.unread) expect(answer!.status).toBeGreaterThan(399);
	if (fault.reaches === 'honest')
		expect(await answer!.json()).toMatchObject({ id: expect.stringMatching(/^ot_/) });
	if (fault.endless) expect(service.requests[0].status).toBeUndefined();
	// It strikes once.
	if (!fault.name.includes('refused-for')) expect((await create('again'))?.status).toBe(200);
});

test.each([[['status']], [['detailedStatus']], [['status', 'detailedStatus']]] as const)(
	'a transaction that is canceled in %j has ended, and is neither sent nor recalled',
	async (fields) => {
		await create('ended');
		const [{ id }] = service.effects;
		service.state.cancel(id, [...fields]);
		for (const step of ['notarization_ready', 'recall', 'send_email']) {
			const own = { headers: { ApiKey: service.key }, method: 'POST' };
			const { status } = await fetch(`${service.url}/transactions/${id}/${step}`, own);
			expect([step, status]).toEqual([step, 422]);
		}
		expect(made()).toEqual(['ended']);
	},
);

test('what is done later is not done when its answer is lost, and never by a closed service', async () => {
	const late = await startFaultService();
	const [fault] = FAULTS.filter(({ name }) => name === 'http:status-504/later-70s');
	late.inject({ fault });
	const { status } = await fetch(`${late.url}/v2/webhooks`, {
		method: 'POST',
		headers: { ApiKey: late.key, 'content-type': 'application/json' },
		body: JSON.stringify({ url: 'https://example.com', subscriptions: ['*'] }),
	});
	expect([status, late.effects]).toEqual([504, []]);
	await late.close();
	await late.settle();
	expect(late.effects).toEqual([]);
});

test('names are given once', () => {
	expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length);
});

test('the same seed strikes the same requests', async () => {
	const run = async () => {
		service.randomFaults({ seed: 7, rate: 0.5, only: ({ group }) => group === 'http' });
		for (let number = 0; number < 12; number++) await create(`order ${number}`);
		service.clearFaults();
		return service.requests.splice(0).map(({ fault }) => fault);
	};
	const first = await run();
	expect(await run()).toEqual(first);
	expect(new Set(first).size).toBeGreaterThan(2);
});

test('a known deviation excuses its scene, fault and kind only, and is needed', () => {
	const cell = {
		scene: 'notarizationRecord/downloadVideo',
		fault: 'compression:gzip-not-said/after',
	};
	const known = (more: object, told: string[]) =>
		knownDeviation({ ...cell, ...more } as never, told);
	const other = 'item 1 gives something else: a | b';
	const reason = known({}, [other])!;
	expect(reason).toMatch(/gzip/);
	expect(known({}, [other, 'fails instead of succeeds'])).toBeUndefined();
	expect(known({ scene: 'document/download' }, [other])).toBeUndefined();
	expect(known({ fault: 'compression:gzip/after' }, [other])).toBeUndefined();
	const ofFiles = known({ scene: 'transaction/downloadFiles' }, [other])!;
	expect(unneededEntries([cell.fault], [])).toEqual([reason, ofFiles]);
	expect(unneededEntries([], [])).toEqual([]);
});
