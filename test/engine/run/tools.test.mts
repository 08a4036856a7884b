import { ExplainedFailure } from '../../../nodes/SignAndClose/messages/failures.ts';
import { credentialFor, type RunOptions } from '../../support/engine.mts';
import { choosing, madeUpOperation } from '../../support/madeUp/operation.mts';
import { toolOf, type Caller } from './toolCalls.mts';

/**
 * The node as a tool of an agent or of an MCP server, called by n8n's own code: Retry
 * On Fail repeats nothing that may have been done.
 */

const CALLERS: Caller[] = ['agent', 'mcp'];
const TRIES = { retryOnFail: true, maxTries: 4, waitBetweenTries: 1 };

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
	throw new ExplainedFailure('The answer was lost', 'Look it up', { unknownOutcome: true });
};

describe.each(CALLERS)('called by an %s', (caller) => {
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
