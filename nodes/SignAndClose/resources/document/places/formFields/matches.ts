import type { Pause } from '../../../../pdf/bounds/limits';
import type { FieldKind, FieldObstacle, PdfField } from '../../../../pdf/form/fields';
import { readFields, type PageSize } from '../../../../pdf/pages';
import { joinWithAnd, quote } from '../../../../values/words';
import { isUntransformed, UNREADABLE_REASONS } from '../../files/bytes';
import { findSignerId, parseFieldName } from './fieldNames';
import type { FieldDesignation } from '../formFieldRows';
import { toWholePoints, UNCERTAIN_PLACE, type PlacedDesignation } from '../pages';

/*
 * Designations at the fields of a PDF's own form (ISO 32000-2, 12.7). A place is the box of its field,
 * as the file says it.
 */

/** The form of a file. */
export interface FormOfFile {
	pages: PageSize[];
	fields: PdfField[];
}

/** Reads the form of a file, or what keeps it from being used. */
export async function findFormFields(
	bytes: Uint8Array,
	pause: Pause,
): Promise<FormOfFile | { problem: string }> {
	const reading = await readFields(bytes, pause);
	if ('reason' in reading) return { problem: UNREADABLE_REASONS[reading.reason] };
	return reading.fields.length > 0 ? reading : { problem: 'has no form fields' };
}

/** Why nobody signs at a field, as a sentence about it goes on. */
const OBSTACLES: Record<FieldObstacle, string> = {
	hidden: 'is hidden',
	readOnly: 'is read only',
	noName: 'has no name',
	noSize: 'has no size',
	filled: 'is filled in already',
	signed: 'bears a digital signature',
};

/** Types that a signature field takes; the other fields of a form take text. */
const SIGNED_TYPES = new Set(['signature', 'signature_and_date', 'initials', 'seal']);

/** The kind of field that a type belongs into. */
const toFieldKind = (type: string): FieldKind => {
	if (type.includes('checkmark')) return 'checkbox';
	return SIGNED_TYPES.has(type) ? 'signature' : 'text';
};

/** How many names a message or a hint has. */
const MOST_NAMED = 10;

/** Names fields in a sentence, the first ten. */
export const nameFields = (fields: readonly PdfField[]): string => {
	const names = [...new Set(fields.map(({ name }) => quote(name)))];
	const hiddenCount = names.length - MOST_NAMED;
	return joinWithAnd([
		...names.slice(0, MOST_NAMED),
		...(hiddenCount > 0 ? [`${hiddenCount} more`] : []),
	]);
};

/** Why a field is no place; undefined for one that is. */
export function describeFieldObstacle(
	{ obstacle, page: number, box }: PdfField,
	pages: readonly PageSize[],
): string | undefined {
	if (obstacle !== undefined || box === undefined) return OBSTACLES[obstacle ?? 'noSize'];
	const page = pages[number - 1];
	const isInside =
		box.left >= 0 && box.bottom >= 0 && box.right <= page.width && box.top <= page.height;
	return describeUncertainty(page) ?? (isInside ? undefined : `reaches beyond page ${number}`);
}

/** Why no place on a page is certain; undefined for a page where they are. */
export const describeUncertainty = (page: PageSize): string | undefined =>
	isUntransformed(page) ? undefined : `is on page ${page.number}, which ${UNCERTAIN_PLACE}`;

/** A designation at a field, with the name of that. */
export type FieldPlace = PlacedDesignation & { field: string };

const toPlace = (
	{ page, box = { left: 0, bottom: 0, right: 0, top: 0 }, name }: PdfField,
	{ designation, row, noteFault, nameField }: Omit<FieldDesignation, 'pattern'>,
): FieldPlace => {
	const { left: x, bottom: y, right, top } = box;
	const whole = toWholePoints({ x, y, width: right - x, height: top - y });
	return { designation, row, noteFault, nameField, page, box: whole, field: name };
};

/**
 * Places designations at the fields that rows name. A row that names none is told.
 * @returns the places, and the fields that no row names
 */
export function placeAtFields(
	entries: readonly FieldDesignation[],
	{ pages, fields }: FormOfFile,
): { places: FieldPlace[]; otherFields: PdfField[] } {
	const rowFields = new Set<PdfField>();
	// A form may have thousands of names.
	const names = new Map(fields.map((field) => [field, foldName(field.name)]));
	const places = entries.flatMap((entry) => {
		const entryFields = findNamed(entry, names, pages);
		for (const field of entryFields) rowFields.add(field);
		return entryFields.map((field) => toPlace(field, entry));
	});
	return { places, otherFields: fields.filter((field) => !rowFields.has(field)) };
}

