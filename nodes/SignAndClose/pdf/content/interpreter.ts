import type { PdfDocument } from '../document/document';
import type { PageObject, Rectangle } from '../document/pageTree';
import { readFont, type Font } from '../fonts/font';
import { MAX_NESTED_FORMS, MAX_OPERANDS, MAX_SAVED_STATES, type Budget } from '../limits';
import {
	isDictionary,
	Keyword,
	numbersOf,
	Stream,
	type Dictionary,
	type PdfObject,
} from '../syntax/objects';
import { END, isWhiteSpace, Parser } from '../syntax/parser';
import { Unreadable } from '../unreadable';
import { IDENTITY, matrixOf, multiply, type Matrix } from './matrix';
import { Runs } from './runs';

/** What a page shows, besides the runs: how much of it are pictures and drawings. */
export interface Marks {
	runs: Runs;
	/** In square units of user space; pictures on top of each other count each. */
	pictureArea: number;
	/** Curves that are drawn, of which outlines of letters have many. */
	curves: number;
}

/** The parts of the graphics state and the text state that matter here (8.4, 9.3). */
interface GraphicsState {
	ctm: Matrix;
	font: Font | undefined;
	fontSize: number;
	characterSpacing: number;
	wordSpacing: number;
	/** Horizontal scaling, 1 for 100 %. */
	scaling: number;
	leading: number;
	rise: number;
}

const INITIAL_STATE: GraphicsState = {
	ctm: IDENTITY,
	font: undefined,
	fontSize: 0,
	characterSpacing: 0,
	wordSpacing: 0,
	scaling: 1,
	leading: 0,
	rise: 0,
};

/** Operators between two looks at the clock. */
const OPERATORS_AT_ONCE = 200;

/** Bytes behind an inline image that have to look like operators, for its end to be its end. */
const BYTES_BEHIND_IMAGE = 12;

/** Shows what the content of a page shows (7.8.2). */
export class ContentInterpreter {
	readonly marks: Marks;

	private state: GraphicsState = { ...INITIAL_STATE };

	private saved: GraphicsState[] = [];

	private textMatrix = IDENTITY;

	private lineMatrix = IDENTITY;

	/** A glyph of unknown width came, so that nobody knows where the next ones are. */
	private isLost = false;

	private readonly budget: Budget;

	private readonly openForms = new Set<Stream>();

	private constructor(
		private readonly document: PdfDocument,
		private readonly fonts: WeakMap<Dictionary, Font>,
		visible: Rectangle,
	) {
		this.budget = document.budget;
		this.marks = { runs: new Runs(visible), pictureArea: 0, curves: 0 };
	}

	/**
	 * @param fonts those that are known; new ones are added
	 * @throws Unreadable when the content can't be read, or has too much in it
	 */
	static async interpret(
		document: PdfDocument,
		page: PageObject,
		visible: Rectangle,
		fonts: WeakMap<Dictionary, Font>,
	): Promise<Marks> {
		const parts: Uint8Array[] = [];
		let size = 0;
		for (const part of await document.elements(page.dictionary.get('Contents'))) {
			if (!(part instanceof Stream)) throw new Unreadable('damaged', 'The content is no stream');
			const bytes = await document.unpacked(part);
			size += bytes.length;
			if (size > document.budget.limits.streamBytes)
				throw new Unreadable('limit', 'The content is too long');
			// A part can't end within a token.
			parts.push(bytes, Uint8Array.of(10));
		}
		const interpreter = new ContentInterpreter(document, fonts, visible);
		await interpreter.run(Buffer.concat(parts), page.resources);
		return interpreter.marks;
	}

	private async run(content: Uint8Array, resources: Dictionary): Promise<void> {
		const parser = new Parser(content, 0, false);
		let operands: PdfObject[] = [];
		for (let count = 1; ; count++) {
			const next = parser.next();
			if (next === END) return;
			if (!(next instanceof Keyword)) {
				if (operands.push(next) > MAX_OPERANDS)
					throw new Unreadable('damaged', 'Operands without an operator');
				continue;
			}
			this.budget.spend('operators');
			if (next.word === 'BI') this.showInlineImage(parser);
			else if (next.word === 'Do') await this.showXObject(resources, operands[0]);
			else if (next.word === 'Tf') await this.selectFont(resources, operands);
			else this.perform(next.word, operands);
			if (operands.length > 0) operands = [];
			if (count % OPERATORS_AT_ONCE === 0) await this.budget.due();
		}
	}

	/** Performs the operators that need nothing but their operands (Annex A). */
	private perform(operator: string, operands: PdfObject[]): void {
		const { state } = this;
		const number = (index: number): number => {
			const operand = operands[index];
			return typeof operand === 'number' ? operand : 0;
		};
		switch (operator) {
			case 'q':
				if (this.saved.push({ ...state }) > MAX_SAVED_STATES)
					throw new Unreadable('limit', 'Too many graphics states are saved');
				return;
			case 'Q':
				this.state = this.saved.pop() ?? state;
				return;
			case 'cm':
				state.ctm = multiply(matrixOf(numbersOf(operands)) ?? IDENTITY, state.ctm);
				return;
			case 'BT':
				return this.setTextMatrix(IDENTITY);
			case 'Tm':
				return this.setTextMatrix(matrixOf(numbersOf(operands)) ?? IDENTITY);
			case 'TD':
				state.leading = -number(1);
				return this.moveLine(number(0), number(1));
			case 'Td':
				return this.moveLine(number(0), number(1));
			case 'T*':
				return this.moveLine(0, -state.leading);
			case 'Tc':
				state.characterSpacing = number(0);
				return;
			case 'Tw':
				state.wordSpacing = number(0);
				return;
			case 'Tz':
				state.scaling = number(0) / 100;
				return;
			case 'TL':
				state.leading = number(0);
				return;
			case 'Ts':
				state.rise = number(0);
				return;
			case 'Tj':
				return this.showText(operands[0]);
			case 'TJ':
				return this.showTexts(operands[0]);
			case '"':
				state.wordSpacing = number(0);
				state.characterSpacing = number(1);
				this.moveLine(0, -state.leading);
				return this.showText(operands[2]);
			case "'":
				this.moveLine(0, -state.leading);
				return this.showText(operands[0]);
			case 'c':
			case 'v':
			case 'y':
				this.marks.curves++;
		}
	}

