import { describe, expect, test } from '@jest/globals';

import { ServiceFailure } from '../../../../../nodes/SignAndClose/service/errors/failure.ts';
import { LAYOUTS } from '../../../../../nodes/SignAndClose/service/paths.ts';
import {
	probeAll,
	type Findings,
	type Found,
} from '../../../../../nodes/SignAndClose/service/resources/account/probes.ts';
import {
	keyState,
	layoutOf,
	layoutState,
} from '../../../../../nodes/SignAndClose/service/resources/account/verdicts.ts';
import { thrownBy, withClient } from '../../../../support/live/client.mts';
import type { Script } from '../../../../support/live/service.mts';

/** What probes of an account find, and what they say together about key and path layout. */

const OPEN: Found = { state: 'open', shown: {} };
const refused = (status: number, state: 'notOpen' | 'unknown' = 'notOpen'): Found => ({
	state,
	failure: new ServiceFailure(
		{ code: 'refused', status, asked: 'read', said: [], attempts: 1 },
		{ httpStatus: status },
	),
});
const SILENT: Found = {
	state: 'unknown',
	failure: new ServiceFailure({ code: 'unreachable', fault: 'ECONNREFUSED', attempts: 5 }),
};

describe('the key', () => {
	test.each<[string, Findings, object]>([
		[
			'is accepted, where anything is open',
			{ business: refused(401), webhooks: OPEN },
			{ state: 'open' },
		],
		[
			'is accepted, where a rule of the account refuses',
			{ addresses: refused(422) },
			{ state: 'open' },
		],
		[
			'is not accepted, where all say so',
			{ business: refused(401), webhooks: refused(401) },
			{ state: 'notOpen' },
		],
		[
			'is not accepted, where others know no such call',
			{ business: refused(404, 'unknown'), webhooks: refused(401) },
			{ state: 'notOpen' },
		],
		[
			'may read nothing',
			{ business: refused(403), webhooks: refused(401) },
			{ state: 'unknown', readsNothing: true },
		],
		[
			'is not known, where nothing answers',
			{ business: SILENT },
			{ state: 'unknown', readsNothing: false },
		],
		[
			'is not known, where nothing is known',
			{ business: refused(404, 'unknown') },
			{ state: 'unknown', readsNothing: false },
		],
	])('%s', (_what, findings, expected) => {
		expect(keyState(findings)).toMatchObject(expected);
	});
});

test('a layout has the name of the credential', () => {
	expect(layoutOf(LAYOUTS.documented)).toBe('documented');
	expect(layoutOf(LAYOUTS.current)).toBe('current');
	expect(layoutOf({ ...LAYOUTS.current })).toBe('custom');
});

/** A service that answers these paths, and 404 to all others. */
const knowing =
	(answers: Record<string, unknown>): Script =>
	({ path }) =>
		path in answers ? { body: answers[path] } : { status: 404, body: 'Not found' };
const LIST = { total_count: 7, count: 1, data: [{ id: 'ot_1' }] };

describe('the path layout', () => {
	const stateAt = async (script: Script) =>
		await withClient(script, async (service, { requests }) => ({
			state: await layoutState(service, await probeAll(service, ['business', 'realEstate'])),
			asked: requests.map(({ path }) => path),
		}));

	test('is right where something is open, and no other one is tried', async () => {
		const { state, asked } = await stateAt(knowing({ '/v1/transactions': LIST }));
		expect(state).toEqual({ state: 'open', layout: 'current' });
		expect(asked.filter((path) => path === '/transactions')).toEqual([]);
	});
	test('is wrong where the other one finds something', async () => {
		for (const path of ['/transactions', '/mortgage/v1/transactions'])
			expect((await stateAt(knowing({ [path]: LIST }))).state).toEqual({
				state: 'notOpen',
				layout: 'current',
				other: 'documented',
			});
	});
	test('is not known where none finds anything, nor where the key is refused', async () => {
		const unknown = { state: 'unknown', layout: 'current' };
		expect((await stateAt(knowing({}))).state).toEqual(unknown);
		const { state, asked } = await stateAt(() => ({ status: 401, body: { errors: ['No'] } }));
		expect(state).toEqual(unknown);
		expect(asked).toHaveLength(2);
	});
});

describe('a probe', () => {
	test('of a platform asks that platform alone, whatever the service says', async () => {
		const says = { errors: ['This organization must use the Business API for transactions'] };
		await withClient(
			({ path }) => (path.startsWith('/mortgage') ? { status: 401, body: says } : { body: LIST }),
			async (service, { requests }) => {
				expect(await probeAll(service, ['business', 'realEstate'])).toMatchObject({
					business: { state: 'open', shown: { total_count: 7 } },
					realEstate: { state: 'notOpen' },
				});
				expect(requests).toHaveLength(2);
				for (const { query } of requests) expect(query).toEqual({ limit: '1', offset: '0' });
			},
		);
	});
	test.each<[string, unknown, string]>([
		['knows transactions, which it does not list', { errors: ['Transaction Not Found'] }, 'open'],
		['knows no such path', { errors: { request: 'resource not found' } }, 'unknown'],
		['answers with a page', '<html>Not found</html>', 'unknown'],
	])('of a service that %s', async (_what, body, state) => {
		await withClient(
			({ path }) => ({ status: 404, body: /transactions\/./.test(path) ? body : 'Not found' }),
			async (service) => {
				expect((await probeAll(service, ['business'])).business?.state).toBe(state);
			},
		);
	});
	test('of closings is answered by the check of an address, where there is no list', async () => {
		const address = { '/mortgage/v2/transactions/verify_address': [{ id: 'rl1' }] };
		await withClient(knowing(address), async (service) => {
			expect(await probeAll(service, ['realEstate', 'addresses'])).toMatchObject({
				realEstate: { state: 'open' },
				addresses: { state: 'open' },
			});
			expect((await probeAll(service, ['realEstate'])).realEstate?.state).toBe('unknown');
		});
	});
	test('of an answer that is none tells nothing', async () => {
		for (const body of ['', 'null', '<html></html>', { errors: ['No'] }])
			await withClient(
				() => ({ body }),
				async (service) => {
					const findings = await probeAll(service, ['organization', 'templates', 'addresses']);
					for (const { state } of Object.values(findings)) expect(state).toBe('unknown');
				},
			);
	});
	test('that can not be sent at all is a failure', async () => {
		await withClient(
			() => ({ body: LIST }),
			async (service) => {
				const notSent = new ServiceFailure({ code: 'notSent', said: 'The credential was deleted' });
				service.json = async () => {
					throw notSent;
				};
				expect(await thrownBy(probeAll(service, ['business', 'organization']))).toBe(notSent);
			},
		);
	});
});
