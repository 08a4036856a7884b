import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { NodeHelpers, type ICredentialDataDecryptedObject, type IDataObject } from 'n8n-workflow';

import { SignAndCloseApi } from '../../../credentials/SignAndCloseApi.credentials.ts';
import { parseSettings } from '../../../nodes/SignAndClose/transport/service/credential.ts';
import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import { startCredentialTest, type CredentialTest } from '../../support/credentialTest/index.mts';
import { credentialFor, runNode } from '../../support/engine.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import { startSmallService, type SmallAnswer } from '../../support/smallService.mts';

/** The credential: what "Test" says of it, by n8n's own code, its form, and what a run says. */

const EMPTY = { total_count: 0, count: 0, data: [] };
const OK = { status: 'OK', message: 'Connection successful!' };
let sandbox: Sandbox;
let n8n: CredentialTest;
beforeAll(async () => {
	sandbox = await startSandbox();
	n8n = await startCredentialTest();
	// n8n takes some seconds to load.
});
afterAll(async () => {
	await n8n[Symbol.asyncDispose]();
	await sandbox.close();
});

const tested = async (more: IDataObject, url = sandbox.url) =>
	await n8n.run({ baseUrl: url, apiKey: sandbox.keys.full, pathLayout: 'documented', ...more });
/** Tests a credential against a service that has a few paths only. */
const testedWith = async (answer: (request: string) => SmallAnswer, more: IDataObject = {}) => {
	await using service = await startSmallService(answer);
	const result = await tested(more, service.url);
	return { ...result, asked: service.asked };
};

describe('a valid credential is accepted', () => {
	test('of an account without transactions, in all three layouts, on both platforms', async () => {
		expect(await tested({})).toEqual(OK);
		expect(await tested({ baseUrl: ` ${sandbox.url}/ `, pathLayout: 'current' })).toEqual(OK);
		const custom = {
			pathLayout: 'custom',
			businessPrefix: 'v1/',
			realEstatePrefix: '/mortgage/v2',
		};
		expect(await tested(custom)).toEqual(OK);
		await forEachCase([{}, { pathLayout: 'current' }, custom], async (more) =>
			expect(await tested({ ...more, testPlatform: 'realEstate' })).toEqual(OK),
		);
		expect(sandbox.problems).toEqual([]);
	});
	test('by one small request to the path of the layout', async () => {
		const asked = async (more: IDataObject) =>
			(await testedWith(() => ({ body: EMPTY }), more)).asked;
		expect(await asked({})).toEqual(['GET /transactions?limit=1']);
		expect(await asked({ pathLayout: 'current' })).toEqual(['GET /v1/transactions?limit=1']);
		expect(await asked({ pathLayout: 'custom', businessPrefix: '' })).toEqual([
			'GET /transactions?limit=1',
		]);
		expect(await asked({ testPlatform: 'realEstate' })).toEqual([
			'GET /mortgage/v1/transactions?limit=1',
		]);
		expect(await asked({ testPlatform: 'realEstate', pathLayout: 'current' })).toEqual([
			'GET /mortgage/v2/transactions?limit=1',
		]);
	});
});

