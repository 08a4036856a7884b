import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import type { ServiceClient } from './client';
import { asFailure, ServiceFailure } from './failure/failure';
import { faultOfAnswer } from './failure/fault';
import { discard, generated, type ByteStream } from './files/streams';
import { endsWithConnection, isPart } from './http/answer';

/* Streams files from temporary links into n8n's binary store. */

/** Statuses with which a storage service answers when a signed link is too old. */
const EXPIRED_LINK = new Set([400, 401, 403, 404, 410]);

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

/** What may be of any format. */
export const ANY_FILE = 'application/octet-stream';

/** The type that the ending of a name promises. */
export function typeByName(name: string): string {
	const isEnding = ([, format]: (typeof KNOWN)[number]) =>
		name.toLowerCase().endsWith(format!.ending);
	return KNOWN.find(isEnding)?.[0] ?? ANY_FILE;
}
const KNOWN = Object.entries(FORMATS);

interface DownloadTarget {
	/** Without an ending, which follows from the type of the content. */
	name: string;
	/**
	 * MIME type to assume when the answer names none of the same family, e.g. of image/. The file of
	 * an eNote is XML, and may be a PDF as well (docs/service/closings.md#enote).
	 */
	mimeType: string;
}

/** A file in n8n's binary store. */
export interface Downloaded {
	binary: IBinaryData;
	/** What an operation outputs about the file. The size is in bytes. */
	facts: { file_name: string; mime_type: string; bytes: number };
}

/**
 * Streams what a temporary link points to into n8n's binary store. Links may expire after 900
 * seconds (docs/service/documents.md#links).
 * @param renew retrieves a new link when this one has expired; undefined keeps it
 * @throws ServiceFailure when the link can't be opened, or when fewer bytes came than announced
 */
export async function downloadLink(
	context: IExecuteFunctions,
	service: ServiceClient,
	link: string,
	renew: () => Promise<string | undefined>,
	target: DownloadTarget,
): Promise<Downloaded> {
	const download = async (from: string) => {
		const { stream, headers } = await service.open(from);
		return await saveStream(context, stream, headers, service.hide(target));
	};
	try {
		return await download(link);
	} catch (thrown) {
		const failure = asFailure(thrown, cutShort(target.name));
		if (!EXPIRED_LINK.has(failure.flags.httpStatus ?? 0)) throw failure;
	}
	return await download((await renew()) ?? link);
}

/** How much of each end of a file is looked at. Readers of PDF look as far for its marks. */
const EDGE_BYTES = 1024;

/**
 * Writes a stream into n8n's binary store, with name and type, and checks that it is complete.
 * Nothing is stored when its beginning shows that it is something else, e.g. a web page.
 * @param stream within the limits of files, as the client gives it
 * @param headers of the answer; none when something else than the connection tells where it ends
 * @throws ServiceFailure when the file is empty, cut short or of another kind
 */
export async function saveStream(
	context: IExecuteFunctions,
	stream: ByteStream,
	headers: Record<string, unknown>,
	target: DownloadTarget,
): Promise<Downloaded> {
	let fileName = fileNameFor(target, target.mimeType);
	let bytes = 0;
	let [head, tail]: Buffer[] = [Buffer.alloc(0), Buffer.alloc(0)];
	const pass = async function* () {
		for await (const chunk of stream as AsyncIterable<Buffer>) {
			bytes += chunk.length;
			tail = Buffer.concat([tail, chunk.subarray(-EDGE_BYTES)]).subarray(-EDGE_BYTES);
			yield chunk;
		}
	};
	const chunks = pass();
	const all = async function* () {
		yield head;
		yield* chunks;
	};
	try {
		if (isPart(headers)) throw cutShort(fileName);
		while (head.length < EDGE_BYTES) {
			const { value, done } = await chunks.next();
			if (done === true) break;
			head = Buffer.concat([head, value]);
		}
		if (head.length === 0) throw new ServiceFailure({ code: 'emptyFile', fileName });
		const type = typeOf(head.subarray(0, EDGE_BYTES), headers['content-type'], target.mimeType);
		if (type === undefined) {
			const expected = kindOf(target.mimeType);
			throw new ServiceFailure({ code: 'unexpectedFile', fileName, expected });
		}
		fileName = fileNameFor(target, type);
		const whole = generated(stream, all());
		const binary = await context.helpers.prepareBinaryData(whole as never, fileName, type);
		const end = endsWithConnection(headers) ? FORMATS[type]?.end : undefined;
		if (end?.test(tail.toString('latin1')) === false) throw cutShort(fileName);
		return { binary, facts: { file_name: fileName, mime_type: type, bytes } };
	} catch (thrown) {
		const { code: fault } = faultOfAnswer(thrown);
		const isOverLimit = fault === 'ANSWER_SLOW' || fault === 'ANSWER_TOO_BIG';
		throw asFailure(
			thrown,
			isOverLimit
				? new ServiceFailure({ code: 'unreachable', fault, attempts: 1 })
				: cutShort(fileName),
		);
	} finally {
		discard(stream);
	}
}

