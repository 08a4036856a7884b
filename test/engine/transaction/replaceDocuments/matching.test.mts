import type { IDataObject } from 'n8n-workflow';

import { ownDocuments, transaction } from '../../../support/operations.mts';
import { sandbox, useSandbox } from '../../../support/useSandbox.mts';
import { FILES, makeTransaction, NEW_NOTE, replace, RULES, type Replacing } from './scene.mts';

/** Transaction: Replace Documents: which file takes the place of which document, and what stops it. */

useSandbox();

const PLAN = { then: 'plan' } as const;
const [DEED, NOTE, ANY] = RULES;
const document = (id: string, name: string) => ownDocuments(id).find((one) => one.name === name)!;
const plan = async (id: string, files: Record<string, string>, more: Replacing = {}) =>
	await replace(id, files, { ...PLAN, ...more });
/** What becomes of each file and document, and by what they belong together. */
const matches = ({ json }: { json: IDataObject }) =>
	(json.papers as IDataObject[]).map(
		({ action, file, document_name: name, matched_by: by }) =>
			`${String(file)} ${String(action)} ${String(name)} ${String(by)}`,
	);

describe('a file belongs to a document', () => {
	const NEWER = [
		['Deed of Trust', 'New Deed of Trust'],
		['Deed of Trust', 'Deed of Trust v2'],
		['Deed of Trust', 'Deed of Trust (REVISED 11-28)'],
		['Deed of Trust', 'deed_of_trust_final'],
		['Deed of Trust', 'Copy of Deed of Trust (1)'],
		['Deed of Trust', 'Deed of Trust 7001234'],
		['Deed of Trust rev 1 7001234', 'Deed of Trust rev 2 7001234'],
		['Deed of Trust 2026-11-27 DRAFT', 'Deed of Trust 2026-11-28'],
	];
	test.each(NEWER)(
		'by the one rule that fits one of each, if it says a newer version: %s, %s',
		async (name, newName) => {
			const rules = [{ ...DEED, nameContains: 'Deed of Trust' }, ANY];
			const id = await makeTransaction({ [`${name}.pdf`]: '%1', 'Rider.pdf': '%r' }, { rules });
			const shown = await plan(id, { [`${newName}.pdf`]: '%2' }, { rules });
			expect(matches(shown)[0]).toBe(`${newName}.pdf replace ${name} rule`);
		},
	);
	const OTHERS = [
		['Deed of Trust', 'Rider to Deed of Trust'],
		['Deed of Trust', 'Deed of Trust Addendum'],
		['Adjustable Deed of Trust', 'Deed of Trust'],
		['Deed of Trust 1', 'Deed of Trust 2'],
		['Deed of Trust 7001234', 'Deed of Trust 7001235'],
	];
	test.each(OTHERS)(
		"by nothing, if the names' words are other ones, though a rule fits both: %s, %s",
		async (name, otherName) => {
			const rules = [{ ...DEED, nameContains: 'Deed of Trust' }, ANY];
			const id = await makeTransaction({ [`${name}.pdf`]: '%1' }, { rules });
			const more = { documentsWithoutFile: 'leave', filesWithoutDocument: 'add' };
			const files = { [`${otherName}.pdf`]: '%2' };
			const shown = await replace(id, files, { rules, more });
			expect([shown.writes, shown.said]).toEqual([
				[],
				`The documents of ID can't be replaced like this. Nothing was changed. Nothing tells whether '${otherName}.pdf' replaces ${name}. If so, rename it like that. If not, add a rule for it before rule 1`,
			]);
			const rulesOfBoth = [{ ...ANY, nameContains: otherName }, ...rules];
			const words = (text: string) => text.split(' ').length;
			// A rule for fewer words would take the document, too.
			if (words(otherName) < words(name)) return;
			const added = await plan(id, files, { rules: rulesOfBoth, more });
			expect([matches(added)[0], added.stops]).toEqual([
				`${otherName}.pdf add ${otherName} null`,
				[],
			]);
		},
	);
	test('by the rule, though another paper comes that the rule fits, too', async () => {
		const rules = [{ ...DEED, nameContains: 'Deed of Trust' }, ANY];
		const id = await makeTransaction({ 'Deed of Trust.pdf': '%1' }, { rules });
		const files = { 'Deed of Trust v2.pdf': '%2', 'Rider to Deed of Trust.pdf': '%r' };
		const shown = await plan(id, files, { rules, more: { filesWithoutDocument: 'add' } });
		expect([matches(shown), shown.stops]).toEqual([
			[
				'Deed of Trust v2.pdf replace Deed of Trust rule',
				'Rider to Deed of Trust.pdf add Rider to Deed of Trust null',
			],
			[],
		]);
	});
	test('by its name, however it is written', async () => {
		const id = await makeTransaction({ 'Rider A.pdf': '%a', 'Rider B.pdf': '%b' });
		const shown = await plan(id, { 'rider_a.pdf': '%a2', 'RIDER-B.pdf': '%b' });
		expect(matches(shown)).toEqual([
			'rider_a.pdf replace Rider A name',
			'RIDER-B.pdf same Rider B null',
		]);
	});
	test('by the Tracking ID that a person has given the document', async () => {
		const id = await makeTransaction();
		document(id, 'Note').flags.tracking_id = 'DOC-4711';
		const shown = await plan(id, { 'doc 4711 (revised).pdf': '%2' }, { rules: [ANY] });
		expect(matches(shown)[0]).toBe('doc 4711 (revised).pdf replace Note trackingId');
		expect(shown.plan.at(-2)).toBe("Give 'doc 4711 (revised).pdf' the Tracking ID DOC-4711");
		const named = await plan(id, { 'New Note DOC-4711.pdf': '%2' }, { rules: [ANY] });
		expect(matches(named)[0]).toBe('New Note DOC-4711.pdf replace Note trackingId');
		const other = await plan(id, { 'Rider to DOC-4711.pdf': '%2' }, { rules: [ANY] });
		expect(matches(other)[0]).toBe('Rider to DOC-4711.pdf add Rider to DOC-4711 null');
	});
	test('by nothing, if a rule fits several documents and the name is new', async () => {
		const id = await makeTransaction({ 'Rider A.pdf': '%a', 'Rider B.pdf': '%b' });
		const shown = await plan(id, { 'Rider new.pdf': '%2' });
		expect(shown.stops[0]).toBe(
			"Nothing tells whether 'Rider new.pdf' replaces Rider A or Rider B. If so, rename it like that. If not, add a rule for it before rule 3",
		);
	});
});

