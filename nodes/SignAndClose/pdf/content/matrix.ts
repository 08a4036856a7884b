/** A transformation (8.3.3): x' = a x + c y + e, y' = b x + d y + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** First one, then the other. */
export function multiply(first: Matrix, second: Matrix): Matrix {
	const [a, b, c, d, e, f] = first;
	const [A, B, C, D, E, F] = second;
	return [
		a * A + b * C,
		a * B + b * D,
		c * A + d * C,
		c * B + d * D,
		e * A + f * C + E,
		e * B + f * D + F,
	];
}

/** The matrix of six numbers; the identity if they aren't six. */
export const toMatrix = (numbers: number[]): Matrix =>
	numbers.length === 6 ? (numbers as unknown as Matrix) : IDENTITY;
