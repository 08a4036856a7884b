import { spawnSync } from 'node:child_process';

import type { Judge, SeenWord } from './verdict.mts';

/** Of the height of a word's box, the part that's above the baseline. */
const ABOVE_BASELINE = 0.8;

/** What poppler sees; undefined where it isn't installed, and for what it can't read. */
export function readWithPoppler(path: string): Judge | undefined {
	const { status, stdout } = spawnSync('pdftotext', ['-bbox', path, '-'], {
		encoding: 'utf8',
		maxBuffer: 2 ** 28,
	});
	if (status !== 0) return undefined;
	const words = stdout
		.split('<page ')
		.slice(1)
		.flatMap((page, index) => {
			const height = Number(/height="([\d.]+)"/.exec(page)?.[1]);
			return [...readWords(page, index + 1, height)];
		});
	return { name: 'poppler', words, tolerance: 4 };
}

function* readWords(page: string, number: number, pageHeight: number): Generator<SeenWord> {
	for (const [, left, top, right, bottom, text] of page.matchAll(
		/<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">([^<]*)</g,
	)) {
		const height = Number(bottom) - Number(top);
		yield {
			page: number,
			x: Number(left),
			right: Number(right),
			y: pageHeight - Number(top) - height * ABOVE_BASELINE,
			text: text
				.replace(/&lt;/g, '<')
				.replace(/&gt;/g, '>')
				.replace(/&quot;/g, '"')
				.replace(/&apos;|&#39;/g, "'")
				.replace(/&amp;/g, '&'),
			beginsWord: true,
		};
	}
}