describe('what stops a Send unless it is chosen', () => {
	test('a document that no file replaces', async () => {
		const id = await makeTransaction();
		const { 'Note.pdf': note } = NEW_NOTE;
		const files = { 'Note.pdf': note };
		const shown = await plan(id, files);
		expect(shown.stops).toEqual([
			"No file of the item replaces Deed and Rider. If they stay as they are, set 'Documents Without a File' in 'Additional Fields' to Leave Them",
		]);
		const more = { documentsWithoutFile: 'leave' };
		expect((await plan(id, files, { more })).stops).toEqual([]);
		expect((await replace(id, files)).writes).toEqual([]);
	});
	test('a file that replaces nothing', async () => {
		const id = await makeTransaction({ 'Deed.pdf': '%deed' });
		const files = { 'Deed.pdf': '%deed', 'Rider.pdf': '%rider' };
		expect((await plan(id, files)).stops).toEqual([
			"'Rider.pdf' replaces no document. To add it, set 'Files Without a Document' in 'Additional Fields' to Add Them",
		]);
		const shown = await plan(id, files, { more: { filesWithoutDocument: 'add' } });
		expect([shown.stops, shown.plan.slice(0, 2)]).toEqual([
			[],
			['Recall it from its signers', "Add 'Rider.pdf' by rule 3"],
		]);
	});
	test('flags that no answer shows and no rule has', async () => {
		const id = await makeTransaction();
		const note = document(id, 'Note');
		note.flags.tracking_id = 'Note';
		const shown = await plan(id, NEW_NOTE);
		expect(shown.stops).toEqual([
			"The service doesn't show Signing Requires Meeting of Note. Turn on in the rule's 'Flags' what holds, and set 'Flags Not Shown' in 'Additional Fields' to Only Those of the Rule",
		]);
		expect((await plan(id, NEW_NOTE, { more: { flagsNotShown: 'rule' } })).stops).toEqual([]);
		const rules = [{ ...NOTE, flags: ['signing_requires_meeting'] }, DEED, ANY];
		expect((await plan(id, NEW_NOTE, { rules })).stops).toEqual([]);
	});
});

