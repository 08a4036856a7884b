import { readFile } from 'node:fs/promises';
import type { IDataObject } from 'n8n-workflow';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { TextItem } from 'pdfjs-dist/types/src/display/api.js';

import { ADD_DOCUMENT, createClosing, id } from '../../support/closing.mts';
import { complaint, run } from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** At a Text in papers as offices have them: each in a small file, with what a row finds there. */

useSandbox();

interface Expectation {
	file: string;
	row: IDataObject;
	/** Page from 1, x and y of the places. */
	places?: number[][];
	/** A part of what a person reads. */
	refused?: string;
}

const PAPERS = new URL('../../fixtures/oddPapers/', import.meta.url);
const expectations = JSON.parse(
	await readFile(new URL('at-text.json', PAPERS), 'utf8'),
) as Expectation[];

test.each(expectations)('$file: $row', async ({ file, row, places, refused }) => {
	const bytes = await readFile(new URL(`${file}.pdf`, PAPERS));
	const parameters = {
		...ADD_DOCUMENT,
		transactionId: id(await createClosing(credential())),
		source: 'base64',
		fileBase64: bytes.toString('base64'),
		documentName: 'Paper',
		whereToSign: 'text',
		texts: {
			row: [{ signer_identifier: 'borrower-1', width: 50, height: 10, where: 'on', ...row }],
		},
	};
	if (refused !== undefined) {
		expect(await complaint(parameters)).toContain(refused);
		return;
	}
	await run(parameters);
	const { body } = sandbox.requests.filter(({ method }) => method === 'POST').at(-1)!;
	const sent = (body as IDataObject).signing_designations as IDataObject[];
	expect(sent.map(({ page_number: page, x, y }) => [Number(page) + 1, x, y])).toEqual(places);
});

/** What pdf.js, another reader, sees on a page: each text with where it begins. */
async function seenByJudge(file: string, number: number) {
	const data = new Uint8Array(await readFile(new URL(`${file}.pdf`, PAPERS)));
	const page = await (await getDocument({ data, verbosity: 0 }).promise).getPage(number);
	const { items } = await page.getTextContent();
	const texts = (items as TextItem[]).map(({ str, transform: [, , , , x, y] }) => ({ str, x, y }));
	const annotations = (await page.getAnnotations()) as Array<{
		textContent?: string[];
		fieldValue?: string;
		textPosition: number[];
		rect: number[];
	}>;
	const values = annotations.map(({ textContent, fieldValue, textPosition, rect }) => ({
		str: textContent?.join('') || (fieldValue ?? ''),
		x: rect[0] + textPosition[0],
		y: rect[1] + textPosition[1],
	}));
	return [...texts, ...values];
}

const LEVELS: Array<[RegExp, string]> = [
	[/\u02bc/g, "'"],
	[/\s/g, ''],
];
/** A label may go on so far below, in points. */
const NEXT_LINE = 16;

const level = (text: string) =>
	LEVELS.reduce((levelled, [sign, usual]) => levelled.replace(sign, usual), text.normalize('NFKC'));

test.each(expectations.filter(({ places }) => places))(
	'another reader sees that, too: $file: $row',
	async ({ file, row, places = [] }) => {
		const text = level(String(row.text));
		const unseen: number[][] = [];
		for (const [page, x, y] of places) {
			const texts = await seenByJudge(file, page);
			type Seen = (typeof texts)[number];
			const isNext = (upper: Seen, lower: Seen) =>
				lower.str !== '' &&
				Math.abs(upper.x - lower.x) < 1 &&
				upper.y > lower.y &&
				upper.y - lower.y < NEXT_LINE;
			const readOn = (seen: Seen) =>
				seen.str + (texts.find((other) => isNext(seen, other))?.str ?? '');
			const isThere = (seen: Seen) =>
				Math.round(seen.y) === y && Math.round(seen.x) <= x && level(readOn(seen)).includes(text);
			if (!texts.some(isThere)) unseen.push([page, x, y]);
		}
		expect(unseen).toEqual([]);
	},
);
