import { PDFDocument, PDFName, StandardFonts, type PDFPage } from '@cantoo/pdf-lib';

import type { Form } from './specifications.mts';

/** Makes a form with pdf-lib. It makes no signature fields, so they're made of text fields. */
export async function makeWithPdfLib(form: Form): Promise<Uint8Array> {
	const pdf = await PDFDocument.create();
	const font = await pdf.embedFont(StandardFonts.Helvetica);
	const pages: PDFPage[] = form.pages.map((size) => pdf.addPage(size));
	for (const { page, x, y, text } of form.captions)
		pages[page - 1].drawText(text.replace(/[^ -~]/g, '?'), { x, y, size: 8, font });
	const acroForm = pdf.getForm();
	for (const { name, type, widgets } of form.fields) {
		const field =
			type === 'checkbox' ? acroForm.createCheckBox(name) : acroForm.createTextField(name);
		for (const {
			page,
			box: [x, y, right, top],
		} of widgets)
			field.addToPage(pages[page - 1], { x, y, width: right - x, height: top - y, borderWidth: 0 });
		if (type !== 'signature') continue;
		field.acroField.dict.set(PDFName.of('FT'), PDFName.of('Sig'));
		for (const key of ['DA', 'Ff', 'V']) field.acroField.dict.delete(PDFName.of(key));
		for (const { dict } of field.acroField.getWidgets())
			for (const key of ['AP', 'MK', 'DA', 'BS']) dict.delete(PDFName.of(key));
	}
	return await pdf.save({ updateFieldAppearances: false });
}
