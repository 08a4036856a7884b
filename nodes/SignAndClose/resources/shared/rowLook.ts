import type { INodeProperties } from 'n8n-workflow';

/*
 * How rows look in the editor: a title that tells them apart, and rarely used fields only on demand.
 * Neither changes what is stored, and an n8n that doesn't know them shows all fields, and "Signer 1".
 */

/** Of a row's values as the editor has them: no expressions, because they would be shown as such. */
const HELPERS =
	'const v = $collection.item.value; ' +
	'const t = (x) => x === undefined || x === null || String(x).startsWith("=") ? "" : String(x); ' +
	'const o = (n) => t(($collection.item.properties.find((p) => p.name === n && p.options)?.options ?? [])' +
	'.find((c) => c.value === v[n])?.name ?? v[n]); ';

/**
 * Builds the expression for the title of a row. Parts that are empty are left out, and without any
 * the editor numbers the row.
 * @param parts expressions over `v`, the row's values, with `t` for text and `o` for the name of a
 *   choice
 */
export function rowTitle(...parts: string[]): string {
	return `={{ (() => { ${HELPERS}return [${parts.join(', ')}].map((p) => p.trim()).filter((p) => p !== "").join(" · "); })() }}`;
}

/** The name of a person in a row. */
export const PERSON = '[t(v.first_name), t(v.last_name)].join(" ")';

/**
 * Gives rows their look.
 * @param title the expression for the title of a row
 * @param shown names of the fields that every row shows; the others are added by a button. Without
 *   it, every row shows all fields
 */
export function withLook(
	property: INodeProperties,
	title: string,
	shown?: readonly string[],
): INodeProperties {
	return {
		...property,
		typeOptions: {
			...property.typeOptions,
			fixedCollection: { itemTitle: title },
			...(shown && { hideOptionalFields: true, addOptionalFieldButtonText: 'Add Field' }),
		},
		options: property.options?.map((option) =>
			shown !== undefined && 'values' in option
				? { ...option, values: option.values.map((field) => shownAlways(field, shown)) }
				: option,
		),
	};
}

function shownAlways(field: INodeProperties, shown: readonly string[]): INodeProperties {
	if (!shown.includes(field.name)) return field;
	return { ...field, typeOptions: { ...field.typeOptions, showEvenWhenOptional: true } };
}
