import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { readTransaction } from '../../../nodes/SignAndClose/transport/answers/answers.ts';
import { simplifyTransaction } from '../../../nodes/SignAndClose/resources/transaction/output.ts';
import { operations } from '../../../nodes/SignAndClose/resources/index.ts';
import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import { credentialFor, NODE, accounts, runNode, useBinaryMode } from '../../support/engine.mts';
import { FIXTURES, type Scene } from '../../support/matrix/index.mts';

/**
 * What comes out of every operation that returns transactions: what the service answers beside the
 * node, in the form that was chosen.
 */

const RETURNING = operations
	.filter(
		({ resource, properties }) =>
			resource === 'transaction' && properties.some(({ name }) => name === 'output'),
	)
	.map(({ resource, value }) => `${resource}/${value}`);

test('they are all that change or show a transaction', () => {
	expect(RETURNING.length).toBeGreaterThan(9);
});

test('the choice is described once for all of them', () => {
	const described = (wanted: string) =>
		NODE.description.properties.filter(
			({ name, displayOptions }) =>
				name === wanted && displayOptions?.show?.resource?.includes('transaction') === true,
		);
	for (const name of ['output', 'fields']) expect(described(name)).toHaveLength(1);
});

/** What the service answers for a transaction, on the platform that it belongs to. */
async function answerOf(sandbox: Sandbox, transactionId: unknown): Promise<IDataObject> {
	const { platform } = sandbox.world.transactions.get(String(transactionId))!;
	const prefix = platform === 'business' ? '' : '/mortgage/v2';
	const answer = await fetch(`${sandbox.url}${prefix}/transactions/${String(transactionId)}`, {
		headers: { ApiKey: sandbox.keys.full },
	});
	return (await answer.json()) as IDataObject;
}

/** What the service answers, in the simplified form (test/unit/resources/transaction/simplified). */
const simplified = (answer: IDataObject) => simplifyTransaction(readTransaction(answer)!);

/** Operations whose work goes on after their answer, so that the service shows more a moment later. */
const withoutTimes = ({ date_updated: _, correction_steps: _steps, ...json }: IDataObject) => json;

describe.each(RETURNING)('%s', (name) => {
	const [resource, operation] = name.split('/');
	let sandbox: Sandbox;
	let scene: Scene;
	beforeAll(async () => {
		accounts.clear();
		await useBinaryMode('filesystem');
		sandbox = await startSandbox({ filesOrigin: 'separate', processingMs: 0 });
		scene = await FIXTURES[name].build(sandbox);
		sandbox.requests.length = 0;
	});
	afterAll(async () => {
		expect(sandbox.problems).toEqual([]);
		await sandbox.close();
	});

	/** Runs it for one item of the scene, so that each test has a transaction of its own. */
	const run = async (index: number, more: IDataObject = {}) => {
		return await runNode({
			credential: credentialFor(sandbox.url),
			parameters: { ...scene.parameters, ...more, resource, operation },
			items: [scene.items[index]],
		});
	};
	const outputOf = async (...all: Parameters<typeof run>) => {
		const { items, error } = await run(...all);
		if (error) throw error;
		expect(items).toHaveLength(1);
		return items[0].json;
	};

	test.each<[string, IDataObject, RegExp]>([
		['Output', { output: '={{ "everything" }}' }, /'Output' is 'everything'/],
		['Fields', { output: 'fields', fields: [] }, /'Fields' is empty/],
	])("a value that can't be used in %s stops it before anything is sent", async (...row) => {
		const [, parameters, complaint] = row;
		const { error } = await run(0, parameters);
		expect(error?.message).toMatch(complaint);
		expect(sandbox.requests).toEqual([]);
	});
	test('by default: which case, how far, who is missing, until when', async () => {
		const json = await outputOf(0);
		const answer = await answerOf(sandbox, json.transaction_id);
		expect(Object.keys(json).filter((key) => key !== 'correction_steps')).toEqual(
			Object.keys(simplified(answer)),
		);
		expect(withoutTimes(json)).toEqual(withoutTimes(simplified(answer) as never));
	});
	test('selected fields: these and the ID', async () => {
		const fields = ['transaction_name', 'signers', 'transaction_type'];
		const json = await outputOf(1, { output: 'fields', fields });
		const answer = await answerOf(sandbox, json.transaction_id);
		const { signers } = simplified(answer);
		expect(withoutTimes(json)).toEqual({
			transaction_id: answer.id,
			transaction_name: answer.transaction_name,
			signers,
			transaction_type: answer.transaction_type ?? null,
		});
	});
	test('raw: everything that the service answers', async () => {
		const json = await outputOf(2, { output: 'raw' });
		const answer = await answerOf(sandbox, json.transaction_id);
		expect(json).toMatchObject({ transaction_id: answer.id, id: answer.id });
		expect(Object.keys(answer).filter((key) => !(key in json))).toEqual([]);
	});
});
