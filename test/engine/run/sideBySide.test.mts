import type { ServerResponse } from 'node:http';

import { beforeEach, describe, expect, test } from '@jest/globals';

import { ADD_DOCUMENT, CLOSING, createClosing, id, pdfItem } from '../../support/closing.mts';
import { runNode } from '../../support/engine.mts';
import { withService } from '../../support/live/service.mts';
import { ownDocuments } from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Writes of several items: which run side by side, which don't, and what is promised all the same. */

useSandbox();
beforeEach(() => void (sandbox.requests.length = 0));

const perItem = { ...CLOSING, transactionName: '={{ $json.name }}' };
const named = (...names: string[]) => names.map((name) => ({ json: { name } }));
const many = (count: number) =>
	named(...Array.from({ length: count }, (_, index) => `Closing ${index}`));

test('closings are created side by side', async () => {
	const held: ServerResponse[] = [];
	let made = 0;
	// The first is answered only when there's a second one.
	const hold = (response: ServerResponse) => {
		held.push(response);
		if (held.length < 2) return;
		for (const one of held) one.end(JSON.stringify({ id: `ot_${made++}`, status: 'started' }));
	};
	await withService(
		({ method }) => (method === 'POST' ? { respond: hold } : { body: [] }),
		async (service) => {
			const { items, error } = await runNode({
				credential: service.credential,
				parameters: perItem,
				items: named('First', 'Second'),
			});
			expect(error).toBeUndefined();
			expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		},
	);
});

test('documents of one transaction keep the order of the input, whatever comes between', async () => {
	const transactions: string[] = [];
	for (let index = 0; index < 3; index++) transactions.push(await createClosing(credential()));
	const plan = Array.from({ length: 18 }, (_, index) => ({
		transaction: transactions[(index * index) % 3],
		name: `Document ${String(index).padStart(2, '0')}`,
	}));
	const { error } = await runNode({
		credential: credential(),
		parameters: {
			...ADD_DOCUMENT,
			transactionId: id('={{ $json.transaction }}'),
			documentName: '={{ $json.name }}',
		},
		items: await Promise.all(plan.map(async (json) => await pdfItem(undefined, undefined, json))),
	});
	expect(error).toBeUndefined();
	for (const transaction of transactions)
		expect(ownDocuments(transaction).map(({ name }) => name)).toEqual(
			plan.filter((one) => one.transaction === transaction).map(({ name }) => name),
		);
});

test('an ID with and without its underscore is one transaction', async () => {
	const transactionId = await createClosing(credential());
	const forms = [transactionId, transactionId.replace('_', '')];
	let [open, most] = [0, 0];
	await withService(
		({ method }) => {
			if (method !== 'POST') return { body: { id: transactionId, documents: [] } };
			most = Math.max(most, ++open);
			return {
				respond: (response) => {
					// Long enough for the other one to come, if it came.
					setTimeout(() => {
						open--;
						response.end(JSON.stringify({ id: 'do_1', document_name: 'A' }));
					}, 200);
				},
			};
		},
		async (service) => {
			const { items, error } = await runNode({
				credential: service.credential,
				parameters: { ...ADD_DOCUMENT, transactionId: id('={{ $json.transaction }}') },
				items: await Promise.all(
					forms.map(async (transaction) => await pdfItem(undefined, undefined, { transaction })),
				),
			});
			expect(error).toBeUndefined();
			expect(items).toHaveLength(2);
			expect(most).toBe(1);
		},
	);
});

describe('a run that stops', () => {
	test('begins no write after an item whose input can not be used', async () => {
		const { error } = await runNode({
			credential: credential(),
			parameters: perItem,
			items: named('First', '', ...many(10).map(({ json }) => json.name)),
		});
		expect(error?.message).toMatch(/\(item 2 of 12\)$/);
		expect(error?.description).toMatch(/Item 1 is done: leave it out/);
		expect(sandbox.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
	});
	test('says what was done, as the service has it', async () => {
		sandbox.faults.add({
			method: 'POST',
			path: /\/transactions$/,
			skip: 8,
			status: 422,
			body: { errors: ['Not now'] },
		});
		const { error } = await runNode({
			credential: credential(),
			parameters: perItem,
			items: many(40),
		});
		const names = [...sandbox.world.transactions.values()].map(({ fields }) =>
			String(fields.transaction_name),
		);
		const done = many(40).flatMap(({ json }, index) =>
			names.includes(json.name) ? [index + 1] : [],
		);
		expect(done.length).toBeLessThan(40);
		const told = /Items (.*) are done/.exec(String(error?.description))![1];
		const numbers = told.split(/, | and /).flatMap((group) => {
			const [from, to = from] = group.split(' to ').map(Number);
			return Array.from({ length: to - from + 1 }, (_, index) => from + index);
		});
		expect(numbers).toEqual(done);
	});
});
