import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../messages/explainedFailure';
import type { Faults } from '../../messages/faults';
import type { OperationCall } from '../../run/operation';
import { readSizes } from '../../pdf/pages';
import type { TransactionAnswer } from '../../transport/answers/answers';
import { asError } from '../../transport/failure/failure';
import type { FileContent } from '../../transport/files/streamedJson';
import { asObjects } from '../../values/json';
import { joined } from '../shared/hints';
import { findTexts, foundHint, parseTexts, placeAtTexts } from './atText';
import {
	checkGroups,
	checkOverlaps,
	checkTogether,
	checkTransaction,
	onPages,
	type PlacedEntry,
} from './checks';
import { parseDesignations, withGroup, type Entry, type Telling } from './designations';
import { readableFile, REASONS, withBytes } from './fileReading';
import { checkWhere, parseWhere, sentFor, type Where } from './whereToSign';

/* From what a person has chosen in Where to Sign to the fields of the request. */

/** The document whose designations are placed. What can't be used of it was told before. */
export interface Unplaced {
	/** The fields of the request, without designations. */
	fields: IDataObject;
	/** Its file, or what the service takes in place of it; undefined if it has none or it can't be used. */
	resource: string | FileContent | undefined;
	/** Retrieves the transaction, if designations are compared with it. */
	retrieve?: () => Promise<TransactionAnswer>;
}

export interface Placement {
	/** What the choice adds to the request. */
	fields: IDataObject;
	/** What was found at texts, for the output. */
	placed?: IDataObject[];
	hint?: string;
	/** Compares the signers with those of the transaction, and notes what doesn't fit. */
	check?(transaction: TransactionAnswer): void;
}

/**
 * Places the designations of a document, and checks them.
 * @param faults gets what can't be used, each with its row
 * @throws ServiceFailure when the file or the transaction can't be retrieved, and nothing else is wrong
 */
export async function placeDesignations(
	call: OperationCall,
	document: Unplaced,
	faults: Faults,
): Promise<Placement> {
	const { params } = call;
	const where = faults.collect(() => parseWhere(params));
	if (where === undefined) return { fields: {} };
	const isText = where.choice === 'text';
	const isRows = where.choice === 'rows' || where.choice === 'json';
	const texts = isText ? parseTexts(params, faults) : undefined;
	const given = isRows ? parseDesignations(params, where.choice === 'json', faults) : undefined;
	const entries: Array<Pick<Entry, 'row' | 'designation'>> = texts?.rows ?? given?.entries ?? [];
	const telling = texts?.telling ?? given?.telling;
	faults.collect(() => checkWhere(params, where.choice, document.fields, entries.length > 0));
	if (telling === undefined || entries.length === 0) return { fields: sentFor(where.choice) };
	const { signing_designation_groups: groups } = document.fields;
	for (const entry of entries) entry.designation = withGroup(entry.designation, groups);
	checkTogether(entries, telling);
	try {
		const found =
			texts === undefined
				? await placeRows(call, document, where, { entries: given?.entries ?? [], telling }, faults)
				: await placeTexts(call, document, where, texts, faults);
		if (new Set(found.placed.map(({ row }) => row)).size === entries.length)
			checkGroups(found.placed, asObjects(groups), (name, what) => {
				const label = params.label('signing_designation_groups');
				const remedy = 'Change the group, or the designations in it';
				faults.note(new InputFailure(label, `, group '${name}': ${what}`, remedy));
			});
		const overlaps = checkOverlaps(found.placed, telling);
		const check = (transaction: TransactionAnswer) =>
			checkTransaction(entries, transaction, telling, faults, params);
		if (document.retrieve !== undefined) check(await document.retrieve());
		return {
			check,
			fields: {
				signing_designations: found.placed.map(({ designation, page, box }) => ({
					...designation,
					page_number: page - 1,
					...box,
				})),
			},
			...(found.shown !== undefined && { placed: found.shown }),
			hint: joined([...found.hints, overlaps]),
		};
	} catch (thrown) {
		faults.throwIfAny();
		throw asError(thrown);
	}
}

/**
 * Compares the signers of places with those of the transaction, if there are places.
 * @param faults gets what doesn't fit
 * @throws InputFailure with all faults, or else ServiceFailure, when it can't be retrieved
 */
export async function checkPlaced(
	{ check }: Placement,
	retrieve: () => Promise<TransactionAnswer>,
	faults: Faults,
): Promise<void> {
	if (check === undefined) return;
	try {
		check(await retrieve());
	} catch (thrown) {
		faults.throwIfAny();
		throw asError(thrown);
	}
}

/** What was placed, and what a person should know of it. */
interface Found {
	placed: PlacedEntry[];
	hints: string[];
	shown?: IDataObject[];
}

async function placeRows(
	call: OperationCall,
	{ resource, fields }: Unplaced,
	where: Where,
	{ entries, telling }: { entries: Entry[]; telling: Telling },
	faults: Faults,
): Promise<Found> {
	const file = readableFile(call, resource, fields, where.fetches);
	const reading =
		file && (await faults.collectLater(async () => await withBytes(call, file, readSizes)));
	const isUrl = typeof resource === 'string' && call.params.choice('source') === 'url';
	const remedy = `Enter its number, and measure from the bottom${isUrl ? ", or turn on 'Fetch the File to Check It'" : ''}`;
	return onPages(entries, reading, where.measure, telling, remedy);
}

async function placeTexts(
	call: OperationCall,
	{ resource, fields }: Unplaced,
	where: Where,
	{ rows, telling }: ReturnType<typeof parseTexts>,
	faults: Faults,
): Promise<Found> {
	const { params } = call;
	const none: Found = { placed: [], hints: [] };
	const file = readableFile(call, resource, fields, where.fetches);
	if (file === undefined) {
		// A template was told before, as was a file that can't be used.
		if (resource !== undefined && params.choice('source') === 'url')
			faults.note(
				new InputFailure(
					params.label('source'),
					'is a URL, and texts are found only in a file that the node reads',
					"Choose 'File of the Item', or turn on 'Fetch the File to Check It'",
				),
			);
		return none;
	}
	const found = await faults.collectLater(
		async () =>
			await withBytes(call, file, async (bytes, pause) => await findTexts(rows, bytes, pause)),
	);
	if (found === undefined) return none;
	if ('reason' in found) {
		const remedy = "Use 'Designations Below', or a file that can be read";
		const what = `can't be found, because the file ${REASONS[found.reason]}`;
		faults.note(new InputFailure(params.label('texts'), what, remedy));
		return none;
	}
	const placed = placeAtTexts(rows, found, where.measure.points, telling);
	const shown = placed.map(({ page, box, text }) => ({ page, x: box.x, y: box.y, phrase: text }));
	return { placed, shown, hints: placed.length === 0 ? [] : [foundHint(placed)] };
}
