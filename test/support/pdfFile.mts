import { deflateSync } from 'node:zlib';

import { readPages, type PdfPage } from '../../nodes/SignAndClose/pdf/pages.ts';

/** Small PDFs made by hand, for the tests of their reader. */

/** An object's text, or a stream's dictionary (without its length) and bytes. */
export type PdfPart = string | readonly [dictionary: string, bytes: string | Uint8Array];

/** An object as it stands in a file. */
export function indirectObject(number: number, part: PdfPart): Buffer {
	if (typeof part === 'string') return Buffer.from(`${number} 0 obj\n${part}\nendobj\n`, 'latin1');
	const bytes = typeof part[1] === 'string' ? Buffer.from(part[1], 'latin1') : part[1];
	return Buffer.concat([
		Buffer.from(`${number} 0 obj\n<<${part[0]} /Length ${bytes.length}>>\nstream\n`, 'latin1'),
		bytes,
		Buffer.from('\nendstream\nendobj\n'),
	]);
}

/** A file of objects with a cross-reference table; the first object is the catalog. */
export function pdfFile(objects: Record<number, PdfPart>, trailer = ''): Buffer {
	const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
	let length = parts[0].length;
	const entries = Object.entries(objects).map(([number, part]) => {
		const bytes = indirectObject(Number(number), part);
		parts.push(bytes);
		length += bytes.length;
		return `${number} 1\n${String(length - bytes.length).padStart(10, '0')} 00000 n \n`;
	});
	const table = `xref\n0 1\n0000000000 65535 f \n${entries.join('')}`;
	const end = `trailer\n<</Root 1 0 R ${trailer}>>\nstartxref\n${length}\n%%EOF\n`;
	return Buffer.concat([...parts, Buffer.from(table + end, 'latin1')]);
}

/** Helvetica, which has its widths in the reader. */
export const HELVETICA = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>';

/** What a page has that isn't usual. */
export interface PageParts {
	/** Further entries of the page, in place of its media box. */
	page?: string;
	/** The resources, in place of a font /F which is Helvetica. */
	resources?: string;
	/** Further objects, from 5 on. */
	objects?: Record<number, PdfPart>;
	/** Further entries of the trailer. */
	trailer?: string;
}

/** A file with a page of this content. */
export function onePage(content: string | PdfPart, parts: PageParts = {}): Buffer {
	const { page = '/MediaBox[0 0 600 800]', resources = `/Font<</F ${HELVETICA}>>` } = parts;
	return pdfFile(
		{
			1: '<</Type/Catalog/Pages 2 0 R>>',
			2: '<</Type/Pages/Kids[3 0 R]/Count 1>>',
			3: `<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<<${resources}>>${page}>>`,
			4: typeof content === 'string' ? ['', content] : content,
			...parts.objects,
		},
		parts.trailer,
	);
}

export const flate = (text: string | Uint8Array): PdfPart => [
	'/Filter/FlateDecode',
	deflateSync(typeof text === 'string' ? Buffer.from(text, 'latin1') : text),
];

export const pause = () => new Promise((resolve) => setImmediate(resolve));

/** The pages of a file that can be read. */
export async function pagesOf(bytes: Uint8Array): Promise<PdfPage[]> {
	const reading = await readPages(bytes, pause);
	if ('reason' in reading) throw new Error(`The document cannot be read: ${reading.reason}`);
	return reading.pages;
}

/** The first page of a file, with its text as a line. */
export async function firstPageOf(bytes: Uint8Array): Promise<PdfPage & { text: string }> {
	const [page] = await pagesOf(bytes);
	return { ...page, text: page.runs.flatMap(({ texts }) => texts).join('') };
}