	private setTextMatrix(matrix: Matrix): void {
		this.textMatrix = this.lineMatrix = matrix;
		this.isLost = false;
	}

	private moveLine(x: number, y: number): void {
		this.setTextMatrix(multiply([1, 0, 0, 1, x, y], this.lineMatrix));
	}

	private async selectFont(resources: Dictionary, [name, size]: PdfObject[]): Promise<void> {
		const fonts = await this.document.dictionaryAt(resources, 'Font');
		const dictionary = await this.document.get(fonts.get(String(name)));
		this.state.fontSize = typeof size === 'number' ? size : 0;
		this.state.font = undefined;
		if (!isDictionary(dictionary)) return;
		let font = this.fonts.get(dictionary);
		if (font === undefined) {
			font = await readFont(this.document, dictionary);
			this.fonts.set(dictionary, font);
		}
		this.state.font = font;
	}

	private showTexts(array: PdfObject | undefined): void {
		if (!Array.isArray(array)) return;
		for (const element of array) {
			if (typeof element === 'number')
				this.advance((-element / 1000) * this.state.fontSize * this.state.scaling);
			else this.showText(element);
		}
	}

	/** Shows a string (9.4.4). */
	private showText(text: PdfObject | undefined): void {
		const { font, fontSize, scaling, rise, ctm } = this.state;
		if (!(text instanceof Uint8Array)) return;
		if (font === undefined) {
			// Viewers show it in a font of their own, wherever it ends.
			this.marks.runs.glyphs += text.length;
			this.isLost = true;
			return;
		}
		const glyphs = font.glyphsOf(text);
		this.budget.spend('glyphs', glyphs.length);
		this.budget.spend('pageGlyphs', glyphs.length);
		const size: Matrix = [fontSize * scaling, 0, 0, fontSize, 0, rise];
		for (const { text: known, width, isWordSpace } of glyphs) {
			const matrix = multiply(multiply(size, this.textMatrix), ctm);
			this.isLost ||= width === undefined;
			this.marks.runs.add(this.isLost ? undefined : known, matrix, width ?? 0, font.emHeight);
			const spacing = this.state.characterSpacing + (isWordSpace ? this.state.wordSpacing : 0);
			this.advance(((width ?? 0) * fontSize + spacing) * scaling);
		}
	}

	private advance(distance: number): void {
		const [a, b, c, d, e, f] = this.textMatrix;
		this.textMatrix = [a, b, c, d, e + distance * a, f + distance * b];
	}

	/** Shows a form or an image (8.8). */
	private async showXObject(resources: Dictionary, name: PdfObject | undefined): Promise<void> {
		const { document, state } = this;
		const xObjects = await document.dictionaryAt(resources, 'XObject');
		const xObject = await document.get(xObjects.get(String(name)));
		if (!(xObject instanceof Stream)) return;
		const { dictionary } = xObject;
		if (dictionary.get('Subtype') === 'Image') return this.showImage();
		if (dictionary.get('Subtype') !== 'Form' || this.openForms.has(xObject)) return;
		if (this.openForms.size >= MAX_NESTED_FORMS)
			throw new Unreadable('limit', 'Forms are nested too deep');
		const content = await document.unpacked(xObject);
		const matrix = matrixOf(numbersOf(await document.elements(dictionary.get('Matrix'))));
		const own = dictionary.has('Resources')
			? await document.dictionaryAt(dictionary, 'Resources')
			: resources;
		const { saved, textMatrix, lineMatrix } = this;
		this.state = { ...state, ctm: multiply(matrix ?? IDENTITY, state.ctm) };
		this.saved = [];
		this.openForms.add(xObject);
		await this.run(content, own);
		this.openForms.delete(xObject);
		Object.assign(this, { state, saved, textMatrix, lineMatrix });
	}

	/** An image fills the unit square (8.9.3). */
	private showImage(): void {
		const [a, b, c, d] = this.state.ctm;
		this.marks.pictureArea += Math.abs(a * d - b * c);
	}

	/** An image in the content itself (8.9.7). Its end has no mark that can't be in its data, too. */
	private showInlineImage(parser: Parser): void {
		parser.dictionary();
		const { bytes } = parser;
		for (let at = parser.position + 1; at + 2 < bytes.length; at++) {
			const isEnd =
				bytes[at] === 69 &&
				bytes[at + 1] === 73 &&
				isWhiteSpace(bytes[at - 1]) &&
				isWhiteSpace(bytes[at + 2]);
			const behind = bytes.subarray(at + 3, at + 3 + BYTES_BEHIND_IMAGE);
			if (!isEnd || behind.some((byte) => byte > 126 || (byte < 32 && !isWhiteSpace(byte))))
				continue;
			parser.position = at + 2;
			return this.showImage();
		}
		throw new Unreadable('damaged', 'An inline image has no end');
	}
}
