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
	const isPart = (value: PdfObject) => value instanceof Stream && value.bytes.length > 0;
	if (!(await hasElement(document, form.get('XFA'), isPart))) return false;
	if (await hasElement(document, form.get('Fields'), isField)) return false;
	if ((await document.get(catalog.get('NeedsRendering'))) === true) return true;
	return await hasElement(document, form.get('XFA'), async (part) =>
		part instanceof Stream
			? /dynamicRender>\s*required/.test(toLatin1(await document.unpack(part)))
			: false,
	);
}

/** A signature without a place signs the whole file, and shows nothing. */
const isField = (value: PdfObject): boolean =>
	isDictionary(value) &&
	(value.get('FT') !== 'Sig' || listNumbers(value.get('Rect')).some(Boolean));

/** Whether one of the elements of an array, or a single object, is such a one. */
async function hasElement(
	document: PdfDocument,
	value: PdfObject | undefined,
	isSuch: (element: PdfObject) => boolean | Promise<boolean>,
): Promise<boolean> {
	const elements = await document.get(value);
	for (const element of Array.isArray(elements) ? elements : [elements]) {
		if (await isSuch(await document.get(element))) return true;
		await document.budget.pauseIfDue();
	}
	return false;
}
