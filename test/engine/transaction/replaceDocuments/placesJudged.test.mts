import { PDFDocument, PDFName, PDFString } from '@cantoo/pdf-lib';
import type { IDataObject } from 'n8n-workflow';
import type { Page } from 'playwright-core';

import { withPage } from '../../../../host/clients/browser.mts';
import { testInBrowser } from '../../../e2e/support/inBrowser.mts';
import { toForm } from '../../../support/closing.mts';
import { businessFile, closingFile } from '../../../support/createAndSend.mts';
import { storeFile } from '../../../support/engine.mts';
import { forEachCase } from '../../../support/forEachCase.mts';
import { attempt, ownDocuments, run, transaction } from '../../../support/operations.mts';
import { textPdf, type Text, type TextPage } from '../../../support/textPdf.mts';
import { sandbox, useSandbox } from '../../../support/useSandbox.mts';
import { replacing, type Platform } from './scene.mts';

/**
 * Places after the documents of sent transactions were replaced, as the console of the sandbox shows
 * them. The file was drawn here, so where each of its labels stands is known.
 */

useSandbox();

/** What is signed at which label. */
const LABELS = { signature: 'Borrower Signature', initials: 'Initials', date_signed: 'Signed On' };
const TYPES = Object.keys(LABELS) as Array<keyof typeof LABELS>;
const LEFT = 72;
const LINE = 15;
/** Four paragraphs more, and each label is where the one above it was. */
const STEP = 4 * LINE;
/** How far above the baseline of its label a place begins, and how wide and high it is, in points. */
const RISE = 14;
const SIZE = { width: 180, height: 16 };

type Way = 'texts' | 'fields' | 'tags' | 'entries' | 'carried';

/** What is on a paper. */
interface Version {
	amount: string;
	/** Paragraphs above the labels: each moves them down. */
	above: number;
	/** Paragraphs below them. */
	below: number;
	/** Pages before that with the labels, and after it. */
	before: number;
	after: number;
}

const OLD: Version = { amount: '300,000', above: 0, below: 0, before: 0, after: 0 };
const CHANGES: Array<Partial<Version>> = [
	{},
	{ above: 1 },
	{ above: 4, below: 1 },
	{ below: 2, after: 1 },
	{ before: 1 },
];

/** Where each place has to be. */
const placesOn = ({ above, before }: Version) =>
	TYPES.map((type, index) => ({
		...{ signer_identifier: 'borrower-1', type, page_number: before },
		...{ x: LEFT, y: 560 - LINE * above - STEP * index + RISE, ...SIZE },
	}));

const paragraphs = (count: number, top: number) =>
	Array.from({ length: count }, (_, index): Text => [
		`${index + 1}. I sign what is said here.`,
		LEFT,
		top - LINE * index,
	]);

async function drawNote(version: Version, way: Way): Promise<Buffer> {
	const { amount, above, below, before, after } = version;
	const pages: TextPage[] = Array.from({ length: before + 1 + after }, () => ({
		texts: [['Note', LEFT, 720] as Text, ...paragraphs(3 + above, 660)],
	}));
	pages[0].texts!.push([`Loan amount ${amount}`, 300, 720]);
	for (const { type, x, y } of placesOn(version)) {
		pages[before].texts!.push([LABELS[type], x, y - RISE]);
		if (way === 'tags') pages[before].texts!.push([`{{${type}:borrower-1}}`, x, y]);
	}
	pages[before].texts!.push(...paragraphs(below, 200));
	const pdf = await textPdf(pages);
	return way === 'fields' ? await addFields(pdf, version) : pdf;
}

/** Adds a form with a field at each label. */
async function addFields(bytes: Buffer, version: Version): Promise<Buffer> {
	const pdf = await PDFDocument.load(bytes);
	const fields = placesOn(version).map(({ type, x, y, width, height }) =>
		pdf.context.register(
			pdf.context.obj({
				...{ Type: 'Annot', Subtype: 'Widget', Rect: [x, y, x + width, y + height] },
				FT: type === 'date_signed' ? 'Tx' : 'Sig',
				T: PDFString.of(`Borrower ${type.replace('_', ' ')}`),
			}),
		),
	);
	pdf.getPage(version.before).node.set(PDFName.of('Annots'), pdf.context.obj(fields));
	pdf.catalog.set(PDFName.of('AcroForm'), pdf.context.obj({ Fields: fields }));
	return Buffer.from(await pdf.save());
}

