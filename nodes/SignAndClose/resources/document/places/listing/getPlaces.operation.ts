import { InputFailure } from '../../../../messages/failures';
import { defineOperation, type OperationCall } from '../../../../run/operation';
import { limitFields, parseLimit, simplify } from '../../../../form/commonFields';
import { defineText } from '../../../../form/fields';
import { joinHints } from '../../../../form/hints';
import { findReadable, readFile, UNREADABLE_REASONS } from '../../files/bytes';
import { PDF, type UploadKind } from '../../files/kinds';
import { defineFileSource, parseFile } from '../../files/source';
import { isInRanges, parsePageRanges } from '../pageRanges';
import { namePages } from '../pages';
import { findPlaces, simplifyPlace } from './places';

/* What a file offers as places to sign: the fields of its own form, and texts that look like labels. */

const PLACES_OF: UploadKind = { ...PDF, templates: false, fetcher: 'The node' };

const pages = {
	...defineText('Pages', 'pages', '2-5', 'The pages to look at: "all", "last", "2-5" or "1, 4-6"'),
	default: 'all',
};

const NOTHING_FOUND =
	"No form fields and no labels found. Add the document with 'Designations Below' in 'Where to Sign'";

/**
 * Lists the fields of a PDF's own form, and lines of text that look like places to sign. The service
 * isn't asked, and no transaction is needed.
 */
export const getPlaces = defineOperation({
	resource: 'document',
	value: 'getPlaces',
	name: 'Get Places',
	action: 'Get places to sign of file',
	description:
		'List where a PDF can be signed: its form fields, and texts such as "Borrower Signature"',
	kind: 'read',
	passesFiles: true,
	properties: [...defineFileSource(PLACES_OF), pages, ...limitFields, simplify],
	async execute(call) {
		const { params } = call;
		const ranges = parseRanges(call);
		const limit = parseLimit(params);
		const resource = await parseFile(call, PLACES_OF);
		const file = findReadable(call, resource, {}, true)!;
		const reading = await readFile(call, file, findPlaces);
		if ('reason' in reading)
			throw new InputFailure(
				params.label('source'),
				`is a file that ${UNREADABLE_REASONS[reading.reason]}`,
				'Use another file',
			);
		const { pages: all, places } = reading;
		const isMeant = (page: number) => isInRanges(ranges, page, all.length);
		const meant = places.filter(({ page }) => isMeant(page));
		const unread = all.filter(({ number, kind }) => kind !== 'text' && isMeant(number));
		const hint = joinHints([
			meant.length === 0 && NOTHING_FOUND,
			unread.length > 0 &&
				`Not all text can be read on ${namePages(unread.map(({ number }) => number))}`,
		]);
		if (meant.length === 0) return { json: {}, hint, isHintOnly: true };
		const isSimple = params.getBoolean('simplify');
		return meant
			.slice(0, limit)
			.map((place) => ({ json: isSimple ? simplifyPlace(place) : { ...place }, hint }));
	},
});

function parseRanges({ params }: OperationCall) {
	const ranges = parsePageRanges(params.getText('pages') ?? 'all');
	if (ranges !== undefined) return ranges;
	throw new InputFailure(
		params.label('pages'),
		`is '${params.getText('pages')}'`,
		'Enter all, last, or pages as in 2, 2-5 or 1, 4-6',
	);
}
