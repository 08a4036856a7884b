import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/index.mts';
import {
	credentialFor,
	accounts,
	runNode,
	useBinaryMode,
	type RunOutcome,
} from '../../support/engine.mts';
import { withService } from '../../support/live/service.mts';

/** Account: Check, for keys that reach everything, something and nothing. */

let sandbox: Sandbox | undefined;
beforeAll(async () => await useBinaryMode('filesystem'));
afterEach(async () => {
	expect(sandbox?.problems ?? []).toEqual([]);
	await sandbox?.close();
	sandbox = undefined;
	accounts.clear();
});

const CHECK = { resource: 'account', operation: 'check', checkedPlatforms: 'both' };

/** Checks the account of a service. */
async function check(
	url: string,
	credential: IDataObject = {},
	parameters: IDataObject = {},
): Promise<RunOutcome & { lines: Record<string, IDataObject> }> {
	const outcome = await runNode({
		credential: credentialFor(url, credential as never),
		parameters: { ...CHECK, ...parameters },
	});
	if (outcome.error) throw outcome.error;
	const lines = Object.fromEntries(outcome.items.map(({ json }) => [String(json.check), json]));
	return { ...outcome, lines };
}

async function checkSandbox(
	options: SandboxOptions,
	credential: IDataObject = {},
	parameters: IDataObject = {},
) {
	sandbox = await startSandbox(options);
	return await check(sandbox.url, credential, parameters);
}

const states = (lines: Record<string, IDataObject>) =>
	Object.fromEntries(Object.entries(lines).map(([name, { state }]) => [name, state]));
const FEATURES = ['addresses', 'notarizationRecords', 'notaries', 'templates', 'webhooks'];
const all = (state: string, names = [...FEATURES]) =>
	Object.fromEntries(names.map((name) => [name, state]));

