import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import type { ServiceClient } from './client';
import { asFailure, ServiceFailure } from './errors/failure';
import { metered, type ByteStream } from './transport/streams';

/** Statuses with which a storage service answers when a signed link is too old. */
const EXPIRED_LINK = new Set([400, 401, 403, 404, 410]);

/** Endings of the formats that pictures and recordings come in. */
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
	/** Without ending: the content's type decides it. */
	name: string;
	/** Type when the answer names none of the same family, e.g. of image/. */
	mimeType: keyof typeof ENDINGS;
}

export interface Downloaded {
	binary: IBinaryData;
	/** What an operation tells of the file beside it: name, type, size. */
	facts: { file_name: string; mime_type: string; bytes: number };
}

/** A link that is known already, and how to get a fresh one when it has expired. */
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
 * Streams what a temporary link points to into n8n's binary store (interface.md §5.4: links live
 * 900 s).
 * @param getLink retrieves a fresh link; called once more when the first one has expired
 * @throws ServiceFailure also when fewer bytes came than were announced: half a document is no
 *   document
 */
export async function downloadLink(
	context: IExecuteFunctions,
	service: ServiceClient,
	getLink: () => Promise<string>,
	target: DownloadTarget,
): Promise<Downloaded> {
	// Outside the try: an owner that can't be retrieved is no expired link.
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
 * Writes a stream into n8n's binary store, named and typed, and checks that it is whole.
 * @param headers of the answer; without content-length the end of the stream is taken for the end
 *   of the file
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
	try {
		const counted = metered(
			stream,
			(total, chunk) => {
				if (
					received === 0 &&
					mimeType === 'application/pdf' &&
					!chunk.subarray(0, 1024).includes('%PDF-')
				)
					throw new ServiceFailure({ code: 'notPdf', fileName });
				received = total;
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
		return { binary, facts: { file_name: fileName, mime_type: mimeType, bytes: received } };
	} catch (thrown) {
		throw asFailure(thrown, cutShort(fileName));
	} finally {
		stream.destroy();
	}
}

/**
 * The answer's type when it is a known one of the expected family; a storage service often says
 * application/octet-stream.
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
 * A name that is safe as a file name everywhere: no folders, no reserved characters, 120 characters
 * at most.
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
