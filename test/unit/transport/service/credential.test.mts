import fc from 'fast-check';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { ServiceFailure } from '../../../../nodes/SignAndClose/transport/failure/failure.ts';
import { buildPath } from '../../../../nodes/SignAndClose/transport/service/paths.ts';
import {
	loadCredential,
	parseApiKey,
	parseBaseUrl,
	parseSettings,
} from '../../../../nodes/SignAndClose/transport/service/credential.ts';
import { forEachCase } from '../../../support/forEachCase.mts';

const settings = (more: object = {}) =>
	parseSettings({ baseUrl: 'https://a.example/api/', apiKey: 'key-of-this-test', ...more });

/** What `work` throws. */
function thrownBy(work: () => unknown): unknown {
	try {
		work();
	} catch (thrown) {
		return thrown;
	}
	return undefined;
}

describe('the base URL', () => {
	const HOST = 'https://api.example.com';
	test.each([
		[' https://api.example.com/ ', HOST, HOST],
		['https://api.example.com/a/b///', `${HOST}/a/b`, HOST],
		['https://API.example.com:8443//a?#', `${HOST}:8443//a`, `${HOST}:8443`],
		['http://127.0.0.1:5000/x/', 'http://127.0.0.1:5000/x', 'http://127.0.0.1:5000'],
		['http://[::1]', 'http://[::1]', 'http://[::1]'],
	])('%p is taken as %s', (value, baseUrl, origin) => {
		expect(parseBaseUrl(value)).toEqual({ baseUrl, origin });
	});
	test.each<[unknown, string]>([
		[' \t\n', 'empty'],
		[undefined, 'empty'],
		[[HOST], 'empty'],
		['api.example.com', 'incomplete'],
		['https://', 'incomplete'],
		['/v2', 'incomplete'],
		['file:///etc/passwd', 'notHttps'],
		['localhost:5000', 'notHttps'],
		['http://api.example.com', 'unencrypted'],
		['http://127.0.0.1.example.com', 'unencrypted'],
		['http://10.0.0.1', 'unencrypted'],
		['https://user@api.example.com', 'hasUserInfo'],
		['http://:secret@localhost', 'hasUserInfo'],
		['https://api.example.com/?organization=1', 'hasQuery'],
		['https://api.example.com/#/v2', 'hasQuery'],
	])('%p is %s', (value, fault) => {
		expect(thrownBy(() => parseBaseUrl(value))).toMatchObject({
			reason: { code: 'unusableBaseUrl', fault },
			flags: { final: true },
		});
	});
	test('has no query, fragment or user, whatever is entered', () => {
		fc.assert(
			fc.property(fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.anything()), (value) => {
				const thrown = thrownBy(() => {
					const { search, hash, username } = new URL(parseBaseUrl(value).baseUrl);
					expect(search + hash + username).toBe('');
				});
				if (thrown !== undefined) expect(thrown).toBeInstanceOf(ServiceFailure);
			}),
		);
	});
});

describe('the settings', () => {
	test('have defaults for what is empty', () => {
		forEachCase([undefined, '', ' '], (empty) =>
			expect(
				settings({
					organizationId: empty,
					assuranceField: empty,
					webhookSigningSecret: empty,
				}),
			).toMatchObject({
				baseUrl: 'https://a.example/api',
				origin: 'https://a.example',
				organizationId: undefined,
				assuranceField: 'assurance_requirement',
				secrets: ['key-of-this-test'],
				outputSecrets: ['key-of-this-test'],
			}),
		);
	});
	test('have what was entered, without the spaces around it', () => {
		expect(
			settings({
				organizationId: ' or_1 ',
				assuranceField: ' own_assurance\n',
				webhookSigningSecret: ' signing-secret ',
			}),
		).toMatchObject({
			organizationId: 'or_1',
			assuranceField: 'own_assurance',
			secrets: ['key-of-this-test', 'signing-secret'],
			outputSecrets: ['key-of-this-test', 'signing-secret'],
		});
	});
	test('keep secrets of messages and of outputs in lists of their own', () => {
		const { secrets, outputSecrets } = settings();
		secrets.push('only in messages');
		expect(outputSecrets).toEqual(['key-of-this-test']);
	});
	test('name the account by base URL and key, without giving the key away', () => {
		const { account } = settings();
		expect(account).toMatch(/^[0-9a-f]{64}$/);
		expect(settings({ baseUrl: 'https://a.example/api', organizationId: 'or_1' }).account).toBe(
			account,
		);
		const others = [
			{ apiKey: 'another-key' },
			{ baseUrl: 'https://a.example' },
			{ baseUrl: 'https://b.example/api' },
		].map((more) => settings(more).account);
		expect(new Set([account, ...others]).size).toBe(4);
	});
});