test('what the draft would lack is said before anything is taken from its signers', async () => {
	const id = await makeTransaction(FILES, { platform: 'business' });
	const note = { nameContains: 'Note', requirement: 'esign', whereToSign: 'tags' };
	const rules = [DEED, { ...NOTE, designationsJson: '[]', requirement: '' }, ANY];
	document(id, 'Note').designations = [];
	const done = await replace(id, NEW_NOTE, { platform: 'business', rules });
	expect([done.writes, done.said]).toEqual([
		[],
		expect.stringContaining("'Note' has no place to sign"),
	]);
	const tagged = await plan(id, NEW_NOTE, { platform: 'business', rules: [DEED, note, ANY] });
	expect(tagged.stops).toEqual([]);
});

describe('what stops everything', () => {
	const BY_HAND = { more: { replaceAddedByHand: true, flagsNotShown: 'rule' } };
	test('a document that somebody has added by hand', async () => {
		const id = await makeTransaction();
		document(id, 'Note').flags.tracking_id = undefined;
		const shown = await replace(id, NEW_NOTE);
		expect([shown.writes, shown.said]).toEqual([
			[],
			expect.stringContaining(
				"'Note.pdf' has the name of Note, which something else has added. To replace it, turn on 'Replace Documents Added by Hand' in 'Additional Fields'",
			),
		]);
		expect((await plan(id, NEW_NOTE, BY_HAND)).stops).toEqual([]);
		// Its rule says nothing of it.
		const renamed = await plan(id, { ...FILES, 'Note.pdf': '%note', 'Note 2.pdf': '%2' });
		expect(renamed.stops.join()).toContain("'Note 2.pdf' replaces no document");
	});
	test('a rule with another requirement than the document', async () => {
		const id = await makeTransaction();
		document(id, 'Note').requirement = 'notarization';
		expect((await plan(id, NEW_NOTE)).stops[0]).toBe(
			"The 'Requirement' of Note is Notarization, and eSign in rule 2. Set it in the rule to what holds",
		);
	});
	test('a transaction that is with its signers', async () => {
		const id = await makeTransaction();
		const shown = await replace(id, NEW_NOTE, { recalls: false });
		expect([shown.said, shown.writes]).toEqual([
			"The documents of ID can't be replaced like this. Nothing was changed. ID is with its signers. To take it back from them, turn on 'Recall from Signers'",
			[],
		]);
	});
	test('places that the closing team has set', async () => {
		const id = await makeTransaction();
		const deed = document(id, 'Deed');
		deed.designations.push({ id: 'ad1', type: 'signature' } as never);
		const files = { ...FILES, 'Deed.pdf': '%new deed' };
		const shown = await plan(id, files);
		expect(shown.stops).toEqual([
			"Deed has 1 place to sign, and the new one would have 0: the closing team may have set what is lost. Place them in the rule, or turn on 'Let the Closing Team Place Again' in 'Additional Fields'",
		]);
		expect((await plan(id, files, { more: { letTeamPlace: true } })).stops).toEqual([]);
	});
	test('a signature, a meeting or an end, which name Transaction: Copy', async () => {
		const sent = await makeTransaction();
		transaction(sent).signers[0].signing_status = 'complete';
		expect((await plan(sent, NEW_NOTE)).stops[0]).toBe(
			"Jane Borrower · jane.borrower@example.com has signed ID already. Send the new papers with 'Transaction: Create and Send' in another one, or start over with 'Transaction: Copy' once this one has ended",
		);
		const met = await makeTransaction();
		transaction(met).detailedStatus = 'attempted';
		expect((await plan(met, NEW_NOTE)).stops[0]).toMatch(
			/^A meeting with the notary was attempted/,
		);
		const ended = await makeTransaction();
		Object.assign(transaction(ended), { status: 'expired', detailedStatus: 'expired' });
		expect((await plan(ended, NEW_NOTE)).stops[0]).toBe(
			"ID has ended: it's expired. To start over, use 'Transaction: Copy'",
		);
		expect(sandbox.requests.every(({ method }) => method === 'GET')).toBe(true);
	});
});
