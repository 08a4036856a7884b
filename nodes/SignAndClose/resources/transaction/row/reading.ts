import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../../messages/explainedFailure';
import { parseEach } from '../../../messages/faults';
import { asError } from '../../../transport/failure/failure';
import { READERS, textOfCell, type Cell } from './cells';
import type { Meaning } from './headings';

/* What is noted while a row is read. */

/** The cells of somebody or something, by the names of their targets. */
export type Cells = Map<string, Cell>;

/** A column and its cell in a row. */
export type Column = Meaning & Cell;

/** What becomes of cells in a form. */
export interface CellForm {
	/** What the form calls differently. */
	formNames: ReadonlyMap<string, string>;
	/** What isn't left out when it can't be read. */
	needed?: readonly string[];
	/** @throws InputFailure when the values, these new ones among them, can't be used */
	check(values: IDataObject, added: readonly string[]): void;
}

/** The reading of one row. */
export class Reading {
	/** Headings of columns that fill in something, or of which a remark tells. */
	readonly used = new Set<string>();

	readonly remarks: string[] = [];

	/** @param row how messages name the row */
	constructor(
		readonly row: string,
		private readonly columns: Column[],
		private readonly isMapped: boolean,
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
	 * Reads cells in turn, as values of a form. A cell that isn't needed and can't be used beside those
	 * before is left out.
	 * @param groups names of cells; those of one group need each other
	 * @param start values that are there before
	 * @throws InputFailure with all that's needed and can't be used
	 */
	assemble(
		cells: Cells,
		groups: ReadonlyArray<readonly string[]>,
		{ formNames, needed = [], check }: CellForm,
		start: IDataObject = {},
	): IDataObject {
		let values = start;
		parseEach(groups, (group) => {
			const names = group.filter((name) => cells.get(name)?.value !== undefined);
			if (names.length === 0) return;
			const given = names.map((name) => cells.get(name)!);
			const add = () => {
				const next = { ...values };
				for (const [index, name] of names.entries())
					next[formNames.get(name) ?? name] = (READERS[name] ?? textOfCell)(given[index], next);
				check(next, names);
				values = next;
				this.use(given);
			};
			if (group.some((name) => needed.includes(name))) add();
			else this.optional(given, add);
		});
		return values;
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
		const vague = this.columns.flatMap(({ label: heading, bare }) =>
			bare !== undefined && isIt(bare) ? [`'${heading}' doesn't say whose it is. `] : [],
		);
		return new InputFailure(
			label,
			'has no column',
			`${vague.join('')}Give a column this heading, or set 'Fields From' to 'Input Items, Columns Mapped by Hand'`,
		);
	}
}
