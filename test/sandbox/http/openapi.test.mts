/** openapi.yaml itself: a valid OpenAPI 3.1 document, whose operations all have a handler. */

import { Validator } from '@seriousme/openapi-schema-validator';

import { loadOpenapi } from '../../../sandbox/http/openapi.mts';
import { createOperations } from '../../../sandbox/operations/index.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import { sandbox, useSandbox } from '../support/useSandbox.mts';

useSandbox();

const definition = loadOpenapi();

/** Every value in a document with its place. */
function* walk(value: unknown, place: string[] = []): Generator<[string[], any]> {
	if (typeof value !== 'object' || value === null) return;
	yield [place, value];
	for (const [name, inner] of Object.entries(value)) yield* walk(inner, [...place, name]);
}

const at = (pointer: string) =>
	pointer
		.slice(2)
		.split('/')
		.reduce((found, name) => found?.[name.replaceAll('~1', '/').replaceAll('~0', '~')], definition);

const operations = Object.entries<any>(definition.paths).flatMap(([path, item]) =>
	['get', 'post', 'put', 'patch', 'delete'].flatMap((method) =>
		item[method] ? [{ path, shared: item.parameters ?? [], ...item[method] }] : [],
	),
);

test('it is a valid OpenAPI 3.1 document', async () => {
	const validator = new Validator();
	const { valid, errors } = await validator.validate(loadOpenapi());
	expect([errors ?? [], valid, validator.version]).toEqual([[], true, '3.1']);
});

test('every reference leads somewhere, and every component is used', () => {
	const references = new Set(
		[...walk(definition)].flatMap(([, { $ref }]) => (typeof $ref === 'string' ? [$ref] : [])),
	);
	expect([...references].filter((pointer) => at(pointer) === undefined)).toEqual([]);
	const components = ['schemas', 'parameters', 'responses'].flatMap((kind) =>
		Object.keys(definition.components[kind]).map((name) => `#/components/${kind}/${name}`),
	);
	expect(components.filter((pointer) => !references.has(pointer))).toEqual([]);
});

test('each operation names every parameter of its path', () => {
	for (const { path, shared, parameters = [] } of operations) {
		const named = [...shared, ...parameters]
			.map((entry) => (entry.$ref === undefined ? entry : at(entry.$ref)))
			.filter((entry) => entry.in === 'path');
		expect([path, named.map(({ name }) => name).sort()]).toEqual([
			path,
			[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort(),
		]);
	}
});

test('each operation has an id of its own, a mark and a handler, and each handler an operation', () => {
	// One that isn't in both lists is missing in openapi.yaml, or in sandbox/operations/.
	expect(operations.map(({ operationId }) => operationId).sort()).toEqual(
		Object.keys(createOperations(sandbox.world)).sort(),
	);
	forEachCase(operations, (operation) =>
		expect(['doc', 'pub', 'lik', 'def']).toContain(operation['x-mark']),
	);
});
