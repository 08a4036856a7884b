import type { IDataObject } from 'n8n-workflow';

import { businessFile, closingFile } from '../../../support/createAndSend.mts';
import { ADD_DOCUMENT, borrowers, id, toForm } from '../../../support/closing.mts';
import { storeFile } from '../../../support/engine.mts';
import { attempt, BUSINESS, ownDocuments, run, transaction } from '../../../support/operations.mts';
import { textPdf, type Text } from '../../../support/textPdf.mts';
import { useSandbox } from '../../../support/useSandbox.mts';
import { replacing } from './scene.mts';

/** Transaction: Replace Documents: places to sign, from the rule or carried over. */

useSandbox();

const PAPER: Text[] = [
	['Loan amount 300,000', 72, 700],
	['I agree to pay.', 72, 640],
	['Borrower Signature', 72, 200],
	['Page 1', 300, 40],
];
/** The box stands above the line of the signature. */
const BOX = [
	{
		signer_identifier: 'borrower-1',
		type: 'signature',
		page_number: 0,
		x: 72,
		y: 214,
		width: 180,
		height: 24,
	},
];
const PLACED = {
	nameContains: 'Note',
	requirement: 'esign',
	whereToSign: 'json',
	designationsJson: JSON.stringify(BOX),
};
const UNPLACED = { nameContains: 'Note', requirement: 'esign', whereToSign: 'rows' };

const withPaper = async (...pages: Text[][]) => {
	const pdf = await textPdf(pages.map((texts) => ({ texts })));
	const note = await storeFile(pdf, 'Note.pdf', 'application/pdf');
	return { items: [{ json: {}, binary: { note } }] };
};

type Then = 'plan' | 'draft' | 'send';

let count = 0;
async function makeNote(rule: IDataObject = PLACED): Promise<string> {
	const parameters = businessFile({
		...{ then: 'draft', documentRules: { row: [rule] } },
		...toForm({ external_id: `places-${process.pid}-${++count}` }),
	});
	return String((await run(parameters, await withPaper(PAPER))).json.transaction_id);
}
async function replaceNote(id: string, texts: Text[], rule: IDataObject, then: Then) {
	const parameters = replacing(id, { platform: 'business', then, rules: [rule] });
	const { error, items } = await attempt(parameters, await withPaper(texts));
	return { said: error?.description, json: items[0]?.json ?? {} };
}

const moved = (by: number): Text[] =>
	PAPER.map(([text, x, y]) => [text, x, y > 100 && y < 600 ? y - by : y]);
const withAmount = PAPER.map(([text, x, y]): Text => [text.replace('300', '310'), x, y]);
const PROBLEM =
	"The places to sign of Note can't be carried over: the text around them isn't the same in 'Note.pdf' as in Note. Place them in rule 1";

test('are carried over where the same text stands around them', async () => {
	const id = await makeNote();
	const { said, json } = await replaceNote(id, withAmount, UNPLACED, 'draft');
	expect([said, (json.papers as IDataObject[])[0].action]).toEqual([undefined, 'replace']);
	expect(ownDocuments(id).map(({ designations }) => designations)).toMatchObject([BOX]);
});
const CHANGED: Array<[string, Text[]]> = [
	['a paragraph more moves the line', moved(24)],
	[
		'the line is another one',
		PAPER.map(([text, x, y]) => [text.replace('Borrower', 'Lender'), x, y]),
	],
	['a line more stands at the box', [...PAPER, ['Spouse Signature', 72, 220]]],
	['the page is empty', [['Page 1', 300, 40]]],
];
test.each(CHANGED)('are not carried over if %s', async (_what, texts) => {
	const id = await makeNote();
	const { json } = await replaceNote(id, texts, UNPLACED, 'plan');
	expect(json.stops).toEqual([PROBLEM]);
	const { said } = await replaceNote(id, texts, UNPLACED, 'draft');
	expect(said).toBe(`Nothing was changed. ${PROBLEM}`);
	expect(ownDocuments(id)).toHaveLength(1);
});
test('come from the rule on the new file', async () => {
	const id = await makeNote();
	const text = {
		text: 'Borrower Signature',
		signer_identifier: 'borrower-1',
		width: 90,
		height: 20,
	};
	const rule = { ...UNPLACED, whereToSign: 'text', texts: { row: [text] } };
	expect((await replaceNote(id, moved(24), rule, 'draft')).said).toBeUndefined();
	const [{ designations }] = ownDocuments(id);
	expect(designations).toMatchObject([{ y: expect.any(Number), width: 90 }]);
	expect(designations[0].y).toBeLessThan(200);
});

