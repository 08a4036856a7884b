import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import type { ServiceClient } from './client';
import { asFailure, ServiceFailure } from './failure/failure';
import { faultOfAnswer } from './failure/fault';
import { discard, generated, type ByteStream } from './files/streams';
import { endsWithConnection } from './http/answer';

/* Streams files from temporary links into n8n's binary store. */

/** Statuses with which a storage service answers when a signed link is too old. */
const EXPIRED_LINK = new Set([400, 401, 403, 404, 410]);

/** File name endings of the formats that documents, pictures and recordings come in. */
const ENDINGS: Record<string, string> = {
	'application/pdf': '.pdf',
	'application/xml': '.xml',
	'image/gif': '.gif',
	'image/jpeg': '.jpg',
	'image/png': '.png',
	'image/webp': '.webp',
	'video/mp4': '.mp4',
	'video/quicktime': '.mov',
	'video/webm': '.webm',
};

interface DownloadTarget {
	/** Without an ending, which follows from the type of the content. */
	name: string;
	/**
	 * MIME type to assume when the answer names none of the same family, e.g. of image/. The file of
	 * an eNote is XML, and may be a PDF as well (docs/service/closings.md#enote).
	 */
	mimeType: keyof typeof ENDINGS;
}

/** A file in n8n's binary store. */
export interface Downloaded {
	binary: IBinaryData;
	/** What an operation outputs about the file. The size is in bytes. */
	facts: { file_name: string; mime_type: string; bytes: number };
}

/**
 * Returns a function that gives a link that is known already, and from the second call on a new
 * one.
 * @param renew retrieves a new link; undefined keeps the known one
 */
export function renewable(
	link: string,
	renew: () => Promise<string | undefined>,
): () => Promise<string> {
	let used = false;
	return async () => {
		if (used) return (await renew()) ?? link;
		used = true;
		return link;
	};
}

/**
 * Streams what a temporary link points to into n8n's binary store. Links may expire after 900
 * seconds (docs/service/documents.md#links).
 * @param getLink returns the link; called a second time, for a fresh one, when the first has
 *   expired
 * @throws ServiceFailure when the link can't be opened, or when fewer bytes came than announced
 */
export async function downloadLink(
	context: IExecuteFunctions,
	service: ServiceClient,
	getLink: () => Promise<string>,
	target: DownloadTarget,
): Promise<Downloaded> {
	// Outside the try: when this fails, the link isn't the reason.
	const link = await getLink();
	try {
		return await download(context, service, link, target);
	} catch (thrown) {
		const failure = asFailure(thrown, cutShort(target.name));
		if (!EXPIRED_LINK.has(failure.flags.httpStatus ?? 0)) throw failure;
	}
	return await download(context, service, await getLink(), target);
}

async function download(
	context: IExecuteFunctions,
	service: ServiceClient,
	link: string,
	target: DownloadTarget,
): Promise<Downloaded> {
	const { stream, headers } = await service.open(link);
	return await saveStream(context, stream, headers, service.hide(target));
}

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
	const named = fileNameFor(target, target.mimeType);
	let received = 0;
	let tail: Buffer = Buffer.alloc(0);
	try {
		const { head, whole } = await withHead(stream, (chunk) => {
			received += chunk.length;
			tail = Buffer.concat([tail, chunk.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES);
		});
		if (head.length === 0) throw new ServiceFailure({ code: 'emptyFile', fileName: named });
		const mimeType = typeOf(head.subarray(0, HEAD_BYTES), headers['content-type'], target.mimeType);
		if (mimeType === undefined)
			throw new ServiceFailure({
				code: 'unexpectedFile',
				fileName: named,
				expected: KINDS[familyOf(target.mimeType)],
			});
		const fileName = fileNameFor(target, mimeType);
		const binary = await context.helpers.prepareBinaryData(whole as never, fileName, mimeType);
		const ending = endsWithConnection(headers) ? ENDS[mimeType] : undefined;
		if (ending?.test(tail.toString('latin1')) === false) throw cutShort(fileName);
		return { binary, facts: { file_name: fileName, mime_type: mimeType, bytes: received } };
	} catch (thrown) {
		const { code: fault, timedOut, lasting } = faultOfAnswer(thrown);
		const isOverLimit = lasting || (timedOut && fault !== 'ESTALLED');
		throw asFailure(
			thrown,
			isOverLimit
				? new ServiceFailure({ code: 'unreachable', fault, attempts: 1 })
				: cutShort(named),
		);
	} finally {
		discard(stream);
	}
}

