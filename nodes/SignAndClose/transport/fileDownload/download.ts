import { createHash } from 'crypto';
import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import type { ServiceClient } from '../client';
import { asFailure, ServiceFailure } from '../failure/failure';
import { readAnswerFault } from '../failure/networkFault';
import { toSafeFileName } from '../files/fileNames';
import { findEnding, findEndMark, getFileKind, detectType } from '../files/fileFormats';
import { discard, createStream, type ByteStream, type Opened } from '../files/streams';
import { endsWithConnection, isPart } from '../http/answer';
import { isOfOldLink } from '../http/statuses';

/* Streams files from temporary links into n8n's binary store. */

/** What a file is to be. */
export interface DownloadTarget {
	/** Without an ending, which follows from the type of the content. */
	name: string;
	/**
	 * MIME type to assume when the answer names none of the same family, e.g. of image/. The file of
	 * an eNote is XML, and may be a PDF as well (docs/service/closings.md#enote).
	 */
	mimeType: string;
}

/** What an operation outputs about a file. The size is in bytes. */
export type FileFacts = { file_name: string; mime_type: string; bytes: number; sha256: string };

/** A file that was received, and what became of its bytes. */
export interface Received<T> {
	result: T;
	facts: FileFacts;
}

/**
 * What becomes of the bytes of a file while they come.
 * @throws whatever the stream fails with
 */
export type Keep<T> = (bytes: ByteStream, fileName: string, mimeType: string) => Promise<T>;

/** A file in n8n's binary store. */
export interface Downloaded {
	binary: IBinaryData;
	facts: FileFacts;
}

/** Puts the bytes into n8n's binary store. */
export const saveToStore =
	(context: IExecuteFunctions): Keep<IBinaryData> =>
	async (bytes, fileName, mimeType) =>
		await context.helpers.prepareBinaryData(bytes as never, fileName, mimeType);

/**
 * Receives what a temporary link points to. Links may expire after 900 seconds
 * (docs/service/documents.md#links).
 * @param renew retrieves a new link when this one has expired; undefined keeps it
 * @throws ServiceFailure when the link can't be opened, or when fewer bytes came than announced
 */
export async function receiveLink<T>(
	service: ServiceClient,
	link: string,
	renew: () => Promise<string | undefined>,
	target: DownloadTarget,
	keep: Keep<T>,
): Promise<Received<T>> {
	const download = async (from: string) =>
		await receive(await service.open(from), service.hide(target), keep);
	try {
		return await download(link);
	} catch (thrown) {
		const failure = asFailure(thrown, buildIncomplete(target.name));
		if (!isOfOldLink(failure.flags.httpStatus)) throw failure;
	}
	return await download((await renew()) ?? link);
}

/** How much of each end of a file is looked at. Readers of PDF look as far for its marks. */
const EDGE_BYTES = 1024;

/**
 * Receives a file: looks at what it is, computes its hash while it comes, and checks that it is
 * complete. Nothing is kept when its beginning shows that it is something else, e.g. a web page.
 * @throws ServiceFailure when the file is empty, cut short or of another kind
 */
export async function receive<T>(
	{ stream, headers }: Opened,
	target: DownloadTarget,
	keep: Keep<T>,
): Promise<Received<T>> {
	let fileName = buildFileName(target, target.mimeType);
	let head = Buffer.alloc(0);
	const { chunks, summarize } = measure(stream);
	const streamAll = async function* () {
		yield head;
		yield* chunks;
	};
	try {
		if (isPart(headers)) throw buildIncomplete(fileName);
		while (head.length < EDGE_BYTES) {
			const { value, done } = await chunks.next();
			if (done === true) break;
			head = Buffer.concat([head, value]);
		}
		if (head.length === 0) throw new ServiceFailure({ code: 'emptyFile', fileName });
		const type = detectType(head.subarray(0, EDGE_BYTES), headers['content-type'], target.mimeType);
		if (type === undefined) {
			const expected = getFileKind(target.mimeType);
			throw new ServiceFailure({ code: 'unexpectedFile', fileName, expected });
		}
		fileName = buildFileName(target, type);
		const stored = await keep(createStream(stream, streamAll()), fileName, type);
		const { bytes, sha256, tail } = summarize();
		const end = endsWithConnection(headers) ? findEndMark(type) : undefined;
		if (end?.test(tail.toString('latin1')) === false) throw buildIncomplete(fileName);
		return { result: stored, facts: { file_name: fileName, mime_type: type, bytes, sha256 } };
	} catch (thrown) {
		const { code: fault } = readAnswerFault(thrown);
		const isOverLimit = fault === 'ANSWER_SLOW' || fault === 'ANSWER_TOO_BIG';
		throw asFailure(
			thrown,
			isOverLimit
				? new ServiceFailure({ code: 'unreachable', fault, attempts: 1 })
				: buildIncomplete(fileName),
		);
	} finally {
		discard(stream);
	}
}

/** Passes a file on as it comes, and tells how many bytes came, their hash and the last of them. */
function measure(stream: ByteStream) {
	const hash = createHash('sha256');
	let bytes = 0;
	let tail = Buffer.alloc(0);
	const pass = async function* () {
		for await (const chunk of stream as AsyncIterable<Buffer>) {
			bytes += chunk.length;
			hash.update(chunk);
			tail = Buffer.concat([tail, chunk.subarray(-EDGE_BYTES)]).subarray(-EDGE_BYTES);
			yield chunk;
		}
	};
	return { chunks: pass(), summarize: () => ({ bytes, sha256: hash.digest('hex'), tail }) };
}

function buildFileName({ name, mimeType: expected }: DownloadTarget, mimeType: string): string {
	const plain = expected === 'application/xml' ? name.replace(/\.xml$/i, '') : name;
	return toSafeFileName(plain, findEnding(mimeType));
}

function buildIncomplete(fileName: string): ServiceFailure {
	return new ServiceFailure({ code: 'incompleteFile', fileName });
}
