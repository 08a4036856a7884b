import {
	NodeHelpers,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyCollection,
	type INodePropertyOptions,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { operations } from '../../nodes/SignAndClose/resources/index.ts';
import { SignAndClose } from '../../nodes/SignAndClose/SignAndClose.node.ts';
import { SignAndCloseTrigger } from '../../nodes/SignAndClose/SignAndCloseTrigger.node.ts';
import { forEachCase } from '../support/forEachCase.mts';

/** What the form of an operation shows, as n8n itself decides it. */

const { description } = new SignAndClose();
/** The same node as a tool of an agent, which n8n tells by the name of its type. */
const tool: INodeTypeDescription = { ...description, name: `${description.name}Tool` };
const MOST_FIELDS = 10;
/** A new closing asks for its title and its note, too, and has its optional fields by subject. */
const MOST_OF_CLOSING = { fields: 13, collections: 4 };

const SUBJECTS = [
	'Numbers and Running Again',
	'Invitation',
	'Meeting and Times',
	'Additional Fields',
];

/** Every field, those inside of others included. */
const all: INodeProperties[] = [];
const collect = (properties: INodeProperties[]) => {
	for (const property of properties) {
		all.push(property);
		for (const option of property.options ?? [])
			if ('values' in option) collect(option.values);
			else if ('type' in option) collect([option]);
	}
};
collect(description.properties);

/** A node of an operation with nothing filled in but these parameters. */
function nodeOf(
	resource: string,
	operation: string,
	more: INodeParameters = {},
	type: INodeTypeDescription = description,
) {
	const node: INode = {
		id: '1',
		name: 'Tested',
		type: 'test.signAndClose',
		typeVersion: 1,
		position: [0, 0],
		parameters: { resource, operation, ...more },
	};
	// The defaults, as the editor has them when the node was just added.
	node.parameters = NodeHelpers.getNodeParameters(
		description.properties,
		node.parameters,
		true,
		false,
		node,
		type,
	)!;
	return node;
}

/** The parameters that the form shows, besides resource and operation. */
const shownOf = (node: INode, type = description): INodeProperties[] =>
	description.properties.filter(
		(property) =>
			!['resource', 'operation'].includes(property.name) &&
			NodeHelpers.displayParameter(node.parameters, property, node, type),
	);
const namesOf = (node: INode, type = description) =>
	shownOf(node, type).map(({ displayName }) => displayName);

function expectShort(shown: INodeProperties[], operation: string) {
	const fields = shown.filter(({ type }) => type !== 'collection');
	if (!/^create(?:Closing|AndSend)$/.test(operation))
		return expect(shown.slice(MOST_FIELDS)).toEqual([]);
	expect(fields.slice(MOST_OF_CLOSING.fields)).toEqual([]);
	expect(shown.length - fields.length).toBe(MOST_OF_CLOSING.collections);
}

describe('before anything is added', () => {
	const forms = [
		['the node', description],
		['a tool', tool],
	] as const;
	test.each(
		forms.flatMap(([form, type]) =>
			operations.map(({ resource, value }) => [form, resource, value, type] as const),
		),
	)('of %s, %s: %s shows few fields, notices included', (_form, resource, value, type) => {
		const shown = shownOf(nodeOf(resource, value, {}, type), type);
		const names = shown.map(({ displayName }) => displayName);
		expectShort(shown, value);
		expect(new Set(names).size).toBe(names.length);
	});
	test.each(['createClosing', 'create', 'createAndSend'])(
		'Transaction: %s from a row, too',
		(operation) => {
			const shown = shownOf(nodeOf('transaction', operation, { fieldsFrom: 'mapped' }));
			const names = shown.map(({ displayName }) => displayName);
			expect(names).toEqual(expect.arrayContaining(['Fields From', 'Field Mapping', 'Output']));
			expect(names).not.toContain('Signers');
			expectShort(shown, operation);
		},
	);
});

test('Create Closing asks for what a closing needs, the lists below what they depend on', () => {
	expect(namesOf(nodeOf('transaction', 'createClosing'))).toEqual([
		'Fields From',
		'Transaction Type',
		'Transaction Name',
		'Signers',
		'Street Address',
		'City',
		'State',
		'Zip Code',
		'Recording Jurisdiction',
		'Title Agency',
		'Title Underwriter',
		'Promissory Note',
		...SUBJECTS,
		'Output',
	]);
});

test('the optional fields of a new transaction are by subject, at most twelve each, by name', () => {
	const creates = operations.filter(({ value }) => /^create(?:Closing|AndSend)?$/.test(value));
	const collections = creates
		.filter(({ resource }) => resource === 'transaction')
		.flatMap(({ properties }) => properties.filter(({ type }) => type === 'collection'));
	expect(collections).toHaveLength(16);
	forEachCase(collections, ({ displayName, options }) => {
		const names = (options as INodeProperties[]).map((option) => option.displayName);
		expect([displayName, names.slice(12)]).toEqual([displayName, []]);
		expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
	});
});

test('Create and Send asks for the same on each platform, and a model for less', () => {
	const closing = nodeOf('transaction', 'createAndSend');
	expect(namesOf(closing)).toEqual([
		'Platform',
		'Fields From',
		'Transaction Type',
		'Signers',
		'Property',
		'Recording Jurisdiction',
		'Title Agency',
		'Title Underwriter',
		'Promissory Note',
		'Match By',
		'Document Rules',
		'Then',
		...SUBJECTS,
		'Output',
	]);
	expect(namesOf(nodeOf('transaction', 'createAndSend', { platform: 'business' }))).toEqual([
		'Platform',
		'Fields From',
		'Signers',
		'Document Rules',
		'Then',
		...SUBJECTS,
		'Output',
	]);
	const asTool = namesOf(nodeOf('transaction', 'createAndSend', {}, tool), tool);
	forEachCase(['Then', 'Document Rules', 'Fields From'], (name) =>
		expect(asTool).not.toContain(name),
	);
});

test('Replace Documents as a tool asks for the transaction only: a person replaces', () => {
	expect(namesOf(nodeOf('transaction', 'replaceDocuments', {}, tool), tool)).toEqual([
		'Description',
		'Platform',
		'Transaction',
		'Output',
	]);
});

test('fields of one operation are in no other, whatever is an expression there', () => {
	const expressions = { platform: '={{ $json.platform }}', transactionId: '={{ $json.id }}' };
	const names = namesOf(nodeOf('transaction', 'resendSms', expressions));
	expect(names).not.toContain('Match By');
	expect(names).not.toContain('Signers');
});

test('a switch that is added says something else than leaving it out: on, unless that is on', () => {
	const switches = all
		.filter(({ type }) => type === 'collection')
		.flatMap(({ options }) => options as INodeProperties[])
		.filter(({ type }) => type === 'boolean');
	const startOff = switches.filter((field) => field.default !== true).map(({ name }) => name);
	expect([...new Set(startOff)].sort()).toEqual([
		'access_to_transaction',
		'sendReference',
		'shown_to_signer',
	]);
	expect(switches.length).toBeGreaterThan(startOff.length);
});

test('nobody consents to a paper note without choosing it', () => {
	const choices = all.filter(({ name }) => name === 'promissoryNote');
	forEachCase(choices, (choice) => expect(choice.default).toBe('notChosen'));
	// Who adds the consent consents: off says the same as not adding it.
	const consents = all.filter(({ name }) => name === 'paper_note_consent');
	const operationsWith = operations.filter(({ properties }) =>
		JSON.stringify(properties).includes('"paper_note_consent"'),
	);
	expect(operationsWith.map(({ name }) => name)).toEqual(
		expect.arrayContaining(['Update', 'Correct Signer']),
	);
	expect(operationsWith.map(({ name }) => name)).not.toContain('Create Closing');
	expect(new Set(consents.map((field) => JSON.stringify(field))).size).toBe(1);
	expect(consents[0].default).toBe(true);
});

test.each(['transactionType', 'requirement', 'role', 'whereToSign'])(
	'every choice of %s says what it means',
	(name) => {
		const fields = all.filter((field) => field.name === name && field.type === 'options');
		expect(fields.length).toBeGreaterThan(0);
		forEachCase(
			fields.flatMap(({ options }) => options as INodePropertyOptions[]),
			(option) =>
				expect([option.name, option.description]).toEqual([option.name, expect.any(String)]),
		);
	},
);

describe('states and countries', () => {
	const places = all.filter(({ displayName }) => /\b(?:State|Country)$/.test(displayName));

	test('are chosen', () => {
		expect(new Set(places.map(({ type }) => type))).toEqual(new Set(['options']));
		expect(places.length).toBeGreaterThan(8);
	});
	test('are found by name and code', () => {
		const states = places.find(({ type, name }) => type === 'options' && name === 'addressState')!;
		expect(states.options).toContainEqual({ name: 'Massachusetts (MA)', value: 'MA' });
		expect(states.options).toHaveLength(56);
		const countries = places.find(({ type, name }) => type === 'options' && name === 'country')!;
		expect(countries.options).toContainEqual({ name: 'United States (US)', value: 'US' });
		expect(countries.options).toHaveLength(249);
	});
});

test('what a row always shows, the button adds the rest', () => {
	const rowsNamed = (name: string) =>
		all.find((property) => property.name === name && property.type === 'fixedCollection')!;
	const shown = (name: string) =>
		(rowsNamed(name).options![0] as INodePropertyCollection).values
			.filter(({ typeOptions }) => typeOptions?.showEvenWhenOptional)
			.map((field) => field.name);
	expect(rowsNamed('signers').typeOptions).toMatchObject({ hideOptionalFields: true });
	expect(shown('signers')).toEqual(['email', 'first_name', 'last_name']);
	expect(shown('designations')).toEqual(['signer_identifier', 'type', 'page', 'x', 'y']);
	expect(shown('texts')).toEqual(['text', 'signer_identifier', 'type', 'where']);
	expect(shown('contacts')).toEqual(['role', 'email', 'first_name', 'last_name']);
});

test('every list that the service fills says so when it is slow', () => {
	const lists = description.properties
		.flatMap(({ modes = [] }) => modes)
		.filter(({ type }) => type === 'list');
	expect(lists.length).toBeGreaterThan(5);
	forEachCase(lists, ({ typeOptions }) => expect(typeOptions?.slowLoadNotice?.timeout).toBe(8_000));
});

test('a transaction of the list is the same in every run', () => {
	const locators = description.properties.filter(({ name }) => name === 'transactionId');
	expect(locators.length).toBeGreaterThan(3);
	forEachCase(locators, ({ modes }) =>
		expect(modes!.map(({ hint }) => hint)).toEqual([
			expect.stringMatching(/^Every run works on the transaction chosen here/),
			undefined,
			undefined,
		]),
	);
});

describe('nothing is red before it is touched', () => {
	const fields = [...all, ...new SignAndCloseTrigger().description.properties];

	// The editor refuses a value that the list doesn't have, and what stands there at first is one.
	test('the default of a list is one of its choices, or any value is taken', () => {
		const lists = fields.filter(({ type }) => type === 'options');
		expect(lists.length).toBeGreaterThan(50);
		const red = lists.filter(
			({ options = [], default: value, allowArbitraryValues }) =>
				allowArbitraryValues !== true &&
				!options.some((option) => 'value' in option && option.value === value),
		);
		expect(red.map(({ displayName }) => displayName)).toEqual([]);
	});
	test('the default of a JSON field is valid JSON', () => {
		const red = fields.filter(({ type, default: value }) => {
			if (type !== 'json') return false;
			try {
				JSON.parse(value as string);
				return false;
			} catch {
				return true;
			}
		});
		expect(red.map(({ displayName }) => displayName)).toEqual([]);
	});
});
