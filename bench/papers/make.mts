import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { inTemporaryFolder } from '../temporaryFolder.mts';
import type { Line, Paper } from './blocks.mts';
import type { Measure } from './drawing.mts';
import { listPapers } from './papers.mts';
import { makeWithChromium } from './tools/chromium.mts';
import { makeWithGhostscript } from './tools/ghostscript.mts';
import { makeWithFop, makeWithLibreOffice, makeWithWkhtmltopdf } from './tools/officePrograms.mts';
import { loadMeasure, makeWithPdfLib } from './tools/pdfLib.mts';
import { readPrintedLines } from './tools/printed.mts';
import { makeWithReportLab, makeWithWeasyPrint } from './tools/python.mts';
import { findPlaces, writeRows, type Row } from './truth.mts';

/**
 * Makes the papers of test/fixtures/papers, and what is true of them. It knows nothing of the node's
 * own reader. Prints what Ghostscript's reader sees elsewhere.
 * Run: node bench/papers/make.mts [--to FOLDER] (CONTRIBUTING.md says what it needs).
 */

const { values } = parseArgs({
	options: {
		to: { type: 'string', default: join(import.meta.dirname, '../../test/fixtures/papers') },
	},
});

type Make = (
	paper: Paper,
	path: string,
	folder: string,
	measure: Measure,
) => Line[] | Promise<Line[]>;

const MAKERS: Record<string, Make> = {
	chromium: makeWithChromium,
	wkhtmltopdf: makeWithWkhtmltopdf,
	weasyPrint: makeWithWeasyPrint,
	libreOffice: makeWithLibreOffice,
	fop: makeWithFop,
	reportLab: makeWithReportLab,
	pdfLib: makeWithPdfLib,
	ghostscript: makeWithGhostscript,
};

/** Their truth is what Ghostscript's reader sees. */
const MEASURED_AFTERWARDS = ['wkhtmltopdf', 'libreOffice', 'fop'];

/** Of two readings of the same paper, in points. */
const SAME_PLACE = 3;

/** Prints where Ghostscript's reader sees something else, for a person to look at. */
function compare({ name, phrases }: Paper, lines: Line[], path: string) {
	const printed = readPrintedLines(path);
	for (const phrase of phrases) {
		const [ours, theirs] = [lines, printed].map((each) => findPlaces(each, phrase));
		const isSame =
			ours.length === theirs.length &&
			ours.every(({ page, x, y }, index) => {
				const other = theirs[index];
				return other.page === page && Math.hypot(other.x - x, other.y - y) <= SAME_PLACE;
			});
		if (!isSame) print(`${name}: ${JSON.stringify([phrase, ours, theirs])}`);
	}
}

const print = (text: string): boolean => process.stdout.write(`${text}\n`);

async function makePaper(paper: Paper, folder: string, measure: Measure): Promise<Row[]> {
	const path = join(values.to, `${paper.name}.pdf`);
	const lines = await MAKERS[paper.tool](paper, path, folder, measure);
	const { lastPage } = paper.look;
	if (!MEASURED_AFTERWARDS.includes(paper.tool) && lastPage === undefined)
		compare(paper, lines, path);
	const transformed = lastPage === undefined ? [] : [paper.pages.length];
	// Of a heading in small capitals a reader may see either.
	const headings = paper.headings.filter((phrase) => findPlaces(lines, phrase).length > 0);
	return [...paper.phrases, ...headings].flatMap((phrase) =>
		writeRows(phrase, findPlaces(lines, phrase), transformed),
	);
}

await inTemporaryFolder(async (folder) => {
	rmSync(values.to, { recursive: true, force: true });
	mkdirSync(values.to, { recursive: true });
	const measure = await loadMeasure();
	const truth: string[] = [];
	for (const paper of listPapers()) {
		const rows = await makePaper(paper, folder, measure);
		truth.push(`"${paper.name}": [\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]`);
	}
	writeFileSync(join(values.to, 'truth.json'), `{\n${truth.join(',\n')}\n}\n`);
});
