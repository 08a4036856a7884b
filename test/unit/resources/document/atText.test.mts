import { PDFDocument, StandardFonts, type PDFFont } from '@cantoo/pdf-lib';
import fc from 'fast-check';

import {
	findTexts,
	placeAtTexts,
} from '../../../../nodes/SignAndClose/resources/document/places/atText/texts.ts';
import type { TextDesignation } from '../../../../nodes/SignAndClose/resources/document/places/designations.ts';
import { textPdf, type TextPage } from '../../../support/textPdf.mts';

/**
 * Random documents with a phrase in known places, beside texts that only look like it, on pages that
 * are fine, scanned, rotated or cropped: each place is one where the phrase was drawn, and the one
 * that was meant, or the row is refused.
 */

const PHRASE = 'Borrower Signature';
/** Texts with the phrase in them, and what stands before it. */
const WITH: Array<[text: string, before: string]> = [
	[PHRASE, ''],
	[`The ${PHRASE}: ____`, 'The '],
	[`(${PHRASE})`, '('],
];
const WITHOUT = [
	'Borrower Signatures',
	'borrower signature',
	'CoBorrower Signature',
	'Borrower',
	'Signature',
	'Borrower and Signature',
];
const KINDS: TextPage[] = [{}, {}, {}, { picture: 1 }, { rotate: 90 }, { crop: [5, 5, 600, 700] }];
const isCertain = ({ picture }: TextPage) => picture === undefined;
const isPlain = ({ rotate, crop }: TextPage) => rotate === undefined && crop === undefined;

let font: PDFFont;
beforeAll(async () => {
	font = await (await PDFDocument.create()).embedFont(StandardFonts.Helvetica);
});

/** A line of a page: which text, and how far from the left. Lines are 40 points apart. */
const line = fc.record({
	text: fc.integer({ min: 0, max: WITH.length + WITHOUT.length - 1 }),
	x: fc.integer({ min: 0, max: 300 }),
});
const page = fc.record({
	kind: fc.integer({ min: 0, max: KINDS.length - 1 }),
	lines: fc.array(line, { maxLength: 4 }),
	fontSize: fc.integer({ min: 6, max: 20 }),
});
const OCCURRENCES = ['every', 'first', 'last', 'nth', 'only'] as const;

test('a place is where the phrase was drawn, and the one that is meant', async () => {
	const outcomes = new Set<string>();
	await fc.assert(
		fc.asyncProperty(
			fc.array(page, { minLength: 1, maxLength: 5 }),
			fc.constantFrom(...OCCURRENCES),
			fc.integer({ min: 1, max: 3 }),
			async (made, occurrence, nth) => {
				const drawn: Array<{ page: number; x: number; y: number }> = [];
				const pages = made.map(({ kind, lines, fontSize }, index): TextPage => {
					const texts = isCertain(KINDS[kind]) ? lines : [];
					return {
						...KINDS[kind],
						fontSize,
						texts: texts.map(({ text, x }, row) => {
							const y = 650 - row * 40;
							if (text >= WITH.length) return [WITHOUT[text - WITH.length], x, y];
							const [whole, before] = WITH[text];
							const start = x + font.widthOfTextAtSize(before, fontSize);
							drawn.push({ page: index + 1, x: Math.round(start), y });
							return [whole, x, y];
						}),
					};
				});
				const noteFault = jest.fn((..._fault: string[]) => undefined);
				const row: TextDesignation = {
					row: 1,
					noteFault,
					nameField: (field: string) => field,
					designation: { signer_identifier: 'a', type: 'initials' },
					box: { width: 9, height: 9 },
					text: PHRASE,
					side: 'on',
					right: 0,
					up: 0,
					occurrence,
					nth,
					pages: [{ from: 1, to: Infinity }],
					ignorePicturesOn: [],
					notInside: undefined,
					nextText: undefined,
					nextSide: 'either',
				};
				const found = await findTexts([row], await textPdf(pages), async () => undefined);
				if ('problem' in found) {
					// A file of scans is told as a whole.
					expect([found.problem, drawn]).toEqual(['is a scan, without any text', []]);
					return;
				}
				const options = { points: 1, trustsRecognized: false };
				const placed = placeAtTexts([row], found, options, () => noteFault()).map(
					({ page: on, box: { x, y } }) => ({
						page: on,
						x,
						y,
					}),
				);
				const meant = {
					every: drawn,
					first: drawn.slice(0, 1),
					last: drawn.slice(-1),
					nth: drawn.slice(nth - 1, nth),
					only: drawn.length === 1 ? drawn : [],
				}[occurrence];
				const [first] = meant;
				const last = meant.at(-1);
				const isInDoubt = pages.some(
					(each, index) =>
						!isCertain(each) &&
						!(occurrence === 'first' && first !== undefined && index + 1 > first.page) &&
						!(occurrence === 'last' && last !== undefined && index + 1 < last.page),
				);
				const isRefused =
					meant.length === 0 || isInDoubt || meant.some(({ page: on }) => !isPlain(pages[on - 1]));
				expect(placed).toEqual(isRefused ? [] : meant);
				expect(noteFault).toHaveBeenCalledTimes(isRefused ? 1 : 0);
				outcomes.add(`${occurrence} ${isRefused ? 'refused' : 'placed'}`);
			},
		),
		{ numRuns: 300 },
	);
	// Every one of them has happened.
	expect(outcomes.size).toBe(2 * OCCURRENCES.length);
});
