import { InputFailure } from '../../../messages/explainedFailure';
import { asError } from '../../../transport/failure/failure';
import type { Cell } from './cells';

/* What is noted while a row is read. */

/** The cells of somebody or something, by the names of their targets. */
export type Cells = Map<string, Cell>;

/** What an item tells of its row, for the hint of the whole run. */
export interface RowNote {
	/** How messages name the row. */
	row: string;
	/** Headings, and what they fill in. */
	used: Array<[heading: string, what: string]>;
	/** Headings of columns that fill in nothing, though they have a value or mean nothing. */
	unused: string[];
	/** What was left out or is missing. */
	remarks: string[];
}

/** The reading of one row. */
export class Reading {
	/** Headings of columns that fill in something, or of which a remark tells. */
	readonly used = new Set<string>();

	readonly remarks: string[] = [];

	/**
	 * @param row how messages name the row
	 * @param vague headings that don't say whose they are, and what they tell
	 */
	constructor(
		readonly row: string,
		private readonly isMapped: boolean,
		private readonly vague: Array<[heading: string, name: string]>,
	) {}

	use(cells: Cell[]): void {
		for (const { label } of cells) this.used.add(label);
	}

	/**
	 * Reads cells that aren't needed. What can't be read is left out, and said after the run.
	 * @param what how the remark calls what was left out
	 */
	optional<T>(cells: Cell[], read: () => T, what = 'it'): T | undefined {
		this.use(cells);
		try {
			return read();
		} catch (thrown) {
			if (!(thrown instanceof InputFailure)) throw asError(thrown);
			const labels = cells.map(({ label }) => label);
			const about = labels.includes(thrown.parameter) ? '' : `'${labels.join("' and '")}': `;
			this.remarks.push(`${about}${thrown.message}, so ${what} was left out`);
			return undefined;
		}
	}

	/**
	 * Says what is missing.
	 * @param label the heading, or the one that a column for it could have
	 * @param name what is missing
	 * @param hasColumn whether only the cell is empty
	 */
	missing(label: string, name: string, hasColumn: boolean): InputFailure {
		if (this.isMapped)
			return new InputFailure(label, 'is empty', 'Map a column that has a value in every row');
		if (hasColumn)
			return new InputFailure(label, 'is empty', 'Fill in the cell, or leave the row out');
		const isIt = (other: string) =>
			other === name || [other, name].every((one) => /name$/.test(one));
		const vague = this.vague.flatMap(([heading, other]) =>
			isIt(other) ? [`'${heading}' doesn't say whose it is. `] : [],
		);
		return new InputFailure(
			label,
			'has no column',
			`${vague.join('')}Give a column this heading, or set 'Fields From' to 'Input Items, Columns Mapped by Hand'`,
		);
	}
}
