import type { IDataObject } from 'n8n-workflow';

import type { Designation } from '../../../../sandbox/world/world.mts';
import { toForm } from '../../../support/closing.mts';
import { businessFile, closingFile } from '../../../support/createAndSend.mts';
import { storeFile } from '../../../support/engine.mts';
import { forEachCase } from '../../../support/forEachCase.mts';
import { attempt, ownDocuments, run, transaction } from '../../../support/operations.mts';
import { textPdf, type Text, type TextPage } from '../../../support/textPdf.mts';
import { useSandbox } from '../../../support/useSandbox.mts';
import { replacing, type Platform } from './scene.mts';

/**
 * Places after the documents of thirty sent transactions were replaced. The judge is the file that the
 * service has: it was drawn here, so where each of its labels stands is known.
 */

useSandbox();

/** What is signed at which label. */
const LABELS = { signature: 'Borrower Signature', initial: 'Initials', date_signed: 'Signed On' };
const TYPES = Object.keys(LABELS) as Array<keyof typeof LABELS>;
const LEFT = 72;
const LINE = 14;
/** How far above its label a place may begin, in points, and how far beside it. */
const HIGHEST = 20;
const NEAR = 1;

/** What is on a paper. */
interface Version {
	amount: string;
	/** Paragraphs above the labels: each moves them down. */
	above: number;
	/** Paragraphs below them. */
	below: number;
	/** The page that the labels are on. */
	page: number;
}

const baselineOf = ({ above }: Version, index: number): number => 560 - LINE * above - 60 * index;

async function drawNote(version: Version): Promise<Buffer> {
	const { amount, above, below, page } = version;
	const paragraphs = (count: number, top: number) =>
		Array.from({ length: count }, (_, index): Text => [
			`${index + 1}. I sign what is said here.`,
			LEFT,
			top - LINE * index,
		]);
	const pages: TextPage[] = Array.from({ length: page + 1 }, () => ({
		texts: [['Note', LEFT, 720] as Text, ...paragraphs(3 + above, 660)],
	}));
	pages[0].texts!.push([`Loan amount ${amount}`, 300, 720]);
	pages[page].texts!.push(
		...TYPES.map((type, index): Text => [LABELS[type], LEFT, baselineOf(version, index)]),
		...paragraphs(below, 200),
	);
	return await textPdf(pages);
}

/** The label that a place stands right above. */
function findLabel(version: Version, { page_number: page, x, y }: Designation): string {
	const match = TYPES.find((_type, index) => {
		const baseline = baselineOf(version, index);
		const isAbove = y > baseline && y <= baseline + HIGHEST;
		return page === version.page && Math.abs(x - LEFT) <= NEAR && isAbove;
	});
	return match === undefined ? `nothing at ${page}/${x}/${y}` : LABELS[match];
}

const AT_TEXTS = {
	nameContains: 'Note',
	requirement: 'esign',
	whereToSign: 'text',
	texts: {
		row: TYPES.map((type) => ({
			...{ text: LABELS[type], signer_identifier: 'borrower-1', type, where: 'above' },
			...{ moveUp: 4, width: 180, height: 16 },
		})),
	},
};
const UNPLACED = { nameContains: 'Note', requirement: 'esign', whereToSign: 'rows' };

const OLD: Version = { amount: '300,000', above: 0, below: 0, page: 0 };
const CHANGES: Array<Partial<Version>> = [
	{},
	{ above: 1 },
	{ below: 2 },
	{ above: 5, below: 1 },
	{ page: 1 },
];
const WAYS: Array<[platform: Platform, rule: IDataObject]> = [
	['realEstate', AT_TEXTS],
	['business', AT_TEXTS],
	['business', UNPLACED],
];
/** Twice, with another amount. */
const CASES = ['310,000', '298,500'].flatMap((amount) =>
	WAYS.flatMap(([platform, rule]) =>
		CHANGES.map((change) => ({ platform, rule, version: { ...OLD, amount, ...change } })),
	),
);

const packUp = async (version: Version) => {
	const pdf = await drawNote(version);
	const file = await storeFile(pdf, 'Note.pdf', 'application/pdf');
	return { pdf, input: { items: [{ json: {}, binary: { file } }] } };
};

let count = 0;
async function sendNote(platform: Platform): Promise<string> {
	const number = `5430${process.pid}${++count}`;
	const isBusiness = platform === 'business';
	const parameters = (isBusiness ? businessFile : closingFile)({
		...{ then: 'send', documentRules: { row: [AT_TEXTS] } },
		...toForm(isBusiness ? { external_id: number } : { loan_number: number }),
	});
	return String((await run(parameters, (await packUp(OLD)).input)).json.transaction_id);
}

/** Sends the note, and its new version. What the service has then, as the drawn file shows it. */
async function replaceNote({ platform, rule, version }: (typeof CASES)[0]) {
	const id = await sendNote(platform);
	const { pdf, input } = await packUp(version);
	const { error } = await attempt(replacing(id, { platform, rules: [rule] }), input);
	const [note, ...others] = ownDocuments(id);
	expect([others, transaction(id).status]).toEqual([[], 'sent']);
	const isNew = note.uploaded.equals(pdf);
	expect(isNew).toBe(error === undefined);
	const shown = isNew ? version : OLD;
	return {
		isNew,
		said: error?.description ?? '',
		places: note.designations.map((place) => [place.type, findLabel(shown, place)]).sort(),
	};
}

test('each place stands at its text in the file that its signers get, in thirty transactions', async () => {
	expect(CASES).toHaveLength(30);
	const right = TYPES.map((type) => [type, LABELS[type]]).sort();
	await forEachCase(CASES, async (one) => {
		const { isNew, said, places } = await replaceNote(one);
		expect(places).toEqual(right);
		// Without places in the rule, the old ones are taken over only if no line around them has moved.
		const { rule, version } = one;
		const isMoved = version.above > 0 || version.page > 0;
		const isCarriedWrongly = rule === UNPLACED && isMoved;
		expect(isNew).toBe(!isCarriedWrongly);
		if (isCarriedWrongly) expect(said).toContain("the text around them isn't the same");
	});
});
