import type { PdfDocument } from '../document/document';
import { intersect, readContents, type PageObject, type Rectangle } from '../document/pageTree';
import { FontReader, type Font } from '../fonts/font';
import {
	getReason,
	MAX_NESTED_FORMS,
	MAX_OPERANDS,
	MAX_SAVED_STATES,
	Unreadable,
} from '../bounds/limits';
import { isDictionary, Keyword, listNumbers, Stream } from '../syntax/objects';
import type { Dictionary, PdfObject } from '../syntax/objects';
import { END, Parser } from '../syntax/parser';
import { IDENTITY, toMatrix, multiply, type Matrix } from './matrix';
import { computePlace, hasMadeUpText, readAnnotations, type Annotation } from './annotations';
import { type GraphicsState, INITIAL_STATE, PARAMETERS } from './graphicsState';
import { Layers } from './layers';
import { Marks } from './marks';

/** As how many operators the showing of a form counts, since it takes so long. */
const OPERATORS_OF_FORM = 30;

/** The rendering mode of text that isn't shown (Table 104). */
const INVISIBLE = 3;

/** Shows what the contents of the pages of a document show (7.8.2). */
export class ContentInterpreter {
	private readonly fonts = new Map<Dictionary, Font>();

	private marks!: Marks;

	private state = INITIAL_STATE;

	private saved: GraphicsState[] = [];

	private textMatrix = IDENTITY;

	private lineMatrix = IDENTITY;

	/** A glyph of unknown width came, so that nobody knows where the next ones are. */
	private isLost = false;

	private readonly openForms = new Set<Stream>();

	private layers!: Layers;

	constructor(private readonly document: PdfDocument) {}

	/**
	 * What's on a page, with its annotations.
	 * @throws Unreadable when the content can't be read, or has too much in it
	 */
	async readMarks(page: PageObject): Promise<Marks> {
		this.layers ??= await Layers.open(this.document);
		this.marks = new Marks(page.cropBox);
		this.begin(IDENTITY);
		await this.run(await readContents(this.document, page), page.resources);
		for (const annotation of await readAnnotations(this.document, page.annotations))
			await this.showAnnotation(annotation, page.cropBox);
		return this.marks;
	}

	private begin(ctm: Matrix): void {
		Object.assign(this, { state: { ...INITIAL_STATE, ctm }, saved: [] });
		this.layers.begin();
		this.setTextMatrix(IDENTITY);
		this.openForms.clear();
	}

	/** Shows an annotation in its box (12.5.5). One that can't be shown isn't read. */
	private async showAnnotation(annotation: Annotation, cropBox: Rectangle): Promise<void> {
		const { document, marks } = this;
		const { dictionary, box, appearance } = annotation;
		if (await this.layers.isOff(dictionary.get('OC'))) return;
		if (await hasMadeUpText(document, annotation)) marks.unreadAnnotations++;
		if (appearance === undefined) return;
		this.begin(await computePlace(document, appearance, box));
		marks.visible = intersect(cropBox, box);
		await this.showForm(appearance, new Map()).catch((thrown: unknown) => {
			if (getReason(thrown) === 'limit') throw thrown;
			marks.unreadAnnotations++;
		});
	}

	private async run(content: Uint8Array, resources: Dictionary): Promise<void> {
		const parser = new Parser(content, 0, false);
		let operands: PdfObject[] = [];
		for (;;) {
			const next = parser.readNext();
			if (next === END) return;
			if (!(next instanceof Keyword)) {
				if (operands.push(next) > MAX_OPERANDS)
					throw new Unreadable('damaged', 'Operands without an operator');
				continue;
			}
			this.document.budget.spend('operators');
			if (next.word === 'BI') {
				parser.skipInlineImage();
				this.showImage();
			} else if (next.word === 'Do') await this.showXObject(resources, operands[0]);
			else if (next.word === 'Tf') await this.selectFont(resources, operands);
			else if (next.word === 'BDC' || next.word === 'BMC')
				this.marks.openSequence(await this.layers.openSequence(resources, operands));
			else this.applyOperator(next.word, operands);
			if (operands.length > 0) operands = [];
			const turn = this.document.budget.pauseIfDue();
			if (turn !== undefined) await turn;
		}
	}

	/** Performs the operators that need nothing but their operands (Annex A). */
	private applyOperator(operator: string, operands: PdfObject[]): void {
		const { state } = this;
		const parameterName = PARAMETERS.find((candidate) => candidate === operator);
		const numbers = listNumbers(operands);
		const [x = 0, y = 0] = numbers;
		if (parameterName !== undefined) state[parameterName] = x;
		else if (operator === 'q') this.saved.push({ ...state });
		else if (operator === 'Q') this.state = this.saved.pop() ?? state;
		else if (operator === 'cm') state.ctm = multiply(toMatrix(numbers), state.ctm);
		else if (operator === 'EMC') {
			this.layers.closeSequence();
			this.marks.closeSequence();
		} else if (operator === 'BT') this.setTextMatrix(IDENTITY);
		else if (operator === 'Tm') this.setTextMatrix(toMatrix(numbers));
		else if (operator === 'Td') this.moveLine(x, y);
		else if (operator === 'TD') {
			state.TL = -y;
			this.moveLine(x, y);
		} else if (operator === 'T*') this.moveLine(0, -state.TL);
		else if (operator === 'Tj' || operator === 'TJ') this.showText(operands[0]);
		else if (operator === "'" || operator === '"') {
			if (operator === '"') Object.assign(state, { Tw: x, Tc: y });
			this.moveLine(0, -state.TL);
			this.showText(operands.at(-1));
		} else if (operator === 'c' || operator === 'v' || operator === 'y')
			this.marks.curves += this.layers.isHidden ? 0 : 1;
		if (this.saved.length > MAX_SAVED_STATES)
			throw new Unreadable('limit', 'Too many graphics states are saved');
	}

