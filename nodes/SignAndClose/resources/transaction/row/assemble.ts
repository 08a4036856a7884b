import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../../messages/explainedFailure';
import { parseEach } from '../../../messages/faults';
import { splitName } from '../../signer/names';
import { READERS, textOfCell } from './cells';
import type { Cells, Reading } from './reading';
import { OWN_ADDRESSES } from './words';

/* Puts cells together as the values of a form: those of a signer, a contact or the transaction. */

/** How values are put together. */
export interface Assembly {
	reading: Reading;
	/** What the form calls differently. */
	formNames: ReadonlyMap<string, string>;
	/** What isn't left out when it can't be read. */
	needed: ReadonlySet<string>;
	/** @throws InputFailure when the values, these new ones among them, can't be used */
	check(values: IDataObject, added: readonly string[]): void;
}

/**
 * Reads cells in turn. A cell that isn't needed and can't be used beside those before is left out.
 * @param groups names of cells; those of one group need each other
 * @param start values that are there before
 * @throws InputFailure with all that's needed and can't be used
 */
export function assemble(
	cells: Cells,
	groups: ReadonlyArray<readonly string[]>,
	start: IDataObject,
	{ reading, formNames, needed, check }: Assembly,
): IDataObject {
	let values = start;
	parseEach(groups, (group) => {
		const names = group.filter((name) => cells.get(name)?.value !== undefined);
		const given = names.map((name) => cells.get(name)!);
		if (given.length === 0) return;
		const add = () => {
			const next = { ...values };
			for (const [index, name] of names.entries())
				next[formNames.get(name) ?? name] = (READERS[name] ?? textOfCell)(given[index], next);
			check(next, names);
			values = next;
			reading.use(given);
		};
		if (group.some((name) => needed.has(name))) add();
		else reading.optional(given, add);
	});
	return values;
}

/** The parts of an address; zip code and state depend on the country. */
export const PARTS = ['country', 'line1', 'line2', 'city', 'state', 'zip'];
export const NAMES = ['first_name', 'last_name'];
/** Of several, the first one counts. */
const PHONES = ['cell_phone', 'mobile_phone', 'phone', 'home_phone'];

/** The cells with a value, with one phone, and one address: parts of two addresses aren't mixed. */
export function filledOf(cells: Cells): Cells {
	const filled = new Map([...cells].filter(([, { value }]) => value !== undefined));
	const streets = OWN_ADDRESSES.filter((own) => filled.has(`${own}_line1`));
	const any = OWN_ADDRESSES.find((own) => PARTS.some((part) => filled.has(`${own}_${part}`)));
	// Parts that don't say of which address they are, are of the only street.
	const own = streets.length === 1 ? [streets[0], 'address'] : [streets[0] ?? any];
	const sources: Array<[string, string[]]> = [
		['phone', PHONES],
		...PARTS.map((part): [string, string[]] => [
			`address_${part}`,
			own.map((one) => `${one}_${part}`),
		]),
	];
	const chosen = new Map(filled);
	for (const [name, names] of sources) {
		chosen.delete(name);
		for (const cell of names.flatMap((one) => filled.get(one) ?? []).slice(0, 1))
			chosen.set(name, cell);
	}
	return chosen;
}

const wordsOf = (text: string) => text.toLowerCase().split(/[^\p{L}\d'’-]+/u);

/**
 * The names from a column with all of them. Where other columns give parts of it, they have to agree,
 * unless it names the entity for which somebody signs.
 * @throws InputFailure when it isn't certain how to split it
 */
export function splitOf(cells: Cells, reading: Reading): IDataObject {
	const cell = cells.get('name');
	if (cell === undefined) return {};
	const text = textOfCell(cell);
	const given = NAMES.flatMap((name) => cells.get(name) ?? []);
	const isWhole = given.length === NAMES.length;
	const entity = cells.get('entity');
	if (isWhole && entity !== undefined && textOfCell(entity) === text) return {};
	reading.use([cell]);
	const words = new Set(wordsOf(text));
	const other = given.find((part) => wordsOf(textOfCell(part)).some((word) => !words.has(word)));
	if (other === undefined) return isWhole ? {} : splitName(text, cell.label);
	throw new InputFailure(
		cell.label,
		`and '${other.label}' are about the same, and differ`,
		'Correct or remove one of the two',
	);
}
