import type { IDataObject } from 'n8n-workflow';

import { forEachCase } from '../../support/forEachCase.mts';
import {
	any,
	deed,
	document,
	documents,
	emails,
	FILES,
	JANE,
	JOHN,
	kept,
	names,
	newLoan,
	note,
	play,
	RIDER,
	send,
	SENT,
	UPDATE,
	type Item,
} from '../../support/runAgain.mts';
import { useSandbox } from '../../support/useSandbox.mts';

/**
 * An item that is run again and no longer says the same: what the service then holds, and what it has
 * sent, is what the item says now, or nothing was written and each difference was named.
 */

useSandbox();
beforeEach(() => void newLoan());

const enote = (id_: string) =>
	`<SMART_DOCUMENT MISMOVersionIdentifier="1.02"><LOAN LenderLoanIdentifier="${id_}"/></SMART_DOCUMENT>`;
const ENOTE = {
	enote: { row: { enoteType: 'ENOTE', source: 'binary', binaryPropertyName: 'file2' } },
};

/** What somebody changes after a check, what Stop says of it, and what is kept after Update It. */
const CHANGES: Array<[string, { before?: Item; now: Item; stops: string[] }, () => unknown]> = [
	[
		'corrects an email address',
		{
			now: { signers: [{ ...JANE, email: 'jane.b@example.com' }] },
			stops: [
				"Email of Jane Borrower is 'jane@example.com' in ID, and 'jane.b@example.com' in the item",
			],
		},
		() => expect(emails()).toEqual(['jane.b@example.com']),
	],
	[
		'corrects address and phone number',
		{
			now: {
				signers: [{ ...JANE, email: 'jane.b@example.com', phone_number: '617 555 0199' }],
			},
			stops: [
				"Email of Jane Borrower is 'jane@example.com' in ID",
				"Phone of Jane Borrower is '+16175550123' in ID, and '+16175550199' in the item",
			],
		},
		() =>
			expect(kept().signers).toMatchObject([
				{ email: 'jane.b@example.com', phone: { number: '6175550199' } },
			]),
	],
	[
		'changes the time of the meeting and the message',
		{
			before: { more: { message_to_signer: 'Hello' } },
			now: {
				more: { message_to_signer: 'Please sign', notary_meeting_time: '2099-01-02T15:00:00Z' },
			},
			stops: [
				"Message to Signer is 'Hello' in ID, and 'Please sign' in the item",
				'Notary Meeting Time is missing in ID',
			],
		},
		() => expect(kept().fields.message_to_signer).toBe('Please sign'),
	],
	[
		'corrects the house number',
		{ now: { line1: '102 Harbor St.' }, stops: ['102 Harbor St.'] },
		() => expect(kept().fields.street_address.line1).toBe('102 Harbor St.'),
	],
	[
		'adds the title agency that the check has missed',
		{
			before: { more: { titleAgencyId: '' } },
			now: {},
			stops: ["Title Agency is missing in ID, and is 'or_agency_harbor' in the item"],
		},
		() => expect(kept().fields.title_agency_id).toBe('or_agency_harbor'),
	],
	[
		'adds a co-borrower first',
		{ now: { signers: [JOHN, JANE], rules: [deed, note('signer-2')] }, stops: ['John Borrower'] },
		() => {
			expect(emails().sort()).toEqual(['jane@example.com', 'john@example.com']);
			expectPlaceOf('jane@example.com');
		},
	],
	[
		'adds a co-borrower last',
		{ now: { signers: [JANE, JOHN] }, stops: ["John Borrower · john@example.com isn't in ID"] },
		() => {
			expect(emails()).toEqual(['jane@example.com', 'john@example.com']);
			expectPlaceOf('jane@example.com');
		},
	],
	[
		'moves a place to sign',
		{
			now: { rules: [deed, note('signer-1', 200)] },
			stops: ['signature of signer-1 on page 1 at 200, 96'],
		},
		() => expect(document('Note').designations).toMatchObject([{ x: 200 }]),
	],
	[
		'changes a requirement',
		{
			now: { rules: [{ ...deed, requirement: 'identity_confirmation' }, note()] },
			stops: [
				"Requirement of Deed is 'notarization' in ID, and 'identity_confirmation' in the item",
			],
		},
		() => expect(document('Deed').requirement).toBe('identity_confirmation'),
	],
	[
		'renames a file so that another rule fits',
		{
			before: { files: { ...FILES, 'Scan.pdf': '%rider' }, rules: [deed, note(), any] },
			now: {
				files: { ...FILES, 'Rider to Deed.pdf': '%rider' },
				rules: [deed, note(), any],
			},
			stops: ["Name of Rider to Deed is 'Scan' in ID", 'Requirement of Rider to Deed'],
		},
		() => expect(document('Rider to Deed').requirement).toBe('notarization'),
	],
	[
		'replaces the eNote',
		{
			before: { files: { ...FILES, 'note.xml': enote('1') }, more: ENOTE },
			now: { files: { ...FILES, 'note.xml': enote('2') }, more: ENOTE },
			stops: ["Content of the eNote is 'the content of DO' in ID, and 'the eNote of the item'"],
		},
		() => expect(documents().flatMap((one) => one.note?.toString() ?? [])).toEqual([enote('2')]),
	],
	[
		"takes a stranger's file out of the folder",
		{
			before: { files: RIDER, rules: [deed, note(), any] },
			now: { rules: [deed, note(), any] },
			stops: ['Rider is in ID, and not in the item'],
		},
		() => expect(names()).toEqual(['Deed', 'Note']),
	],
];