test('a key loses what nobody sees, and is otherwise sent as it is or not at all', () => {
	const unseen = fc.constantFrom('\u200b', '\u200d', '\ufeff', '\u00ad', '\u2060', '\u202e');
	const around = fc.constantFrom('', ' ', '\n', '\t', '\u00a0', '\u2003');
	const visible = fc.string({ unit: fc.constantFrom(...'aZ09-_.=/+ "~!'), minLength: 1 });
	fc.assert(
		fc.property(fc.array(fc.tuple(unseen, visible)), around, around, (pieces, before, after) => {
			const key = pieces.map(([, text]) => text).join('');
			fc.pre(key.trim() !== '');
			const entered = before + pieces.flat().join('') + after;
			expect(parseApiKey({ apiKey: entered })).toBe(key.trim());
		}),
	);
	fc.assert(
		fc.property(fc.string({ unit: 'binary' }), (apiKey) => {
			const failure = thrownBy(() => expect(parseApiKey({ apiKey })).toMatch(/^[ -~]+$/));
			if (failure !== undefined) expect(failure).toBeInstanceOf(ServiceFailure);
		}),
	);
});

describe('the prefixes', () => {
	const paths = (more: ICredentialDataDecryptedObject) => {
		const { prefixes } = settings(more);
		return {
			business: buildPath('createTransaction', 'business', prefixes),
			realEstate: buildPath('createTransaction', 'realEstate', prefixes),
			assured: buildPath('createTransaction', 'realEstate', prefixes, {}, true),
			webhooks: buildPath('listWebhooks', 'webhooks', prefixes),
			older: buildPath('listWebhooks', 'realEstate', prefixes),
		};
	};
	const DOCUMENTED = {
		business: '/transactions',
		realEstate: '/mortgage/v1/transactions',
		assured: '/mortgage/v2/transactions',
		webhooks: '/v2/webhooks',
		older: '/mortgage/v2/webhooks',
	};
	test.each(['documented', undefined, 'unheard of'])(
		'of layout %p are documented',
		(pathLayout) => {
			const given = { pathLayout, businessPrefix: '/b' } as ICredentialDataDecryptedObject;
			expect(paths(given)).toEqual(DOCUMENTED);
		},
	);
	test('of the current layout are those of a live service', () => {
		expect(paths({ pathLayout: 'current', businessPrefix: '/b' })).toEqual({
			...DOCUMENTED,
			business: '/v1/transactions',
			realEstate: '/mortgage/v2/transactions',
		});
	});
	test('of a custom layout are read with or without slashes', () => {
		expect(
			paths({
				pathLayout: 'custom',
				businessPrefix: 'b/',
				realEstatePrefix: '//r//of/it//',
				realEstateAssurancePrefix: 'assured',
				webhooksPrefix: ' /w ',
				realEstateWebhooksPrefix: '/older/',
			}),
		).toEqual({
			business: '/b/transactions',
			realEstate: '/r//of/it/transactions',
			assured: '/assured/transactions',
			webhooks: '/w/webhooks',
			older: '/older/webhooks',
		});
	});
	test('of a custom layout may be empty, but not those that closings would lend theirs', () => {
		expect(paths({ pathLayout: 'custom', businessPrefix: '/', realEstatePrefix: '' })).toEqual({
			...DOCUMENTED,
			realEstate: '/transactions',
			webhooks: '/webhooks',
		});
	});
});

describe('a credential that n8n cannot read', () => {
	const failure = async (thrown: unknown) =>
		await loadCredential({
			getCredentials: async () => await Promise.reject(thrown as Error),
		}).then(
			() => undefined,
			(failed: unknown) => failed as ServiceFailure,
		);
	const named = (name: string, message: string) => Object.assign(new Error(message), { name });
	test.each<[string, unknown, string, boolean]>([
		['a deleted one', new Error('Credential with ID "1" does not exist.'), 'Credential with', true],
		['none selected', new Error('Node does not have any credentials set'), 'Node does not', true],
		['a faulty expression', named('ExpressionError', 'invalid syntax'), 'invalid syntax', true],
		['a slow expression', named('ExpressionError', 'It timed out'), 'It timed out', false],
		['a busy database', named('TimeoutError', 'Connection timed out'), 'Connection', false],
		['another error', new Error('Pool is full'), 'Pool is full', false],
		['a text', 'Pool is full', 'Pool is full', false],
	])('because of %s is told with the words of n8n', async (_what, thrown, said, final) => {
		expect(await failure(thrown)).toMatchObject({
			reason: { code: 'notSent', details: expect.stringContaining(said) },
			flags: { final },
		});
	});
	test('because of a failure of our own is told by that failure', async () => {
		const own = new ServiceFailure({ code: 'missingApiKey' }, { final: true });
		expect(await failure(own)).toBe(own);
		expect(await failure(new Error('Credential', { cause: own }))).toBe(own);
	});
});
