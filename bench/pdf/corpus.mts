/**
 * Reads all PDFs below a folder and compares with Mozilla's pdf.js: number and sizes of pages, texts, and
 * where phrases stand. Not part of the tests, as the files of many producers aren't in the repository.
 *
 *   node bench/pdf/corpus.mts <folder> [<results.json>]
 *
 * A file `planted.json` in the folder names phrases that files have for sure: for each path an array of
 * `{ phrase, page, x, y, count, notInside }`. Without x and y, pdf.js says where they are; count is how often
 * the phrase is in the whole file.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Occurrence } from '../../nodes/SignAndClose/pdf/finding/phrases.ts';
import type { Page } from '../../nodes/SignAndClose/pdf/pages.ts';
import { seededRandom } from '../seededRandom.mts';
import { inTemporaryFolder } from '../temporaryFolder.mts';
import {
	judge,
	placesOf,
	plain,
	wordPlacesOf,
	type JudgedPage,
	type JudgedPlace,
} from './judge.mts';
import { compiledReader } from './reader.mts';

interface Planted {
	phrase: string;
	page: number;
	x?: number;
	y?: number;
	count?: number;
	notInside?: string[];
}

/** Pages of a file that are compared, and phrases of each that are looked for. */
const PAGES = 25;
const PHRASES = 6;

/** Texts of a page that agree less than this are misread. */
const AGREEMENT = 0.95;

/** Texts shorter than this aren't compared. */
const SHORTEST_TEXT = 20;

const PATIENCE_MS = 30_000;

const totals: Record<string, number> = {};
const count = (what: string, amount = 1) => (totals[what] = (totals[what] ?? 0) + amount);
const notes: string[] = [];
const note = (what: string, file: string, detail: unknown) =>
	notes.push(`${what}\t${file}\t${typeof detail === 'string' ? detail : JSON.stringify(detail)}`);

/** How much two texts have in common, as a part of both, by their characters in any order. */
function agreement(one: string, other: string): number {
	const counts = new Map<string, number>();
	for (const character of one) counts.set(character, (counts.get(character) ?? 0) + 1);
	let common = 0;
	for (const character of other) {
		const left = counts.get(character) ?? 0;
		if (left > 0) common++;
		counts.set(character, left - 1);
	}
	return (2 * common) / ([...one].length + [...other].length);
}

/** Two or three words that stand next to each other in a text of pdf.js. */
function phrasesOf(page: JudgedPage, random: () => number): string[] {
	const candidates = page.lines.flatMap(({ items }) =>
		items.flatMap((item) => [
			...(item.match(/^\p{L}{3,} \p{L}{3,}(?: \p{L}{3,})?(?![\p{L}\p{N}-])/u) ?? []),
			...(item.match(/(?<![\p{L}\p{N}-])\p{L}{3,} \p{L}{3,}(?![\p{L}\p{N}-])/gu) ?? []),
		]),
	);
	return Array.from({ length: Math.min(PHRASES, candidates.length) }, () => {
		return candidates[Math.floor(random() * candidates.length)];
	});
}

const isNear = (one: { x: number; y: number }, { x, y, slack }: JudgedPlace) =>
	Math.abs(one.y - y) <= slack && Math.abs(one.x - x) <= slack;

