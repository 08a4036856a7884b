import type { INodeProperties } from 'n8n-workflow';

import { SignAndCloseApi } from '../../credentials/SignAndCloseApi.credentials.ts';
import { operations } from '../../nodes/SignAndClose/resources/index.ts';
import { SignAndClose } from '../../nodes/SignAndClose/SignAndClose.node.ts';
import { SignAndCloseTrigger } from '../../nodes/SignAndClose/SignAndCloseTrigger.node.ts';

/**
 * Names, order and secrecy of the fields, as n8n's UX guidelines ask. words.test.mts checks the
 * wording.
 */

const node = new SignAndClose().description;
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
collect('trigger', new SignAndCloseTrigger().description.properties);
collect('credential', new SignAndCloseApi().properties);

test.each(all)('%s: capitalized, hidden if secret, choices in order', (_name, property) => {
	const { options = [], displayName, placeholder = '' } = property;
	expect(displayName).toMatch(/^[A-Z]|^eNote/);
	if (/secret|password|apiKey|token|ssn/i.test(property.name))
		expect(property.typeOptions?.password).toBe(true);
	if (options.length >= 5) {
		const names = options.map((option) =>
			'displayName' in option ? option.displayName : option.name,
		);
		// A button that names fields offers those first.
		const first = names.filter((name) => placeholder.includes(name));
		const others = names.filter((name) => !first.includes(name));
		expect(names).toEqual([...first, ...others.sort((a, b) => a.localeCompare(b))]);
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
