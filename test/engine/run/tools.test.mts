import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { ExplainedFailure } from '../../../nodes/SignAndClose/messages/explainedFailure.ts';
import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import { credentialFor, type RunOptions } from '../../support/engine.mts';
import { choosing, madeUpOperation } from '../../support/madeUp/operation.mts';
import { toolOf, type Caller } from './toolCalls.mts';

/**
 * The node as a tool of an agent or of an MCP server, called by n8n's own code: it works, and Retry
 * On Fail repeats nothing that may have been done.
 */

const CALLERS: Caller[] = ['agent', 'mcp'];
const TRIES = { retryOnFail: true, maxTries: 4, waitBetweenTries: 1 };
const LIST = {
	resource: 'transaction',
	operation: 'getAll',
	platform: 'business',
	returnAll: true,
	filters: {},
};

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(async () => await sandbox.close());

/** A tool that does what a test makes up, and how often it was done. */
function madeUpTool(
	caller: Caller,
	work: (call: number) => object,
	more: Partial<RunOptions> = {},
) {
	const seen = { calls: 0, lookedUp: 0 };
	const operation = madeUpOperation({
		kind: 'write',
		async execute() {
			return { json: { ...work(++seen.calls) } };
		},
		async lookUp() {
			seen.lookedUp++;
			return { state: 'unknown' };
		},
	});
	const call = toolOf(
		{
			credential: credentialFor('https://api.example.com'),
			operations: [operation],
			parameters: choosing(operation),
			node: TRIES,
			...more,
		},
		caller,
	);
	return { call, seen };
}

const lost = () => {
	throw new ExplainedFailure('The answer was lost', 'Look it up', { inDoubt: true });
};

describe.each(CALLERS)('called by an %s', (caller) => {
	test('reads and writes', async () => {
		const credential = credentialFor(sandbox.url);
		const create = toolOf(
			{
				credential,
				parameters: {
					resource: 'transaction',
					operation: 'create',
					signers: { row: [{ email: 'jane@example.com', first_name: 'Jane', last_name: 'Doe' }] },
					additionalFields: {},
					documents: {},
				},
			},
			caller,
		);
		const ids = [];
		for (let call = 0; call < 2; call++) {
			const [made] = JSON.parse(String(await create({ same: 'arguments' })));
			expect(made.status).toBe('started');
			ids.push(made.transaction_id);
		}
		expect(new Set(ids).size).toBe(2);
		const list = toolOf({ credential, parameters: LIST }, caller);
		const listed = JSON.parse(String(await list({})));
		expect(listed.map((entry: any) => entry.transaction_id)).toEqual(expect.arrayContaining(ids));
	});
	test('a write that may have been done is done by one try, looked up by the others', async () => {
		const { call, seen } = madeUpTool(caller, lost);
		await expect(call({})).rejects.toThrow(/The answer was lost[^]*Look it up/);
		expect(seen).toEqual({ calls: 1, lookedUp: 4 });
	});
	test('a failure before anything was sent is tried again', async () => {
		const { call, seen } = madeUpTool(caller, (times) => {
			if (times < 3) throw new Error('Not now');
			return { transaction_id: 'ot_1' };
		});
		expect(JSON.parse(String(await call({})))).toEqual([{ transaction_id: 'ot_1' }]);
		expect(seen.calls).toBe(3);
	});
	test('each call is one of its own, also with the same arguments and at the same time', async () => {
		const { call, seen } = madeUpTool(caller, (times) =>
			times % 2 === 1 ? lost() : { transaction_id: `ot_${times}` },
		);
		const calls = await Promise.allSettled([call({ id: 1 }), call({ id: 1 })]);
		expect(calls.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
		await expect(call({ id: 1 })).rejects.toThrow('The answer was lost');
		expect(await call({ id: 1 })).toBe('[{"transaction_id":"ot_4"}]');
		expect(seen.calls).toBe(4);
	});
});
