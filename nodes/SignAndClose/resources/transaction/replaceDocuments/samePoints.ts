import type { IDataObject } from 'n8n-workflow';

import { findLines } from '../../../pdf/search/lines';
import { readPages, type PdfPage } from '../../../pdf/pages';
import type { OperationCall } from '../../../run/operation';
import { FileContent } from '../../../transport/files/requestBody';
import { SERVICE_LIMITS } from '../../../transport/service/limits';
import { asObjects, asText, withoutEmpty } from '../../../values/json';
import { isBlank } from '../../../values/comparison';
import { describeFile } from '../../document/api';
import { openUploaded } from '../../document/downloads';
import { isUntransformed, withFileBytes } from '../../document/files/bytes';
import { isLastPage } from '../../document/places/designations';
import { waitForDocuments } from '../documentWait';
import { isPlacedByRule, listSameEntries } from './carriedFields';
import type { ReplacementItem } from './item';
import type { Paper } from './matching';

/*
 * Places to sign that stay at the points where the former document has them: those that a new document
 * takes over from it, where answers show them, and those of a rule that both were placed by. The same
 * text has to stand around each of them at the same points in both files.
 */

/** A text of a page, and where its baseline begins, in points from the bottom left. */
interface TextOfPage {
	text: string;
	x: number;
	y: number;
}

/** Texts that are as close as this, in points, stand at the same place. */
const SAME_POINT = 1;

/**
 * Carries the places of the former document over, if the rule has none.
 * @returns the paper with them, or with what makes places at the same points wrong
 * @throws ServiceFailure when the former file can't be fetched
 */
export async function withPlacesAtSamePoints(
	call: OperationCall,
	item: ReplacementItem,
	paper: Paper,
): Promise<Paper> {
	const { expected, current, former } = paper;
	if (current !== undefined || former === undefined) return paper;
	if (isPlacedByRule(expected)) {
		// A draft is where a person looks at them.
		const entries = item.then === 'draft' ? [] : listSameEntries(expected, former);
		return { ...paper, placesProblem: await compareTexts(call, item, paper, entries) };
	}
	const places = asObjects(former.signing_designations);
	if (item.platform === 'realEstate' || places.length === 0) return paper;
	const requests = asObjects(places.map(toRequest));
	const isGrouped = asObjects(former.signing_designation_groups).length > 0;
	const problem =
		requests.length < places.length || isGrouped
			? "the service doesn't show all of them, or they belong to groups"
			: await compareTexts(call, item, paper, requests);
	if (problem !== undefined) return { ...paper, placesProblem: problem };
	const fields = { ...expected.fields, signing_designations: requests };
	return { ...paper, expected: { ...expected, fields } };
}

/**
 * Says that the text around places has changed, as the end of a sentence.
 * @returns undefined if it's the same around all of them
 */
async function compareTexts(
	call: OperationCall,
	{ platform, transactionId, limitMs }: ReplacementItem,
	{ expected: { planned }, former }: Paper,
	places: IDataObject[],
): Promise<string | undefined> {
	if (places.length === 0) return undefined;
	const target = { transactionId, platform };
	// Closings don't give the file before.
	if (former!.processing_state === 'pending')
		await waitForDocuments(call.service, target, { limitMs }).catch(() => undefined);
	const uploaded = { ...target, documentId: String(former!.id) };
	const formerFile = new FileContent(
		SERVICE_LIMITS.megabytes * 1024 ** 2,
		async () => await openUploaded(call.service, uploaded),
	);
	const before = (await readTextPages(call, formerFile)) ?? [];
	const after = (await readTextPages(call, planned.content)) ?? [];
	const countsFromEnd = planned.rule.placement.places.some(({ page, page_number: number }) =>
		isLastPage(page ?? number),
	);
	const isKept = (place: IDataObject) => {
		const page = after[Number(place.page_number)];
		const isLast = countsFromEnd && page === after.at(-1);
		return haveSameTexts(before.at(isLast ? -1 : Number(place.page_number)), page, place);
	};
	return places.every(isKept)
		? undefined
		: `the text around them isn't the same in '${planned.file}' as in ${describeFile(former!).name}`;
}

const TEXTS = ['signer_identifier', 'type', 'hint', 'instruction'];
const NUMBERS = ['page_number', 'x', 'y', 'width', 'height'];

/** A place as the service takes it; undefined where the answer shows too little, or what it depends on. */
function toRequest(place: IDataObject): IDataObject | undefined {
	const isWhole =
		NUMBERS.every((name) => Number.isFinite(place[name])) &&
		asText(place.signer_identifier) !== undefined &&
		asText(place.type) !== undefined;
	const isAlone = Object.keys(place).every(
		(name) => !/group|primary/.test(name) || isBlank(place[name]),
	);
	if (!isWhole || !isAlone) return undefined;
	const entries = [...TEXTS, ...NUMBERS, 'optional'].map((name) => [
		name,
		place[name] ?? undefined,
	]);
	return withoutEmpty(Object.fromEntries(entries) as IDataObject);
}

/** The pages of a file; undefined if it can't be read. */
const readTextPages = async (
	call: OperationCall,
	file: FileContent,
): Promise<PdfPage[] | undefined> =>
	await withFileBytes(call, file, async (bytes, pause) => {
		const reading = await readPages(bytes, pause);
		return 'pages' in reading ? reading.pages : undefined;
	});

/** Whether the lines that a place touches, and those next to it, are the same on two pages. */
function haveSameTexts(
	before: PdfPage | undefined,
	after: PdfPage | undefined,
	place: IDataObject,
): boolean {
	if (before === undefined || after === undefined) return false;
	const isRead = [before, after].every((page) => page.kind === 'text' && isUntransformed(page));
	const isSameSize = isNear(before.width, after.width) && isNear(before.height, after.height);
	if (!isRead || !isSameSize) return false;
	const [former, current] = [before, after].map((page) => listTextsAround(page, place));
	return (
		former.length > 0 &&
		former.length === current.length &&
		former.every(
			({ text, x, y }, index) =>
				text === current[index].text && isNear(x, current[index].x) && isNear(y, current[index].y),
		)
	);
}

const isNear = (left: number, right: number): boolean => Math.abs(left - right) < SAME_POINT;

/** The lines that a place touches, the next one above it and the next one below it. */
function listTextsAround({ runs }: PdfPage, { y, height }: IDataObject): TextOfPage[] {
	const [bottom, top] = [Number(y), Number(y) + Number(height)];
	const texts = findLines(runs)
		.flat()
		.map(({ text, glyphs: [{ start, baseline }] }): TextOfPage => ({
			text,
			x: start,
			y: baseline,
		}));
	const above = Math.min(...texts.map((line) => line.y).filter((baseline) => baseline > top));
	const below = Math.max(...texts.map((line) => line.y).filter((baseline) => baseline < bottom));
	return texts
		.filter((line) => line.y >= below - SAME_POINT && line.y <= above + SAME_POINT)
		.sort((a, b) => b.y - a.y || a.x - b.x);
}
