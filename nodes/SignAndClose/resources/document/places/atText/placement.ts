import { InputFailure } from '../../../../messages/failures';
import type { Faults } from '../../../../messages/inputFaults';
import type { OperationCall } from '../../../../run/operation';
import type { Params } from '../../../../run/parameters/params';
import { joinWithAnd, quote, toCapitalized } from '../../../../values/words';
import { findReadable, readFile } from '../../files/bytes';
import type { TextDesignation } from '../designations';
import {
	describeFoundPlaces,
	namePages,
	type DocumentToPlace,
	type PlacedDesignations,
} from '../pages';
import { buildLeftOut, readSigner, type Assignment, type LeftOutPlace } from '../signers';
import type { WhereToSign } from '../whereToSign';
import {
	findTexts,
	isTextThere,
	PLACE_BY_HAND,
	placeAtTexts,
	type FoundTexts,
	type PlaceAtText,
} from './texts';

/** The rows of an item, and whose they are. */
interface EnteredTexts extends Pick<Assignment<TextDesignation>, 'entries' | 'leftOut'> {
	/** With those of nobody. */
	all: TextDesignation[];
}

/**
 * Places designations at texts of the file. Those of texts that it doesn't have may be left out. Notes
 * of those that were left out before whether the file has their texts.
 */
export async function placeTexts(
	call: OperationCall,
	{ resource, fields }: DocumentToPlace,
	whereToSign: WhereToSign,
	{ all, entries, leftOut: ofNobody }: EnteredTexts,
	faults: Faults,
): Promise<PlacedDesignations> {
	const { params } = call;
	const absent = ofNobody.flatMap((place) => all.filter(({ row }) => row === place.row));
	const file = findReadable(call, resource, fields, whereToSign.fetches);
	const texts =
		file &&
		(await faults.collectLater(
			async () =>
				await readFile(
					call,
					file,
					async (bytes, pause) => await findTexts([...entries, ...absent], bytes, pause),
				),
		));
	if (texts !== undefined && 'problem' in texts) {
		const remedy = `${toCapitalized(PLACE_BY_HAND)}, or use a PDF whose text can be selected with the mouse`;
		const problem = `can't be found, because the file ${texts.problem}`;
		faults.note(new InputFailure(params.label('texts'), problem, remedy));
	}
	if (texts === undefined || 'problem' in texts) return { places: [], hints: [] };
	for (const [index, place] of ofNobody.entries())
		place.hasText = isTextThere(absent[index], texts, entries.length + index);
	const leftOut: LeftOutPlace[] = [];
	const places = placeAtTexts(entries, texts, whereToSign, (missing, pageNames, designations) => {
		const stopping = whereToSign.leavesOut.texts
			? missing.filter((entry) => !isSpare(entry, designations))
			: missing;
		for (const entry of missing)
			if (!stopping.includes(entry)) leftOut.push(buildLeftOut(entry, 'text'));
		noteMissingTexts(params, whereToSign, stopping, pageNames, faults);
	});
	const output = places.map(({ page, box: { x, y }, text: phrase, nextText, line }) => ({
		...{ page, x, y, phrase, line },
		...(nextText !== undefined && { next_phrase: nextText }),
	}));
	return { places, output, leftOut, hints: describePlacesAtTexts(places, texts) };
}

const isSignature = ({ designation }: TextDesignation | PlaceAtText): boolean =>
	String(designation.type).startsWith('signature');

/** Whether the signer of a text has another place: for a signature another one, and none that's optional. */
const isSpare = (entry: TextDesignation, places: readonly PlaceAtText[]): boolean =>
	places.some(
		(place) =>
			place.designation.signer_identifier === entry.designation.signer_identifier &&
			(place.designation.optional !== true || entry.designation.optional === true) &&
			(isSignature(place) || !isSignature(entry)),
	);

/** Notes texts that are on none of the same pages. */
function noteMissingTexts(
	params: Params,
	{ leavesOut }: WhereToSign,
	missing: readonly TextDesignation[],
	pageNames: string,
	faults: Faults,
): void {
	if (missing.length === 0) return;
	const texts = [...new Set(missing.map(({ text }) => text))];
	const names = joinWithAnd(texts.map(quote));
	const isOne = texts.length === 1;
	const remedy = `Enter ${isOne ? 'it' : 'each'} as it stands on one line or two of the document, or ${PLACE_BY_HAND}`;
	const signers = [...new Set(missing.map(readSigner))];
	const reason = leavesOut.texts
		? `. ${toCapitalized(joinWithAnd(signers))} would have no place to sign in this document`
		: '';
	if (isOne) missing[0].noteFault(`${names} wasn't found on ${pageNames}${reason}`, remedy);
	else {
		const problem = `weren't found on ${pageNames}: ${names}${reason}`;
		faults.note(new InputFailure(params.label('texts'), problem, remedy));
	}
}

/** What a person should know of places at texts. */
function describePlacesAtTexts(places: PlaceAtText[], { pages }: FoundTexts): string[] {
	if (places.length === 0) return [];
	const numbers = new Set(places.map(({ page }) => page));
	const scans = pages
		.filter(({ number, unread }) => numbers.has(number) && unread.includes('recognized'))
		.map(({ number }) => number);
	const are = scans.length === 1 ? 'is a scan: its' : 'are scans: their';
	return [
		describeFoundPlaces(places),
		...(scans.length === 0
			? []
			: [`${toCapitalized(namePages(scans))} ${are} text was recognized by another program`]),
	];
}