function fileNameFor({ name, mimeType: expected }: DownloadTarget, mimeType: string): string {
	const plain = expected === 'application/xml' ? name.replace(/\.xml$/i, '') : name;
	return safeFileName(plain, FORMATS[mimeType]?.ending ?? '');
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

/** What a file is, by the family of its type. */
function kindOf(mimeType: string) {
	const [family, type] = mimeType.split('/');
	if (mimeType === ANY_FILE) return 'file';
	return (family === 'application' ? type : family) as 'pdf' | 'xml' | 'image' | 'video';
}

/**
 * Decides what a file is, by its beginning and by the answer's header. A storage service often says
 * application/octet-stream, which tells nothing.
 * @returns undefined when it isn't what is expected
 */
function typeOf(head: Buffer, header: unknown, expected: string): string | undefined {
	// In UTF-16, every other byte is zero.
	const text = head.toString('latin1').replaceAll('\0', '');
	const isMarkup = MARKUP.test(text);
	const isPdf = head.includes(PDF_MARK);
	if (expected === 'application/pdf') return isPdf ? expected : undefined;
	if (expected === 'application/xml') {
		if (isMarkup) return NO_DOCUMENT.test(text) ? undefined : expected;
		return isPdf ? 'application/pdf' : undefined;
	}
	if (expected === ANY_FILE) {
		if (isPdf) return 'application/pdf';
		return isMarkup && NO_DOCUMENT.test(text) ? undefined : expected;
	}
	// A page or an answer in JSON instead of a picture or recording.
	if (isMarkup || /^\s*[{[]/.test(text)) return undefined;
	const type = String(header).split(';')[0].trim().toLowerCase();
	return Object.hasOwn(FORMATS, type) && kindOf(type) === kindOf(expected) ? type : expected;
}

function cutShort(fileName: string): ServiceFailure {
	return new ServiceFailure({ code: 'incompleteFile', fileName });
}

/** Names that Windows keeps for devices, whatever their ending. */
const DEVICES = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(?=[. ]|$)/i;
const MOST_CHARACTERS = 120;
/** File systems take up to 255 bytes, and a character has up to four. */
const MOST_BYTES = 240;

/**
 * Makes a name that is safe as a file name everywhere: no folders, no reserved characters or names,
 * at most 120 characters and 240 bytes, and the ending of its type.
 */
export function safeFileName(name: string, ending: string): string {
	const clean = name
		.slice(0, 10 * MOST_CHARACTERS)
		.normalize('NFC')
		.replace(/[\p{Cc}\p{Cf}\p{Cs}\s<>:"/\\|?*]+/gu, ' ')
		.replace(/^[. ]+|[. ]+$/g, '')
		.replace(DEVICES, '_$&');
	const stem = clean.toLowerCase().endsWith(ending)
		? clean.slice(0, clean.length - ending.length)
		: clean;
	const kept = [...(stem || 'file')].slice(0, MOST_CHARACTERS - ending.length);
	while (Buffer.byteLength(kept.join('')) > MOST_BYTES - ending.length) kept.pop();
	return `${kept.join('')}${ending}`;
}