await inTemporaryFolder(async (temporary) => {
	const [folder, results] = process.argv.slice(2);
	const { readPages, findPhrases } = compiledReader(temporary);
	const pause = () => new Promise((resolve) => setImmediate(resolve));
	const random = seededRandom(1);
	const plantedFile = join(folder, 'planted.json');
	const planted: Record<string, Planted[]> = existsSync(plantedFile)
		? JSON.parse(readFileSync(plantedFile, 'utf8'))
		: {};
	const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.pdf'))
		.sort();
	for (const file of files) {
		const bytes = readFileSync(join(folder, file));
		if (bytes.length === 0) continue;
		count('files');
		count('bytes', bytes.length);
		const started = performance.now();
		const reading = await readPages(bytes, pause);
		const taken = performance.now() - started;
		count('milliseconds', Math.round(taken));
		if (taken > 2000) note('slow', file, `${Math.round(taken)} ms`);
		const judged = await Promise.race([
			judge(bytes, PAGES).catch((error: Error) => error),
			new Promise<Error>((resolve) =>
				setTimeout(resolve, PATIENCE_MS, new Error('too slow')).unref(),
			),
		]);
		if ('reason' in reading) {
			count(`document ${reading.reason}${judged instanceof Error ? ', pdf.js as well' : ''}`);
			if (!(judged instanceof Error)) note('refused', file, reading.reason);
			count('planted not found', planted[file]?.length ?? 0);
			continue;
		}
		const { pages } = reading;
		if (judged instanceof Error) {
			count('read, but not by pdf.js');
			note('unjudged', file, judged.message);
			continue;
		}
		count(pages.length === judged.count ? 'page count right' : 'page count wrong');
		if (pages.length !== judged.count) note('count', file, `${pages.length} ${judged.count}`);
		for (const [index, other] of judged.pages.entries()) {
			const page = pages[index];
			if (page === undefined || other === undefined) continue;
			compareSizes(file, page, other);
			compareTexts(file, page, other);
			const phrases = [...new Set(phrasesOf(other, random))];
			const found = await findPhrases(
				[page],
				phrases.map((text) => ({ text })),
				pause,
			);
			if (page.kind === 'text' || page.kind === 'partly')
				phrases.forEach((phrase, at) => {
					comparePlaces(join(folder, file), page, other, phrase, found[at]);
				});
		}
		for (const each of planted[file] ?? []) {
			const [found] = await findPhrases(
				pages,
				[{ text: each.phrase, notInside: each.notInside }],
				pause,
			);
			const onPage = found.filter(({ page }) => page === each.page);
			const expected =
				each.x === undefined || each.y === undefined
					? placesOf(judged.pages[each.page - 1] ?? { lines: [] }, each.phrase)
					: [{ x: each.x, y: each.y, slack: 1.5 }];
			const isWrong =
				onPage.some((one) => !expected.some((other) => isNear(one, other))) ||
				found.length > (each.count ?? found.length);
			count(isWrong ? 'planted wrong' : onPage.length > 0 ? 'planted found' : 'planted not found');
			if (isWrong || onPage.length === 0) {
				const detail = { ...each, found, expected, kind: pages[each.page - 1]?.kind };
				note(isWrong ? 'planted wrong' : 'planted missing', file, detail);
			}
		}
	}
	process.stdout.write(`${JSON.stringify(totals, undefined, 1)}\n`);
	if (results !== undefined) writeFileSync(results, `${notes.join('\n')}\n`);
});

function compareSizes(file: string, page: Page, other: JudgedPage): void {
	const { left, bottom, right, top } = page.boxes.crop;
	const isSame =
		[left, bottom, right, top].every((each, at) => Math.abs(each - other.view[at]) < 0.01) &&
		page.rotate === other.rotate &&
		page.userUnit === other.userUnit;
	count(isSame ? 'size right' : 'size wrong');
	if (!isSame) note('size', file, { number: page.number, ...page.boxes.crop, view: other.view });
}

function compareTexts(file: string, page: Page, other: JudgedPage): void {
	count(`page ${page.kind}${page.reason === undefined ? '' : ` ${page.reason}`}`);
	const theirs = other.lines.map(({ text }) => text).join('');
	if (page.kind === 'unreadable') {
		if (theirs.length >= SHORTEST_TEXT) note('unreadable', file, `${page.number} ${page.reason}`);
		return;
	}
	const ours = plain(page.runs.flatMap(({ texts }) => texts).join(''));
	if (Math.max(ours.length, theirs.length) < SHORTEST_TEXT) return;
	const isRead = agreement(ours, theirs) >= AGREEMENT;
	count(isRead ? 'page read' : 'page misread');
	if (!isRead)
		note('misread', file, {
			page: page.number,
			kind: page.kind,
			ours: ours.slice(0, 60),
			theirs: theirs.slice(0, 60),
			lengths: [ours.length, theirs.length],
		});
}

function comparePlaces(
	file: string,
	page: Page,
	other: JudgedPage,
	phrase: string,
	found: Occurrence[],
): void {
	const places = placesOf(other, phrase);
	let wrong = found.filter((one) => !places.some((each) => isNear(one, each)));
	if (wrong.length > 0 && page.rotate === 0) {
		const words = wordPlacesOf(file, page, phrase);
		wrong = wrong.filter(({ x, y }) => {
			const isThere = words.some(
				({ left, right, lowest, highest }) =>
					x > left - 1 && x < right + 1 && y >= lowest - 0.5 && y <= highest,
			);
			return !isThere;
		});
	}
	count(wrong.length > 0 ? 'phrase wrong' : found.length > 0 ? 'phrase found' : 'phrase not found');
	if (wrong.length > 0) note('phrase wrong', file, { page: page.number, phrase, wrong, places });
	else if (found.length === 0) note('phrase missing', file, { page: page.number, phrase, places });
}
