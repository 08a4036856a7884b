import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { NodeHelpers, type ICredentialDataDecryptedObject, type IDataObject } from 'n8n-workflow';

import { SignAndCloseApi } from '../../credentials/SignAndCloseApi.credentials.ts';
import { parseSettings } from '../../nodes/SignAndClose/transport/credential/credential.ts';
import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import { startCredentialTest, type CredentialTest } from '../support/credentialTest/index.mts';
import { startSmallService, type SmallAnswer } from '../support/smallService.mts';

/** What "Test" says of a credential, by n8n's own code. */

const EMPTY = { total_count: 0, count: 0, data: [] };
const OK = { status: 'OK', message: 'Connection successful!' };
let sandbox: Sandbox;
let n8n: CredentialTest;
beforeAll(async () => {
	sandbox = await startSandbox();
	n8n = await startCredentialTest();
	// n8n takes some seconds to load.
}, 120_000);
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
		for (const more of [{}, { pathLayout: 'current' }, custom])
			expect(await tested({ ...more, testPlatform: 'realEstate' })).toEqual(OK);
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
	test('whatever form an empty list has', async () => {
		for (const body of [[], {}, { data: [] }])
			expect(await testedWith(() => ({ body }))).toMatchObject(OK);
	});
});

describe('what is wrong is told', () => {
	test.each([
		['a wrong key', { apiKey: 'wrong' }, /didn't accept 'API Key'/],
		['a key that may only create', { apiKey: 'demo-client-only-key' }, /full-access key/],
		['a base URL that is none', { baseUrl: 'api.example.com' }, /isn't a complete address/],
		['no encryption', { baseUrl: 'http://api.example.com' }, /must start with https/],
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
		expect(message).toMatch(/'Path Layout'.*Current instead of Documented.*Documented instead of/);
	});

	test.each([401, 403, 422])(
		'an account that is for the other platform alone, with %i',
		async (status) => {
			const realEstateOnly = (request: string): SmallAnswer =>
				request.includes('/mortgage/') ? { body: EMPTY } : { status, body: { errors: ['No'] } };
			expect(await testedWith(realEstateOnly)).toMatchObject({
				status: 'Error',
				message: expect.stringMatching(/'Platform to Test'/),
			});
			expect(await testedWith(realEstateOnly, { testPlatform: 'realEstate' })).toMatchObject(OK);
		},
	);

	test('a service that offers only the documented endpoints can not be tested', async () => {
		sandbox.world.settings.profile = 'documented';
		try {
			expect((await tested({})).message).toMatch(/only the documented endpoints/);
		} finally {
			sandbox.world.settings.profile = 'full';
		}
	});
});

describe('what keeps n8n from reaching the service', () => {
	const description = new SignAndCloseApi().properties[0].description!;

	test.each([
		['nothing answers at the port', async () => await tested({}, 'https://127.0.0.1:1')],
		['the host name is unknown', async () => await tested({}, 'https://none.invalid')],
		[
			'the port has no encryption',
			async () => await tested({}, sandbox.url.replace('http:', 'https:')),
		],
	])("%s: n8n shows a bare code, which the text of 'Base URL' explains", async (_name, run) => {
		const { status, message } = await run();
		expect(status).toBe('Error');
		expect(message).toMatch(/^[A-Z_]+$/);
		// A code of OpenSSL stands for EPROTO, an answer that was lost for ENOTFOUND.
		const named = message.replace(/^ERR_SSL.*/, 'EPROTO').replace('EAI_AGAIN', 'ENOTFOUND');
		expect(description).toContain(named);
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

	test('has three fields and a switch for the others', () => {
		expect(shown({})).toEqual(BASIC);
		expect(shown({ technicalSettings: true })).toEqual([
			...BASIC,
			...TECHNICAL.map(([name]) => name),
		]);
	});
	test.each(TECHNICAL)('shows %s once, with the switch or with a value', (name, value) => {
		for (const technicalSettings of [true, false])
			expect(
				shown({ technicalSettings, [name]: value }).filter((field) => field === name),
			).toHaveLength(1);
		expect(shown({ [name]: value })).toEqual([...BASIC, name]);
	});
	test('shows the prefixes of the custom layout', () => {
		const prefixes = Object.keys(PREFIXES);
		expect(shown({ pathLayout: 'custom' })).toEqual([...BASIC, 'pathLayout', ...prefixes]);
	});

	test.each([
		...TECHNICAL.map(([name, value]) => ({ [name]: value })),
		{ pathLayout: 'custom', ...PREFIXES },
		Object.fromEntries(TECHNICAL),
	])('a credential that was saved without the switch keeps its settings: %j', async (settings) => {
		for (const technicalSettings of [undefined, false, true]) {
			const stored = { ...key, ...settings, ...(technicalSettings && { technicalSettings }) };
			expect(await n8n.open(stored)).toMatchObject(stored);
			// Also after somebody has opened and saved it in the editor of today.
			expect(await n8n.open(saved(stored))).toMatchObject(stored);
			expect(parseSettings(await n8n.open(stored))).toEqual(parseSettings(stored));
		}
	});
	test('an expression in a setting counts, too', async () => {
		expect(await n8n.open({ ...key, pathLayout: '={{ "cur" + "rent" }}' })).toMatchObject({
			pathLayout: 'current',
		});
	});
});
