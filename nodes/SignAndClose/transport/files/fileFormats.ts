import type { FileKind } from '../failure/failure';

/* What a file is: by the ending of its name, by its beginning, and by what the service says. */

/** The formats of documents, pictures and recordings: endings of names, and how a whole file ends. */
const FORMATS: Record<string, { ending: string; end?: RegExp } | undefined> = {
	'application/pdf': { ending: '.pdf', end: /%%EOF/ },
	// In UTF-16, a zero may follow.
	'application/xml': { ending: '.xml', end: />[\s\0]*$/ },
	'image/gif': { ending: '.gif' },
	'image/jpeg': { ending: '.jpg', end: /\xFF\xD9/ },
	'image/png': { ending: '.png', end: /IEND/ },
	'image/webp': { ending: '.webp' },
	'video/mp4': { ending: '.mp4' },
	'video/quicktime': { ending: '.mov' },
	'video/webm': { ending: '.webm' },
};
const FORMAT_ENTRIES = Object.entries(FORMATS);

/** What may be of any format. */
export const ANY_FILE = 'application/octet-stream';

/** The ending of the names of files of a type, with its dot; empty where it isn't known. */
export function findEnding(mimeType: string): string {
	return FORMATS[mimeType]?.ending ?? '';
}

/** What stands in the last bytes of a whole file of a type, if that is known. */
export function findEndMark(mimeType: string): RegExp | undefined {
	return FORMATS[mimeType]?.end;
}

/** The type that the ending of a name promises. */
export function guessTypeByName(name: string): string {
	const isEnding = ([, format]: (typeof FORMAT_ENTRIES)[number]) =>
		name.toLowerCase().endsWith(format!.ending);
	return FORMAT_ENTRIES.find(isEnding)?.[0] ?? ANY_FILE;
}

const PDF_MARK = '%PDF-';
/** The beginning of XML or HTML, after a byte order mark in UTF-8 or UTF-16. */
const MARKUP = /^(?:\u00EF\u00BB\u00BF|\u00FF\u00FE|\u00FE\u00FF)?\s*</;
/**
 * A page or a storage service's refusal, by its root element: a declaration and comments may stand
 * before it. Further inside, a whole eNote has a page, too, its view
 * (docs/service/closings.md#enote).
 */
const NO_DOCUMENT =
	/^[^<]*(?:<(?:\?(?:[^?]|\?(?!>))*\?|!--(?:[^-]|-(?!->))*--)>[^<]*)*<(?:!doctype\s+html|html|error)\b/i;

/** Whether markup is a page, or an error of a server, instead of a document. */
export const isErrorPage = (text: string): boolean => NO_DOCUMENT.test(text);

/** What a file is, by the family of its type. */
export function getFileKind(mimeType: string): FileKind {
	const [family, type] = mimeType.split('/');
	if (mimeType === ANY_FILE) return 'file';
	return (family === 'application' ? type : family) as FileKind;
}

/**
 * Decides what a file is, by its beginning and by the answer's header. A storage service often says
 * application/octet-stream, which tells nothing.
 * @returns undefined when it isn't what is expected
 */
export function detectType(head: Buffer, header: unknown, expected: string): string | undefined {
	// In UTF-16, every other byte is zero.
	const text = head.toString('latin1').replaceAll('\0', '');
	const isMarkup = MARKUP.test(text);
	const isPdf = head.includes(PDF_MARK);
	if (expected === 'application/pdf') return isPdf ? expected : undefined;
	if (expected === 'application/xml') {
		if (isMarkup) return isErrorPage(text) ? undefined : expected;
		return isPdf ? 'application/pdf' : undefined;
	}
	if (expected === ANY_FILE) {
		if (isPdf) return 'application/pdf';
		return isMarkup && isErrorPage(text) ? undefined : expected;
	}
	// A page or an answer in JSON instead of a picture or recording.
	if (isMarkup || /^\s*[{[]/.test(text)) return undefined;
	const type = String(header).split(';')[0].trim().toLowerCase();
	return Object.hasOwn(FORMATS, type) && getFileKind(type) === getFileKind(expected)
		? type
		: expected;
}
