import { NodeHelpers, type IDataObject, type INode, type INodeProperties } from 'n8n-workflow';

import { describeToModel } from '../../../nodes/SignAndClose/run/nodeForm/toolForm.ts';
import { filterForModel } from '../../../nodes/SignAndClose/run/tool/agentTool.ts';
import { buildProperties } from '../../../nodes/SignAndClose/run/nodeForm/nodeProperties.ts';
import type { Operation } from '../../../nodes/SignAndClose/run/operation.ts';
import { operations } from '../../../nodes/SignAndClose/resources/index.ts';
import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import { credentialFor, NODE } from '../../support/engine.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import { FIXTURES } from '../../support/matrix/index.mts';
import { toolOf } from './toolCalls.mts';

/**
 * The node as a tool of an agent: the form has what an agent can use, its description says what a call
 * does, and no link, picture or file reaches the model.
 */

const TOOL = { ...NODE.description, name: 'signAndCloseTool' };
/** The node as a workflow has it. */
const SAVED = { typeVersion: 1 } as INode;

/** The fields that n8n shows for an operation, in order, with more than their defaults chosen. */
function shown(
	{ resource, value }: Operation,
	{ tool = true, among = NODE.description.properties, values = {} } = {},
): INodeProperties[] {
	const description = { ...(tool ? TOOL : NODE.description), properties: among };
	const chosen = { resource, operation: value, ...values };
	const all = NodeHelpers.getNodeParameters(among, chosen, true, false, SAVED, description)!;
	return among.filter((property) =>
		NodeHelpers.displayParameter(all, property, SAVED, description),
	);
}
const namesOf = (properties: INodeProperties[]) => properties.map(({ name }) => name);

/** Names of fields and rows inside of a field. */
const inside = ({ options = [] }: INodeProperties): INodeProperties[] =>
	options.flatMap((option) =>
		'values' in option ? option.values : 'type' in option ? [option as INodeProperties] : [],
	);

describe('the form', () => {
	const named = operations.map((entry) => [`${entry.resource}/${entry.value}`, entry] as const);

	test.each(named)('%s: of the node itself, is the same as without tools', (_name, operation) => {
		forEachCase([{}, { returnAll: true }, { output: 'raw' }], (values) => {
			const options = { tool: false, values };
			const before = namesOf(shown(operation, { ...options, among: buildProperties(operations) }));
			expect(namesOf(shown(operation, options))).toEqual(before);
		});
	});
	test.each(named)('%s: has what an agent can use', (_name, operation) => {
		const fields = shown(operation);
		const names = namesOf(fields);
		forEachCase(['returnAll', 'simplify', 'descriptionType'], (absent) =>
			expect(names).not.toContain(absent),
		);
		expect(names.filter((name) => name === 'toolDescription')).toHaveLength(1);
		const sources = fields.filter(({ name }) => name === 'source');
		forEachCase(sources, (source) => expect(source.default).toBe('url'));
		expect(sources.length).toBeLessThanOrEqual(1);
		const lists = operation.properties.some(({ name }) => name === 'returnAll');
		const limits = fields.filter(({ name }) => name === 'limit');
		expect(limits.map((limit) => limit.default)).toEqual(lists ? [20] : []);
		const isShown = (field: INodeProperties) =>
			NodeHelpers.displayParameter({}, field, SAVED, TOOL);
		const inner = fields.flatMap(inside).filter(isShown);
		forEachCase(['ssn', 'returnSigningLinks'], (absent) =>
			expect(namesOf(inner)).not.toContain(absent),
		);
		const outputs = fields.find(({ name }) => name === 'output')?.options ?? [];
		expect(namesOf(outputs.filter((option) => isShown(option as never)) as never)).not.toContain(
			'Raw',
		);
	});
});

test('a transaction starts with the one of the item in a workflow, and empty as a tool', () => {
	const get = operations.find(
		({ resource, value }) => `${resource}/${value}` === 'transaction/get',
	)!;
	const starts = [false, true].map((tool) =>
		shown(get, { tool }).flatMap(({ name, default: initial }) =>
			name === 'transactionId' ? [(initial as IDataObject).value] : [],
		),
	);
	expect(starts).toEqual([['={{ $json.transaction_id }}'], ['']]);
	forEachCase(operations, (operation) =>
		expect(JSON.stringify(shown(operation).map((field) => field.default))).not.toContain('"='),
	);
});

describe('the description', () => {
	/** What n8n's own code tells the model. */
	const told = ({ resource, value }: Operation, more: IDataObject = {}) => {
		const node = { ...SAVED, type: 'x.signAndCloseTool' };
		const given = { resource, operation: value, ...more };
		node.parameters = NodeHelpers.getNodeParameters(
			TOOL.properties,
			given as never,
			true,
			false,
			node,
			TOOL,
		)!;
		return NodeHelpers.getToolDescriptionForNode(node, { description: TOOL } as never);
	};

	test.each(operations.map((entry) => [entry.action, entry] as const))(
		'%s: is for a model, unless somebody wrote another one',
		(_action, operation) => {
			expect(told(operation)).toBe(describeToModel(operation));
			expect(told(operation, { toolDescription: 'Mine' })).toBe('Mine');
		},
	);
	test('of a write says what it means to people, and that it has to be approved', () => {
		forEachCase(
			operations.filter(({ kind }) => kind === 'write'),
			(operation) => {
				const text = describeToModel(operation);
				expect(operation.effect).toMatch(/^[A-Z][^]{20,}[^.]$/);
				expect(text).toContain(`${operation.effect}.`);
				expect(text).toMatch(/wait for their approval\.$/);
			},
		);
		forEachCase(
			operations.filter(({ kind }) => kind === 'read'),
			(operation) => {
				expect(operation.effect).toBeUndefined();
				expect(describeToModel(operation)).toMatch(/Changes nothing\.$/);
			},
		);
	});
});

