import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../messages/explainedFailure';
import type { Faults } from '../../messages/faults';
import type { Params } from '../../run/parameters/params';
import type { PageSize, Reading } from '../../pdf/pages';
import type { TransactionAnswer } from '../../transport/answers/answers';
import { phaseOf } from '../../transport/answers/transactionState';
import { asObject, asText } from '../../values/json';
import { numberIn } from '../../values/shown';
import { TYPES, type Entry, type Telling } from './designations';
import { isPlain, REASONS } from './fileReading';

/*
 * Compares designations with each other, with the pages of the file and with the transaction, before
 * anything is sent (docs/service/documents.md#designations).
 */

/** Types that groups take (docs/service/documents.md#designation-groups). */
const GROUPED = new Set(['checkmark', 'radio_checkmark']);

const KNOWN = new Set(Object.values(TYPES).flat());

/** How many conditions are followed, and how many places of a page compared: JSON may have any number. */
const MOST_FOLLOWED = 100;
const MOST_COMPARED = 300;

const OTHER_TYPE = 'Choose another signer, or another type';

/** Who completes designations beside the signers (docs/service/documents.md#signer-identifier). */
export const OFFICIAL = /^(?:notary|witness\d+)$/;

/** Joins numbers or names in a sentence. */
const listed = (values: ReadonlyArray<string | number>): string =>
	new Intl.ListFormat('en-GB').format(values.map(String));

/** Names pages in a sentence: "page 2", "pages 2, 4 and 7". */
export const pagesListed = (numbers: readonly number[]): string => {
	const each = [...new Set(numbers)];
	return `${each.length === 1 ? 'page' : 'pages'} ${listed(each)}`;
};

type Designated = Pick<Entry, 'row' | 'designation'>;

/** Checks what designations say of each other. */
export function checkTogether(entries: readonly Designated[], { complain }: Telling): void {
	const triggers = new Map<unknown, IDataObject>();
	for (const { designation } of entries) {
		const { optional, primary_designation_identifier: name } = designation;
		if (optional === true && name !== undefined) triggers.set(name, designation);
	}
	for (const { row, designation } of entries) {
		const { signer_identifier: signer, optional, conditional_on_primary: on } = designation;
		const type = String(designation.type);
		const isOptional = optional === true;
		const isGrouped = designation.signing_designation_group !== undefined;
		const isOnly = (who: string) => `has the type '${type}', which only ${who} completes`;
		const found: Array<false | [what: string, remedy: string]> = [
			isOptional && isGrouped && ['is optional and in a group', 'Choose one of the two'],
			isOptional &&
				signer === 'notary' && [
					"is optional and the notary's",
					'Only signers can leave something out',
				],
			isGrouped &&
				KNOWN.has(type) &&
				!GROUPED.has(type) && [
					`is in a group, and its type is '${type}'`,
					'Groups take checkmarks only',
				],
			TYPES.notary.includes(type) &&
				!['', 'notary'].includes(String(signer)) && [isOnly('the notary'), OTHER_TYPE],
			TYPES.signer.includes(type) &&
				OFFICIAL.test(String(signer)) && [isOnly('a signer'), OTHER_TYPE],
			on !== undefined &&
				!triggers.has(on) && [
					`no optional designation has the primary_designation_identifier '${String(on)}'`,
					'Give the triggering designation "optional": true and this "primary_designation_identifier"',
				],
			isInCircle(designation, triggers) && [
				'depends on itself, because its condition leads back to it',
				'Remove a condition from one of the designations that depend on each other',
			],
		];
		for (const fault of found) if (fault !== false) complain(row, ...fault);
	}
}

/** Whether the conditions of a designation lead back to it. */
function isInCircle(
	designation: IDataObject,
	triggers: ReadonlyMap<unknown, IDataObject>,
): boolean {
	const passed = new Set<IDataObject>();
	let next = triggers.get(designation.conditional_on_primary);
	while (next !== undefined && !passed.has(next) && passed.size < MOST_FOLLOWED) {
		if (next === designation) return true;
		passed.add(next);
		next = triggers.get(next.conditional_on_primary);
	}
	return false;
}

