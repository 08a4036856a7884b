import { Budget, getReason, type Pause } from '../bounds/limits';
import { isDictionary, listNumbers, Stream, toLatin1, type PdfObject } from '../syntax/objects';
import { PdfDocument } from './document';

/** What keeps people from signing a document that readers don't call damaged. */
export type Barrier = 'locked' | 'dynamicForm';

/**
 * Finds what for certain keeps people from signing a document: only a password opens it, or it's a
 * dynamic XFA form, whose pages only Adobe's programs make.
 * @returns undefined also when the document can't be read
 */
export async function findBarrier(bytes: Uint8Array, pause: Pause): Promise<Barrier | undefined> {
	try {
		const document = await PdfDocument.open(bytes, new Budget(pause));
		return (await isDynamicForm(document)) ? 'dynamicForm' : undefined;
	} catch (thrown) {
		return getReason(thrown) === 'locked' ? 'locked' : undefined;
	}
}

/** A form with fields of PDF has pages, too. What says that it's dynamic is its catalog, or the form. */
async function isDynamicForm(document: PdfDocument): Promise<boolean> {
	const catalog = await document.getCatalog();
	const form = await document.getDictionary(catalog, 'AcroForm');
	const fields = await document.getElements(form.get('Fields'));
	const parts = await document.getElements(form.get('XFA'));
	const streams = parts.filter((part) => part instanceof Stream && part.bytes.length > 0);
	if (streams.length === 0 || fields.some(isField)) return false;
	if ((await document.get(catalog.get('NeedsRendering'))) === true) return true;
	for (const stream of streams as Stream[]) {
		document.budget.spend('bytes', stream.bytes.length);
		const text = toLatin1(await document.unpack(stream));
		if (/dynamicRender>\s*required/.test(text)) return true;
		await document.budget.pauseIfDue();
	}
	return false;
}

/** A signature without a place signs the whole file, and shows nothing. */
const isField = (value: PdfObject): boolean =>
	isDictionary(value) &&
	!(value.get('FT') === 'Sig' && listNumbers(value.get('Rect')).join() === '0,0,0,0');
