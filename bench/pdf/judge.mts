import { execFileSync } from 'node:child_process';

import * as pdfjs from 'pdfjs-dist/legacy/build/pdf.mjs';

/** What Mozilla's pdf.js says of a page. */
export interface JudgedPage {
	view: number[];
	rotate: number;
	userUnit: number;
	lines: JudgedLine[];
}

/** Characters without white space, with where each begins (roughly, inside an item of pdf.js). */
export interface JudgedLine {
	text: string;
	xs: number[];
	ys: number[];
	/** How far from there it can be: nothing at an item's beginning. */
	slacks: number[];
	height: number;
	/** The direction of the line. */
	cosine: number;
	sine: number;
	/** The texts as pdf.js gives them. */
	items: string[];
}

/** A text in the way in which two readers have to agree on it. */
export const plain = (text: string): string =>
	text
		.replace(/[\u2018\u2019\u201a\u201b\u2032\u0060\u00b4]/g, "'")
		.replace(/[\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb]/g, '"')
		.replace(/[\u2010-\u2015\u2212\u00ad]/g, '-')
		.normalize('NFKC')
		.replace(/[\s\u200b-\u200f\u2060\ufeff\0]/g, '');

interface Item {
	str: string;
	transform: number[];
	width: number;
	height: number;
}

/** The lines of a page, of which each has one direction. */
function linesOf(items: Item[]): JudgedLine[] {
	const placed = items.flatMap(({ str, transform: [a, b, c, d, e, f], width }) => {
		const unit = Math.hypot(a, b) || 1;
		const [cosine, sine] = [a / unit, b / unit];
		return plain(str) === ''
			? []
			: [
					{
						str,
						cosine,
						sine,
						x: e,
						y: f,
						along: e * cosine + f * sine,
						baseline: f * cosine - e * sine,
						width,
						height: Math.hypot(c, d),
						angle: Math.round((Math.atan2(sine, cosine) * 180) / Math.PI + 360) % 360,
					},
				];
	});
	placed.sort((one, other) => one.angle - other.angle || one.baseline - other.baseline);
	const groups: (typeof placed)[] = [];
	for (const each of placed) {
		const last = groups.at(-1)?.[0];
		const isSame =
			last !== undefined &&
			last.angle === each.angle &&
			each.baseline - last.baseline <= 0.25 * Math.min(last.height, each.height);
		if (isSame) groups.at(-1)!.push(each);
		else groups.push([each]);
	}
	return groups.map((group) => {
		group.sort((one, other) => one.along - other.along);
		const [{ height, cosine, sine }] = group;
		const line: JudgedLine = {
			...{ text: '', xs: [], ys: [], slacks: [], height, cosine, sine, items: [] },
		};
		for (const { str, x, y, width, ...item } of group) {
			line.items.push(str);
			[...str].forEach((character, index, { length }) => {
				for (const each of plain(character)) {
					line.text += each;
					line.xs.push(x + (item.cosine * width * index) / length);
					line.ys.push(y + (item.sine * width * index) / length);
					line.slacks.push(0.25 * (width / length) * Math.min(index, length - index));
				}
			});
		}
		return line;
	});
}

/**
 * @param most how many pages are read
 * @throws what pdf.js throws when it can't read the document
 */
export async function judge(
	bytes: Uint8Array,
	most: number,
): Promise<{ count: number; pages: (JudgedPage | undefined)[] }> {
	const task = pdfjs.getDocument({
		data: new Uint8Array(bytes),
		verbosity: 0,
		isEvalSupported: false,
		useSystemFonts: false,
		disableFontFace: true,
		standardFontDataUrl: new URL(
			'../../standard_fonts/',
			import.meta.resolve('pdfjs-dist/legacy/build/pdf.mjs'),
		).pathname,
		cMapUrl: new URL('../../cmaps/', import.meta.resolve('pdfjs-dist/legacy/build/pdf.mjs'))
			.pathname,
		cMapPacked: true,
	});
	try {
		const document = await task.promise;
		const pages: (JudgedPage | undefined)[] = [];
		for (let number = 1; number <= Math.min(most, document.numPages); number++) {
			try {
				const page = await document.getPage(number);
				const content = await page.getTextContent({ disableNormalization: true });
				const items = (content.items as (Item | object)[]).filter(
					(each): each is Item => 'str' in each,
				);
				const { view, rotate, userUnit } = page;
				pages.push({ view, rotate, userUnit, lines: linesOf(items) });
				page.cleanup();
			} catch {
				pages.push(undefined);
			}
		}
		return { count: document.numPages, pages };
	} finally {
		await task.destroy();
	}
}

/** Lower left corners of where a phrase stands on a page, whether as whole words or not. */
export interface JudgedPlace {
	x: number;
	y: number;
	/** How far from there it can be. */
	slack: number;
}

export function placesOf(page: Pick<JudgedPage, 'lines'>, phrase: string): JudgedPlace[] {
	const wanted = plain(phrase);
	return page.lines.flatMap(({ text, xs, ys, slacks, height, cosine, sine }) => {
		const places: JudgedPlace[] = [];
		for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
			const last = at + wanted.length - 1;
			places.push({
				x: Math.min(xs[at], xs[last]) - Math.max(0, sine * height),
				y: Math.min(ys[at], ys[last]) + Math.min(0, cosine * height),
				slack: 1 + 0.1 * height + (cosine > 0.9 ? slacks[at] : height + slacks[at] + slacks[last]),
			});
		}
		return places;
	});
}

/**
 * Where a phrase begins, in or before a word, on a page that isn't rotated, by poppler's pdftotext: it knows where
 * each word begins, pdf.js only where each of its items does.
 * @returns places with the range in which the baseline is; none without poppler
 */
export function wordPlacesOf(
	file: string,
	page: { number: number; boxes: { media: { left: number; top: number } } },
	phrase: string,
): { left: number; right: number; lowest: number; highest: number }[] {
	const { left, top } = page.boxes.media;
	const range = ['-f', String(page.number), '-l', String(page.number)];
	let html: string;
	try {
		html = execFileSync('pdftotext', ['-bbox', ...range, file, '-'], {
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'ignore'],
			timeout: 20_000,
			maxBuffer: 1e8,
		});
	} catch {
		return [];
	}
	const words = [
		...html.matchAll(/<word xMin="(.*?)" yMin="(.*?)" xMax="(.*?)" yMax="(.*?)">(.*?)<\/word>/g),
	].map(([, from, y, to, bottom, text]) => ({
		left: left + Number(from),
		right: left + Number(to),
		lowest: top - Number(bottom),
		highest: top - Number(y),
		text: plain(
			text
				.replace(/&lt;/g, '<')
				.replace(/&gt;/g, '>')
				.replace(/&quot;/g, '"')
				.replace(/&amp;/g, '&'),
		),
	}));
	const wanted = plain(phrase);
	return words.flatMap((word, index) => {
		const text = words
			// Letters that are printed several times, to be bold, are words of their own.
			.slice(index, index + wanted.length)
			.map((each) => each.text)
			.join('');
		const at = text.indexOf(wanted);
		if (at < 0 || at >= word.text.length) return [];
		return [at === 0 ? { ...word, right: word.left } : word];
	});
}
