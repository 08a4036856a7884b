import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { loadOpenapi, readOpenapiPages } from '../../sandbox/http/openapi.mts';
import { generatedPage, type Page } from './page.mts';

/**
 * The tables of docs/service that `npm run generate` writes from the description of the service
 * (sandbox/openapi.yaml). Each stands between two comments; the first says what it shows:
 *
 *   generated: NewSigner                   the fields of a schema
 *   generated: Transaction = B, Closing = R
 *                                          of several, with a column On of who has them
 *   generated: In: NewDocument = A, ...    with a name of its own for this column
 *   generated: parameters                  every query parameter
 *   generated: parameters of verifyAddress those of an operation
 *   generated: values of Status            the values of a schema, as a list in a sentence
 */

const PAGES = fileURLToPath(new URL('../../docs/service/', import.meta.url));
/** Longer lists of values stand in the text. */
const MOST_VALUES = 8;
const SOURCES: Record<string, string> = {
	doc: 'documented',
	pub: '',
	lik: 'inferred',
	def: 'assumed',
};

interface Columns {
	/** Of the names, types, holders, limits, meanings and sources. A column without texts is left out. */
	titles: string[];
	/** Everybody who can have a field. */
	all: string[];
}
const QUERY: Columns = {
	titles: ['Name', 'Type', 'On', 'Required, values, limits', 'Meaning', 'Source'],
	all: [],
};

interface Row {
	names: string[];
	type: string;
	/** Who has the field; empty in a table of one schema. */
	holders: string[];
	limits: string;
	meaning: string;
	source: string;
}

const document = loadOpenapi();
const pageOf = new Map(
	[...readOpenapiPages()].flatMap(([page, { schemas, parameters }]) =>
		[...Object.keys(schemas), ...Object.keys(parameters)].map((name) => [name, page] as const),
	),
);

/** The pages of docs/service, each with its tables as they should be. */
export async function servicePages(): Promise<Page[]> {
	const files = readdirSync(PAGES).filter((name) => name.endsWith('.md'));
	return await Promise.all(
		files.map(
			async (name) =>
				await generatedPage(PAGES + name, (what) => generated(what, name.replace('.md', ''))),
		),
	);
}

function generated(what: string, page: string): string {
	const [, values] = /^values of (\w+)$/.exec(what) ?? [];
	if (values !== undefined) return `${valuesOf(schemaOf(values)).map(code).join(', ')}.\n`;
	const [, operation] = /^parameters of (\w+)$/.exec(what) ?? [];
	if (operation !== undefined) return table(parametersOf(operation), page, QUERY);
	if (what === 'parameters') return table(allParameters(), page, QUERY);
	const [, heading = 'On', list] = /^(?:(\w+): )?(.+)$/.exec(what)!;
	const schemas = list.split(',').map((entry) => {
		const [name, holder = ''] = entry.split('=').map((part) => part.trim());
		return { name, holder };
	});
	const rows = schemas.flatMap(({ name, holder }) => rowsOf(name, holder));
	const all = [...new Set(schemas.map(({ holder }) => holder))].filter((holder) => holder);
	const { closed } = flat(schemaOf(schemas[0].name));
	const presence = closed ? 'Required' : 'Sent';
	return table(merged(rows), page, {
		titles: ['Field', 'Type', heading, `${presence}, values, limits`, 'Meaning', 'Source'],
		all,
	});
}

/** The fields of a schema, in its order. */
function rowsOf(name: string, holder: string, prefix = ''): Row[] {
	const schema = schemaOf(name);
	const page = pageOf.get(name)!;
	const { properties = {}, required = [], closed } = flat(schema);
	return Object.entries<any>(properties).flatMap(([field, property]) => {
		if (property === false || (holder !== '' && property['x-unlisted'])) return [];
		const target = resolve(property);
		const platforms: string[] = property['x-on'] ?? [];
		const only = platforms.length === 1 ? platforms[0] : undefined;
		const row: Row = {
			names: [`${prefix}${field}`],
			type: typeOf(property, page),
			holders: holder === '' ? [] : [only === undefined ? holder : `${holder} on ${only}`],
			limits: [
				...(holder === '' && only !== undefined ? [`${only} only`] : []),
				...presenceOf(
					property,
					required.includes(field),
					closed,
					SOURCES[schema['x-required-mark']],
				),
				...limitsOf(property, page),
			].join('; '),
			meaning: linked(property.description ?? describedBy(target), page),
			source: property['x-source'] ?? SOURCES[property['x-mark'] ?? schema['x-mark'] ?? 'pub'],
		};
		const inner = target['x-nested'] ? rowsOf(nameOf(property), holder, `${field}.`) : [];
		return [row, ...inner];
	});
}