/** Checks that groups can be fulfilled by their designations (docs/service/documents.md#designation-groups). */
export function checkGroups(
	entries: readonly Designated[],
	groups: readonly IDataObject[],
	note: (name: string, what: string) => void,
): void {
	const all = new Map(groups.map((group) => [asText(group.name), group]));
	const members = new Map<string | undefined, Designated[]>();
	for (const entry of entries) {
		const group = asObject(entry.designation.signing_designation_group);
		const name = asText(group.name);
		if (name === undefined) continue;
		if (!all.has(name)) all.set(name, group);
		members.set(name, [...(members.get(name) ?? []), entry]);
	}
	for (const [name = '', { min_required: min = 0, max_required: max = 1 }] of all) {
		const own = members.get(name) ?? [];
		const [least, most] = [numberIn(min), numberIn(max)];
		if (!(least >= 0 && least <= own.length))
			note(name, `needs ${least} designations, and ${own.length} are in it`);
		if (!(most >= least))
			note(name, `allows ${most} designations, which is less than the ${least} that it needs`);
		else if (most > Math.max(1, own.length))
			note(name, `allows ${most} designations, and ${own.length} are in it`);
		if (most > 1 && own.some(({ designation: { type } }) => type === 'radio_checkmark'))
			note(name, 'allows more than one radio_checkmark');
	}
}

/** How places were measured. */
export interface Measure {
	/** Points of a unit. */
	points: number;
	fromTop: boolean;
}

/** A box on a page of the file, in whole points from the bottom left. */
export interface Box {
	x: number;
	y: number;
	width: number;
	height: number;
}

/**
 * Brings the places of rows and JSON into the form of the service, and checks them against the pages.
 * @param reading the pages; undefined if the file isn't read
 * @param unread what to do where the pages have to be known and aren't
 * @returns the entries of which page and place are known, with what a person should know of them
 */
export function onPages(
	entries: readonly Entry[],
	reading: Reading<PageSize> | undefined,
	{ points, fromTop }: Measure,
	telling: Telling,
	unread: string,
): { placed: PlacedEntry[]; hints: string[] } {
	const { complain, named } = telling;
	const pages = reading !== undefined && 'pages' in reading ? reading.pages : undefined;
	const placed: PlacedEntry[] = [];
	const odd = new Set<number>();
	for (const entry of entries) {
		const { row, page, box } = entry;
		const number = page === 'last' ? pages?.length : page;
		const asLast = `${named('page_number')} is "last", and the pages are unknown`;
		if (page === 'last' && number === undefined) complain(row, asLast, unread);
		if (number === undefined) continue;
		const size = pages?.[number - 1];
		if (pages !== undefined && size === undefined) {
			const what = `there's no page ${number}: the document has ${pages.length}`;
			complain(row, what, `'Page' counts from 1, and "page_number" of JSON from 0`);
			continue;
		}
		const isOdd = size !== undefined && !isPlain(size);
		if (isOdd) odd.add(number);
		if (fromTop && (size === undefined || isOdd)) {
			const what = `is measured from the top, and the height of page ${number} is unknown`;
			complain(row, what, isOdd ? 'Measure it from the bottom' : unread);
			continue;
		}
		const [x, y, width, height] = [box.x, box.y, box.width, box.height].map(
			(value = Number.NaN) => value * points,
		);
		if (Number.isNaN(x + y + width + height)) continue;
		const bottom = fromTop ? (size?.height ?? 0) - y - height : y;
		const whole = inWholePoints({ x, y: bottom, width, height });
		if (size !== undefined && !isOdd) checkBox(row, whole, size, telling);
		placed.push({ ...entry, page: number, box: whole });
	}
	const hints =
		reading !== undefined && 'reason' in reading
			? [`The places weren't compared with the pages, because the file ${REASONS[reading.reason]}`]
			: [];
	if (odd.size > 0)
		hints.push(
			`Check the document before you send it: ${pagesListed([...odd])} is rotated, cropped or scaled: it's unknown where the service starts to measure there`,
		);
	return { placed, hints };
}

