import type { IDataObject } from 'n8n-workflow';

import { operations } from '../../../nodes/SignAndClose/resources/index.ts';
import { startSandbox } from '../../../sandbox/index.mts';
import { credentialFor, accounts, NODE, runNode, useBinaryMode } from '../../support/engine.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import { FIXTURES } from '../../support/matrix/index.mts';

/**
 * The form in which each operation that returns transactions gives them. What is simplified is with
 * the unit tests and the output schemas.
 */

const RETURNING = operations
	.filter(
		({ resource, properties }) =>
			resource === 'transaction' && properties.some(({ name }) => name === 'output'),
	)
	.map(({ value }) => value);

test('the choice is described once for all of them', () => {
	expect(RETURNING.length).toBeGreaterThan(9);
	forEachCase(['output', 'fields'], (wanted) =>
		expect(
			NODE.description.properties.filter(
				({ name, displayOptions }) =>
					name === wanted && displayOptions?.show?.resource?.includes('transaction') === true,
			),
		).toHaveLength(1),
	);
});

test.each(RETURNING)('%s', async (operation) => {
	accounts.clear();
	await useBinaryMode('filesystem');
	const sandbox = await startSandbox({ filesOrigin: 'separate', processingMs: 0 });
	const scene = await FIXTURES[`transaction/${operation}`].build(sandbox);
	/** Runs it for one item, so that each has a transaction of its own. */
	const run = async (index: number, more: IDataObject) =>
		await runNode({
			credential: credentialFor(sandbox.url),
			parameters: { ...scene.parameters, ...more, resource: 'transaction', operation },
			items: [scene.items[index]],
		});
	sandbox.requests.length = 0;
	await forEachCase(
		[
			['={{ "everything" }}', /'Output' is 'everything'/],
			['fields', /'Fields' is empty/],
		] as const,
		async ([output, complaint]) =>
			expect((await run(0, { output, fields: [] })).error?.message).toMatch(complaint),
	);
	expect(sandbox.requests).toEqual([]);

	const fields = ['transaction_name', 'signers', 'transaction_type'];
	const [selected] = (await run(1, { output: 'fields', fields })).items;
	// What an operation says besides the transaction is always there.
	const own = [
		'correction_steps',
		'differences',
		'documents_added',
		'existing',
		'files_left_out',
		'left_out',
		'not_copied',
		'old_transaction_id',
		'papers',
		'steps',
	];
	expect(Object.keys(selected.json).filter((name) => !own.includes(name))).toEqual([
		'transaction_id',
		...fields,
	]);
	expect(selected.json.signers).toContainEqual(
		expect.objectContaining({ open: expect.any(Boolean) }),
	);

	const [{ json: raw }] = (await run(2, { output: 'raw' })).items;
	const { platform } = sandbox.world.transactions.get(String(raw.transaction_id))!;
	const prefix = platform === 'business' ? '' : '/mortgage/v2';
	const answer = await fetch(`${sandbox.url}${prefix}/transactions/${String(raw.id)}`, {
		headers: { ApiKey: sandbox.keys.full },
	});
	expect(Object.keys(raw)).toEqual(
		expect.arrayContaining(Object.keys((await answer.json()) as object)),
	);
	expect(sandbox.problems).toEqual([]);
	await sandbox.close();
});
