import { type Budget, Unreadable } from '../bounds/limits';
import { decodeHexadecimal } from '../syntax/parser';
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
	budget.spend('bytes', bytes.length);
	if (name === 'FlateDecode') return undoPredictor(await inflate(bytes, budget), parameters);
	if (name === 'ASCII85Decode') return decodeAscii85(bytes);
	if (name === 'ASCIIHexDecode') return decodeHexadecimal(toLatin1(bytes).split('>')[0]);
	throw new Unreadable('unsupported', `Filter ${String(name)}`);
}

/** ASCII base-85 (7.4.3). */
function decodeAscii85(bytes: Uint8Array): Uint8Array {
	const digits = toLatin1(bytes)
		.split('~')[0]
		.replace(/[\s\0]/g, '')
		.replace(/z/g, '!!!!!');
	if (/[^!-u]/.test(digits)) throw new Unreadable('damaged', 'Not ASCII base-85');
	const whole = digits.padEnd(Math.ceil(digits.length / 5) * 5, 'u');
	const result = Buffer.alloc((whole.length / 5) * 4);
	for (let at = 0; at < whole.length; at += 5) {
		let value = 0;
		for (let n = at; n < at + 5; n++) value = value * 85 + whole.charCodeAt(n) - 33;
		result.writeUInt32BE(value % 2 ** 32, (at / 5) * 4);
	}
	return result.subarray(0, Math.floor((digits.length * 4) / 5));
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
	const headers = { deflate: 0, 'deflate-raw': 2 } as const;
	for (const format of ['deflate', 'deflate-raw'] as const)
		for (let trailing = 0; trailing <= MAX_TRAILING_BYTES; trailing++) {
			const part = bytes.subarray(headers[format], bytes.length - trailing);
			const result = await unpack(format, part, budget).catch((thrown: unknown) =>
				thrown instanceof Unreadable ? Promise.reject(thrown) : (thrown as { code?: unknown }),
			);
			if (result instanceof Uint8Array) return result;
			if (result.code !== TRAILING_BYTES) break;
		}
	throw new Unreadable('damaged', 'A stream is not in deflate format, or was cut');
}

async function unpack(
	format: CompressionFormat,
	bytes: Uint8Array,
	budget: Budget,
): Promise<Uint8Array> {
	const packed = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream();
	const unpacked = packed.pipeThrough(new DecompressionStream(format));
	const chunks: Uint8Array[] = [];
	let size = 0;
	// An early end of the loop ends the unpacking, too.
	for await (const chunk of unpacked as unknown as AsyncIterable<Uint8Array>) {
		size += chunk.length;
		if (size > budget.limits.streamBytes)
			throw new Unreadable('limit', 'A stream unpacks to too many bytes');
		budget.spend('bytes', chunk.length);
		chunks.push(chunk);
		await budget.pauseIfDue();
	}
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
