import { describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { SignAndCloseTrigger } from '../../../nodes/SignAndClose/SignAndCloseTrigger.node.ts';
import { readTriggerParameters } from '../../../nodes/SignAndClose/trigger/parameters.ts';
import { credentialFor, hookContext, listContext } from '../../support/engine.mts';
import { withService, type Script } from '../../support/live/service.mts';

/** Which events the trigger offers, and what it reads from its parameters. */

const offer = async (script: Script, node?: { credentials: undefined }) =>
	await withService(script, async ({ credential }) => {
		const context = listContext({
			type: 'signAndCloseTrigger',
			credential,
			parameters: {},
			node,
		});
		const { getEvents } = new SignAndCloseTrigger().methods.loadOptions;
		return (await getEvents.call(context)).map(({ value }) => value);
	});
const EVENTS = { transaction: ['transaction.archived', 'transaction.sent'], notary: [] };
const offering: Script = ({ path }) =>
	path.endsWith('/webhooks/subscriptions') ? { body: EVENTS } : undefined;

describe('the events of the trigger', () => {
	test('are those that the service offers, and the wildcards', async () => {
		expect(await offer(offering)).toEqual([
			'*',
			'notary.*',
			'transaction.*',
			...EVENTS.transaction,
		]);
	});
	test('are the known ones where the service lists none, or before there is a credential', async () => {
		for (const known of [
			await offer(() => undefined),
			await offer(offering, { credentials: undefined }),
		]) {
			expect(known).toContain('transaction.completed');
			expect(known).not.toContain('transaction.canceled');
		}
	});
});

describe('the parameters of the trigger', () => {
	/** What the trigger reads; parameters in `without` are those that n8n doesn't give it. */
	const read = (parameters: IDataObject, without: string[] = [], typeVersion = 1) => {
		const credential = credentialFor('http://127.0.0.1:9');
		const node = { typeVersion };
		const { context, workflow } = hookContext({ credential, parameters, node }, 'choices');
		for (const name of without) delete workflow.getNode('Tested')!.parameters[name];
		return readTriggerParameters(context);
	};
	const COMPLETED = ['transaction.completed', 'transaction.completed_with_rejections'];
	const common = {
		events: COMPLETED,
		notOffered: [],
		source: 'push',
		pull: false,
		confirm: true,
		retrieve: true,
		form: 'simplifiedV1',
		filters: {},
		conditions: undefined,
		signatureRequired: false,
		downloadDocuments: false,
	};
	const defaults = { ...common, typeVersion: 1, ofGroups: [], form: 'simplifiedV1' };
	test('are the defaults of the form, and those without the form have no events', () => {
		expect(read({})).toStrictEqual(defaults);
		expect(
			read(
				{},
				'events deliveryMode confirm retrieveTransaction simplify filters options'.split(' '),
			),
		).toStrictEqual({ ...defaults, events: [] });
	});
	test('are what was chosen', () => {
		expect(
			read({
				events: ['transaction.sent', 'transaction.canceled'],
				confirm: false,
				retrieveTransaction: true,
				simplify: false,
				deliveryMode: 'pull',
				options: { signatureRequired: true, downloadDocuments: true },
			}),
		).toStrictEqual({
			...defaults,
			events: ['transaction.sent'],
			notOffered: ['transaction.canceled'],
			source: 'pull',
			pull: true,
			confirm: false,
			form: 'raw',
			signatureRequired: true,
			downloadDocuments: true,
		});
	});
	test('a transaction that is confirmed but not wanted is the simplified one', () => {
		expect(read({ retrieveTransaction: false })).toStrictEqual({ ...defaults, retrieve: false });
	});
	test('a filter that is filled in needs the question to the service', () => {
		const chosen = (filters: IDataObject) => read({ confirm: false, filters }).confirm;
		expect([chosen({}), chosen({ external_id: '' }), chosen({ external_id: 'a' })]).toEqual([
			false,
			false,
			true,
		]);
	});
	test.each([
		[[], [' transaction.archived ', '', '  ', 7], ['7', 'transaction.archived']],
		['transaction.sent', ['transaction.archived'], ['transaction.archived']],
		[['transaction.sent'], 'transaction.archived', ['transaction.sent']],
		[['transaction.sent'], undefined, ['transaction.sent']],
	])('the events %j and the other events %j are %j', (events, otherEvents, expected) => {
		const options = otherEvents === undefined ? {} : { otherEvents };
		expect(read({ events, options }).events).toStrictEqual(expected);
	});

	describe('in version 2', () => {
		const readV2 = (parameters: IDataObject) => read(parameters, [], 2);
		const defaultsV2 = { ...common, typeVersion: 2, ofGroups: COMPLETED, form: 'simplified' };
		test('are the defaults: what is finished, confirmed, with its transaction', () => {
			expect(readV2({})).toStrictEqual(defaultsV2);
		});
		test('one choice confirms the event and adds its transaction', () => {
			expect(readV2({ options: { confirm: false } })).toStrictEqual({
				...defaultsV2,
				confirm: false,
				retrieve: false,
			});
		});
		test('what version 1 has instead is not read', () => {
			const version1 = {
				confirm: false,
				retrieveTransaction: false,
				filters: { external_id: 'a' },
				deliveryMode: 'pull',
			};
			expect(readV2(version1)).toStrictEqual(defaultsV2);
		});
		test('the event source is one of the options', () => {
			const source = (eventSource: string) => {
				const { source: chosen, pull } = readV2({ options: { eventSource } });
				return [chosen, pull];
			};
			expect(source('pull')).toEqual(['pull', true]);
			expect(source('changes')).toEqual(['changes', false]);
			expect(source('something else')).toEqual(['push', false]);
		});
		test('a condition on the transaction needs the question to the service', () => {
			const asks = (field: string) => {
				const onlyRunIf = { row: [{ field: 'other', otherField: field, comparison: 'exists' }] };
				const { confirm, retrieve } = readV2({ onlyRunIf, options: { confirm: false } });
				return [confirm, retrieve];
			};
			expect(asks('loan_number')).toEqual([true, false]);
			expect(asks('data.meeting')).toEqual([false, false]);
		});
		test('groups stand for their events, each once; those of a group alone are known', () => {
			const { events, ofGroups } = readV2({
				events: ['group:attention', 'group:finished', 'transaction.completed', 'transaction.sent'],
			});
			expect(events).toEqual(expect.arrayContaining([...COMPLETED, 'transaction.declined']));
			expect(new Set(events).size).toBe(events.length);
			expect(ofGroups).toEqual(
				events.filter((event) => !['transaction.completed', 'transaction.sent'].includes(event)),
			);
		});
		test('a wildcard covers the events of a group', () => {
			expect(readV2({ events: ['group:finished', 'transaction.*'] }).events).toEqual([
				'transaction.*',
			]);
		});
	});
});
