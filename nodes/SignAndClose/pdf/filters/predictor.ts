import { numberAt, type Dictionary } from '../syntax/objects';
import { Unreadable } from '../bounds/unreadable';

/** Undoes the predictor functions of PNG (7.4.4.4), which cross-reference streams have. */
export function undoPredictor(bytes: Uint8Array, parameters: Dictionary): Uint8Array {
	const predictor = numberAt(parameters, 'Predictor', 1);
	if (predictor === 1) return bytes;
	if (predictor < 10) throw new Unreadable('unsupported', `Predictor ${predictor}`);
	const bits = numberAt(parameters, 'Colors', 1) * numberAt(parameters, 'BitsPerComponent', 8);
	const pixel = Math.max(1, (bits + 7) >> 3);
	const row = (bits * numberAt(parameters, 'Columns', 1) + 7) >> 3;
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
			result[to + n] = bytes[from + n] + prediction(bytes[from - 1], left, up, upperLeft);
		}
	}
	return result;
}

/** What a byte is predicted to be, by the type of its row in PNG. */
function prediction(type: number, left: number, up: number, upperLeft: number): number {
	if (type === 0) return 0;
	if (type === 1) return left;
	if (type === 2) return up;
	if (type === 3) return (left + up) >> 1;
	const [byLeft, byUp] = [Math.abs(up - upperLeft), Math.abs(left - upperLeft)];
	const byUpperLeft = Math.abs(left + up - 2 * upperLeft);
	if (byLeft <= byUp && byLeft <= byUpperLeft) return left;
	return byUp <= byUpperLeft ? up : upperLeft;
}
