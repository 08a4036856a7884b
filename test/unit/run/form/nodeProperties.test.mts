import fc from 'fast-check';
import { NodeHelpers, type INodeProperties, type INodeTypeDescription } from 'n8n-workflow';

import {
	buildProperties,
	buildSubtitle,
} from '../../../../nodes/SignAndClose/run/nodeForm/nodeProperties.ts';
import { defineOperation, type Operation } from '../../../../nodes/SignAndClose/run/operation.ts';
import { forEachCase } from '../../../support/forEachCase.mts';

/** The form that the editor makes of a list of operations. */

const madeUp = (
	resource: Operation['resource'],
	value: string,
	name: string,
	properties: Operation['properties'] = [],
) =>
	defineOperation({
		resource,
		value,
		name,
		action: `${name} ${resource}`,
		description: `What ${name} does`,
		kind: 'read',
		properties,
		execute: async () => [],
	});

const LIMIT = { displayName: 'Limit', name: 'limit', type: 'number', default: 50 } as const;

const OPERATIONS = [
	madeUp('webhook', 'send', 'Send'),
	madeUp('document', 'move', 'Move', [
		{ ...LIMIT, displayOptions: { show: { returnAll: [false] }, hide: { simplify: [true] } } },
	]),
	madeUp('webhook', 'get', 'Retrieve', [LIMIT]),
	madeUp('document', 'check', 'Check'),
	madeUp('webhook', 'add', 'Add'),
];

describe('the form', () => {
	test('asks for resources that have an operation, and for their operations, by name', () => {
		const [resource, ...dropdowns] = buildProperties(OPERATIONS).slice(0, 3);
		expect(resource).toMatchObject({
			name: 'resource',
			options: [{ value: 'document' }, { value: 'webhook' }],
			default: 'transaction',
		});
		expect(dropdowns).toMatchObject([
			{
				displayOptions: { show: { resource: ['document'] } },
				options: [{ value: 'check' }, { value: 'move' }],
				default: 'check',
			},
			{
				displayOptions: { show: { resource: ['webhook'] } },
				options: [
					{ value: 'add' },
					{
						name: 'Retrieve',
						value: 'get',
						action: 'Retrieve webhook',
						description: 'What Retrieve does',
					},
					{ value: 'send' },
				],
				default: 'get',
			},
		]);
	});

	test('begins with the operation that was there first, where Get came later', () => {
		const [, dropdown] = buildProperties([
			madeUp('notary', 'get', 'Get'),
			{ ...madeUp('notary', 'getAll', 'Get Many'), initial: true },
		]);
		expect(dropdown.default).toBe('getAll');
	});

	test('shows a field for its own operation only, and keeps the conditions of its own', () => {
		expect(buildProperties(OPERATIONS).slice(3)).toEqual([
			{
				...LIMIT,
				displayOptions: {
					show: { returnAll: [false], resource: ['document'], operation: ['move'] },
					hide: { simplify: [true] },
				},
			},
			{ ...LIMIT, displayOptions: { show: { resource: ['webhook'], operation: ['get'] } } },
		]);
	});
});

describe('fields that several operations have', () => {
	const field = (name: string): INodeProperties => ({ ...LIMIT, name });
	/** The names of the fields that n8n shows for an operation, in order. */
	const shown = (operations: Operation[], { resource, value }: Operation) => {
		const properties = buildProperties(operations);
		const values = { resource, operation: value };
		return properties
			.filter((property) =>
				NodeHelpers.displayParameter(values, property, { typeVersion: 1 }, {
					properties,
				} as INodeTypeDescription),
			)
			.map(({ name }) => name)
			.slice(2);
	};
	const someFields = fc.uniqueArray(fc.constantFrom(...'abcdefgh'), { maxLength: 6 });

	test('are shown to each of them, in its own order', () => {
		const all = fc.array(fc.tuple(fc.constantFrom('document', 'webhook'), someFields), {
			minLength: 1,
			maxLength: 12,
		});
		fc.assert(
			fc.property(all, (lists) => {
				const operations = lists.map(([resource, names], index) =>
					madeUp(resource as Operation['resource'], `op${index}`, 'Op', names.map(field)),
				);
				forEachCase(operations, (operation) =>
					expect(shown(operations, operation)).toEqual(
						operation.properties.map(({ name }) => name),
					),
				);
			}),
		);
	});
	test('are there once for each resource, if they are alike', () => {
		const operations = [
			madeUp('webhook', 'get', 'Get', [field('a'), field('b')]),
			madeUp('webhook', 'add', 'Add', [field('a'), { ...field('b'), default: 1 }]),
			madeUp('document', 'get', 'Get', [field('a')]),
		];
		const fields = buildProperties(operations).slice(3);
		expect(
			fields.map(({ name, displayOptions }) => [name, displayOptions!.show!.operation]),
		).toEqual([
			['a', ['get']],
			['a', ['get', 'add']],
			['b', ['add']],
			['b', ['get']],
		]);
	});
});

test('the subtitle names the chosen operation as messages do', () => {
	expect(buildSubtitle(OPERATIONS.slice(0, 2))).toBe(
		'={{ ({"webhook/send":"Webhook: Send","document/move":"Document: Move"})' +
			'[$parameter["resource"] + "/" + $parameter["operation"]] }}',
	);
});