/** Fields that several schemas have stand in one row, as do neighbors that differ in their name. */
function merged(rows: Row[]): Row[] {
	const same = (a: Row, b: Row) =>
		a.type === b.type && a.limits === b.limits && a.meaning === b.meaning && a.source === b.source;
	const fields: Row[] = [];
	for (const row of rows) {
		const known = fields.find((other) => other.names[0] === row.names[0] && same(other, row));
		if (known === undefined) {
			// Beside the rows of the same field.
			const last = fields.findLastIndex((other) => other.names[0] === row.names[0]);
			fields.splice(last < 0 ? fields.length : last + 1, 0, { ...row });
		} else known.holders = [...new Set([...known.holders, ...row.holders])];
	}
	const joined: Row[] = [];
	for (const row of fields) {
		const before = joined.at(-1);
		const alike =
			before !== undefined &&
			!row.names[0].includes('.') &&
			same(before, row) &&
			String(before.holders) === String(row.holders);
		if (alike) before.names.push(...row.names);
		else joined.push(row);
	}
	return joined;
}

function table(rows: Row[], page: string, { titles, all }: Columns): string {
	const columns = rows.map(({ names, type, holders, limits, meaning, source }) => [
		names.map(code).join(', '),
		type,
		holdersText(holders, all),
		limits,
		meaning,
		source,
	]);
	const shown = titles.map((_, column) => columns.some((texts) => texts[column] !== ''));
	const lines = [titles, titles.map(() => '---'), ...columns].map(
		(texts) => `| ${texts.filter((_, column) => shown[column]).join(' | ')} |\n`,
	);
	return local(lines.join(''), page);
}

function holdersText(holders: string[], all: string[]): string {
	if (all.length === 0 || all.join() === 'B,R' || holders.length < all.length)
		return holders.join(', ');
	return all.every((holder) => holders.includes(holder))
		? all.length === 2
			? 'both'
			: 'all'
		: holders.join(', ');
}

/** The query parameters of all operations; `On` names the calls. */
function allParameters(): Row[] {
	const calls = operations().flatMap((operation) =>
		queryOf(operation).map(({ name, parameter }) => ({ operation, name, parameter })),
	);
	const names = [...new Set(calls.map(({ name }) => name))];
	const ordered = Object.keys(document.components.parameters).filter((name) =>
		names.includes(name),
	);
	return merged(
		ordered.map((name) => {
			const having = calls.filter((call) => call.name === name).map(({ operation }) => operation);
			const [{ parameter }] = calls.filter((call) => call.name === name);
			return {
				...parameterRow(name, parameter),
				holders: [parameter['x-calls'] ?? callsText(having)],
			};
		}),
	);
}

function parametersOf(id: string): Row[] {
	const operation = operations().find(({ operationId }) => operationId === id);
	return merged(queryOf(operation).map(({ name, parameter }) => parameterRow(name, parameter)));
}

function parameterRow(name: string, parameter: any): Row {
	const page = pageOf.get(name)!;
	return {
		names: [parameter.name],
		type: typeOf(parameter.schema, page),
		holders: [],
		limits: [
			...(parameter.required || parameter['x-required'] ? ['required'] : []),
			...limitsOf({ ...parameter.schema, 'x-limits': parameter['x-limits'] }, page),
		].join('; '),
		meaning: linked(parameter.description, page),
		source: SOURCES[parameter['x-mark'] ?? 'pub'],
	};
}

/** The calls by their summaries; the platform where only one of two has the parameter. */
function callsText(having: any[]): string {
	const summaries = [...new Set(having.map(({ summary }) => summary as string))];
	return summaries
		.map((summary) => {
			const alike = operations().filter((operation) => operation.summary === summary);
			const own = having.filter((operation) => operation.summary === summary);
			const places = new Set(own.map(placeOf));
			return new Set(alike.map(placeOf)).size === places.size
				? summary
				: `${summary} on ${[...places].join(', ')}`;
		})
		.join(', ');
}

/** Where a path is: on a platform, or `/v2` for the webhooks that are on none. */
function placeOf({ path }: any): string {
	if (path.startsWith('/mortgage')) return 'R';
	return path.startsWith('/v2') ? code('/v2') : 'B';
}

const operations = (): any[] =>
	Object.entries<any>(document.paths).flatMap(([path, item]) =>
		['get', 'post', 'put', 'patch', 'delete']
			.filter((method) => item[method] !== undefined)
			.map((method) => ({ path, ...item[method] })),
	);

/** The query parameters of an operation with their names as components. */
const queryOf = ({ parameters = [] }: any): Array<{ name: string; parameter: any }> =>
	parameters
		.map((parameter: any) => ({ name: nameOf(parameter), parameter: resolve(parameter) }))
		.filter(({ parameter }: any) => parameter.in === 'query');

/** Whether a client has to send a field, or when an answer has it. */
function presenceOf(
	property: any,
	isRequired: boolean,
	closed: boolean,
	source?: string,
): string[] {
	if (closed && isRequired) return [source === undefined ? 'required' : `required (${source})`];
	if (closed) return [];
	if (isRequired) return ['always'];
	return property['x-sent'] === undefined ? [] : [property['x-sent']];
}

