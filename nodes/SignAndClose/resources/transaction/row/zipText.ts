/**
 * Gives a zip code of a sheet its leading zeros back: a sheet that takes it for a number makes 2110
 * of 02110. Text stays as it is.
 * @returns undefined for anything but text or such a number
 */
export function zipText(value: unknown): string | undefined {
	if (typeof value === 'number' && Number.isInteger(value) && value >= 100 && value <= 99_999)
		return String(value).padStart(5, '0');
	return typeof value === 'string' ? value : undefined;
}
