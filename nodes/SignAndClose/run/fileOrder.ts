import { isObject } from '../values/json';

/*
 * The order of the files of an item. That of its keys says nothing: n8n's form, for one, adds files
 * in the order in which they were stored, which is another one on a busy machine.
 */

/** A file and the item's name for it. */
interface NamedFile {
	name: string;
	file?: { fileName?: string };
}

/**
 * Puts the files of an item in an order that depends on nothing but their names and the form they
 * came from: in that of the form's fields, several of one field by the names of the files, and all
 * others by the item's names for them; with numbers as numbers.
 * @param files with names of which each is there once
 * @param jsons the JSON of the item and of those it came from, the nearest one first. The first one
 *   that has a field of one of the files tells the form's order. Others aren't read.
 */
export function inOrder<File extends NamedFile>(
	files: readonly File[],
	jsons: Iterable<unknown>,
): File[] {
	if (files.length < 2) return [...files];
	const places = placesIn(files, jsons);
	const placeOf = ({ name }: File) => places.get(name) ?? Infinity;
	// The places of two files that no field has are equal, and their difference isn't a number.
	// n8n numbers the files of a field as it has stored them, so the number says nothing.
	const titleOf = ({ name, file }: File) => (places.has(name) && file?.fileName) || '';
	return [...files].sort(
		(one, other) =>
			placeOf(one) - placeOf(other) ||
			compareNames(titleOf(one), titleOf(other)) ||
			compareNames(one.name, other.name),
	);
}

/** The place of the field that led to a file, by the item's name for the file. */
function placesIn(files: readonly NamedFile[], jsons: Iterable<unknown>): Map<string, number> {
	for (const json of jsons) {
		const fields = Object.entries(isObject(json) ? json : {});
		const places = new Map(
			fields.flatMap(([field, value], place) =>
				namesOf(field, value).map((name): [string, number] => [name, place]),
			),
		);
		if (files.some(({ name }) => places.has(name))) return places;
	}
	return new Map();
}

/**
 * What n8n's form leaves of a file in its JSON: what describes it, or the file itself in workflows
 * that have their files in the JSON.
 */
const isFromForm = (value: unknown): boolean =>
	isObject(value) && (('filename' in value && 'mimetype' in value) || 'mimeType' in value);

/**
 * The names that the files of a field can have: that of the field, without what isn't a letter or
 * digit for n8n's form, and a number for each one of several. None where its value is no file.
 */
function namesOf(field: string, value: unknown): string[] {
	const several = Array.isArray(value) ? value : [];
	const values = Array.isArray(value) ? value : [value];
	if (values.length === 0 || !values.every(isFromForm)) return [];
	const name = field.replace(/\W/g, '_');
	const numbers = [...several.keys()];
	return [
		field,
		name,
		...numbers.flatMap((number) => [`${field}[${number}]`, `${name}_${number}`]),
	];
}

/** Compares by code, so that no language of a machine makes a difference. */
function compareNames(one: string, other: string): number {
	const [parts, others] = [one, other].map((name) => name.toLowerCase().split(/(\d+)/));
	for (let index = 0; index < Math.max(parts.length, others.length); index++) {
		const order = comparePart(parts[index] ?? '', others[index] ?? '');
		if (order !== 0) return order;
	}
	return compare(one, other);
}

/** Compares digits as a number of any length, and everything else as it is. */
function comparePart(one: string, other: string): number {
	if (!/^\d/.test(one) || !/^\d/.test(other)) return compare(one, other);
	const [digits, others] = [one, other].map((each) => each.replace(/^0+/, ''));
	return digits.length - others.length || compare(digits, others);
}

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
