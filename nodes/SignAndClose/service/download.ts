import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import type { ServiceClient } from './client';
import { asFailure, ServiceFailure } from './errors/failure';
import { metered, type ByteStream } from './transport/streams';

/* Streams files from temporary links into n8n's binary store. */

/** Statuses with which a storage service answers when a signed link is too old. */
const EXPIRED_LINK = new Set([400, 401, 403, 404, 410]);

/** File name endings of the formats that documents, pictures and recordings come in. */
const ENDINGS: Record<string, string> = {
	'application/pdf': '.pdf',
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
	/** MIME type to assume when the answer names none of the same family, e.g. of image/. */
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
	return await saveStream(context, service, stream, headers, target);
}

/**
 * Writes a stream into n8n's binary store, with name and type, and checks that it is complete.
 * @param headers of the answer; without content-length the file ends where the stream ends
 * @throws ServiceFailure when the file is empty or cut short, or isn't a PDF although it should be
 */
export async function saveStream(
	context: IExecuteFunctions,
	{ limits }: ServiceClient,
	stream: ByteStream,
	headers: Record<string, unknown>,
	target: DownloadTarget,
): Promise<Downloaded> {
	const mimeType = pickType(headers['content-type'], target.mimeType);
	const fileName = safeFileName(target.name, ENDINGS[mimeType]);
	let received = 0;
	const head = mimeType === 'application/pdf' ? new PdfHead() : undefined;
	const notPdf = () => new ServiceFailure({ code: 'notPdf', fileName });
	try {
		const counted = metered(
			stream,
			(total, chunk) => {
				received = total;
				if (head?.refuses(chunk) === true) throw notPdf();
			},
			limits.stallMs,
		);
		const binary = await context.helpers.prepareBinaryData(counted as never, fileName, mimeType);
		const announced =
			headers['content-encoding'] === undefined
				? Number(headers['content-length'] ?? Number.NaN)
				: Number.NaN;
		if (Number.isInteger(announced) && announced !== received) throw cutShort(fileName);
		if (received === 0) throw new ServiceFailure({ code: 'emptyFile', fileName });
		if (head?.isFound === false) throw notPdf();
		return { binary, facts: { file_name: fileName, mime_type: mimeType, bytes: received } };
	} catch (thrown) {
		throw asFailure(thrown, cutShort(fileName));
	} finally {
		stream.destroy();
	}
}

/**
 * The answer's MIME type when it is a known one of the expected family. A storage service often
 * says application/octet-stream, which tells nothing.
 */
function pickType(header: unknown, expected: string): string {
	const type = String(header ?? '')
		.split(';')[0]
		.trim()
		.toLowerCase();
	const family = (name: string) => name.split('/')[0];
	return ENDINGS[type] !== undefined && family(type) === family(expected) ? type : expected;
}

function cutShort(fileName: string): ServiceFailure {
	return new ServiceFailure({ code: 'incompleteFile', fileName });
}

/**
 * Makes a name that is safe as a file name everywhere: no folders, no reserved characters, at most
 * 120 characters.
 */
export function safeFileName(name: string, extension = ''): string {
	const clean = name
		.normalize('NFC')
		.replace(/[\p{Cc}\p{Cf}<>:"/\\|?*]+/gu, ' ')
		.replace(/\s+/g, ' ')
		.trim()
		.replace(/^[. ]+|[. ]+$/g, '');
	const ending = extension !== '' && !clean.toLowerCase().endsWith(extension) ? extension : '';
	return `${[...(clean === '' ? 'file' : clean)].slice(0, 120 - ending.length).join('')}${ending}`;
}

const PDF_MARK = '%PDF-';
/** Readers look for the mark in the first 1024 bytes, so that is where it may be. */
const PDF_HEAD_BYTES = 1024;

/** Looks for the mark of a PDF at a file's beginning, whatever the chunks it comes in. */
class PdfHead {
	isFound = false;

	private head = Buffer.alloc(0);

	/** @returns true once it's certain that the file isn't a PDF */
	refuses(chunk: Buffer): boolean {
		if (this.isFound || this.head.length >= PDF_HEAD_BYTES) return !this.isFound;
		this.head = Buffer.concat([this.head, chunk.subarray(0, PDF_HEAD_BYTES - this.head.length)]);
		this.isFound = this.head.includes(PDF_MARK);
		return !this.isFound && this.head.length >= PDF_HEAD_BYTES;
	}
}