/** How the files end whose format says so. Readers of PDF look for its mark in the last 1024 bytes. */
const ENDS: Record<string, RegExp | undefined> = {
	'application/pdf': /%%EOF/,
	// In UTF-16, a zero may follow.
	'application/xml': />[\s\0]*$/,
	'image/jpeg': /\xFF\xD9/,
	'image/png': /IEND/,
};
const TAIL_BYTES = 1024;

function fileNameFor({ name, mimeType: expected }: DownloadTarget, mimeType: string): string {
	const plain = expected === 'application/xml' ? name.replace(/\.xml$/i, '') : name;
	return safeFileName(plain, ENDINGS[mimeType]);
}

/** How much of a file is looked at. Readers of PDF look for its mark in the first 1024 bytes. */
const HEAD_BYTES = 1024;

/**
 * Reads the beginning of a stream. `whole` is a stream that has it, too.
 * @param onChunk gets every chunk, those of the beginning as well
 */
async function withHead(
	stream: ByteStream,
	onChunk: (chunk: Buffer) => void,
): Promise<{ head: Buffer; whole: ByteStream }> {
	const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
	const next = async () => {
		const step = await chunks.next();
		if (step.done === true) return undefined;
		onChunk(step.value);
		return step.value;
	};
	let head: Buffer = Buffer.alloc(0);
	while (head.length < HEAD_BYTES) {
		const chunk = await next();
		if (chunk === undefined) break;
		head = Buffer.concat([head, chunk]);
	}
	const all = async function* () {
		yield head;
		for (let chunk = await next(); chunk !== undefined; chunk = await next()) yield chunk;
	};
	return { head, whole: generated(stream, all()) };
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
type Kind = 'pdf' | 'xml' | 'image' | 'video';
const KINDS: Record<string, Kind> = {
	'application/pdf': 'pdf',
	'application/xml': 'xml',
	image: 'image',
	video: 'video',
};

const familyOf = (mimeType: string) =>
	KINDS[mimeType] === undefined ? mimeType.split('/')[0] : mimeType;

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
	// A page or an answer in JSON instead of a picture or recording.
	if (isMarkup || /^\s*[{[]/.test(text)) return undefined;
	const type = String(header).split(';')[0].trim().toLowerCase();
	return ENDINGS[type] !== undefined && familyOf(type) === familyOf(expected) ? type : expected;
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
export function safeFileName(name: string, extension: string): string {
	const clean = name
		.slice(0, 10 * MOST_CHARACTERS)
		.normalize('NFC')
		.replace(/[\p{Cc}\p{Cf}\p{Cs}\s<>:"/\\|?*]+/gu, ' ')
		.replace(/^[. ]+|[. ]+$/g, '')
		.replace(DEVICES, '_$&');
	const hasEnding = clean.toLowerCase().endsWith(extension);
	const ending = hasEnding ? clean.slice(-extension.length) : extension;
	const stem = hasEnding ? clean.slice(0, -extension.length) : clean;
	const kept = [...(stem === '' ? 'file' : stem)].slice(0, MOST_CHARACTERS - ending.length);
	while (Buffer.byteLength(kept.join('')) > MOST_BYTES - ending.length) kept.pop();
	return `${kept.join('')}${ending}`;
}
