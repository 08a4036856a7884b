import type { Dictionary } from '../syntax/objects';
import { Unreadable } from '../unreadable';

/** What a byte is predicted from, for each type of a row in PNG: its left, upper and upper left. */
const PNG_PREDICTIONS: ((left: number, up: number, upperLeft: number) => number)[] = [
	() => 0,
	(left) => left,
	(_, up) => up,
	(left, up) => (left + up) >> 1,
	(left, up, upperLeft) => {
		const [byLeft, byUp] = [Math.abs(up - upperLeft), Math.abs(left - upperLeft)];
		const byUpperLeft = Math.abs(left + up - 2 * upperLeft);
		return byLeft <= byUp && byLeft <= byUpperLeft ? left : byUp <= byUpperLeft ? up : upperLeft;
	},
];

/** Undoes the predictor functions of PNG (7.4.4.4), which cross-reference streams have. */
export function undoPredictor(bytes: Uint8Array, parameters: Dictionary): Uint8Array {
	const numberOf = (key: string, otherwise: number): number => {
		const value = parameters.get(key);
		return typeof value === 'number' ? value : otherwise;
	};
	const predictor = numberOf('Predictor', 1);
	if (predictor === 1) return bytes;
	if (predictor < 10) throw new Unreadable('unsupported', `Predictor ${predictor}`);
	const bits = numberOf('Colors', 1) * numberOf('BitsPerComponent', 8);
	const pixel = Math.max(1, (bits + 7) >> 3);
	const row = (bits * numberOf('Columns', 1) + 7) >> 3;
	if (!(row > 0)) throw new Unreadable('damaged', 'Rows without bytes');
	const rows = Math.ceil(bytes.length / (row + 1));
	const result = new Uint8Array(rows * row);
	for (let index = 0; index < rows; index++) {
		const from = index * (row + 1);
		const predict = PNG_PREDICTIONS[bytes[from]];
		if (predict === undefined) throw new Unreadable('damaged', 'No such predictor in PNG');
		const to = index * row;
		const count = Math.min(row, bytes.length - from - 1);
		for (let n = 0; n < count; n++) {
			const left = n < pixel ? 0 : result[to + n - pixel];
			const up = index === 0 ? 0 : result[to + n - row];
			const upperLeft = n < pixel || index === 0 ? 0 : result[to + n - row - pixel];
			result[to + n] = bytes[from + 1 + n] + predict(left, up, upperLeft);
		}
	}
	return result;
}