describe('entries of a rule, which place at the same points', () => {
	const MOVED =
		"Rule 1 has the places to sign of Note where they were, but the text around them isn't the same in 'Note.pdf' as in Note. Choose 'At a Text' in the rule, or set 'Then' to Keep as Draft to look at them first";

	test('stop a Send if the text around them has moved, until somebody had a draft to look at', async () => {
		const id = await makeNote();
		expect((await replaceNote(id, moved(24), PLACED, 'plan')).json.stops).toEqual([MOVED]);
		const refused = await replaceNote(id, moved(24), PLACED, 'send');
		expect(refused.said).toBe(`Nothing was changed. ${MOVED}`);
		const drafted = await replaceNote(id, moved(24), PLACED, 'draft');
		expect([drafted.said, transaction(id).status]).toEqual([undefined, 'started']);
		const sent = await replaceNote(id, moved(24), PLACED, 'send');
		expect([sent.said, transaction(id).status]).toEqual([undefined, 'sent']);
	});
	test('that name a role are the same in later runs, and for Create and Send', async () => {
		const [box] = BOX;
		const places = JSON.stringify([{ ...box, signer_identifier: 'Borrower' }]);
		const rule = { ...PLACED, designationsJson: places };
		const signers = borrowers({ external_id: '', role: 'Borrower' });
		const parameters = closingFile({
			...{ documentRules: { row: [rule] }, signers },
			...toForm({ loan_number: `roles-${process.pid}` }),
		});
		const { json } = await run(parameters, await withPaper(PAPER));
		const noteId = String(json.transaction_id);
		const replaceWith = async (texts: Text[], then: Then) =>
			await attempt(replacing(noteId, { then, rules: [rule] }), await withPaper(texts));
		const stopped = [
			expect.objectContaining({ json: expect.objectContaining({ stops: [MOVED] }) }),
		];
		expect((await replaceWith(moved(24), 'plan')).items).toEqual(stopped);
		expect((await replaceWith(withAmount, 'draft')).error).toBeUndefined();
		expect((await replaceWith(moved(24), 'plan')).items).toEqual(stopped);
		const again = await run({ ...parameters, then: 'plan' }, await withPaper(withAmount));
		expect(again.json.transaction_id).toBe(noteId);
		expect(again.json.differences).not.toContainEqual(expect.objectContaining({ subject: 'Note' }));
	});
	test('hold if they were entered anew', async () => {
		const id = await makeNote();
		const [box] = BOX;
		const rule = { ...PLACED, designationsJson: JSON.stringify([{ ...box, y: box.y - 24 }]) };
		expect((await replaceNote(id, moved(24), rule, 'plan')).json.stops).toEqual([]);
	});
	test.each([
		['another operation has added the document', {}],
		['it has a Tracking ID of a person', { tracking_id: 'note-1' }],
	])('are compared if %s', async (_what, fields) => {
		const { json: draft } = await run({ ...BUSINESS, signers: borrowers() });
		const transactionId = String(draft.transaction_id);
		const added = {
			...{ ...ADD_DOCUMENT, ...PLACED, platform: 'business', transactionId: id(transactionId) },
			...{ binaryPropertyName: 'note', additionalFields: fields },
		};
		await run(added, await withPaper(PAPER));
		const { json } = await replaceNote(transactionId, moved(24), PLACED, 'plan');
		expect(json.stops).toContain(MOVED);
	});
	test('count the last page from the end in both files', async () => {
		const [box] = BOX;
		const places = JSON.stringify([{ ...box, page_number: 'last' }]);
		const rule = { ...PLACED, designationsJson: places };
		const id = await makeNote(rule);
		const plan = async (...pages: Text[][]) => {
			const parameters = replacing(id, { platform: 'business', then: 'plan', rules: [rule] });
			return (await run(parameters, await withPaper(...pages))).json.stops;
		};
		expect(await plan([['Cover', 72, 700]], withAmount)).toEqual([]);
		expect(await plan(withAmount, [['Cover', 72, 700]])).toEqual([MOVED]);
	});
});
