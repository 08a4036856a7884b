import { writeFileSync } from 'node:fs';

import { withPage } from '../../../host/clients/browser.mts';
import type { Line, Paper } from '../blocks.mts';
import { writeHtml } from '../html.mts';
import { readBrowserLines } from './browserLines.mjs';

/** Papers that Chromium prints. Where a text is says Chromium's own layout. */

/** What the layout of a browser answers. */
interface BrowserLines {
	lines: Array<{ text: string; xs: number[]; tops: number[]; heights: number[] }>;
	/** Of a page, in the browser's pixels. */
	width: number;
}

const PAGE = { width: 612, height: 792, section: 791 };

/** Of the height of a line of Liberation, DejaVu or Libertine, the part that's above the baseline. */
const ABOVE_BASELINE = 0.8;

/** Each page is a section of its own, one after the other. */
function toLines({ lines, width }: BrowserLines): Line[] {
	const scale = PAGE.width / width;
	return lines
		.filter(({ text }) => text !== '')
		.map(({ text, xs, tops, heights }) => {
			const baselines = tops.map((top, index) => (top + heights[index] * ABOVE_BASELINE) * scale);
			const page = Math.floor(baselines[0] / PAGE.section);
			return {
				page: page + 1,
				text,
				xs: xs.map((x) => x * scale),
				baselines: baselines.map((y) => PAGE.height - (y - page * PAGE.section)),
			};
		});
}

export async function makeWithChromium({ pages, look }: Paper, path: string): Promise<Line[]> {
	let lines: Line[] = [];
	await withPage(async (page) => {
		await page.emulateMedia({ media: 'print' });
		await page.setContent(writeHtml(pages, look, 'sections'));
		lines = toLines(await page.evaluate(readBrowserLines));
		writeFileSync(
			path,
			await page.pdf({ width: '8.5in', height: '11in', preferCSSPageSize: true }),
		);
	});
	return lines;
}
