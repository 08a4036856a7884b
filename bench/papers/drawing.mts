import type { Block, Look, NamePlace, Pages, Signer } from './blocks.mts';

/** Papers as drawings: what is drawn where, in points from the bottom left. */

export type FontName =
	'Helvetica' | 'Helvetica-Bold' | 'Times-Roman' | 'Times-Bold' | 'ZapfDingbats';

export type Mark =
	| {
			text: string;
			x: number;
			y: number;
			size: number;
			font: FontName;
			/** The width to which spaces stretch the text. */
			width?: number;
			/** Between letters. */
			spacing?: number;
			/** It's a further part of the word before it. */
			isPart?: boolean;
			/** Degrees counterclockwise. */
			angle?: number;
	  }
	| { line: [x1: number, y1: number, x2: number, y2: number] }
	| { box: [x: number, y: number, width: number, height: number]; isFilled: boolean }
	| { field: string; x: number; y: number; width: number; height: number; size: number };

export interface Sheet {
	marks: Mark[];
	change?: Look['lastPage'];
}

/** The width of a text in points. */
export type Measure = (text: string, font: FontName, size: number) => number;

const LEFT = 60;
const WIDTH = 492;
const TOP = 730;

export const draw = (pages: Pages, look: Look, measure: Measure): Sheet[] =>
	pages.map((blocks, index) => ({
		marks: new SheetWriter(look, measure).write(blocks),
		...(index === pages.length - 1 && { change: look.lastPage }),
	}));

/** Fills a page from the top. */
class SheetWriter {
	readonly #look: Look;
	readonly #measure: Measure;
	readonly #plain: FontName;
	readonly #bold: FontName;
	readonly #marks: Mark[] = [];
	#y = TOP;

	constructor(look: Look, measure: Measure) {
		this.#look = look;
		this.#measure = measure;
		this.#plain = look.font === 'sans' ? 'Helvetica' : 'Times-Roman';
		this.#bold = look.font === 'sans' ? 'Helvetica-Bold' : 'Times-Bold';
	}

	write(blocks: Block[]): Mark[] {
		const { header, footer } = this.#look;
		if (header !== undefined) this.#print(header, LEFT, 764, { size: 8 });
		for (const block of blocks) this.#writeBlock(block);
		if (footer !== undefined) this.#print(footer, LEFT, 28, { size: 8 });
		return this.#marks;
	}

