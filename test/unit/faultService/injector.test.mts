import { describe, expect, test } from '@jest/globals';

import { CORE_FAULTS } from '../../support/faultService/coreFaults.mts';
import { FAULTS } from '../../support/faultService/faults.mts';
import { Injector } from '../../support/faultService/injector.mts';
import { startFaultService } from '../../support/faultService/service.mts';
import type { Target } from '../../support/faultService/types.mts';
import { clientOf } from './support/clients.mts';
import { call, service, useFaultService } from './support/useFaultService.mts';

useFaultService({ slowMs: 50 });

const BODY = { draft: true, signers: [{ email: 'ann@example.com' }] };
const statuses = async (...calls: Array<[string, string]>) => {
	const seen: number[] = [];
	for (const [method, path] of calls)
		seen.push((await call(method, path, method === 'GET' ? undefined : BODY)).status);
	return seen;
};

describe('the table', () => {
	test('has unique names, all groups, and both variants where writes need them', () => {
		expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length);
		expect(FAULTS.length).toBeGreaterThanOrEqual(75);
		const groups = [...new Set(FAULTS.map(({ group }) => group))];
		expect(groups).toEqual(
			'network http shape compression encoding size time redirect lists errorFields binary'.split(
				' ',
			),
		);
		for (const { name, when } of FAULTS) expect(name.endsWith(`/${when}`)).toBe(true);
		for (const name of ['network:reset-before-headers', 'http:status-500', 'shape:body-empty'])
			expect(FAULTS.filter((fault) => fault.name.startsWith(`${name}/`))).toHaveLength(2);
	});
	test('has a core with every group in it', () => {
		expect(new Set(CORE_FAULTS.map(({ name }) => name)).size).toBe(CORE_FAULTS.length);
		expect(new Set(CORE_FAULTS.map(({ group }) => group)).size).toBe(11);
	});
});

describe('an injected fault', () => {
	test('strikes one request by default, then the service is itself again', async () => {
		const injected = service.inject({ fault: 'http:status-503/before' });
		expect(await statuses(['GET', '/transactions'], ['GET', '/transactions'])).toEqual([503, 200]);
		expect(injected.struck).toBe(1);
	});
	test('strikes by method, path, number and position', async () => {
		const injected = service.inject({
			fault: 'http:status-401/before',
			method: 'GET',
			path: /^\/templates/,
			times: 2,
			after: 1,
		});
		const get: [string, string] = ['GET', '/templates'];
		expect(
			await statuses(get, ['GET', '/transactions'], get, ['POST', '/transactions'], get, get),
		).toEqual([200, 200, 401, 200, 401, 200]);
		expect(injected.struck).toBe(2);
	});
	test('strikes always with Infinity, until it is removed', async () => {
		const injected = service.inject({ fault: 'http:status-401/before', times: Infinity });
		const get: [string, string] = ['GET', '/templates'];
		expect(await statuses(get, get, get)).toEqual([401, 401, 401]);
		injected.remove();
		expect(await statuses(get)).toEqual([200]);
		service.inject({ fault: 'http:status-401/before', times: Infinity });
		service.clearFaults();
		expect(await statuses(get)).toEqual([200]);
	});
	test('has to exist, and skips what it does not apply to', async () => {
		expect(() => service.inject({ fault: 'nothing' })).toThrow('There is no fault "nothing"');
		const injected = service.inject({ fault: 'lists:total-zero/after' });
		await call('GET', '/organization');
		expect(injected.struck).toBe(0);
		expect((await call('GET', '/templates')).json.total_count).toBe(0);
	});
	test('does not hide that the service itself refused', async () => {
		const injected = service.inject({ fault: 'shape:id-missing/after' });
		expect((await call('POST', '/transactions', {})).status).toBe(422);
		expect(injected.struck).toBe(0);
		expect(service.requests[0]).toMatchObject({ applied: false, honest: true });
		expect(service.requests[0].fault).toBeUndefined();
		expect((await call('POST', '/transactions', BODY)).json).not.toHaveProperty('id');
		expect(injected.struck).toBe(1);
	});
	test('closes the port for a while, and opens it again', async () => {
		service.inject({ fault: 'network:refused-for-a-while/before' });
		await expect(call('GET', '/templates')).rejects.toThrow('fetch failed');
		const refused = await call('GET', '/templates').catch((error) => error.cause.code);
		expect(refused).toBe('ECONNREFUSED');
		let status = 0;
		while (status !== 200)
			status = await call('GET', '/templates').then(
				(answer) => answer.status,
				() => 0,
			);
		expect(service.requests).toHaveLength(2);
	});
});

describe('random faults', () => {
	const targets: Target[] = Array.from({ length: 300 }, (_, index) => ({
		host: 'api',
		method: index % 3 ? 'GET' : 'POST',
		path: '/transactions',
		write: index % 3 === 0,
		hasBody: index % 3 === 0,
		kind: index % 2 ? 'page' : 'object',
		key: 'k',
	}));
	const draw = (seed: number, rate: number, more = {}) => {
		const injector = new Injector();
		injector.randomFaults({ seed, rate, ...more });
		return targets.map((target) => injector.pick(target));
	};
	test('are the same for the same seed, and others for another', () => {
		const names = (seed: number) => draw(seed, 0.5).map((fault) => fault?.name);
		expect(names(1)).toEqual(names(1));
		expect(names(1)).not.toEqual(names(2));
	});
	test('strike at the rate, apply to what they strike, and are neither heavy nor endless', () => {
		expect(draw(7, 0).filter(Boolean)).toEqual([]);
		expect(draw(7, 1).filter(Boolean)).toHaveLength(300);
		const struck = draw(7, 0.3);
		expect(struck.filter(Boolean).length).toBeGreaterThan(60);
		expect(struck.filter(Boolean).length).toBeLessThan(120);
		for (const [index, fault] of struck.entries())
			if (fault) {
				expect(fault.appliesTo(targets[index])).toBe(true);
				expect(fault.heavy ?? fault.endless ?? false).toBe(false);
			}
		const only = draw(7, 1, { groups: ['time'], endless: true });
		expect(new Set(only.map((fault) => fault?.group))).toEqual(new Set(['time']));
	});
	test('are the same in two services that get the same requests', async () => {
		const other = await startFaultService({ slowMs: 50 });
		const runs: string[][] = [];
		for (const one of [service, other]) {
			one.randomFaults({ seed: 42, rate: 0.6, groups: ['http', 'errorFields'] });
			for (let count = 0; count < 30; count++)
				await clientOf(one)(
					count % 2 ? 'GET' : 'POST',
					'/transactions',
					count % 2 ? undefined : BODY,
				).catch(() => {});
			runs.push(one.requests.map(({ method, fault }) => `${method} ${fault}`));
		}
		await other.close();
		expect(runs[0].join('\n')).toBe(runs[1].join('\n'));
		expect(runs[0].filter((run) => !run.endsWith('undefined')).length).toBeGreaterThan(9);
	});
});
