import { createRequire } from 'node:module';

import { UserError, type IDataObject } from 'n8n-workflow';

import { startSandbox } from '../../../sandbox/index.mts';
import { ADD_DOCUMENT, CLOSING, createClosing, id, pdfItem } from '../../support/closing.mts';
import { runNode, type RunOptions } from '../../support/engine.mts';
import { liveClosing, liveDocument } from '../../support/live/answers.mts';
import { startSmallService, type SmallService } from '../../support/smallService.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Answers and connections that go wrong: what is repeated, and what the person reads. */

// The same module registry as n8n-core's.
const require = createRequire(import.meta.url);
const { Container } = require('@n8n/di') as typeof import('@n8n/di');
const { SsrfProtectionConfig } = require('@n8n/config') as typeof import('@n8n/config');

useSandbox();

beforeEach(() => void (sandbox.requests.length = 0));

describe('a request that fails', () => {
	const get = (value: string) => ({
		resource: 'transaction',
		operation: 'get',
		platform: 'realEstate',
		transactionId: id(value),
	});

	test('a pause until a date is counted by the clock of the service', async () => {
		const value = await createClosing(credential());
		sandbox.requests.length = 0;
		// A service whose clock is an hour ahead asks for one second.
		const there = Math.ceil(Date.now() / 1000) * 1000 + 3_600_000;
		const at = (ms: number) => new Date(ms).toUTCString();
		sandbox.faults.add({
			method: 'GET',
			path: value,
			status: 503,
			headers: { date: at(there), 'retry-after': at(there + 1000) },
		});
		const { items, error } = await runNode({ credential: credential(), parameters: get(value) });
		expect(error).toBeUndefined();
		expect(items[0].json.transaction_id).toBe(value);
		expect(sandbox.requests).toHaveLength(2);
	});

	test.each([303, 408, 503, 524])(
		'a write is not repeated after %i, which does not tell what became of it',
		async (status) => {
			sandbox.faults.add({ method: 'POST', path: '/transactions', status });
			const { error } = await runNode({
				credential: credential(),
				parameters: CLOSING,
				node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 5 },
				limits: { absentAfterMs: Infinity },
			});
			expect(error?.message).toMatch(/outcome is unknown/);
			expect(sandbox.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
		},
	);

	test('a redirect is not followed with the key', async () => {
		const value = await createClosing(credential());
		const other = await startSandbox();
		sandbox.faults.add({
			method: 'GET',
			path: value,
			status: 302,
			headers: { location: `${other.url}/elsewhere` },
		});
		const { error } = await runNode({ credential: credential(), parameters: get(value) });
		expect(error?.message).toBe('The service answered with a redirect');
		expect(other.requests).toEqual([]);
		await other.close();
	});
});

describe('a write that never left', () => {
	/** Runs a write that must not be reported as in doubt, or be tried again. */
	const expectNothingSent = async (given: RunOptions['credential']) => {
		const { error } = await runNode({ credential: given, parameters: CLOSING });
		const text = `${error?.message}. ${error?.description}`;
		expect(text).not.toMatch(/unknown|Tried|Look it up/);
		expect(sandbox.requests).toEqual([]);
		return text;
	};

	test('because the credential is deleted', async () => {
		const deleted = () => {
			throw new UserError('Credential with ID "1" does not exist.');
		};
		expect(await expectNothingSent(deleted)).toMatch(
			/nothing was sent: Credential with ID "1" does not exist\. Select/,
		);
	});

	test("because the API key has a character that can't be sent", async () => {
		expect(await expectNothingSent(credential({ apiKey: 'k\u0435y' }))).toMatch(/'API Key'/);
	});

	test('because n8n blocks requests to private addresses', async () => {
		const protection = Container.get(SsrfProtectionConfig);
		protection.enabled = true;
		try {
			const text = await expectNothingSent(credential());
			expect(text).toMatch(/n8n blocks requests to 127\.0\.0\.1.*N8N_SSRF_ALLOWED_HOSTNAMES/);
		} finally {
			protection.enabled = false;
		}
	});
});

test('an API key that was pasted with a character without width is accepted', async () => {
	const key = String(credential().apiKey);
	const pasted = credential({ apiKey: `${key.slice(0, 4)}\u200b${key.slice(4)}` });
	const { error } = await runNode({ credential: pasted, parameters: CLOSING });
	expect(error).toBeUndefined();
});

/** n8n's own helper sends a request that was refused with 401 a second time, writes included. */
describe('a request that is refused with 401 is sent once', () => {
	const transactionId = id('ot_od4kenk');
	const onRealEstate = { platform: 'realEstate', transactionId };
	const GET = { resource: 'transaction', operation: 'get' };
	const run = async (url: string, parameters: IDataObject, withFile = false) =>
		await runNode({
			credential: credential({ baseUrl: url }),
			parameters,
			items: withFile ? [await pdfItem()] : undefined,
		});
	test.each<[string, (url: string) => Promise<unknown>]>([
		['a read', async (url) => await run(url, { ...GET, ...onRealEstate })],
		['a write', async (url) => await run(url, CLOSING)],
		['an upload', async (url) => await run(url, { ...ADD_DOCUMENT, transactionId }, true)],
	])('%s', async (_what, act) => {
		await using service = await startSmallService(refused401);
		await act(service.url);
		expect(service.asked.length).toBeGreaterThan(0);
		// The other platform may be asked as well, but nothing twice.
		expect(service.asked).toEqual([...new Set(service.asked)]);
	});

	const refused401 = () => ({ status: 401, body: { errors: ['Unauthorized'] } });
	/** Downloads a document of a transaction; the way to its content is refused. */
	const download = async (document: (url: string) => IDataObject) => {
		await using service: SmallService = await startSmallService((request) =>
			request.endsWith('/transactions/ot_od4kenk')
				? { body: liveClosing([document(service.url)]) }
				: refused401(),
		);
		const { error } = await run(service.url, {
			...onRealEstate,
			resource: 'document',
			operation: 'download',
			documentId: id('do_5f0c2a1e'),
			version: 'current',
			binaryPropertyName: 'data',
		});
		expect(error).toBeDefined();
		return service.asked.filter((request) => !request.endsWith('/transactions/ot_od4kenk'));
	};
	test('the content of a document', async () => {
		const asked = await download(() => liveDocument());
		expect(asked.length).toBeGreaterThan(0);
		expect(asked).toEqual([...new Set(asked)]);
	});
	test('a link, and once more with the new one that is retrieved', async () => {
		const asked = await download((url) => liveDocument({ final_document_url: `${url}/file` }));
		expect(asked).toEqual(['GET /file', 'GET /file']);
	});
});
