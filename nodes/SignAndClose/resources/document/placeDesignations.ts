import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../messages/explainedFailure';
import type { Faults } from '../../messages/faults';
import type { OperationCall } from '../../run/operation';
import { readSizes } from '../../pdf/pages';
import type { TransactionAnswer } from '../../transport/answers/answers';
import { asError } from '../../transport/failure/failure';

import { asObjects } from '../../values/json';
import { joined } from '../shared/hints';
import type { Retrieve } from './api';
import { findTexts, placeAtTexts } from './atText';
import { checkGroups, checkOverlaps, checkTogether, checkTransaction } from './checks';
import {
	parseDesignations,
	parseTexts,
	withGroup,
	type Entry,
	type TextEntry,
} from './designations';
import type { Resource } from './fileKinds';
import { readableFile, REASONS, withBytes } from './fileReading';
import { namePages, placeOnPages, type Placed } from './pages';
import { checkWhere, parseWhere, sentFor, type Where } from './whereToSign';

/* From what a person has chosen in Where to Sign to the fields of the request. */

/** The document whose designations are placed. What can't be used of it was told before. */
export interface Unplaced {
	/** The fields of the request, without designations. */
	fields: IDataObject;
	/** Its file, or what the service takes in place of it; undefined if it has none or it can't be used. */
	resource: Resource | undefined;
	/** Retrieves the transaction, if designations are compared with it. */
	retrieve?: Retrieve;
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
	const { choice } = where;
	const texts = choice === 'text' ? parseTexts(params, faults) : undefined;
	const isRows = choice === 'rows' || choice === 'json';
	const rows = isRows ? parseDesignations(params, choice === 'json', faults) : [];
	const entries = texts ?? rows;
	faults.collect(() => checkWhere(params, choice, document.fields, entries.length > 0));
	if (entries.length === 0) return { fields: sentFor(choice) };
	const groups = asObjects(document.fields.signing_designation_groups);
	for (const entry of entries) entry.designation = withGroup(entry.designation, groups);
	checkTogether(entries);
	const { places, ...placement } = await preferFaults(faults, async () =>
		texts === undefined
			? await placeRows(call, document, where, rows, faults)
			: await placeTexts(call, document, where, texts, faults),
	);
	if (new Set(places.map(({ row }) => row)).size === entries.length)
		checkGroups(places, groups, params.label('signing_designation_groups'), faults);
	const overlaps = checkOverlaps(places);
	const checked: Placement = {
		check: (transaction) => checkTransaction(entries, transaction, faults, params),
		fields: {
			signing_designations: places.map(({ designation, page, box }) => ({
				...designation,
				page_number: page - 1,
				...box,
			})),
		},
		...(placement.output && { placed: placement.output }),
		hint: joined([...placement.hints, overlaps]),
	};
	if (document.retrieve !== undefined) await checkPlaced(checked, document.retrieve, faults);
	return checked;
}

/**
 * Compares the signers of places with those of the transaction, if there are places.
 * @param faults gets what doesn't fit
 * @throws InputFailure with all faults, or else ServiceFailure, when it can't be retrieved
 */
export async function checkPlaced({ check }: Placement, retrieve: Retrieve, faults: Faults) {
	if (check !== undefined) check(await preferFaults(faults, retrieve));
}

/** Retrieves something. If that fails, what is wrong with the input says more. */
const preferFaults = async <T>(faults: Faults, retrieve: () => Promise<T>): Promise<T> =>
	await retrieve().catch((thrown: unknown) => {
		faults.throwIfAny();
		throw asError(thrown);
	});

/** What was placed, and what a person should know of it. */
interface PlacedEntries {
	places: Placed[];
	hints: string[];
	/** For the output. */
	output?: IDataObject[];
}

async function placeRows(
	call: OperationCall,
	{ resource, fields }: Unplaced,
	where: Where,
	entries: Entry[],
	faults: Faults,
): Promise<PlacedEntries> {
	const file = readableFile(call, resource, fields, where.fetches);
	const reading =
		file && (await faults.collectLater(async () => await withBytes(call, file, readSizes)));
	const isUrl = typeof resource === 'string' && call.params.choice('source') === 'url';
	const remedy = `Enter its number, and measure from the bottom${isUrl ? ", or turn on 'Fetch the File to Check It'" : ''}`;
	return placeOnPages(entries, reading, where, remedy);
}

async function placeTexts(
	call: OperationCall,
	{ resource, fields }: Unplaced,
	where: Where,
	entries: TextEntry[],
	faults: Faults,
): Promise<PlacedEntries> {
	const { params } = call;
	const file = readableFile(call, resource, fields, where.fetches);
	// A template was told before, as was a file that can't be used.
	if (file === undefined && resource !== undefined && params.choice('source') === 'url')
		faults.note(
			new InputFailure(
				params.label('source'),
				'is a URL, and texts are found only in a file that the node reads',
				"Choose 'File of the Item', or turn on 'Fetch the File to Check It'",
			),
		);
	const texts =
		file &&
		(await faults.collectLater(
			async () =>
				await withBytes(call, file, async (bytes, pause) => await findTexts(entries, bytes, pause)),
		));
	if (texts !== undefined && 'reason' in texts) {
		const remedy = "Use 'Designations Below', or a file that can be read";
		const what = `can't be found, because the file ${REASONS[texts.reason]}`;
		faults.note(new InputFailure(params.label('texts'), what, remedy));
	}
	if (texts === undefined || 'reason' in texts) return { places: [], hints: [] };
	const places = placeAtTexts(entries, texts, where.points);
	const output = places.map(({ page, box, text }) => ({ page, x: box.x, y: box.y, phrase: text }));
	return { places, output, hints: places.length === 0 ? [] : [describePlaces(places)] };
}

/** Says how many places were found, and where: "6 places on pages 2, 4 and 7". */
const describePlaces = (places: readonly Placed[]): string =>
	`${places.length} ${places.length === 1 ? 'place' : 'places'} on ${namePages(places.map(({ page }) => page))}`;
