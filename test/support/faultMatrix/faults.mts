import { altered, faults, isJson } from '../faultService/faults/build.mts';
import { FAULTS as OWN_FAULTS } from '../faultService/faults.mts';
import type { Fault, Target } from '../faultService/types.mts';
import { answerSchemaOf, resolve } from '../../../scripts/generated/listedInterface.mts';

/**
 * All faults of the matrix: those of the fault service, and answers in each form that the description
 * of the service (sandbox/openapi.yaml) allows, whatever the service itself chooses to show.
 */

const FORMS = [
	// Every field.
	'all',
	// Only the fields that are always there.
	'required',
	// Null where the schema allows it and the service shows nothing.
	'nulls',
	// Numbers as text.
	'text-numbers',
	// Lists the other way round, and the second form of what has two.
	'other-order',
	// Fields that nobody knows, with names that hurt.
	'further',
] as const;
type Form = (typeof FORMS)[number];

const FURTHER = {
	object: 'thing',
	constructor: 'builder',
	toString: 'text',
	hasOwnProperty: true,
	length: 3,
	json: { nothing: null },
};
/** What the service shows only in some states, so that nothing may be made up there. */
const BY_STATE =
	/^(notarization_records?|audit_trail_url|\w*_document_url|signed_url|signing_status|sdk_token|data|errors?|processing_error|rejection_\w+|video_url|api_url|expir\w+|recall_reason)$/;
const SECOND_FORMS: Record<string, (value: any) => unknown> = {
	notarization_record: (id) => ({ id }),
	payload: (text) => JSON.parse(text),
};

/** A schema with the fields of all its parts, and of the form of `anyOf` that the value has. */
function fullSchema(given: any, value: unknown): any {
	const { schema = {} } = resolve(given);
	const typeOf = (one: any) => [resolve(one).schema.type ?? 'object'].flat()[0];
	const form = (schema.anyOf ?? []).filter((one: any) => typeOf(one) !== 'null');
	const isLike = (one: any) =>
		typeOf(one) === (Array.isArray(value) ? 'array' : typeof (value ?? ''));
	const parts = [...(schema.allOf ?? []), form.find(isLike) ?? form[0] ?? []].flat();
	return parts
		.map((part) => fullSchema(part, value))
		.reduce(
			(whole, part) => ({
				...part,
				...whole,
				properties: { ...part.properties, ...whole.properties },
				required: [...(part.required ?? []), ...(whole.required ?? [])],
			}),
			schema,
		);
}

/** A value in one of its forms. `undefined` is a field that the service doesn't show. */
export function inForm(form: Form, given: any, value: any, name = '', depth = 0): unknown {
	const schema = fullSchema(given, value);
	const types: string[] = [schema.type ?? []].flat();
	if (value === undefined) {
		const isNullable =
			types.includes('null') || JSON.stringify(schema.anyOf ?? '').includes('null');
		if (form === 'nulls' && isNullable) return null;
		if (form !== 'all' || BY_STATE.test(name) || depth > 6) return undefined;
		if (types.includes('array')) return [inForm(form, schema.items, undefined, '', depth + 1)];
		const isObject = types.includes('object') || Object.keys(schema.properties ?? {}).length > 0;
		if (!isObject) return madeUp(schema, types, name);
	}
	if (Array.isArray(value)) {
		const entries = value.map((one) => inForm(form, schema.items ?? {}, one, '', depth + 1));
		return form === 'other-order' ? entries.reverse() : entries;
	}
	if (typeof (value ?? {}) === 'object' && value !== null) {
		const properties = Object.entries<any>(schema.properties ?? {}).filter(([, one]) => one);
		const known = Object.fromEntries(
			properties.map(([field, one]) => [
				field,
				inForm(form, one, value?.[field], field, depth + 1),
			]),
		);
		const required: string[] = schema.required ?? [];
		if (form === 'required' && properties.length > 0)
			return Object.fromEntries(
				Object.entries(known).filter(([field]) => required.includes(field)),
			);
		return { ...value, ...known, ...(form === 'further' && properties.length > 0 && FURTHER) };
	}
	if (form === 'other-order' && value) return SECOND_FORMS[name]?.(value) ?? value;
	return form === 'text-numbers' && typeof value === 'number' ? String(value) : value;
}

function madeUp(schema: any, types: string[], name: string): unknown {
	const [value] = schema.enum ?? schema['x-known-values'] ?? [];
	if (value !== undefined) return value;
	if (types.includes('boolean')) return false;
	if (types.includes('integer') || types.includes('number')) return schema.minimum ?? 1;
	const [, prefix] = /^\^([a-z]{2})_/.exec(schema.pattern ?? '') ?? [];
	if (prefix) return `${prefix}_madeup1`;
	if (/_link$|url$/.test(name)) return 'https://example.com/made-up';
	return schema.format === 'date-time' ? '2026-05-01T10:00:00.000000Z' : `made up ${name}`;
}

const DESCRIBED = faults(
	'described',
	'after',
	'odd',
	isJson,
	Object.fromEntries(
		FORMS.map((form) => [
			form,
			altered((value, target: Target) =>
				inForm(form, answerSchemaOf(target.method, target.path), value),
			),
		]),
	),
);

export const FAULTS: readonly Fault[] = [...OWN_FAULTS, ...DESCRIBED];

const BY_NAME = new Map(FAULTS.map((fault) => [fault.name, fault]));

/** The fault of a name such as `network:reset-before-headers/after`. */
export function findFault(name: string): Fault {
	const fault = BY_NAME.get(name);
	if (!fault) throw new Error(`There is no fault "${name}"`);
	return fault;
}
