/** The middle one of some numbers; the upper of the two middle ones when their count is even. */
export function median(numbers: number[]): number {
	return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}
