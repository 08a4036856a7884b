import type { Budget } from '../limits';
import { isWhiteSpace } from '../syntax/parser';
import { latin1, type Dictionary } from '../syntax/objects';
import { Unreadable } from '../unreadable';
import { inflate } from './inflate';
import { undoPredictor } from './predictor';

/** Names of filters, with the abbreviations of inline images (Table 92). */
const FILTERS: Record<
	string,
	(bytes: Uint8Array, budget: Budget, parameters: Dictionary) => Uint8Array | Promise<Uint8Array>
> = {
	FlateDecode: async (bytes, budget, parameters) =>
		undoPredictor(await inflate(bytes, budget), parameters),
	ASCIIHexDecode: (bytes) =>
		Buffer.from(
			latin1(bytes)
				.split('>')[0]
				.replace(/[^0-9a-f]/gi, ''),
			'hex',
		),
	ASCII85Decode: ascii85,
};

/**
 * Undoes a filter of a stream (7.4). Pictures have filters of their own, which nobody needs here.
 * @throws Unreadable when it isn't known or the bytes aren't in its format
 */
export async function undoFilter(
	name: string,
	bytes: Uint8Array,
	parameters: Dictionary,
	budget: Budget,
): Promise<Uint8Array> {
	const filter = FILTERS[name];
	if (filter === undefined) throw new Unreadable('unsupported', `Filter ${name}`);
	const result = await filter(bytes, budget, parameters);
	budget.spend('bytes', result.length);
	return result;
}

/** ASCII base-85 (7.4.3). */
function ascii85(bytes: Uint8Array): Uint8Array {
	const result = new Uint8Array(4 * bytes.length);
	let length = 0;
	let group: number[] = [];
	const write = (digits: number[], count: number): void => {
		let value = digits.reduce((sum, digit) => sum * 85 + digit, 0);
		for (let index = 3; index >= 0; index--, value = Math.floor(value / 256))
			if (index < count) result[length + index] = value;
		length += count;
	};
	for (const code of bytes) {
		if (code === 126) break;
		if (isWhiteSpace(code)) continue;
		if (code === 122 && group.length === 0) length += 4;
		else if (code < 33 || code > 117) throw new Unreadable('damaged', 'Not ASCII base-85');
		else if (group.push(code - 33) === 5) {
			write(group, 4);
			group = [];
		}
	}
	if (group.length > 1) write([...group, 84, 84, 84, 84].slice(0, 5), group.length - 1);
	return result.subarray(0, length);
}
