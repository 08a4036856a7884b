// The pages of a document, with a box for each designation, in a dialog.

import { element, inWords, plural, text } from './elements.mjs';
import { showMessage } from './message.mjs';
import { NOT_RESPONDING } from './sandboxCalls.mjs';

const PDFJS = '/console/pdfjs';

async function openPdf(base64) {
	const { getDocument, GlobalWorkerOptions } = await import(`${PDFJS}/legacy/build/pdf.min.mjs`);
	GlobalWorkerOptions.workerSrc = `${PDFJS}/legacy/build/pdf.worker.min.mjs`;
	return getDocument({
		data: Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)),
		isEvalSupported: false,
		useSystemFonts: false,
		standardFontDataUrl: `${PDFJS}/standard_fonts/`,
		cMapUrl: `${PDFJS}/cmaps/`,
		wasmUrl: `${PDFJS}/wasm/`,
	});
}

/** A designation's box, in parts of the page as it is shown. */
function box(designation, viewport) {
	const { x, y, width, height, type, signer_identifier: who, page_number: page } = designation;
	const corners = viewport.convertToViewportRectangle([x, y, x + width, y + height]);
	const [left, right] = [corners[0], corners[2]].sort((one, other) => one - other);
	const [top, bottom] = [corners[1], corners[3]].sort((one, other) => one - other);
	const shown = element('div', {
		className: `box ${who === 'notary' ? 'notary' : ''}`,
		role: 'img',
		'aria-label': `${inWords(type)} of ${who}`,
		title: `${type} of ${who}: page ${page + 1}, x ${x}, y ${y}, ${width} × ${height}`,
		textContent: `${inWords(type)} · ${who}`,
	});
	const part = (length, whole) => `${(100 * length) / whole}%`;
	Object.assign(shown.style, {
		left: part(left, viewport.width),
		top: part(top, viewport.height),
		width: part(right - left, viewport.width),
		height: part(bottom - top, viewport.height),
	});
	return shown;
}

async function pageFigure(page, designations) {
	const ratio = window.devicePixelRatio;
	const viewport = page.getViewport({ scale: ratio });
	const canvas = element('canvas', { width: viewport.width, height: viewport.height });
	await page.render({ canvas, viewport }).promise;
	const sheet = element(
		'div',
		{ className: 'sheet' },
		canvas,
		...designations.map((designation) => box(designation, viewport)),
	);
	sheet.style.width = `${viewport.width / ratio}px`;
	const words = `Page ${page.pageNumber}`;
	const count = designations.length ? ` · ${plural(designations.length, 'place')} to sign` : '';
	return element(
		'figure',
		{ 'aria-label': words },
		text('figcaption', 'note', words + count),
		sheet,
	);
}

/** Shows the pages of a document as it was added, one after the other. */
export async function showPages(transaction, id) {
	const answer = await fetch(`/sandbox/transactions/${transaction}/documents/${id}`).catch(
		() => undefined,
	);
	if (!answer?.ok) return showMessage(answer ? 'This document is gone' : NOT_RESPONDING);
	const { name, designations, pdf } = await answer.json();
	const sheets = element('div', { className: 'sheets', 'aria-busy': 'true' });
	const dialog = document.getElementById('pages');
	dialog.replaceChildren(
		element(
			'form',
			{ method: 'dialog', className: 'head' },
			element('h2', { id: 'pages-head', textContent: `Where to sign: ${name}` }),
			element('button', { className: 'quiet', textContent: 'Close' }),
		),
		sheets,
	);
	dialog.showModal();
	let task;
	try {
		task = await openPdf(pdf);
		const file = await task.promise;
		for (let number = 1; number <= file.numPages && dialog.open && sheets.isConnected; number++) {
			const here = designations.filter(({ page_number: page }) => page === number - 1);
			sheets.append(await pageFigure(await file.getPage(number), here));
		}
	} catch (error) {
		sheets.append(text('p', 'bad-text', `The pages can't be shown: ${error.message}`));
	} finally {
		sheets.setAttribute('aria-busy', 'false');
		await task?.destroy();
	}
}
