import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import { QUESTIONS, TOOLS } from '../../e2e/support/office.mts';
import { fillPortfolio, type Portfolio } from '../../e2e/support/portfolio.mts';
import { credentialFor } from '../../support/engine.mts';
import { toolOf } from './toolCalls.mts';

/**
 * What people of an office ask an agent, as in test/e2e/agents.test.mts, without an n8n around it:
 * the tools tell enough for the answer, and do what was asked and no more.
 */

let sandbox: Sandbox;
let portfolio: Portfolio;
beforeAll(async () => {
	sandbox = await startSandbox({ processingMs: 0 });
	portfolio = await fillPortfolio(sandbox);
});
afterAll(async () => await sandbox.close());

test.each(QUESTIONS)('$question', async ({ script, answer, expected, write }) => {
	const from = sandbox.requests.length;
	const told: string[] = [];
	for (const turn of script)
		for (const { tool, args } of typeof turn === 'function' ? turn(told) : turn) {
			const call = toolOf(
				{
					type: 'signAndCloseTool',
					credential: credentialFor(sandbox.url),
					parameters: TOOLS[tool] as IDataObject,
				},
				'agent',
			);
			told.push(String(await call(args as IDataObject)));
		}
	expect(answer(told)).toEqual(
		typeof expected === 'string' ? expected : expect.stringMatching(expected),
	);
	for (const text of told) expect(text).not.toMatch(/https?:|_token/);
	const writes = sandbox.requests
		.slice(from)
		.filter(({ method }) => method !== 'GET')
		.map(({ method, path }) => `${method} ${path}`);
	// Some of them read, change and send in several steps.
	if (write === undefined) expect(writes).toEqual([]);
	else expect(writes).toContain(write(portfolio));
});