/** The place in the note is that of this person, whatever the transaction calls them. */
function expectPlaceOf(email: string, name = 'Note') {
	const { external_id: own } = kept().signers.find((one) => one.email === email)!;
	expect(document(name).designations.map((one) => one.signer_identifier)).toEqual([own]);
}

describe('who checks, corrects and sends', () => {
	test.each(CHANGES)('%s', async (_what, { before = {}, now, stops }, expectKept) => {
		await play(before);
		const stopped = await send(now);
		expect([stopped.writes, kept().status]).toEqual([[], 'started']);
		forEachCase(stops, (one) => expect(stopped.said).toContain(one));
		const planned = await play({ ...now, then: 'plan' }, UPDATE);
		expect([planned.said, planned.writes]).toEqual([undefined, []]);
		await play(now, UPDATE);
		expectKept();
		const again = await play(now, UPDATE);
		expect([again.writes, (again.json.check as IDataObject).ready]).toEqual([[], true]);
		const sent = await send(now, UPDATE);
		expect([sent.said, sent.writes]).toEqual([undefined, SENT]);
		expectKept();
		expect((await send(now)).writes).toEqual([]);
	});
	test('with the signers in another order, gives a new place to the person of the item', async () => {
		await play({ signers: [JANE, JOHN], rules: [deed], files: { 'Deed.pdf': '%deed' } });
		const { said } = await send({ signers: [JOHN, JANE], rules: [deed, note('signer-1')] });
		expect(said).toBeUndefined();
		expectPlaceOf('john@example.com');
	});
});

describe('a draft that somebody has edited', () => {
	test('stops the item, which names each field', async () => {
		await play({ more: { message_to_signer: 'Hello' } });
		kept().fields.message_to_signer = 'Call me';
		const { said, writes } = await send({ more: { message_to_signer: 'Hello' } });
		expect(said).toContain("Message to Signer is 'Call me' in ID, and 'Hello' in the item");
		expect([writes, kept().status]).toEqual([[], 'started']);
	});
	test('keeps what the item leaves empty', async () => {
		await play({});
		kept().fields.message_to_signer = 'Call me';
		expect((await send({})).writes).toEqual(SENT);
		expect(kept().fields.message_to_signer).toBe('Call me');
	});
	test.each(['business', undefined] as const)('with one place more stops: %s', async (platform) => {
		await play({ platform });
		const [place] = document('Note').designations;
		document('Note').designations.push({ ...place, x: 300 });
		const { said, writes } = await send({ platform });
		expect(said).toContain("Where to Sign of Note is '");
		expect(writes).toEqual([]);
	});
	// Answers about closings don't show where a place is.
	test('with a place moved stops on business', async () => {
		await play({ platform: 'business' });
		document('Note').designations[0].x = 300;
		const { said, writes } = await send({ platform: 'business' });
		expect(said).toContain(
			"Where to Sign of Note is 'signature of signer-1 on page 1 at 300, 96' in ID, and 'signature of signer-1 on page 1 at 72, 96' in the item",
		);
		expect(writes).toEqual([]);
	});
});

test('what no answer shows goes along with a change', async () => {
	await play({ more: { paper_note_consent: false } });
	const { said } = await send({ more: { message_to_signer: 'Hi' } }, UPDATE);
	expect(said).toBeUndefined();
	expect(kept().fields).toMatchObject({ message_to_signer: 'Hi', paper_note_consent: true });
});

test('Keep It sends fields and places of the draft, and lists in what they differ', async () => {
	await play({ more: { message_to_signer: 'Hello' } });
	const now = { rules: [deed, note('signer-1', 200)], more: { message_to_signer: 'Hi' } };
	const { said, json, writes: wrote } = await send(now, { ifItDiffers: 'keep' });
	expect([said, wrote]).toEqual([undefined, SENT]);
	expect(json.differences).toMatchObject([
		{ field: 'Message to Signer', expected: 'Hi', actual: 'Hello', kind: 'different' },
		{ field: 'Paper Note Consent', kind: 'unknown' },
		{ subject: 'Note', field: 'Where to Sign', kind: 'different' },
	]);
	expect(document('Note').designations).toMatchObject([{ x: 72 }]);
});

test('an empty co-borrower changes nothing, and an address in capitals keeps its phone', async () => {
	await play({ signers: [JANE, JOHN] });
	const one = [{ ...JANE, email: 'JANE@Example.com', phone_number: '' }];
	const now = { signers: one, more: { message_to_signer: 'Hi' } };
	const { said } = await play(now, UPDATE);
	expect(said).toBeUndefined();
	expect(kept().signers).toMatchObject([
		{ email: JANE.email, phone: { number: '6175550123' } },
		{ email: JOHN.email },
	]);
	const stopped = await send(now, UPDATE);
	expect(stopped.said).toContain('John Borrower · john@example.com is in ID, and not in the item');
	expect(stopped.writes).toEqual([]);
	const sent = await send(now, { ...UPDATE, removeSignersNotNamed: true });
	expect(sent.said).toBeUndefined();
	expect(emails().map((email) => email.toLowerCase())).toEqual([JANE.email]);
});