	private setTextMatrix(matrix: Matrix): void {
		this.textMatrix = this.lineMatrix = matrix;
		this.isLost = false;
	}

	private moveLine(x: number, y: number): void {
		this.setTextMatrix(multiply([1, 0, 0, 1, x, y], this.lineMatrix));
	}

	private async selectFont(resources: Dictionary, [name, size]: PdfObject[]): Promise<void> {
		const fonts = await this.document.getDictionary(resources, 'Font');
		const dictionary = await this.document.get(fonts.get(String(name)));
		this.state.fontSize = typeof size === 'number' ? size : 0;
		this.state.font = undefined;
		if (!isDictionary(dictionary)) return;
		const cachedFont = this.fonts.get(dictionary);
		this.state.font = cachedFont ?? (await new FontReader(this.document, dictionary).readFont());
		this.fonts.set(dictionary, this.state.font);
	}

	/** Shows a string, or strings with numbers that move the next one (9.4.3). */
	private showText(text: PdfObject | undefined): void {
		if (Array.isArray(text)) for (const part of text) this.showText(part);
		else if (typeof text === 'number') this.advance((-text / 1000) * this.state.fontSize);
		else if (text instanceof Uint8Array) this.showString(text);
	}

	private showString(text: Uint8Array): void {
		const { font, fontSize, Tc, Tw, Tz, Ts, Tr, ctm } = this.state;
		if (font === undefined) {
			// Viewers show it in a font of their own, wherever it ends.
			if (!this.layers.isHidden) this.marks.lost += text.length;
			this.isLost = true;
			return;
		}
		const glyphs = font.readGlyphs(text);
		if (Tr === INVISIBLE) this.marks.invisible += glyphs.length;
		this.document.budget.spend('glyphs', glyphs.length);
		this.document.budget.spend('pageGlyphs', glyphs.length);
		const size: Matrix = [(fontSize * Tz) / 100, 0, 0, fontSize, 0, Ts];
		for (const { text: glyphText, width, isWordSpace } of glyphs) {
			const matrix = multiply(multiply(size, this.textMatrix), ctm);
			if (!this.layers.isHidden)
				this.marks.addGlyph(this.isLost ? undefined : glyphText, matrix, width ?? 0, font.emHeight);
			this.isLost ||= width === undefined;
			this.advance((width ?? 0) * fontSize + Tc + (isWordSpace ? Tw : 0));
		}
	}

	/** Moves along the line, by a distance before scaling. */
	private advance(unscaled: number): void {
		const distance = (unscaled * this.state.Tz) / 100;
		const [a, b, c, d, e, f] = this.textMatrix;
		this.textMatrix = [a, b, c, d, e + distance * a, f + distance * b];
	}

	/** Shows a form or an image (8.8). */
	private async showXObject(resources: Dictionary, name: PdfObject | undefined): Promise<void> {
		const { document } = this;
		const xObjects = await document.getDictionary(resources, 'XObject');
		const xObject = await document.get(xObjects.get(String(name)));
		if (!(xObject instanceof Stream) || this.layers.isHidden) return;
		const { dictionary } = xObject;
		if (await this.layers.isOff(dictionary.get('OC'))) return;
		if (dictionary.get('Subtype') === 'Image') return this.showImage();
		if (dictionary.get('Subtype') === 'Form') await this.showForm(xObject, resources);
	}

	private async showForm(form: Stream, resources: Dictionary): Promise<void> {
		const { document, state } = this;
		const { dictionary } = form;
		if (this.openForms.has(form)) return;
		if (this.openForms.size >= MAX_NESTED_FORMS)
			throw new Unreadable('limit', 'Forms are nested too deep');
		document.budget.spend('operators', OPERATORS_OF_FORM);
		const content = await document.unpack(form);
		const matrix = toMatrix(listNumbers(await document.getElements(dictionary.get('Matrix'))));
		const formResources = await document.getDictionary(dictionary, 'Resources', resources);
		const { saved, textMatrix, lineMatrix } = this;
		this.state = { ...state, ctm: multiply(matrix, state.ctm) };
		this.saved = [];
		this.openForms.add(form);
		await this.run(content, formResources);
		this.openForms.delete(form);
		Object.assign(this, { state, saved, textMatrix, lineMatrix });
	}

	/** An image fills the unit square (8.9.3). */
	private showImage(): void {
		const [a, b, c, d] = this.state.ctm;
		if (!this.layers.isHidden) this.marks.pictureArea += Math.abs(a * d - b * c);
	}
}
