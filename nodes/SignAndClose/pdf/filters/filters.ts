import { type Budget, Unreadable } from '../bounds/limits';
import { isWhiteSpace } from '../syntax/parser';
import { toLatin1, getNumber, type Dictionary } from '../syntax/objects';

/**
 * Undoes a filter of a stream (7.4). Pictures have filters of their own, which nobody needs here.
 * @throws Unreadable when it isn't known or the bytes aren't in its format
 */
export async function undoFilter(
	name: unknown,
	bytes: Uint8Array,
	parameters: Dictionary,
	budget: Budget,
): Promise<Uint8Array> {
	let result: Uint8Array;
	budget.spend('bytes', bytes.length);
	if (name === 'FlateDecode') result = undoPredictor(await inflate(bytes, budget), parameters);
	else if (name === 'ASCII85Decode') result = decodeAscii85(bytes);
	else if (name === 'ASCIIHexDecode') result = decodeAsciiHexadecimal(bytes);
	else throw new Unreadable('unsupported', `Filter ${String(name)}`);
	budget.spend('bytes', result.length);
	return result;
}

/** ASCII hexadecimal (7.4.2). */
const decodeAsciiHexadecimal = (bytes: Uint8Array): Uint8Array =>
	Buffer.from(
		toLatin1(bytes)
			.split('>')[0]
			.replace(/[^0-9a-f]/gi, ''),
		'hex',
	);

/** ASCII base-85 (7.4.3). */
function decodeAscii85(bytes: Uint8Array): Uint8Array {
	const result = Buffer.alloc(4 * bytes.length + 4);
	let [length, value, digits] = [0, 0, 0];
	for (const code of bytes) {
		if (code === 126) break;
		if (isWhiteSpace(code)) continue;
		if (code === 122 && digits === 0) {
			length += 4;
			continue;
		}
		if (code < 33 || code > 117) throw new Unreadable('damaged', 'Not ASCII base-85');
		value = value * 85 + code - 33;
		if (++digits < 5) continue;
		result.writeUInt32BE(value % 2 ** 32, length);
		length += 4;
		value = digits = 0;
	}
	if (digits < 2) return result.subarray(0, length);
	for (let missing = digits; missing < 5; missing++) value = value * 85 + 84;
	result.writeUInt32BE(value % 2 ** 32, length);
	return result.subarray(0, length + digits - 1);
}

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
async function inflate(bytes: Uint8Array, budget: Budget): Promise<Uint8Array> {
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
			await budget.pauseIfDue();
		}
	} catch (thrown) {
		return { failure: (thrown as { code?: unknown }).code };
	}
	if (size > budget.limits.streamBytes)
		throw new Unreadable('limit', 'A stream unpacks to too many bytes');
	return Buffer.concat(chunks);
}

/** Undoes the predictor functions of PNG (7.4.4.4), which cross-reference streams have. */
function undoPredictor(bytes: Uint8Array, parameters: Dictionary): Uint8Array {
	const predictor = getNumber(parameters, 'Predictor', 1);
	if (predictor === 1) return bytes;
	if (predictor < 10) throw new Unreadable('unsupported', `Predictor ${predictor}`);
	const bits = getNumber(parameters, 'Colors', 1) * getNumber(parameters, 'BitsPerComponent', 8);
	const pixel = Math.max(1, (bits + 7) >> 3);
	const row = (bits * getNumber(parameters, 'Columns', 1) + 7) >> 3;
	if (!(row > 0)) throw new Unreadable('damaged', 'Lines without bytes');
	const rows = Math.ceil(bytes.length / (row + 1));
	const result = new Uint8Array(rows * row);
	for (let index = 0; index < rows; index++) {
		const from = index * (row + 1) + 1;
		const to = index * row;
		for (let n = 0; n < row && from + n < bytes.length; n++) {
			const left = n < pixel ? 0 : result[to + n - pixel];
			const up = index === 0 ? 0 : result[to + n - row];
			const upperLeft = n < pixel || index === 0 ? 0 : result[to + n - row - pixel];
			result[to + n] = bytes[from + n] + computePrediction(bytes[from - 1], left, up, upperLeft);
		}
	}
	return result;
}

/** What a byte is predicted to be, by the type of its row in PNG. */
function computePrediction(type: number, left: number, up: number, upperLeft: number): number {
	if (type === 0) return 0;
	if (type === 1) return left;
	if (type === 2) return up;
	if (type === 3) return (left + up) >> 1;
	const [byLeft, byUp] = [Math.abs(up - upperLeft), Math.abs(left - upperLeft)];
	const byUpperLeft = Math.abs(left + up - 2 * upperLeft);
	if (byLeft <= byUp && byLeft <= byUpperLeft) return left;
	return byUp <= byUpperLeft ? up : upperLeft;
}
