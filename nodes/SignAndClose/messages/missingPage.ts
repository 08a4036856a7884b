import type { Place } from './situation';

/*
 * Explains that a designation is on a page that the document doesn't have. Rows count pages from 1,
 * the service counts them from 0 (docs/service/documents.md#coordinates).
 */

const MISSING = /\bpage_number (\d+)\b.*(\bnot exist\b|\bout of range\b|\bbeyond\b|\binvalid\b)/i;

/**
 * Explains the refusal in the numbers that the person has typed.
 * @returns undefined for any other text
 */
export function explainMissingPage(
	text: string,
	place: Place,
): { message?: string; remedy: string } | undefined {
	const found = MISSING.exec(text);
	if (found === null) return undefined;
	const page = Number(found[1]) + 1;
	if (!place.has('Page')) return { remedy: `The document has no page ${page}` };
	if (place.operation === undefined || place.valueOf('specifyDesignations') === 'json')
		return { remedy: `Correct "page_number" in 'Designations (JSON)', where the first page is 0` };
	const row = rowsIn(place.valueOf('designations')).findIndex((one) => Number(one.page) === page);
	const where = row < 0 ? '' : `, designation ${row + 1}`;
	return {
		message: `'Designations'${where}: the document has no page ${page}`,
		remedy: "Correct 'Page': the first page is 1",
	};
}

/** The rows as the editor stores them, or as an expression returns them. */
function rowsIn(value: unknown): Array<{ page?: unknown }> {
	const rows = Array.isArray(value) ? value : (value as { row?: unknown } | null)?.row;
	return Array.isArray(rows) ? rows.filter((row) => typeof row === 'object' && row !== null) : [];
}