const NOTE = { nameContains: 'Note', requirement: 'esign' };
const RULES: Record<Way, IDataObject> = {
	texts: {
		...{ ...NOTE, whereToSign: 'text' },
		texts: {
			row: TYPES.map((type) => ({
				...{ text: LABELS[type], signer_identifier: 'borrower-1', type, where: 'above' },
				...{ moveUp: 4, ...SIZE },
			})),
		},
	},
	fields: { ...NOTE, whereToSign: 'fields', fieldsByName: true },
	tags: { ...NOTE, whereToSign: 'hiddenTags' },
	entries: { ...NOTE, whereToSign: 'json', designationsJson: JSON.stringify(placesOn(OLD)) },
	carried: { ...NOTE, whereToSign: 'rows' },
};
/** The service shows no places of closings, so only those of business transactions are carried over. */
const WAYS: Array<[platform: Platform, way: Way]> = [
	...(['texts', 'fields', 'tags', 'entries'] as const).flatMap((way): typeof WAYS => [
		['realEstate', way],
		['business', way],
	]),
	['business', 'carried'],
];
const CASES = WAYS.flatMap(([platform, way]) =>
	CHANGES.map((change) => ({
		...{ platform, way },
		version: { ...OLD, amount: '310,000', ...change },
	})),
);

const packUp = async (pdf: Buffer) => ({
	items: [{ json: {}, binary: { file: await storeFile(pdf, 'Note.pdf', 'application/pdf') } }],
});

let count = 0;
async function sendNote(platform: Platform, way: Way): Promise<string> {
	const number = `5430${process.pid}${++count}`;
	const isBusiness = platform === 'business';
	const parameters = (isBusiness ? businessFile : closingFile)({
		...{ then: 'send', documentRules: { row: [RULES[way === 'carried' ? 'texts' : way]] } },
		...toForm(isBusiness ? { external_id: number } : { loan_number: number }),
	});
	const { json } = await run(parameters, await packUp(await drawNote(OLD, way)));
	return String(json.transaction_id);
}

/** Sends the note, and its new version. */
async function replaceNote({ platform, way, version }: (typeof CASES)[0]) {
	const id = await sendNote(platform, way);
	const pdf = await drawNote(version, way);
	const replacement = replacing(id, { platform, rules: [RULES[way]] });
	const { error } = await attempt(replacement, await packUp(pdf));
	const [note, ...others] = ownDocuments(id);
	expect([others, transaction(id).status]).toEqual([[], 'sent']);
	return { id, isNew: note.uploaded.equals(pdf), said: error?.description ?? '' };
}

/** The boxes on the pages of the note, in points from the bottom left, as the console draws them. */
async function readBoxes(page: Page, id: string) {
	await page.goto(`${sandbox.url}/console`);
	await page.locator('#filter').fill(id);
	await page.getByRole('button', { name: 'Where to sign: Note', exact: true }).click();
	const dialog = page.getByRole('dialog', { name: 'Where to sign: Note' });
	await dialog.locator('[aria-busy="false"]').waitFor();
	return await dialog.locator('.box').evaluateAll((boxes) =>
		boxes.map((box) => {
			const figure = box.closest('figure')!;
			const sheet = figure.querySelector('canvas')!.getBoundingClientRect();
			const { left, bottom, width } = box.getBoundingClientRect();
			const scale = 612 / sheet.width;
			return {
				...{ name: box.ariaLabel, page: figure.ariaLabel },
				left: (left - sheet.left) * scale,
				bottom: (sheet.bottom - bottom) * scale,
				width: width * scale,
			};
		}),
	);
}

testInBrowser('each place stands at its text on the pages of the console', async () => {
	await withPage(async (page) => {
		await forEachCase(CASES, async (one) => {
			const { id, isNew, said } = await replaceNote(one);
			const { version, way } = one;
			// Places that stay at their points are taken over only if no line around them has moved.
			const isMoved = version.above > 0 || version.before > 0;
			const isRefused = isMoved && ['entries', 'carried'].includes(way);
			expect([isNew, said]).toEqual([
				!isRefused,
				isRefused ? expect.stringContaining("the text around them isn't the same") : '',
			]);
			const boxes = await readBoxes(page, id);
			const shown = isNew ? version : OLD;
			expect(boxes).toEqual(
				placesOn(shown).map(({ type, page_number: number, x, y, width }) => ({
					...{ name: `${type.replace('_', ' ')} of borrower-1`, page: `Page ${number + 1}` },
					left: expect.closeTo(x, 0),
					bottom: expect.closeTo(y, 0),
					width: expect.closeTo(width, 0),
				})),
			);
		});
	});
});
