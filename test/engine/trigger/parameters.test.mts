import type { IDataObject } from 'n8n-workflow';

import { SignAndCloseTrigger } from '../../../nodes/SignAndClose/SignAndCloseTrigger.node.ts';
import { parseTriggerParameters } from '../../../nodes/SignAndClose/trigger/parameters.ts';
import { build, credentialFor, hookContext, listContext } from '../../support/engine.mts';
import { forEachCase } from '../../support/forEachCase.mts';
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
		const { getGroupedEvents } = new SignAndCloseTrigger().methods.loadOptions;
		return (await getGroupedEvents.call(context)).map(({ value }) => value);
	});
const EVENTS = { transaction: ['transaction.archived', 'transaction.sent'], notary: [] };
const offering: Script = ({ path }) =>
	path.endsWith('/webhooks/subscriptions') ? { body: EVENTS } : undefined;

describe('the events of the trigger', () => {
	test('are those that the service offers, their groups, and the wildcards', async () => {
		expect(await offer(offering)).toEqual([
			'*',
			'notary.*',
			'transaction.*',
			'transaction.archived',
			'group:progress',
			'transaction.sent',
		]);
	});
	test('are the known ones where the service lists none, or before there is a credential', async () => {
		forEachCase(
			[await offer(() => undefined), await offer(offering, { credentials: undefined })],
			(known) => expect(known).toContain('transaction.completed'),
		);
	});
});

describe('the line below the name of the trigger', () => {
	const { subtitle } = new SignAndCloseTrigger().description;
	const shown = (parameters: IDataObject) => {
		const { workflow, tested } = build({ type: 'signAndCloseTrigger', parameters });
		return workflow.expression.getSimpleParameterValue(tested, subtitle!, 'internal', {});
	};
	test.each([
		[['group:finished'], 'Finished'],
		[['group:attention', 'transaction.sent', '*'], 'Needs Attention, Sent, Any Event'],
		[['transaction.sent_to_closing_ops'], 'Sent to Closing Team'],
		[['transaction.archived'], 'transaction.archived'],
		['transaction.completed', 'Completed'],
		[[], ''],
	])('names the events of %j as the list does', (events, expected) => {
		expect(shown({ events })).toBe(expected);
	});
});

describe('the parameters of the trigger', () => {
	/** What the trigger reads; parameters in `without` are those that n8n doesn't give it. */
	const read = (parameters: IDataObject, without: string[] = []) => {
		const { context, workflow } = hookContext(
			{ credential: credentialFor('http://127.0.0.1:9'), parameters },
			'choices',
		);
		for (const name of without) delete workflow.getNode('Tested')!.parameters[name];
		return parseTriggerParameters(context);
	};
	const COMPLETED = ['transaction.completed', 'transaction.completed_with_rejections'];
	const defaults = {
		events: COMPLETED,
		ofGroups: COMPLETED,
		pull: false,
		confirm: true,
		retrieve: true,
		form: 'simplified',
		conditions: undefined,
		signatureRequired: false,
		downloadDocuments: false,
	};
	test('are the defaults: what is finished, confirmed, with its transaction; without the form, no events', () => {
		expect(read({})).toStrictEqual(defaults);
		expect(read({}, ['events', 'onlyRunIf', 'output', 'options'])).toStrictEqual({
			...defaults,
			events: [],
			ofGroups: [],
		});
	});
	test('are what was chosen', () => {
		expect(
			read({
				events: ['transaction.sent'],
				output: 'raw',
				options: {
					confirm: false,
					eventSource: 'pull',
					signatureRequired: true,
					downloadDocuments: true,
				},
			}),
		).toStrictEqual({
			...defaults,
			events: ['transaction.sent'],
			ofGroups: [],
			pull: true,
			confirm: false,
			retrieve: false,
			form: 'raw',
			signatureRequired: true,
			downloadDocuments: true,
		});
	});
	test('a condition on the transaction needs the question to the service', () => {
		const asks = (field: string) => {
			const onlyRunIf = { row: [{ field: 'other', otherField: field, comparison: 'exists' }] };
			const { confirm, retrieve } = read({ onlyRunIf, options: { confirm: false } });
			return [confirm, retrieve];
		};
		expect(asks('loan_number')).toEqual([true, false]);
		expect(asks('data.meeting')).toEqual([false, false]);
	});
	test('groups stand for their events, each once; those of a group alone are known', () => {
		const { events, ofGroups } = read({
			events: ['group:attention', 'group:finished', 'transaction.completed', 'transaction.sent'],
		});
		expect(events).toEqual(expect.arrayContaining([...COMPLETED, 'transaction.declined']));
		expect(new Set(events).size).toBe(events.length);
		expect(ofGroups).toEqual(
			events.filter((event) => !['transaction.completed', 'transaction.sent'].includes(event)),
		);
	});
	test('a wildcard covers the events of a group', () => {
		expect(read({ events: ['group:finished', 'transaction.*'] }).events).toEqual(['transaction.*']);
	});
});