describe('a key that may do everything', () => {
	test('reaches everything, and the output says so in a sentence each', async () => {
		const { lines, items, run } = await checkSandbox({});
		expect(items.map(({ json }) => json.verdict)).toEqual([
			'The service accepts the API key',
			'The API key belongs to Harbor Lending (or_harbor)',
			"'Path Layout' Documented is right for this service",
			'Business transactions are open to this API key',
			'Closings are open to this API key',
			'Address checks are open to this API key',
			'Notarization records are open to this API key',
			'Notaries are open to this API key',
			'Templates are open to this API key',
			'Webhooks are open to this API key',
		]);
		expect(lines.organization).toEqual({
			check: 'organization',
			feature: 'Organization',
			state: 'open',
			verdict: 'The API key belongs to Harbor Lending (or_harbor)',
			organization_id: 'or_harbor',
			organization_name: 'Harbor Lending',
			organization_email: 'office@harbor-lending.example',
			reason: null,
			remedy: null,
			status_code: null,
		});
		expect(lines.realEstate.total_count).toBe(0);
		expect(run.data.resultData.runData.Tested[0].hints ?? []).toEqual([]);
	});
	test('is only used to read', async () => {
		await checkSandbox({});
		expect(sandbox!.requests.length).toBeGreaterThan(5);
		expect(sandbox!.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
	});
	test('each item of the input is checked for itself', async () => {
		sandbox = await startSandbox({});
		const { items } = await runNode({
			credential: credentialFor(sandbox.url),
			parameters: { ...CHECK, checkedPlatforms: '={{ $json.platforms }}' },
			items: [{ json: { platforms: 'realEstate' } }, { json: { platforms: 'business' } }],
		});
		const checked = (index: number) =>
			items
				.filter(({ pairedItem }) => (pairedItem as { item: number }).item === index)
				.map(({ json }) => json.check);
		expect(checked(0)).toContain('realEstate');
		expect(checked(0)).not.toContain('business');
		expect(checked(1)).toContain('business');
		expect(checked(1)).not.toContain('addresses');
	});
});

describe('a key that reaches something', () => {
	test('that of an account for business alone', async () => {
		const { lines } = await checkSandbox({ account: 'business' });
		expect(states(lines)).toEqual({
			...all('open'),
			apiKey: 'open',
			organization: 'open',
			pathLayout: 'open',
			business: 'open',
			realEstate: 'notOpen',
			addresses: 'notOpen',
		});
		expect(lines.realEstate).toMatchObject({
			verdict: expect.stringMatching(
				/^Closings aren't open to this API key: The service refused this: .*Business API/,
			),
			remedy: expect.stringMatching(/^Set 'Platform' to Business/),
			status_code: 401,
		});
	});
	test('that of an account for real estate alone', async () => {
		const { lines } = await checkSandbox({ platforms: 'realEstate' });
		expect(states(lines)).toMatchObject({
			apiKey: 'open',
			organization: 'notOpen',
			pathLayout: 'open',
			business: 'notOpen',
			realEstate: 'open',
			addresses: 'open',
			notaries: 'open',
			webhooks: 'open',
		});
		expect(lines.organization.verdict).toMatch(
			/^The service doesn't tell this API key which organization it belongs to: /,
		);
	});
	test('one feature that is refused is named in the hint', async () => {
		sandbox = await startSandbox({});
		sandbox.faults.add({
			path: /\/templates$/,
			status: 403,
			body: { errors: ['Not in your plan'] },
		});
		sandbox.faults.add({ path: /\/notaries$/, status: 500, times: 20 });
		const { lines, run } = await check(sandbox.url);
		expect(lines.templates).toMatchObject({
			state: 'notOpen',
			verdict: expect.stringMatching(/^Templates aren't open to this API key: .*Not in your plan$/),
			status_code: 403,
		});
		expect(lines.notaries).toMatchObject({
			state: 'unknown',
			verdict: expect.stringMatching(/^It isn't known whether notaries are open to this API key: /),
			status_code: 500,
		});
		expect(run.data.resultData.runData.Tested[0].hints).toMatchObject([
			{ message: 'Not open: Templates. Not known: Notaries' },
		]);
	});
	test('what the service says is plain text in the sentences', async () => {
		sandbox = await startSandbox({});
		sandbox.faults.add({
			path: /\/templates$/,
			status: 403,
			body: { errors: ['Sorry:\n<a href="https://evil.example">Log in</a> again'] },
		});
		const { lines } = await check(sandbox.url);
		const { verdict, reason, remedy } = lines.templates;
		for (const text of [verdict, reason, remedy]) expect(text).not.toMatch(/<|\n/);
		expect(verdict).toMatch(/Sorry: ‹a href=/);
	});
	test('a service that offers only the documented endpoints', async () => {
		const { lines } = await checkSandbox({ profile: 'documented' });
		expect(states(lines)).toEqual({
			apiKey: 'open',
			organization: 'unknown',
			pathLayout: 'open',
			business: 'open',
			realEstate: 'open',
			addresses: 'open',
			notarizationRecords: 'unknown',
			notaries: 'unknown',
			templates: 'unknown',
			webhooks: 'open',
		});
		expect(lines.templates.verdict).toBe(
			"It isn't known whether templates are open to this API key: The service doesn't know the call that shows it",
		);
	});
	test('one that may only create', async () => {
		sandbox = await startSandbox({});
		const { lines } = await check(sandbox.url, { apiKey: sandbox.keys.clientOnly });
		expect(lines.apiKey).toMatchObject({
			state: 'unknown',
			remedy: expect.stringMatching(/^Use a full-access key in 'API Key'/),
		});
		expect(states(lines)).toMatchObject({ ...all('notOpen'), business: 'notOpen' });
	});
	test('an organization in the credential that does not exist', async () => {
		const { lines } = await checkSandbox({}, { organizationId: 'or_nobody' });
		expect(lines.addresses).toMatchObject({
			state: 'unknown',
			remedy: expect.stringMatching(/'Organization ID'/),
		});
	});
});

describe('a credential that is wrong', () => {
	test('a key that the service does not know', async () => {
		const { lines } = await checkSandbox({}, { apiKey: 'another-key' });
		expect(lines.apiKey).toMatchObject({
			state: 'notOpen',
			verdict: "The service doesn't accept the API key",
			remedy: expect.stringMatching(/^Check 'API Key' and 'Base URL'/),
			status_code: 401,
		});
		expect(states(lines)).toMatchObject({ ...all('notOpen'), pathLayout: 'unknown' });
		expect(JSON.stringify(lines)).not.toContain('another-key');
	});
	test.each([
		['documented', 'current', 'Documented', 'Current'],
		['current', 'documented', 'Current', 'Documented'],
	] as const)(
		'the path layout %s at a service that has %s',
		async (pathLayout, layout, own, other) => {
			const { lines } = await checkSandbox({ layout }, { pathLayout });
			expect(lines.pathLayout).toMatchObject({
				state: 'notOpen',
				verdict: `'Path Layout' ${own} finds nothing, but ${other} does`,
				remedy: `Turn on 'Technical Settings' in the credential and set 'Path Layout' to ${other}`,
			});
			expect(lines.apiKey.state).toBe('open');
			expect(lines.business.state).toBe('unknown');
			expect(sandbox!.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
		},
	);
	test("prefixes of one's own", async () => {
		const { lines } = await checkSandbox(
			{},
			{
				pathLayout: 'custom',
				businessPrefix: '/v1',
				realEstatePrefix: '/mortgage/v2',
				webhooksPrefix: '/v2',
			},
		);
		expect(lines.pathLayout).toMatchObject({
			state: 'open',
			verdict: "'Path Layout' Custom is right for this service",
		});
	});
	test('a web page instead of the service', async () => {
		await withService(
			() => ({ body: '<html>Welcome</html>', headers: { 'content-type': 'text/html' } }),
			async ({ url }) => {
				const { lines } = await check(url);
				expect(new Set(Object.values(lines).map(({ state }) => state))).toEqual(
					new Set(['unknown']),
				);
				expect(lines.business.remedy).toMatch(/'Base URL'/);
			},
		);
	});
	test('one that nothing can be sent with fails, with its remedy', async () => {
		const { error } = await runNode({
			credential: credentialFor('not a URL'),
			parameters: CHECK,
		});
		expect(`${error?.message} ${error?.description}`).toMatch(/'Base URL'/);
	});
});
