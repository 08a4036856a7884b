import type { Pause } from '../../../../pdf/bounds/limits';
import type { Rectangle } from '../../../../pdf/document/pageTree';
import type { FieldKind, FieldObstacle, PdfField } from '../../../../pdf/form/fields';
import { readFields, type PageSize } from '../../../../pdf/pages';
import { joinWithAnd, quote } from '../../../../values/words';
import { listParties } from '../../../signer/roles';
import { isUntransformed, UNREADABLE_REASONS } from '../../files/bytes';
import {
	describeParty,
	findSignerId,
	isForSignature,
	parseFieldName,
	type NamedSigners,
} from './fieldNames';
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

/** Reads the form of a file, its fields as a person reads, or what keeps it from being used. */
export async function findFormFields(
	bytes: Uint8Array,
	pause: Pause,
): Promise<FormOfFile | { problem: string }> {
	const reading = await readFields(bytes, pause);
	if ('reason' in reading) return { problem: UNREADABLE_REASONS[reading.reason] };
	const fields = [...reading.fields].sort(
		(a, b) => a.page - b.page || compareBoxes(a.box ?? NOWHERE, b.box ?? NOWHERE),
	);
	return fields.length > 0 ? { ...reading, fields } : { problem: 'has no form fields' };
}

const NOWHERE: Rectangle = { left: 0, bottom: 0, right: 0, top: 0 };

/** From the top of a page to the bottom, and from the left to the right. */
const compareBoxes = (a: Rectangle, b: Rectangle): number => b.bottom - a.bottom || a.left - b.left;

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
export const MOST_NAMED = 10;

/** How many characters of a name a sentence has. */
const LONGEST_NAME = 150;

/** Names a field in a sentence. */
export const nameField = ({ name }: PdfField): string => {
	if (name === '') return 'a field without a name';
	return quote(name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name);
};

/** Names fields in a sentence, the first ten, each with what else is said of it. */
export const nameFields = (
	fields: readonly PdfField[],
	describe: (field: PdfField) => string = () => '',
): string => {
	const called = fields.map((field) => nameField(field) + describe(field));
	const names = [...new Set(called)];
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

/** A designation at a field, with that. */
export type FieldPlace = PlacedDesignation & { field: PdfField };

const toPlace = (
	field: PdfField,
	{ designation, row, noteFault, nameField }: Omit<FieldDesignation, 'pattern'>,
): FieldPlace => {
	const { page, box = NOWHERE } = field;
	const { left: x, bottom: y, right, top } = box;
	const whole = toWholePoints({ x, y, width: right - x, height: top - y });
	return { designation, row, noteFault, nameField, page, box: whole, field };
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
	const parts = foldName(pattern).split(/\*+/);
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
			`${nameField(wrong)} takes no ${String(designation.type)}`,
			"Choose another 'Type', or another field",
		);
	const describe = (field: PdfField) => describeFieldObstacle(field, pages);
	const isUsable = (field: PdfField) => describe(field) === undefined;
	// A person counts what's on the pages.
	const seen = ofKind.filter(({ obstacle }) => obstacle !== 'hidden' && obstacle !== 'noSize');
	const meant =
		number === undefined || !ofKind.some(isUsable) ? ofKind : seen.slice(number - 1, number);
	if (meant.length === 0)
		return refuse(`'${pattern}' is the name of only ${seen.length}`, "Change 'Number'");
	const parties = new Set(meant.flatMap(({ name }) => listParties(name).map(describeParty)));
	if (!isExact && parties.size > 1)
		return refuse(
			`'${pattern}' takes fields of ${joinWithAnd([...parties])}`,
			'Enter more of the name, or add an entry for each of them',
		);
	if (meant.some(isUsable)) return meant.filter(isUsable);
	return refuse(
		`${nameField(meant[0])} ${describe(meant[0])}`,
		"Name another field, or use 'Designations Below'",
	);
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
 * @param otherFields those that no row names
 * @param signers their external IDs, and the roles of those of an item
 * @param describe gives the row and the faults of a field
 */
export function placeByNames(
	{ pages, fields }: FormOfFile,
	otherFields: readonly PdfField[],
	signers: NamedSigners,
	describe: (field: PdfField) => Pick<FieldDesignation, 'row' | 'noteFault' | 'nameField'>,
): FieldPlace[] {
	const allParties = fields.flatMap((field) =>
		isToSign(field) ? listParties(field.name) : (parseFieldName(field.name, field.kind) ?? []),
	);
	// A form may have thousands of fields for one party.
	const parties = [...new Map(allParties.map((party) => [describeParty(party), party])).values()];
	return otherFields.flatMap((field): FieldPlace[] => {
		const isUsable = describeFieldObstacle(field, pages) === undefined;
		const meaning = isUsable ? parseFieldName(field.name, field.kind) : undefined;
		const id = meaning && findSignerId(meaning, signers, parties);
		if (meaning === undefined || id === undefined) return [];
		const designation = { signer_identifier: id, type: meaning.type };
		return [toPlace(field, { designation, ...describe(field) })];
	});
}

/** Whether somebody signs at a field. Many forms have text fields for signatures. */
const isToSign = ({ kind, name }: PdfField): boolean =>
	kind === 'signature' || (kind === 'text' && isForSignature(name));

/** The fields to sign at without a place, unless nobody sees them or they have a value. */
export function findUnplaced(fields: readonly PdfField[], places: readonly FieldPlace[]) {
	const placedFields = new Set(places.map(({ field }) => field));
	return fields.filter(
		(field) =>
			isToSign(field) &&
			!['signed', 'filled', 'hidden'].includes(field.obstacle ?? '') &&
			!placedFields.has(field),
	);
}

/** Says which signature fields got no place, and that a digital signature in the file gets lost. */
export const describeForm = (unplaced: PdfField[], fields: PdfField[]): string[] => [
	...(unplaced.length > 0
		? [
				`No place is at the signature fields ${nameFields(unplaced, ({ page }) => ` (page ${page})`)}`,
			]
		: []),
	...(fields.some(({ obstacle }) => obstacle === 'signed')
		? ['The file bears a digital signature, which any change invalidates']
		: []),
];