describe('what is wrong is told', () => {
	test.each([
		['a wrong key', { apiKey: 'wrong' }, /didn't accept 'API Key'/],
		['a key that may only create', { apiKey: 'demo-client-only-key' }, /full-access key/],
		['a base URL that is none', { baseUrl: 'api.example.com' }, /isn't a complete address/],
		['no encryption', { baseUrl: 'http://api.example.com' }, /doesn't start with https/],
		['an invisible character', { apiKey: 'k\u0435y' }, /'API Key' .* can't be sent/],
	])('%s', async (_name, more, expected) => {
		expect(await tested(more)).toEqual({
			status: 'Error',
			message: expect.stringMatching(expected),
		});
	});

	test.each([
		['documented', '/v1/transactions'],
		['current', '/transactions'],
	])('the layout %s, where only %s is there', async (pathLayout, path) => {
		const { status, message } = await testedWith(
			(request) => (request === `GET ${path}` ? { body: EMPTY } : undefined),
			{ pathLayout },
		);
		expect(status).toBe('Error');
		expect(message).toMatch(/'Path Layout' \(Current or Documented/);
	});

	test.each([408, 500, 502, 503, 504, 524])(
		'a service in trouble that answers %i',
		async (code) => {
			const { message } = await testedWith(() => ({ status: code, body: {} }), {});
			expect(message).toMatch(/^The service is temporarily unavailable/);
		},
	);

	test('an account that is for the other platform alone', async () => {
		const realEstateOnly = (request: string): SmallAnswer =>
			request.includes('/mortgage/') ? { body: EMPTY } : { status: 403, body: { errors: ['No'] } };
		expect((await testedWith(realEstateOnly, {})).message).toMatch(/'Platform to Test'/);
		expect(await testedWith(realEstateOnly, { testPlatform: 'realEstate' })).toMatchObject(OK);
	});
	test('a service that offers only the documented endpoints can not be tested', async () => {
		sandbox.world.settings.profile = 'documented';
		try {
			expect((await tested({})).message).toMatch(/only documented endpoints/);
		} finally {
			sandbox.world.settings.profile = 'full';
		}
	});
});

describe('what keeps n8n from reaching the service', () => {
	const docs = join(import.meta.dirname, '..', '..', '..', 'docs');
	const page = readFileSync(join(docs, 'troubleshooting.md'), 'utf8');

	test.each([
		['nothing answers at the port', async () => await tested({}, 'https://127.0.0.1:1')],
		['the host name is unknown', async () => await tested({}, 'https://none.invalid')],
		[
			'the port has no encryption',
			async () => await tested({}, sandbox.url.replace('http:', 'https:')),
		],
	])('%s: n8n shows a bare code, which a page explains', async (_name, run) => {
		const { status, message } = await run();
		expect(status).toBe('Error');
		expect(message).toMatch(/^[A-Z_]+$/);
		expect(page).toMatch(new RegExp(`^\\| .*${message.replace(/^(ERR_SSL).*/, '$1')}.* \\|`, 'm'));
	});
});

describe('the form of the credential', () => {
	const { properties } = new SignAndCloseApi();
	/** The names of the fields that the editor shows, in order. */
	const shown = (stored: ICredentialDataDecryptedObject) => {
		const defaults = Object.fromEntries(properties.map((field) => [field.name, field.default]));
		const values = { ...defaults, ...stored } as never;
		return properties
			.filter((field) => NodeHelpers.displayParameter(values, field, null, null))
			.map(({ name }) => name);
	};
	/** What the editor stores. */
	const saved = (values: ICredentialDataDecryptedObject) =>
		NodeHelpers.getNodeParameters(properties, values as never, false, false, null, null) as never;
	const BASIC = ['baseUrl', 'apiKey', 'organizationId', 'technicalSettings'];
	const TECHNICAL: Array<[string, string]> = [
		['pathLayout', 'current'],
		['testPlatform', 'realEstate'],
		['assuranceField', 'brand_requirement'],
		['webhookSignatureHeader', 'X-Brand-Signature'],
		['webhookSigningSecret', 'key-of-the-service'],
	];
	const PREFIXES = {
		businessPrefix: '/b',
		realEstatePrefix: '/r',
		realEstateAssurancePrefix: '/ra',
		webhooksPrefix: '/w',
		realEstateWebhooksPrefix: '/rw',
	};
	const key = { baseUrl: 'https://api.example.com', apiKey: 'key-of-this-test' };

	test('has three fields, a switch for the others, and those that are set', () => {
		const all = [...BASIC, ...TECHNICAL.map(([name]) => name)];
		expect(shown({})).toEqual(BASIC);
		expect(shown({ technicalSettings: true })).toEqual(all);
		forEachCase(TECHNICAL, ([name, value]) => {
			expect(shown({ technicalSettings: true, [name]: value })).toEqual(all);
			expect(shown({ [name]: value })).toEqual([...BASIC, name]);
		});
		const custom = [...BASIC, 'pathLayout', ...Object.keys(PREFIXES)];
		expect(shown({ pathLayout: 'custom' })).toEqual(custom);
	});
	test.each([{ pathLayout: 'custom', ...PREFIXES }, Object.fromEntries(TECHNICAL)])(
		'keeps settings that are set while the switch is off: %j',
		async (settings) => {
			await forEachCase([false, true], async (technicalSettings) => {
				const stored = { ...key, ...settings, technicalSettings };
				// Also after somebody has opened and saved it.
				await forEachCase([stored, saved(stored)], async (values) =>
					expect(parseSettings(await n8n.open(values))).toEqual(parseSettings(stored)),
				);
			});
		},
	);
});

test.each<[RegExp, IDataObject]>([
	[/'Base URL'.*empty/, { baseUrl: '' }],
	[/doesn't start with https/, { baseUrl: 'http://api.example.com' }],
	[/'API Key' is empty/, { apiKey: ' ' }],
])('a run names the field of the credential before anything is sent: %s', async (...row) => {
	const [expected, more] = row;
	const asked = sandbox.requests.length;
	const { error } = await runNode({
		credential: credentialFor(sandbox.url, more as never),
		parameters: { resource: 'webhook', operation: 'getAll', returnAll: true },
	});
	expect(`${error?.message}. ${error?.description}`).toMatch(expected);
	expect(sandbox.requests).toHaveLength(asked);
});
