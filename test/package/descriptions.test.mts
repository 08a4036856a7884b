import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeProperties } from 'n8n-workflow';

import { SignAndCloseApi } from '../../credentials/SignAndCloseApi.credentials.ts';
import { operations } from '../../nodes/SignAndClose/resources/index.ts';
import { SignAndClose } from '../../nodes/SignAndClose/SignAndClose.node.ts';
import { SignAndCloseTrigger } from '../../nodes/SignAndClose/SignAndCloseTrigger.node.ts';
import { N8N_DIR } from '../../scripts/runtime.mjs';
import { forEachCase } from '../support/forEachCase.mts';

/**
 * Names, order and secrecy of the fields, as n8n's UX guidelines ask. words.test.mts checks the
 * wording.
 */

const node = new SignAndClose().description;
const trigger = new SignAndCloseTrigger().description;
const all: Array<[string, INodeProperties]> = [];
const collect = (where: string, properties: INodeProperties[]) => {
	for (const property of properties) {
		all.push([`${where}: ${property.displayName}`, property]);
		for (const option of property.options ?? []) {
			if ('values' in option) collect(where, option.values);
			else if ('type' in option) collect(where, [option]);
		}
	}
};
collect('node', node.properties);
collect('trigger', trigger.properties);
collect('credential', new SignAndCloseApi().properties);

const FIRST_RESOURCES = ['Transaction', 'Document', 'Signer'];

test.each(all)('%s: capitalized, hidden if secret, choices in order', (_name, property) => {
	const { options = [], displayName } = property;
	expect(displayName).toMatch(/^[A-Z]|^eNote/);
	if (/secret|password|apiKey|token|ssn/i.test(property.name))
		expect(property.typeOptions?.password).toBe(true);
	if (options.length >= 5) {
		const listed = options.map((option) =>
			'displayName' in option ? option.displayName : option.name,
		);
		// The panel of actions has the order of the resources: first what everybody needs.
		const isResource = property.name === 'resource';
		const names = isResource ? listed.slice(FIRST_RESOURCES.length) : listed;
		if (isResource) expect(listed).toEqual([...FIRST_RESOURCES, ...names]);
		expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
	}
});
test('resource first, then operation, neither from an expression; stored values are unique', () => {
	expect(node.properties[0]).toMatchObject({ name: 'resource', noDataExpression: true });
	expect(node.properties[1]).toMatchObject({ name: 'operation', noDataExpression: true });
	expect(new Set(operations.map(({ resource, value }) => `${resource}/${value}`)).size).toBe(
		operations.length,
	);
});
test.each(operations.map((operation) => [operation.action, operation] as const))(
	'the action "%s" is in sentence case without articles',
	(action, { name }) => {
		expect(action.replace(/\beNote\b/g, 'x')).toMatch(/^[A-Z][^A-Z]*$/);
		expect(action).not.toMatch(/\b(a|an|the)\b/);
		expect(name).toMatch(/^[A-Z]/);
	},
);

describe('what builders of workflows read', () => {
	const [action, event] = [node.builderHint!, trigger.builderHint!];
	test('names Create and Send before the nodes for single steps, by names of the form', () => {
		const named = [...action.searchHint!.matchAll(/'((\w+): [^']+)'/g)].map(([, name]) => name);
		expect(named[0]).toBe('Transaction: Create and Send');
		const known = operations.map(
			({ resource, name }) => `${resource[0].toUpperCase()}${resource.slice(1)}: ${name}`,
		);
		expect(known).toEqual(expect.arrayContaining(named));
	});
	const KNOWN_TO_N8N = Object.keys(
		JSON.parse(
			readFileSync(join(N8N_DIR, 'node_modules/n8n-nodes-base/dist/known/nodes.json'), 'utf8'),
		) as object,
	).map((name) => `n8n-nodes-base.${name}`);
	test('leads from each of both nodes to the other, and to nodes that n8n has', () => {
		const typesOf = ({ relatedNodes = [] }: typeof action) =>
			relatedNodes.map(({ nodeType }) => nodeType);
		const own = 'n8n-nodes-sign-and-close.';
		expect(typesOf(action)).toContain(own + trigger.name);
		expect(typesOf(event)).toContain(own + node.name);
		forEachCase(
			[...typesOf(action), ...typesOf(event)].filter((type) => !type.startsWith(own)),
			(type) => expect(KNOWN_TO_N8N).toContain(type),
		);
	});
});
test('the trigger says what starts it while it listens, and what was registered afterwards', () => {
	const { eventTriggerDescription, activationMessage, triggerPanel } = trigger;
	expect(eventTriggerDescription).toMatch(/complete a transaction/i);
	expect(activationMessage).toMatch(/webhook/);
	expect(triggerPanel).toMatchObject({
		executionsHelp: {
			inactive: expect.stringMatching(/test account[\s\S]*publish/i),
			active: expect.stringMatching(/<a data-key="executions">/),
		},
	});
});
