import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/index.mts';
import {
	accounts,
	credentialFor,
	runNode,
	useBinaryMode,
	type RunOutcome,
} from '../../support/engine.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import { withService, type Script } from '../../support/live/service.mts';

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
const ALL_OPEN = { organization: 'open', business: 'open', realEstate: 'open' };

/** Checks the account of a service. */
async function check(
	url: string,
	credential: IDataObject = {},
): Promise<RunOutcome & { lines: Record<string, IDataObject> }> {
	const outcome = await runNode({
		credential: credentialFor(url, credential as never),
		parameters: CHECK,
	});
	if (outcome.error) throw outcome.error;
	const lines = Object.fromEntries(outcome.items.map(({ json }) => [String(json.check), json]));
	return { ...outcome, lines };
}

async function checkSandbox(options: SandboxOptions, credential: IDataObject = {}) {
	sandbox = await startSandbox(options);
	return await check(sandbox.url, credential);
}

/** Checks the account of a service that follows a script. */
const checkScript = async (script: Script) =>
	await withService(
		script,
		async ({ credential }) => await check(String(credential.baseUrl), credential as never),
	);

const states = (lines: Record<string, IDataObject>) =>
	Object.fromEntries(Object.entries(lines).map(([name, { state }]) => [name, state]));

describe('a key that reaches everything', () => {
	test('has a line for its organization and for each platform', async () => {
		const outcome = await checkSandbox({});
		expect(outcome.items.map(({ json }) => json.verdict)).toEqual([
			'The API key belongs to Harbor Lending (or_harbor)',
			'Business transactions are open to this API key',
			'Closings are open to this API key',
		]);
		expect(outcome.lines.organization).toEqual({
			check: 'organization',
			state: 'open',
			verdict: 'The API key belongs to Harbor Lending (or_harbor)',
			remedy: null,
			organization_id: 'or_harbor',
			organization_name: 'Harbor Lending',
		});
		expect(sandbox!.requests.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET']);
	});
});

describe('a key that reaches something', () => {
	test('that of an account for business alone', async () => {
		const { lines } = await checkSandbox({ account: 'business' });
		expect(states(lines)).toEqual({ ...ALL_OPEN, realEstate: 'notOpen' });
		expect(lines.realEstate).toMatchObject({
			verdict: expect.stringMatching(
				/^Closings aren't open to this API key: The service rejected the request: .*Business API/,
			),
			remedy: expect.stringMatching(/^Set 'Platform' to Business/),
		});
	});
	test('that of an account for real estate alone', async () => {
		const { lines } = await checkSandbox({ platforms: 'realEstate' });
		expect(states(lines)).toEqual({
			organization: 'notOpen',
			business: 'notOpen',
			realEstate: 'open',
		});
		expect(lines.organization.verdict).toMatch(
			/^The service doesn't tell this API key which organization it belongs to: /,
		);
		expect(lines.organization.remedy).toMatch(/^There's nothing to set/);
	});
	test('what the service says is plain text in the sentences', async () => {
		const said = 'Sorry:\n<a href="https://evil.example">Log in</a> again';
		const { lines } = await checkScript(() => ({ status: 403, body: { errors: [said] } }));
		forEachCase(Object.values(lines), ({ verdict, remedy }) => {
			expect(`${String(verdict)} ${String(remedy)}`).not.toMatch(/<|\n/);
			expect(verdict).toMatch(/Sorry: ‹a href=/);
		});
	});
	test('a service that offers only the documented endpoints has nothing that tells', async () => {
		const { lines } = await checkSandbox({ profile: 'documented' });
		expect(new Set(Object.values(states(lines)))).toEqual(new Set(['unknown']));
	});
	test('one that may only create', async () => {
		sandbox = await startSandbox({});
		const { lines } = await check(sandbox.url, { apiKey: sandbox.keys.clientOnly });
		expect(new Set(Object.values(states(lines)))).toEqual(new Set(['notOpen']));
		expect(lines.business.remedy).toMatch(/^Use a full-access key in 'API Key'/);
	});
});

describe('a credential that is wrong', () => {
	test('a key that the service does not know', async () => {
		const { lines } = await checkSandbox({}, { apiKey: 'another-key' });
		forEachCase(Object.values(lines), ({ state, verdict, remedy }) => {
			expect(state).toBe('notOpen');
			expect(verdict).toMatch(/: The service didn't accept the API key$/);
			expect(remedy).toMatch(/^Check 'API Key'/);
		});
		expect(JSON.stringify(lines)).not.toContain('another-key');
	});
	test.each([
		['documented', 'current'],
		['current', 'documented'],
	] as const)('the path layout %s at a service that has %s', async (pathLayout, layout) => {
		const { lines } = await checkSandbox({ layout }, { pathLayout });
		forEachCase(['business', 'realEstate'], (name) =>
			expect(lines[name]).toMatchObject({
				state: 'unknown',
				remedy: expect.stringMatching(/'Path Layout'/),
			}),
		);
	});
	test('a web page instead of the service', async () => {
		const headers = { 'content-type': 'text/html' };
		const { lines } = await checkScript(() => ({ body: '<html>Welcome</html>', headers }));
		forEachCase(Object.values(lines), ({ state, remedy }) => {
			expect(state).toBe('unknown');
			expect(remedy).toMatch(/'Base URL'/);
		});
	});
	test('one that nothing can be sent with fails, with its remedy', async () => {
		const { error } = await runNode({
			credential: credentialFor('not a URL'),
			parameters: CHECK,
		});
		expect(`${error?.message} ${error?.description}`).toMatch(/'Base URL'/);
	});
});
