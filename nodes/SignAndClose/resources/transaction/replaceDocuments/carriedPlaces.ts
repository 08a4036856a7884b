import type { IDataObject } from 'n8n-workflow';

import { findLines } from '../../../pdf/search/lines';
import { readPages, type PdfPage } from '../../../pdf/pages';
import type { OperationCall } from '../../../run/operation';
import { FileContent } from '../../../transport/files/requestBody';
import { SERVICE_LIMITS } from '../../../transport/service/limits';
import { asObjects, asText, withoutEmpty } from '../../../values/json';
import { isBlank } from '../../../values/comparison';
import { describeFile, type TransactionPlace } from '../../document/api';
import { openUploaded } from '../../document/downloads';
import { isUntransformed, withFileBytes } from '../../document/files/bytes';
import { isPlacedByRule } from './carriedFields';
import type { Paper } from './matching';

/*
 * Places to sign that a new document takes over from the one that it replaces: where answers show them,
 * and the same text stands around each of them at the same points in both files.
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
 * @returns the paper with them, or with what keeps them from being carried over
 * @throws ServiceFailure when the former file can't be fetched
 */
export async function withCarriedPlaces(
	call: OperationCall,
	{ platform, transactionId }: TransactionPlace,
	paper: Paper,
): Promise<Paper> {
	const { expected, current, former } = paper;
	const places = asObjects(former?.signing_designations);
	if (current !== undefined || former === undefined || places.length === 0) return paper;
	if (platform === 'realEstate' || isPlacedByRule(expected)) return paper;
	const refuse = (reason: string): Paper => ({ ...paper, placesProblem: reason });
	const requests = places.map(toRequest);
	if (requests.includes(undefined) || asObjects(former.signing_designation_groups).length > 0)
		return refuse("the service doesn't show all of them, or they belong to groups");
	const uploaded = { transactionId, platform, documentId: String(former.id) };
	const formerFile = new FileContent(
		SERVICE_LIMITS.megabytes * 1024 ** 2,
		async () => await openUploaded(call.service, uploaded),
	);
	const [before, after] = [
		await readTextPages(call, formerFile),
		await readTextPages(call, expected.planned.content),
	];
	const isKept = (place: IDataObject) => {
		const index = Number(place.page_number);
		return haveSameTexts(before?.[index], after?.[index], place);
	};
	if (!(requests as IDataObject[]).every(isKept))
		return refuse(
			`the text around them isn't the same in '${expected.planned.file}' as in ${describeFile(former).name}`,
		);
	const fields = { ...expected.fields, signing_designations: requests as IDataObject[] };
	return { ...paper, expected: { ...expected, fields } };
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
