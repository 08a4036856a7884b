import { beforeAll, describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { credentialFor, runNode, useBinaryMode, type RunOutcome } from '../support/engine.mts';
import { fixturePath, FIXTURES, OPERATION_NAMES } from '../support/matrix/index.mts';
import { SHAPES, type PublishedRun } from '../support/published/runs.mts';
import { startPublished, type Published } from '../support/published/server.mts';

/**
 * Every operation at a service that knows only the published description
 * (test/support/published): in each variant of its answers an operation gives what it is about, or
 * says with words that help what the answers lack. Nothing is sent that the description forbids.
 */

/** What only a program would say. */
const CRASH =
	/\bundefined\b|\bNaN\b|\[object |Cannot read|Cannot destructure|is not a function|is not iterable|Unexpected token|Invalid time value|Invalid array length/;

const RUNS = Object.entries(FIXTURES).flatMap(([name, { published = [] }]) =>
	published.map((run) => ({ name, run, title: `${name}${run.title && ` (${run.title})`}` })),
);

test('every operation has runs at the published server', () => {
	const without = OPERATION_NAMES.filter((name) => FIXTURES[name]?.published === undefined);
	expect(without.map((name) => `add \`published\` to ${fixturePath(name)}`)).toEqual([]);
});

beforeAll(async () => await useBinaryMode('filesystem'));

describe.each(RUNS)('$title', ({ name, run }) => {
	for (const shape of SHAPES) {
		test(shape, async () => {
			const server = await startPublished(
				shape === 'emptyWrites' ? { emptyWrites: true } : { variant: shape },
			);
			try {
				const outcome = await runAt(server, name, run);
				expect(server.problems).toEqual([]);
				judge(outcome, run, { shape, requests: server.requests });
			} finally {
				await server.close();
			}
		});
	}
});

async function runAt(server: Published, name: string, run: PublishedRun): Promise<RunOutcome> {
	const [resource, operation] = name.split('/');
	return await runNode({
		credential: credentialFor(server.url, { pathLayout: 'current' }),
		parameters: { ...run.parameters, resource, operation },
		items: [run.item === undefined ? { json: {} } : await run.item()],
	});
}

/** What each operation owes to its user. */
function judge(
	{ error, items }: RunOutcome,
	{ mark, expected, withheld = [] }: PublishedRun,
	made: Parameters<Extract<PublishedRun['expected'], (made: never) => unknown>>[0],
): void {
	const said = `${error?.message}. ${error?.description ?? ''}`;
	if (error !== undefined) {
		expect(said).not.toMatch(CRASH);
		// Only where the answers do not show what is needed, and with a remedy.
		expect({ fails: said, in: withheld }).toEqual({
			fails: said,
			in: expect.arrayContaining([made.shape]),
		});
		expect((error.description ?? '').length).toBeGreaterThan(15);
		return;
	}
	for (const { json } of items) {
		expect(json.error).toBeFalsy();
		expect(textsOf(json).filter((text) => CRASH.test(text))).toEqual([]);
	}
	const wanted = typeof expected === 'function' ? expected(made) : expected;
	const marks = [...new Set(items.map(({ json }) => json[mark] ?? null))];
	expect(marks.sort()).toEqual([...wanted].sort());
}

const textsOf = (value: unknown): string[] =>
	typeof value === 'string'
		? [value]
		: typeof value === 'object' && value !== null
			? Object.values(value as IDataObject).flatMap(textsOf)
			: [];
