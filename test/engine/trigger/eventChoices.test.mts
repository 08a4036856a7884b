import { describe, expect, test } from '@jest/globals';

import { SignAndCloseTrigger } from '../../../nodes/SignAndClose/SignAndCloseTrigger.node.ts';
import { listContext } from '../../support/engine.mts';
import { withService, type Script } from '../../support/live/service.mts';

/** Which events the trigger offers. */

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
