import type { Budget } from '../bounds/limits';
import { isWhiteSpace } from '../syntax/parser';
import { latin1, type Dictionary } from '../syntax/objects';
import { Unreadable } from '../bounds/unreadable';
import { inflate } from './inflate';
import { undoPredictor } from './predictor';

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
	else if (name === 'ASCII85Decode') result = ascii85(bytes);
	else if (name === 'ASCIIHexDecode') result = asciiHexadecimal(bytes);
	else throw new Unreadable('unsupported', `Filter ${String(name)}`);
	budget.spend('bytes', result.length);
	return result;
}

/** ASCII hexadecimal (7.4.2). */
const asciiHexadecimal = (bytes: Uint8Array): Uint8Array =>
	Buffer.from(
		latin1(bytes)
			.split('>')[0]
			.replace(/[^0-9a-f]/gi, ''),
		'hex',
	);

/** ASCII base-85 (7.4.3). */
function ascii85(bytes: Uint8Array): Uint8Array {
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