test('what a model may read of an output', () => {
	const picture = Buffer.alloc(1_200, 'p').toString('base64');
	expect(
		filterForModel({
			transaction_id: 'ot_1',
			audit_trail_url: 'https://files.example.com/a?signature=1',
			sdk_token: 'abc',
			retrieval_pin: 'E5F6G7',
			signing_links: [{ signer_id: 'si_1' }],
			note: 'see https://example.com for more',
			anything: ' HTTPS://example.com/s/1',
			picture,
			image: `data:image/png;base64,${Buffer.from('short').toString('base64')}`,
			long: 'words and words '.repeat(200),
			signers: [
				{ name: 'Jane', transaction_access_link: 'https://example.com/s/2', link_expired: false },
			],
			links_in_a_list: ['https://example.com/s/3', 'text'],
			nothing: null,
			count: 0,
			notary_url: null,
		}),
	).toEqual({
		transaction_id: 'ot_1',
		note: 'see https://example.com for more',
		long: 'words and words '.repeat(200),
		signers: [{ name: 'Jane', link_expired: false }],
		links_in_a_list: ['text'],
		nothing: null,
		count: 0,
		notary_url: null,
	});
});

describe('at the sandbox', () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox({ processingMs: 0 });
	});
	afterAll(async () => await sandbox.close());

	const tool = (parameters: IDataObject) =>
		toolOf(
			{
				type: 'signAndCloseTool',
				credential: credentialFor(sandbox.url),
				parameters,
			},
			'agent',
		);
	const answer = async (parameters: IDataObject, args: IDataObject = {}) =>
		JSON.parse(String(await tool(parameters)(args))) as IDataObject[];

	test('a list has at most 20 entries, or as many as the model wants, up to 100', async () => {
		const list = { resource: 'transaction', operation: 'getAll', platform: 'business' };
		for (let index = 0; index < 105; index++)
			await fetch(`${sandbox.url}/transactions`, {
				method: 'POST',
				headers: { ApiKey: sandbox.keys.full, 'content-type': 'application/json' },
				body: JSON.stringify({
					draft: true,
					signer: { email: 'jane@example.com', first_name: 'Jane', last_name: 'Doe' },
					transaction_name: `Number ${index}`,
				}),
			});
		expect(await answer(list)).toHaveLength(20);
		expect(await answer({ ...list, returnAll: true })).toHaveLength(20);
		const limit = "={{ $fromAI('limit', '', 'number') }}";
		expect(await answer({ ...list, limit }, { limit: 3 })).toHaveLength(3);
		expect(await answer({ ...list, limit }, { limit: 5000 })).toHaveLength(100);
	});
	test('a file comes from a link, and the places in it reach the model without the link', async () => {
		const places = await answer(
			{
				resource: 'document',
				operation: 'getPlaces',
				source: 'url',
				fileUrl: "={{ $fromAI('link') }}",
				pages: 'last',
			},
			{ link: `${sandbox.url}/samples/deed-of-trust-form.pdf` },
		);
		expect(places.map(({ name }) => name)).toEqual([
			'Borrower Signature',
			'Borrower Date',
			'Borrower Signature',
			'Date',
			'Notary Signature',
			'Notary Signature',
			'Notary Seal',
			'Notary Seal',
		]);
		expect(JSON.stringify(places)).not.toContain('http');
	});
});

/** Parameters whose values come from a model instead of an item. */
const filledByModel = (parameters: IDataObject) =>
	JSON.parse(JSON.stringify(parameters).replace(/\$json\.(\w+)/g, "$fromAI('$1')")) as IDataObject;

describe.each(Object.keys(FIXTURES).filter((name) => FIXTURES[name].kind === 'read'))(
	'%s',
	(name) => {
		test('gives a model no link and no file', async () => {
			const sandbox = await startSandbox({ filesOrigin: 'separate', processingMs: 0 });
			try {
				const scene = await FIXTURES[name].build(sandbox);
				const [resource, operation] = name.split('/');
				const call = toolOf(
					{
						type: 'signAndCloseTool',
						credential: credentialFor(sandbox.url),
						parameters: { ...filledByModel(scene.parameters), resource, operation, output: 'raw' },
					},
					'agent',
				);
				const said = String(await call(scene.items[0].json));
				expect(said.length).toBeGreaterThan(2);
				expect(said).not.toMatch(/"\s*(https?:|data:)|_token"|[A-Za-z0-9+/]{1000}/);
			} finally {
				await sandbox.close();
			}
		});
	},
);
