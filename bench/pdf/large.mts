/**
 * Reads a PDF of 60 MB with 300 full pages and looks for phrases in it: how long it takes, how long nothing else
 * could run, and how much memory it needs. Blocks are also told in time of this thread, which other programs on
 * the machine don't lengthen.
 *
 *   node bench/pdf/large.mts
 */
import { PDFDocument, PDFName, StandardFonts } from '@cantoo/pdf-lib';

import { seededRandom } from '../seededRandom.mts';
import { inTemporaryFolder } from '../temporaryFolder.mts';
import { compiledReader } from './reader.mts';

const PAGES = 300;
const BYTES = 60e6;
const LINES = 50;
const LETTERS = 80;
const ROUNDS = 3;

const random = seededRandom(31);

/** A line of words that nobody looks for. */
const line = () =>
	Array.from({ length: LETTERS }, (_, at) =>
		at % 7 === 6 ? ' ' : String.fromCharCode(97 + Math.floor(random() * 26)),
	).join('');

async function largeFile(): Promise<Uint8Array> {
	const pdf = await PDFDocument.create();
	const font = await pdf.embedFont(StandardFonts.TimesRoman);
	const side = Math.floor(Math.sqrt(BYTES / PAGES));
	for (let number = 1; number <= PAGES; number++) {
		const page = pdf.addPage([612, 792]);
		for (let row = 0; row < LINES; row++)
			page.drawText(line(), { x: 72, y: 740 - row * 13, size: 10, font });
		page.drawText('Borrower Signature', { x: 72, y: 60, size: 10, font });
		const pixels = Uint8Array.from({ length: side * side }, () => random() * 256);
		const picture = pdf.context.stream(pixels, {
			...{ Type: 'XObject', Subtype: 'Image', Width: side, Height: side },
			...{ ColorSpace: 'DeviceGray', BitsPerComponent: 8 },
		});
		page.node.setXObject(PDFName.of('Picture'), pdf.context.register(picture));
	}
	return await pdf.save();
}

const worked = (): number => {
	const { user, system } = process.threadCpuUsage();
	return (user + system) / 1000;
};

const used = () => {
	const { heapUsed, arrayBuffers } = process.memoryUsage();
	return heapUsed + arrayBuffers;
};

await inTemporaryFolder(async (folder) => {
	const { readPages, findPhrases } = compiledReader(folder);
	const bytes = await largeFile();
	process.stdout.write(`${(bytes.length / 1e6).toFixed(1)} MB, ${PAGES} pages\n`);
	for (let round = 1; round <= ROUNDS; round++) {
		const [started, before] = [performance.now(), used()];
		const begun = worked();
		let [last, lastWorked, longest, longestWorked, most] = [started, begun, 0, 0, before];
		const pause = async () => {
			longest = Math.max(longest, performance.now() - last);
			longestWorked = Math.max(longestWorked, worked() - lastWorked);
			most = Math.max(most, used());
			await new Promise((resolve) => setImmediate(resolve));
			[last, lastWorked] = [performance.now(), worked()];
		};
		const reading = await readPages(bytes, pause);
		if ('reason' in reading) throw new Error(`Not read: ${reading.reason}`);
		const read = reading.pages.filter(({ kind }) => kind === 'text' || kind === 'partly');
		const wanted = ['Borrower Signature', 'Notary Signature', 'Date'].map((text) => ({ text }));
		const found = await findPhrases(reading.pages, wanted, pause);
		await pause();
		const figures = [
			`${read.length} pages read`,
			`${found.map(({ length }) => length).join(', ')} places`,
			`${((performance.now() - started) / 1000).toFixed(2)} s (${((worked() - begun) / 1000).toFixed(2)} s of work)`,
			`longest block ${longest.toFixed(0)} ms (${longestWorked.toFixed(0)} ms of work)`,
			`memory + ${((most - before) / 1e6).toFixed(0)} MB`,
		];
		process.stdout.write(`${figures.join(', ')}\n`);
	}
});
