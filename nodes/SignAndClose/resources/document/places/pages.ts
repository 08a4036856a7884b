import type { IDataObject } from 'n8n-workflow';

import type { PageSize, PdfReading } from '../../../pdf/pages';
import { joinWithAnd } from '../../../values/words';
import type { EnteredDesignation, UnplacedDesignation } from './designations';
import type { SignerRoles } from '../../signer/roles';
import type { LeftOutPlace } from './signers';
import type { Retrieve } from '../api';
import { isUntransformed, UNREADABLE_REASONS, type DocumentResource } from '../files/bytes';
import type { Measures } from './placeOptions';

/* Designations on the pages of a file (docs/service/documents.md#coordinates). */

/** A box on a page of the file, in whole points from the bottom left. */
interface Box {
	x: number;
	y: number;
	width: number;
	height: number;
}

/** A designation whose page, from 1, and place are known. */
export interface PlacedDesignation extends Omit<UnplacedDesignation, 'box'> {
	page: number;
	box: Box;
}

/** The document whose designations are placed. What can't be used of it was told before. */
export interface DocumentToPlace {
	/** The fields of the request, without designations. */
	fields: IDataObject;
	/** Its file, or what the service takes in place of it; undefined if it has none or it can't be used. */
	resource: DocumentResource | undefined;
	/** Retrieves the transaction, if designations are compared with it. */
	retrieve?: Retrieve;
	/** Retrieves the transaction whose signers are meant, if it isn't compared yet. */
	retrieveSigners?: Retrieve;
	/** The roles of its signers, if it's made of the item. */
	roles?: SignerRoles;
}

/** What was placed, and what a person should know of it. */
export interface PlacedDesignations {
	places: PlacedDesignation[];
	hints: string[];
	/** For the output. */
	output?: IDataObject[];
	leftOut?: LeftOutPlace[];
	/** From each party that the names of fields say to the external ID. */
	partyIds?: ReadonlyMap<string, string>;
}

/** Says of a page, or of several, why a place on it isn't certain. */
export const UNCERTAIN_PLACE =
	"is rotated, cropped or scaled: it's unknown where the service starts to measure there";

/** Names pages in a sentence: "page 2", "pages 2, 4 and 7". */
export const namePages = (numbers: readonly number[]): string => {
	const distinct = [...new Set(numbers)];
	return `${distinct.length === 1 ? 'page' : 'pages'} ${joinWithAnd(distinct)}`;
};

/** Says how many places were found, and where: "6 places on pages 2, 4 and 7". */
export const describeFoundPlaces = (places: readonly PlacedDesignation[]): string =>
	`${places.length} ${places.length === 1 ? 'place' : 'places'} on ${namePages(places.map(({ page }) => page))}`;

/**
 * Brings the places of rows and JSON into the form of the service, and checks them against the pages.
 * @param reading the pages; undefined if the file isn't read
 * @param unread what to do where the pages have to be known and aren't
 * @returns the entries of which page and place are known, with what a person should know of them
 */
export function placeOnPages(
	entries: readonly EnteredDesignation[],
	reading: PdfReading<PageSize> | undefined,
	measures: Measures,
	unread: string,
): { places: PlacedDesignation[]; hints: string[] } {
	const pages = reading !== undefined && 'pages' in reading ? reading.pages : undefined;
	const places = entries.flatMap((entry) => placeOnPage(entry, pages, measures, unread) ?? []);
	const hints =
		reading !== undefined && 'reason' in reading
			? [
					`The places weren't compared with the pages, because the file ${UNREADABLE_REASONS[reading.reason]}`,
				]
			: [];
	const uncertain = places
		.map(({ page }) => page)
		.filter((page) => pages && !isUntransformed(pages[page - 1]));
	if (uncertain.length > 0)
		hints.push(`Check the document before you send it: ${namePages(uncertain)} ${UNCERTAIN_PLACE}`);
	return { places, hints };
}

function placeOnPage(
	entry: EnteredDesignation,
	pages: PageSize[] | undefined,
	{ points, fromTop }: Measures,
	unread: string,
): PlacedDesignation | undefined {
	const { box, noteFault, nameField } = entry;
	const number = entry.page === 'last' ? pages?.length : entry.page;
	if (entry.page === 'last' && number === undefined)
		noteFault(`${nameField('page_number')} is "last", and the pages are unknown`, unread);
	if (number === undefined) return undefined;
	const page = pages?.[number - 1];
	if (pages !== undefined && page === undefined)
		return noteFault(
			`there's no page ${number}: the document has ${pages.length}`,
			`'Page' counts from 1, and "page_number" of JSON from 0`,
		);
	const isUncertain = page !== undefined && !isUntransformed(page);
	if (fromTop && (page === undefined || isUncertain))
		return noteFault(
			`is measured from the top, and the height of page ${number} is unknown`,
			isUncertain ? 'Measure it from the bottom' : unread,
		);
	const [x, y, width, height] = [box.x, box.y, box.width, box.height].map(
		(value = Number.NaN) => value * points,
	);
	if (Number.isNaN(x + y + width + height)) return undefined;
	const bottom = fromTop ? (page?.height ?? 0) - y - height : y;
	const whole = toWholePoints({ x, y: bottom, width, height });
	if (page !== undefined && !isUncertain) checkInsidePage(entry, whole, page);
	return { ...entry, page: number, box: whole };
}

/** Live services take only integers (docs/service/documents.md#coordinates). */
export const toWholePoints = ({ x, y, width, height }: Box): Box => ({
	x: Math.round(x),
	y: Math.round(y),
	width: Math.max(1, Math.round(width)),
	height: Math.max(1, Math.round(height)),
});

/** Refuses a box that isn't on its page. What isn't a number was told before. */
export function checkInsidePage(
	{ noteFault }: Pick<UnplacedDesignation, 'noteFault'>,
	{ x, y, width, height }: Box,
	page: PageSize,
): void {
	const [right, top] = [x + width, y + height];
	const [maxX, maxY] = [Math.ceil(page.width), Math.ceil(page.height)];
	if (!(x < 0 || y < 0 || right > maxX || top > maxY)) return;
	noteFault(
		`the place isn't on the page: it reaches from ${x} to ${right} points from the left and from ${y} to ${top} from the bottom, and page ${page.number} has ${maxX} × ${maxY}`,
		"Change place or size, or add 'Unit'",
	);
}
