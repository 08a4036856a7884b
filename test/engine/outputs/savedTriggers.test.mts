import { readFileSync } from 'node:fs';

import { describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { readTriggerParameters } from '../../../nodes/SignAndClose/trigger/parameters.ts';
import { createClosing } from '../../support/closing.mts';
import { event, nextNumber, SECRET } from '../../support/delivery.mts';
import { runNode, triggerContext, webhookContext } from '../../support/engine.mts';
import { credential, useSandbox } from '../../support/useSandbox.mts';

/**
 * Triggers as version 0.1.0 saved them, with every choice of its form: what they read from it and
 * what they output is what it was.
 */

useSandbox();

interface SavedNode {
	name: string;
	typeVersion: number;
	parameters: IDataObject;
}

const { nodes } = JSON.parse(
	readFileSync(
		new URL('../../fixtures/released-0.1.0/trigger-choices.json', import.meta.url),
		'utf8',
	),
) as { nodes: SavedNode[] };
const saved = (name: string) => {
	const { typeVersion, parameters } = nodes.find((node) => node.name === name)!;
	return {
		type: 'signAndCloseTrigger' as const,
		credential: credential(),
		parameters: structuredClone(parameters),
		node: { typeVersion, id: `saved-${nextNumber()}` },
	};
};
const read = (name: string) => readTriggerParameters(triggerContext(saved(name)));

/** Delivers an event to the node and runs it with what that gives. */
async function passed(name: string, more: IDataObject, named: string) {
	const options = saved(name);
	const { context, webhook } = webhookContext(
		{ ...options, staticData: { 'node:Tested': { secret: SECRET } }, mode: 'webhook' },
		{
			query: { key: SECRET },
			headers: { 'x-case': '7', 'x-request-id': 'req-1' },
			body: event(more, named),
			rawBody: Buffer.from(''),
		},
		{ status: () => ({ end: () => undefined }) },
	);
	const { workflowData } = await webhook.call(context as never);
	if (workflowData === undefined) return undefined;
	const { items, error } = await runNode({ ...options, items: workflowData[0], mode: 'webhook' });
	if (error) throw error;
	return items[0].json;
}

const EVENT = 'event transaction_id delivery_key';
const REST = 'date_occurred data delivery';
const TEN_FIELDS =
	'transaction_id transaction_name transaction_type status detailed_status organization_id ' +
	'date_created date_updated notarization_record_id documents';
const names = (json: unknown) => Object.keys(json as object).sort();
const sorted = (text: string) => text.split(' ').sort();

describe('a trigger of version 0.1.0', () => {
	test('has the defaults that it had', () => {
		expect(read('Defaults')).toMatchObject({
			events: ['transaction.completed', 'transaction.completed_with_rejections'],
			source: 'push',
			confirm: true,
			retrieve: true,
			form: 'simplifiedV1',
			conditions: undefined,
		});
	});
	test('takes its events from the event records', () => {
		expect(read('From the event records')).toMatchObject({
			events: [
				'transaction.archived',
				'transaction.completed',
				'transaction.completed_with_rejections',
			],
			source: 'pull',
			pull: true,
			signatureRequired: true,
			downloadDocuments: true,
		});
	});
	test('that neither confirms nor retrieves outputs the event alone', async () => {
		const json = await passed('Neither confirmed nor retrieved', {}, 'transaction.sent');
		expect(names(json)).toEqual(sorted(`${EVENT} ${REST}`));
		expect(json!.delivery).toMatchObject({
			request_id: 'req-1',
			headers: { 'x-request-id': 'req-1' },
		});
	});
	test('that retrieves without confirming outputs the raw transaction', async () => {
		const id = await createClosing(credential());
		const json = await passed(
			'Retrieved without being confirmed',
			{ transaction_id: id },
			'transaction.created',
		);
		expect(names(json)).toEqual(sorted(`${EVENT} ${REST} transaction`));
		expect(json!.transaction).toMatchObject({ id, transaction_id: id, lender: {} });
	});
	test('that confirms without retrieving outputs no transaction', async () => {
		const id = await createClosing(credential());
		const json = await passed(
			'Confirmed without the transaction',
			{ transaction_id: id },
			'transaction.created',
		);
		expect(names(json)).toEqual(sorted(`${EVENT} ${REST} confirmed outdated`));
	});
	test('filters, which confirms in any case', async () => {
		const made = async (externalId: string) =>
			await passed(
				'Filtered',
				{
					transaction_id: await createClosing(credential(), {
						additionalFields: { external_id: externalId },
					}),
				},
				'transaction.created',
			);
		const json = await made('case-118');
		expect(json).toMatchObject({ confirmed: true });
		expect(names(json!.transaction)).toEqual(sorted(TEN_FIELDS));
		expect(await made('other-118')).toBeUndefined();
	});
});