	#print(text: string, x: number, y: number, odd: Partial<Extract<Mark, { text: string }>> = {}) {
		if (text !== '')
			this.#marks.push({ text, x, y, size: this.#look.size, font: this.#plain, ...odd });
	}

	#advance(lines = 1) {
		this.#y -= this.#look.size * 1.25 * lines;
	}

	#writeBlock(block: Block) {
		if ('heading' in block) this.#writeHeading(block.heading);
		else if ('text' in block) this.#writeProse(block.text, block.isJustified);
		else if ('signers' in block) this.#writeSigners(block.signers, block.names, block.hasDate);
		else if ('boxes' in block)
			for (const [index, label] of block.boxes.entries()) this.#writeBox(label, index);
		else if ('table' in block) this.#writeTable(block.table);
		else this.#writeStamp(block.stamp);
	}

	/** Over what was printed last, or beside everything. */
	#writeStamp(stamp: string) {
		const odd = { size: 15, font: this.#bold };
		const last = this.#marks.findLast((mark) => 'text' in mark);
		if (this.#look.stampsOver && last !== undefined) this.#print(stamp, last.x + 8, last.y, odd);
		else this.#print(stamp, 400, 560, { ...odd, angle: 20 });
	}

	/** Small capitals are capitals in two sizes. */
	#writeHeading(heading: string) {
		const { size, letterSpacing: spacing, smallCaps } = this.#look;
		const large = size * 1.4;
		this.#advance(0.6);
		if (smallCaps) {
			let x = LEFT + 100;
			for (const part of heading.match(/[a-z’]+|[^a-z’]+/g) ?? []) {
				const isSmall = /^[a-z’]/.test(part);
				const text = part.toUpperCase();
				const partSize = isSmall ? large * 0.8 : large;
				this.#print(text, x, this.#y, {
					size: partSize,
					font: this.#bold,
					isPart: x > LEFT + 100,
				});
				x += this.#measure(text, this.#bold, partSize);
			}
		} else this.#print(heading, LEFT + 100, this.#y, { size: large, font: this.#bold, spacing });
		this.#advance(2);
	}

	#writeProse(text: string, isJustified = false) {
		const hasColumns = this.#look.hasColumns === true && text.length > 150;
		const width = hasColumns ? (WIDTH - 24) / 2 : WIDTH;
		const lines = this.#breakLines(text, width);
		const rows = hasColumns ? Math.ceil(lines.length / 2) : lines.length;
		const top = this.#y;
		for (const [index, line] of lines.entries()) {
			const isLast = index === lines.length - 1;
			const x = LEFT + Math.floor(index / rows) * (width + 24);
			const y = top - (index % rows) * this.#look.size * 1.25;
			this.#print(line, x, y, isJustified && !isLast ? { width } : {});
		}
		this.#advance(rows + 0.6);
	}

	#breakLines(text: string, width: number): string[] {
		const lines: string[] = [];
		for (const word of text.split(' ')) {
			const longer = `${lines.at(-1) ?? ''} ${word}`;
			const fits = lines.length > 0 && this.#measure(longer, this.#plain, this.#look.size) <= width;
			if (fits) lines[lines.length - 1] = longer;
			else lines.push(word);
		}
		return lines;
	}

	#writeSigners(signers: Signer[], names: NamePlace, hasDate = false) {
		this.#advance(1);
		const at = (write: (signer: Signer, x: number) => void) => {
			for (const [index, signer] of signers.entries()) write(signer, LEFT + index * 256);
			this.#advance(1.1);
		};
		const name = (signer: Signer, x: number) => this.#writeName(signer.name, x);
		const label = (signer: Signer, x: number) => this.#print(signer.label, x, this.#y);
		const line = (_: Signer, x: number) => this.#print('_'.repeat(32), x, this.#y);
		const rows: Record<NamePlace, Array<(signer: Signer, x: number) => void>> = {
			on: [(signer, x) => this.#print(`____${signer.name}________`, x, this.#y), label],
			over: [
				(signer, x) => {
					line(signer, x);
					this.#writeName(signer.name, x + 14);
				},
				label,
			],
			above: [
				name,
				(_, x) => this.#marks.push({ line: [x, this.#y + 6, x + 200, this.#y + 6] }),
				label,
			],
			below: [line, name, label],
		};
		for (const write of rows[names]) at(write);
		if (hasDate) at((_, x) => this.#print('Date ______________', x, this.#y));
		this.#advance(1);
	}

	/** A value that's typed in, in a form field if the paper has some. */
	#writeName(name: string, x: number) {
		const { hasFields, size } = this.#look;
		if (hasFields && name !== '')
			this.#marks.push({ field: name, x, y: this.#y - 3, width: 190, height: size + 4, size });
		else this.#print(name, x, this.#y);
	}

	/** Every other label begins right behind its box. */
	#writeBox(label: string, index: number) {
		const { sign, size } = this.#look;
		const isChecked = index === 1;
		if (sign === 'drawn') this.#marks.push({ box: [LEFT, this.#y, 8, 8], isFilled: isChecked });
		else this.#print(isChecked ? '✔' : '❏', LEFT, this.#y, { font: 'ZapfDingbats' });
		const signWidth =
			sign === 'drawn' ? 8.5 : this.#measure(isChecked ? '✔' : '❏', 'ZapfDingbats', size);
		this.#print(label, LEFT + signWidth + (index % 2 === 0 ? 5 : 0.2), this.#y);
		this.#advance(1.4);
	}

	#writeTable(table: string[][]) {
		const { size } = this.#look;
		for (const cells of table) {
			const width = WIDTH / cells.length;
			for (const [index, cell] of cells.entries()) {
				const x = LEFT + index * width;
				this.#marks.push({ box: [x, this.#y - 4, width, size + 6], isFilled: false });
				this.#print(cell, x + 4, this.#y);
			}
			this.#y -= size + 6;
		}
		this.#advance(1);
	}
}
