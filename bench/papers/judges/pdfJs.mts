import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

import type { Judge, SeenWord } from './verdict.mts';

/** What pdf.js sees, with the places of words in a text estimated; undefined for what it can't read. */
export async function readWithPdfJs(bytes: Uint8Array): Promise<Judge | undefined> {
	const options = { data: new Uint8Array(bytes), verbosity: 0, useSystemFonts: false };
	try {
		const document = await getDocument(options).promise;
		const words: SeenWord[] = [];
		for (let number = 1; number <= document.numPages; number++) {
			const { items } = await (await document.getPage(number)).getTextContent();
			for (const item of items)
				if ('str' in item) words.push(...splitWords(number, item as TextItem));
		}
		await document.destroy();
		return { name: 'pdf.js', words, tolerance: 8 };
	} catch {
		return undefined;
	}
}

interface TextItem {
	str: string;
	transform: number[];
	width: number;
}

/** Words of a text that's drawn at once: as if all its letters were as wide as each other. */
function* splitWords(page: number, { str, transform, width }: TextItem): Generator<SeenWord> {
	const [x, y] = transform.slice(4);
	for (const { 0: text, index } of str.matchAll(/\S+/g))
		yield {
			page,
			x: x + (width * index) / str.length,
			right: x + (width * (index + text.length)) / str.length,
			y,
			text,
			beginsWord: index > 0,
		};
}