function findNamed(
	entry: FieldDesignation,
	names: ReadonlyMap<PdfField, string>,
	pages: PageSize[],
): PdfField[] {
	const { pattern, number, noteFault, designation } = entry;
	if (pattern === '') return [];
	const isExact = !pattern.includes('*');
	const parts = foldName(pattern).split('*');
	const fitting = [...names].filter(([, name]) => fitsPattern(parts, name)).map(([field]) => field);
	const kind = toFieldKind(String(designation.type));
	// A pattern for signatures leaves out the dates beside them. One name says which field is meant.
	const ofKind = isExact ? fitting : fitting.filter((field) => field.kind === kind);
	const wrong = isExact ? ofKind.find((field) => !canTake(field, kind)) : undefined;
	const refuse = (problem: string, remedy: string): PdfField[] => noteFault(problem, remedy) ?? [];
	if (ofKind.length === 0)
		return refuse(
			`no form field has the name '${pattern}'`,
			`The file has ${nameFields([...names.keys()])}`,
		);
	if (wrong !== undefined)
		return refuse(
			`'${wrong.name}' takes no ${String(designation.type)}`,
			"Choose another 'Type', or another field",
		);
	const usable = ofKind.filter((field) => describeFieldObstacle(field, pages) === undefined);
	if (usable.length === 0)
		return refuse(
			`'${ofKind[0].name}' ${describeFieldObstacle(ofKind[0], pages)}`,
			"Name another field, or use 'Designations Below'",
		);
	if (number === undefined) return usable;
	if (number <= usable.length) return [usable[number - 1]];
	return refuse(`'${pattern}' is the name of only ${usable.length}`, "Change 'Number'");
}

/** Whether a field that's named takes such a type. Many forms have text fields for signatures. */
const canTake = ({ kind }: PdfField, kindOfType: FieldKind): boolean =>
	kind === kindOfType || (kind === 'text' && kindOfType === 'signature');

/** A name without what nobody sees in it. */
const foldName = (name: string): string =>
	name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();

/** Whether a name has the parts of a pattern between its stars, in their order. */
function fitsPattern([first, ...parts]: string[], name: string): boolean {
	const last = parts.pop();
	if (last === undefined) return name === first;
	if (!name.startsWith(first) || name.length < first.length + last.length) return false;
	let from = first.length;
	for (const part of parts) {
		const at = name.indexOf(part, from);
		if (at < 0) return false;
		from = at + part.length;
	}
	return name.endsWith(last) && from <= name.length - last.length;
}

/**
 * Places designations at fields whose names say who signs there, and what.
 * @param fields that no row names
 * @param ids the external IDs of the signers
 * @param describe gives the row and the faults of a field
 */
export function placeByNames(
	{ pages, fields }: FormOfFile,
	ids: readonly string[],
	describe: (field: PdfField) => Pick<FieldDesignation, 'row' | 'noteFault' | 'nameField'>,
): FieldPlace[] {
	const usable = fields.filter((field) => describeFieldObstacle(field, pages) === undefined);
	const meanings = usable.map((field) => ({
		field,
		meaning: parseFieldName(field.name, field.kind),
	}));
	const parties = new Set(meanings.flatMap(({ meaning }) => meaning?.party ?? []));
	for (const official of ['notary', 'witness']) parties.delete(official);
	return meanings.flatMap(({ field, meaning }): FieldPlace[] => {
		const id = meaning && findSignerId(meaning, ids, parties.size === 1);
		if (meaning === undefined || id === undefined) return [];
		const designation = { signer_identifier: id, type: meaning.type };
		return [toPlace(field, { designation, ...describe(field) })];
	});
}

/** The signature fields without a place, unless nobody sees them or they're signed. */
export function findUnplaced(fields: readonly PdfField[], places: readonly FieldPlace[]) {
	const names = new Set(places.map(({ field }) => field));
	return fields.filter(
		({ name, kind, obstacle }) =>
			kind === 'signature' && obstacle !== 'signed' && obstacle !== 'hidden' && !names.has(name),
	);
}

/** Says which signature fields got no place, and that a digital signature in the file gets lost. */
export const describeForm = (unplaced: PdfField[], fields: PdfField[]): string[] => [
	...(unplaced.length > 0 ? [`No place is at the signature fields ${nameFields(unplaced)}`] : []),
	...(fields.some(({ obstacle }) => obstacle === 'signed')
		? ['The file bears a digital signature, which any change invalidates']
		: []),
];