function limitsOf(property: any, page: string): string[] {
	const bare = withoutNull(property);
	const target = resolve(bare);
	const { minLength, maxLength, 'x-max-length': told, maxItems, minimum, maximum } = target;
	const values = target['x-type'] === 'boolean' ? [] : valuesOf(target);
	// What has a certain length says so in words of its own.
	const length =
		minLength !== undefined && minLength === maxLength ? undefined : (maxLength ?? told);
	return [
		...(values.length > 0 && values.length <= MOST_VALUES ? [values.map(code).join(', ')] : []),
		...(maxItems === undefined ? [] : [`at most ${maxItems}`]),
		...(length === undefined ? [] : [`≤ ${length.toLocaleString('en-US')}`]),
		...(minimum === undefined || maximum !== undefined ? [] : [`from ${minimum}`]),
		...(maximum === undefined ? [] : [`${minimum} to ${maximum.toLocaleString('en-US')}`]),
		...(property['x-limits'] === undefined ? [] : [linked(property['x-limits'], page)]),
	];
}

function valuesOf(given: any): string[] {
	const schema = resolve(given);
	const values: unknown[] = schema.enum ?? schema['x-known-values'] ?? [];
	return [...new Set(values.filter((value) => value !== null).map(String))];
}

/** The type of a value in words; `?` says that it may be null. */
function typeOf(given: any, page: string): string {
	const optional = allowsNull(given) ? '?' : '';
	return `${bareType(withoutNull(given), page)}${optional}`;
}

function bareType(given: any, page: string): string {
	const schema = resolve(given);
	if (schema['x-type'] !== undefined) return schema['x-type'];
	if (schema['x-link'] !== undefined) return `[${schema['x-name']}](${schema['x-link']})`;
	if (schema.anyOf !== undefined && schema.properties === undefined)
		return [...new Set(schema.anyOf.map((form: any) => typeOf(form, page)))].join(' or ');
	const properties = flat(schema).properties;
	if (properties !== undefined) {
		const names = Object.entries(properties).filter(([, inner]) => inner !== false);
		return `\`{${names.map(([name, inner]) => name + (allowsNull(inner) ? '?' : '')).join(', ')}}\``;
	}
	if ([schema.type].flat().includes('array'))
		return schema.items === undefined ? 'array' : `array of ${typeOf(schema.items, page)}`;
	if (schema.format === 'date-time') return 'date-time';
	const prefix = /^\^([a-z]{2})(_\?)?(?=\.?$|_\?\.)/.exec(schema.pattern ?? '');
	const type = [schema.type ?? []].flat().filter((name: string) => name !== 'null');
	if (prefix) return `${type}, \`${prefix[1]}${prefix[2] === undefined ? '' : '_'}\``;
	return type.join(' or ');
}

function allowsNull(given: any): boolean {
	const schema = resolve(given);
	return (
		[schema.type ?? []].flat().includes('null') ||
		(schema.anyOf ?? []).some((form: any) => form.type === 'null')
	);
}

function withoutNull(given: any): any {
	const forms = given.anyOf?.filter((form: any) => form.type !== 'null');
	if (forms === undefined || forms.length === given.anyOf.length || given.properties) return given;
	return forms.length === 1 ? forms[0] : { anyOf: forms };
}

/** The parts of a schema that is made of several. */
function flat(schema: any): { properties?: any; required?: string[]; closed: boolean } {
	if (schema.allOf === undefined)
		return { ...schema, closed: schema.additionalProperties === false };
	const parts = schema.allOf.map((part: any) => flat(resolve(part)));
	return {
		properties: Object.assign({}, ...parts.map(({ properties }: any) => properties)),
		required: parts.flatMap(({ required = [] }: any) => required),
		closed: false,
	};
}

/** What a scalar's own schema says of it. */
const describedBy = (schema: any): string =>
	schema.properties === undefined && schema['x-link'] === undefined
		? (schema.description ?? '')
		: '';

const schemaOf = (name: string): any => {
	const schema = document.components.schemas[name];
	if (schema === undefined)
		throw new Error(`docs/service wants a table of ${name}: no such schema`);
	return schema;
};

const nameOf = ({ $ref = '' }: any): string => String($ref).split('/').at(-1)!;

/** Follows a reference; what stands beside it wins. */
function resolve(part: any): any {
	if (part?.$ref === undefined) return part;
	const { $ref, ...beside } = part;
	const found = String($ref)
		.slice(2)
		.split('/')
		.reduce((node, key) => node[key], document);
	return { ...resolve(found), ...beside };
}

/** The names of the page that a link is on, because the text may go to another page. */
const linked = (text = '', page: string): string => text.replaceAll('](#', `](${page}.md#`);

/** A link to the page itself needs no name of it. */
const local = (text: string, page: string): string => text.replaceAll(`](${page}.md#`, '](#');

const code = (text: string): string => `\`${text}\``;
