import type { Budget } from '../bounds/limits';
import { Unreadable } from '../bounds/unreadable';

/** What newer versions of Node.js say about bytes behind the end, which ISO 32000 doesn't forbid. */
const TRAILING_BYTES = 'ERR_TRAILING_JUNK_AFTER_STREAM_END';

/** How many of them there may be: an end of line, or a checksum that's passed over. */
const MAX_TRAILING_BYTES = 8;

/**
 * Unpacks deflate with zlib's header (7.4.4). A missing or wrong checksum doesn't matter.
 *
 * When something is wrong at the end, Node.js throws away what nobody has read yet. That must not look
 * like the whole, so it's read again without what was wrong, until nothing is.
 * @throws Unreadable when it's cut or something else, or unpacks to too much
 */
export async function inflate(bytes: Uint8Array, budget: Budget): Promise<Uint8Array> {
	for (const [format, header] of [
		['deflate', 0],
		['deflate-raw', 2],
	] as const) {
		let failure: unknown = TRAILING_BYTES;
		for (
			let trailing = 0;
			failure === TRAILING_BYTES && trailing <= MAX_TRAILING_BYTES;
			trailing++
		) {
			const result = await unpack(format, bytes.slice(header, bytes.length - trailing), budget);
			if (result instanceof Uint8Array) return result;
			failure = result.failure;
		}
	}
	throw new Unreadable('damaged', 'A stream is not in deflate format, or was cut');
}

async function unpack(
	format: CompressionFormat,
	bytes: Uint8Array,
	budget: Budget,
): Promise<Uint8Array | { failure: unknown }> {
	const { readable, writable } = new DecompressionStream(format);
	const writer = writable.getWriter();
	// What goes wrong is seen where the result is read.
	for (const done of [writer.write(bytes as Uint8Array<ArrayBuffer>), writer.close()])
		done.catch(() => {});
	const chunks: Uint8Array[] = [];
	let size = 0;
	try {
		// An early end of the loop ends the unpacking, too.
		for await (const chunk of readable as unknown as AsyncIterable<Uint8Array>) {
			size += chunk.length;
			if (size > budget.limits.streamBytes) break;
			chunks.push(chunk);
			await budget.due();
		}
	} catch (thrown) {
		return { failure: (thrown as { code?: unknown }).code };
	}
	if (size > budget.limits.streamBytes)
		throw new Unreadable('limit', 'A stream unpacks to too many bytes');
	return Buffer.concat(chunks);
}
