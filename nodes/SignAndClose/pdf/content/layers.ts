import type { PdfDocument } from '../document/document';
import { isDictionary, type Dictionary, type PdfObject } from '../syntax/objects';

/** The layers of a document, of which viewers don't show those that are switched off (8.11). */
export class Layers {
	/** Sequences of marked content that are open, and the outermost one that isn't shown. */
	private openSequences = 0;

	private hiddenSequence = Infinity;

	private constructor(
		private readonly document: PdfDocument,
		private readonly off: ReadonlySet<PdfObject>,
	) {}

	static async open(document: PdfDocument): Promise<Layers> {
		const properties = await document.getDictionary(await document.getCatalog(), 'OCProperties');
		const settings = await document.getDictionary(properties, 'D');
		const isOff = (await document.get(settings.get('BaseState'))) === 'OFF';
		const off = new Set(isOff ? await document.getElements(properties.get('OCGs')) : []);
		for (const layer of await document.getElements(settings.get('ON'))) off.delete(layer);
		for (const layer of await document.getElements(settings.get('OFF'))) off.add(layer);
		return new Layers(document, off);
	}

	/** Whether what belongs to a layer, or to several as its dictionary says, isn't shown. */
	async isOff(value: PdfObject | undefined): Promise<boolean> {
		if (this.off.size === 0) return false;
		const layer = await this.document.get(value);
		if (!isDictionary(layer) || layer.get('Type') !== 'OCMD') return this.off.has(layer);
		const members = await this.document.getElements(layer.get('OCGs'));
		const states = members.filter(isDictionary).map((member: Dictionary) => this.off.has(member));
		const policy = await this.document.get(layer.get('P'));
		if (states.length === 0) return false;
		if (policy === 'AllOn') return states.includes(true);
		if (policy === 'AnyOff') return !states.includes(true);
		return policy === 'AllOff' ? states.includes(false) : !states.includes(false);
	}

	get isHidden(): boolean {
		return this.hiddenSequence <= this.openSequences;
	}

	/** Begins a content, in which no sequence is open. */
	begin(): void {
		[this.openSequences, this.hiddenSequence] = [0, Infinity];
	}

	/**
	 * Begins a sequence of marked content (14.6), which may belong to a layer.
	 * @param operands its tag, and its properties or their name
	 * @returns the text that it stands for (14.9.4), if it has one
	 */
	async openSequence(resources: Dictionary, [tag, entry]: PdfObject[]): Promise<PdfObject> {
		const { document } = this;
		this.openSequences++;
		const list = await document.getDictionary(resources, 'Properties');
		const properties = await document.get(isDictionary(entry) ? entry : list.get(String(entry)));
		if (tag === 'OC' && !this.isHidden && (await this.isOff(properties)))
			this.hiddenSequence = this.openSequences;
		return isDictionary(properties) ? await document.get(properties.get('ActualText')) : null;
	}

	closeSequence(): void {
		if (this.openSequences === this.hiddenSequence) this.hiddenSequence = Infinity;
		if (this.openSequences > 0) this.openSequences--;
	}
}