/** An entry whose page, from 1, and place are known. */
export interface PlacedEntry extends Omit<Entry, 'page' | 'box'> {
	page: number;
	box: Box;
}

/** Live services take only integers (docs/service/documents.md#coordinates). */
export const inWholePoints = ({ x, y, width, height }: Box): Box => ({
	x: Math.round(x),
	y: Math.round(y),
	width: Math.max(1, Math.round(width)),
	height: Math.max(1, Math.round(height)),
});

/** Checks that a box is on its page. What isn't a number was told before. */
export function checkBox(
	row: number,
	{ x, y, width, height }: Box,
	page: PageSize,
	{ complain }: Telling,
): void {
	const [right, top] = [x + width, y + height];
	const [most, highest] = [Math.ceil(page.width), Math.ceil(page.height)];
	if (!(x < 0 || y < 0 || right > most || top > highest)) return;
	complain(
		row,
		`the place isn't on the page: it reaches from ${x} to ${right} points from the left and from ${y} to ${top} from the bottom, and page ${page.number} has ${most} × ${highest}`,
		"Change place or size, or add 'Unit'",
	);
}

/**
 * Compares the places with each other. Two at the same place are a fault.
 * @returns what a person should know of those that overlap
 */
export function checkOverlaps(
	entries: readonly PlacedEntry[],
	{ complain }: Telling,
): string | undefined {
	const byPage = new Map<number, PlacedEntry[]>();
	const overlapping = new Set<number>();
	for (const entry of entries) {
		const { row, page, box: a } = entry;
		const before = byPage.get(page) ?? [];
		byPage.set(page, before);
		for (const { row: other, box: b } of before) {
			const isBeside = a.x >= b.x + b.width || b.x >= a.x + a.width;
			if (isBeside || a.y >= b.y + b.height || b.y >= a.y + a.height) continue;
			const isSame = JSON.stringify(a) === JSON.stringify(b);
			if (isSame) complain(row, `is at the same place as entry ${other}`, 'Remove one of the two');
			else overlapping.add(page);
		}
		if (before.length < MOST_COMPARED) before.push(entry);
	}
	if (overlapping.size === 0) return undefined;
	return `Some places overlap each other on ${pagesListed([...overlapping])}`;
}

/** Checks that the transaction takes the designations: it's a draft, and has their signers. */
export function checkTransaction(
	entries: readonly Designated[],
	transaction: TransactionAnswer,
	{ complain, named }: Telling,
	faults: Faults,
	params: Params,
): void {
	if ((phaseOf(transaction) ?? 'draft') !== 'draft')
		faults.note(
			new InputFailure(
				params.label('transactionId'),
				"isn't a draft, and only drafts take designations",
				"Recall it with 'Transaction: Recall' first",
			),
		);
	const { signers } = transaction;
	if (!Array.isArray(signers)) return;
	const known = signers.flatMap(({ external_id: own }) => asText(own?.trim()) ?? []);
	const remedy =
		known.length === 0
			? "Give the signers external IDs with 'Transaction: Correct Signer'"
			: `The external IDs of its signers are ${listed(known)}`;
	for (const { row, designation } of entries) {
		const signer = asText(designation.signer_identifier);
		if (signer === undefined || OFFICIAL.test(signer) || known.includes(signer)) continue;
		const what = `is '${signer}', and no signer of the transaction has this external ID`;
		complain(row, `${named('signer_identifier')} ${what}`, remedy);
	}
}
