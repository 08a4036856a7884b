import type { IDataObject } from 'n8n-workflow';

import { CLOSING, createClosing, id, TITLE, toForm } from '../../../support/closing.mts';
import {
	businessFile,
	closingFile,
	DEED,
	RULES,
	withFiles,
	writes,
} from '../../../support/createAndSend.mts';
import { liveClosing } from '../../../support/live/answers.mts';
import { withService } from '../../../support/live/service.mts';
import { BUSINESS, JANE, run, sendClosing, UPDATE_CLOSING } from '../../../support/operations.mts';
import { credential, sandbox } from '../../../support/useSandbox.mts';
import { addDeed, borrowers, on, type Person } from '../person.mts';

/** What sending, creating and correcting refuse in their own words, before anything is written. */

type Play = (person: Person) => Promise<void>;

let count = 0;
const newNumber = () => `REF${process.pid}${++count}`;
const made = (number: string) =>
	[...sandbox.world.transactions.values()].filter(({ fields }) => fields.loan_number === number);
/** A closing that is looked for by its loan number. */
const closing = (loan_number: string, more: IDataObject = {}, form: IDataObject = {}) => ({
	...CLOSING,
	...form,
	...toForm({
		...TITLE,
		loan_number,
		ifExists: 'return',
		matchBy: 'loan_number',
		paper_note_consent: true,
		...more,
	}),
});
const JOE = borrowers({ email: 'joe@example.com', first_name: 'Joe', external_id: 'joe-1' });
const ELSEWHERE = { signers: JOE, addressLine1: '7 Other Road' };
const file = async () => await withFiles({ 'Deed of Trust.pdf': '%' });

/** An item of Create and Send that is refused, and works when something of it is changed. */
const inFile =
	(wrong: (number: string) => IDataObject, name: string, right: IDataObject = {}): Play =>
	async (person) => {
		const number = newNumber();
		const item = (more: IDataObject) =>
			closingFile({ documentRules: DEED, ...toForm({ loan_number: number }), ...more });
		await person.fails(item(wrong(number)), await file());
		expect(made(number)).toEqual([]);
		await person.again(name, item(right), await file());
		expect(made(number)).toHaveLength(1);
	};
/** A form that is refused before anything is sent, and works when a field is changed. */
const inForm =
	(wrong: IDataObject, name: string, right: IDataObject): Play =>
	async (person) => {
		sandbox.requests.length = 0;
		await person.fails(wrong);
		expect(sandbox.requests).toHaveLength(0);
		await person.again(name, right);
	};
/** A closing is there already, and the next one of its number is refused. */
const whereOneIs =
	(
		first: [IDataObject?, IDataObject?],
		second: [IDataObject?, IDataObject?],
		follow: (
			person: Person,
			again: (more?: IDataObject, form?: IDataObject) => IDataObject,
			there: string,
		) => Promise<unknown>,
		count_ = 1,
	): Play =>
	async (person) => {
		const number = newNumber();
		const there = (await run(closing(number, ...first))).json.transaction_id;
		await person.fails(closing(number, ...second));
		expect(made(number)).toHaveLength(1);
		const again = (more: IDataObject = {}, form: IDataObject = {}) =>
			closing(number, { ...second[0], ...more }, { ...second[1], ...form });
		await follow(person, again, String(there));
		expect(made(number)).toHaveLength(count_);
	};

/** A service whose list doesn't show the numbers of so many closings of the same people. */
const withHidden =
	(hidden: number, name: string, right: IDataObject): Play =>
	async (person) => {
		const old = new Date(Date.now() - 20 * 86_400_000).toISOString();
		const { transactionType: transaction_type } = CLOSING;
		const entry = (index: number) => ({
			...liveClosing([], { id: `ot_hidden${index}`, transaction_type }),
			signers: [{ signer_id: 'oc_1', email: 'jane.borrower@example.com', first_name: 'Jane' }],
		});
		const all = Array.from({ length: hidden }, (_, index) => entry(index));
		await withService(
			({ method, path, query }) => {
				if (method === 'POST') return { body: entry(99) };
				if (!path.endsWith('/transactions')) return { body: entry(0) };
				const data = query.created_date_start < old ? all : [];
				return { body: { total_count: data.length, count: data.length, data } };
			},
			async (service) => {
				const own = { credential: service.credential };
				const form = (more: IDataObject) => closing('7050', more);
				await person.fails(form({}), own);
				person.reads('Nothing was created');
				await person.again(name, form(right), own);
				expect(service.bodies('POST')).toHaveLength(1);
			},
		);
	};

const update = (transaction: string, updateFields: IDataObject) => ({
	...UPDATE_CLOSING,
	transactionId: id(transaction),
	updateFields,
});

export const REFUSALS: Record<string, Play> = {
	'createAndSend/form.ts: Choose the number that your file has: by it, the next run fi': inFile(
		() => ({ matchBy: '={{ "" }}' }),
		'Choose the number that your file has',
	),
	'createAndSend/item.ts: Nothing was sent': async (person) => {
		const loan = newNumber();
		const item = closingFile({
			documentRules: RULES,
			...toForm({ loan_number: loan }),
			then: 'send',
		});
		await person.fails(item, await file());
		const both = await withFiles({ 'Deed of Trust.pdf': '%', 'Affidavit.pdf': '%a' });
		await person.again('Add the file', item, both);
		expect(made(loan).map(({ status }) => status)).toEqual(['sent']);
	},
	'createAndSend/item.ts: Choose from the list': inFile(
		() => ({ then: '={{ "" }}' }),
		'Choose from the list',
		{ then: 'draft' },
	),
	"createAndSend/item.ts: Remove it here. Add such a PDF to the draft with 'Document: ": inFile(
		(loan_number) => ({
			...toForm({ loan_number, additionalJson: '{"pdf_bookmarked":true}' }),
		}),
		'Remove it here',
	),
	'createAndSend/item.ts: Fill it in: by this number, the next run finds what this one': inFile(
		() => toForm({}),
		'Fill it in',
	),
	"createAndSend/refusals.ts: Nothing was created. Add a place in 'Document Rules', or rem": async (
		person,
	) => {
		const external_id = newNumber();
		const item = (...others: IDataObject[]) =>
			businessFile({
				documentRules: { row: [RULES.row[1]] },
				signers: borrowers({}, ...others),
				then: 'send',
				...toForm({ external_id }),
			});
		const affidavit = await withFiles({ 'Affidavit.pdf': '%' });
		sandbox.requests.length = 0;
		await person.fails(item(JANE), affidavit);
		expect(writes()).toEqual([]);
		const { items } = await person.again('remove the signer', item(), affidavit);
		expect(items[0].json).toMatchObject({ existing: false, status: 'sent' });
	},
	'createAndSend/refusals.ts: Nothing was changed': async (person) => {
		const loan_number = newNumber();
		const item = (more: IDataObject, signers = borrowers()) =>
			closingFile({
				documentRules: DEED,
				signers,
				then: 'send',
				...toForm({ loan_number, ...more }),
			});
		await run({ ...item({}), then: 'draft' }, await file());
		const other = borrowers({ phone_number: '617 555 0199' });
		await person.fails(item({}, other), await file());
		person.reads('Nothing was changed');
		await person.again(
			"set 'If It Differs' to Update It",
			item({ ifItDiffers: 'update', settingsNotShown: 'none' }, other),
			await file(),
		);
		expect(made(loan_number).map(({ status }) => status)).toEqual(['sent']);
	},
	"ifExists/lookup.ts: Set 'Created Within' to fewer days, so that there are ": withHidden(
		26,
		"Set 'Created Within' to fewer days",
		{ createdWithin: 10 },
	),
	"ifExists/lookup.ts: Look at it with 'Transaction: Get'": withHidden(
		1,
		"set 'If It Exists' to Create Another",
		{ ifExists: 'another' },
	),
	"ifExists/lookup.ts: If it's the same, correct it with 'Transaction: Update'. If ": async (
		person,
	) => {
		const [number, another] = [newNumber(), newNumber()];
		await run(closing(number));
		delete made(number)[0].fields.transaction_type;
		await person.fails(closing(number, {}, { signers: JOE }));
		await person.again('give the item another number', closing(another, {}, { signers: JOE }));
		expect([made(number).length, made(another).length]).toEqual([1, 1]);
	},
	"ifExists/lookup.ts: If it's the same, correct it with 'Transaction: Update' or '": whereOneIs(
		[],
		[{}, ELSEWHERE],
		async (person, again) => {
			const own = { external_id: newNumber(), matchBy: 'external_id' };
			await person.again("set 'Match By' to External ID", again(own));
		},
		2,
	),
	"ifExists/lookup.ts: Delete those you don't need, or give the item another number": async (
		person,
	) => {
		const number = newNumber();
		await run(closing(number, { ifExists: 'another' }));
		const { json } = await run(closing(number, { ifExists: 'another' }));
		await person.fails(closing(number));
		await person.does("Delete those you don't need", on(String(json.transaction_id), 'delete'));
		expect((await run(closing(number))).json.existing).toBe(true);
	},
	"ifExists/identity.ts: Enter that organization, or turn on 'Look in Branches'": async (
		person,
	) => {
		const number = newNumber();
		const child = { credential: credential({ apiKey: sandbox.keys.childFull }) };
		await run(closing(number), child);
		await person.fails(closing(number));
		const { items } = await person.again(
			"turn on 'Look in Branches'",
			closing(number, { lookInBranches: true }),
		);
		expect([items[0].json.existing, made(number).length]).toEqual([true, 1]);
	},
	"ifExists/identity.ts: To use it, turn on 'Use Drafts Made by Hand'. Otherwise dele": whereOneIs(
		[{ external_id: newNumber() }],
		[],
		async (person, again) =>
			await person.again("turn on 'Use Drafts Made by Hand'", again({ useDraftsMadeByHand: true })),
	),
	'ifExists/claims.ts: Leave one of the two out, or correct the number': async (person) => {
		const number = newNumber();
		await person.fails(closing(number), { items: [{ json: {} }, { json: {} }] });
		await person.again('Leave one of the two out', closing(number));
		expect(made(number)).toHaveLength(1);
	},
	"ifExists/createWrite.ts: Leave the item out, or choose something else in 'If It Exist":
		whereOneIs(
			[],
			[{ ifExists: 'stop' }],
			async (person, again) =>
				await person.again("something else in 'If It Exists'", again({ ifExists: 'return' })),
		),
	"ifExists/createWrite.ts: Take it back with 'Transaction: Recall' first, leave the ite": async (
		person,
	) => {
		const number = newNumber();
		const there = String((await run(closing(number))).json.transaction_id);
		await addDeed(there);
		await run(sendClosing(id(there)));
		const form = (ifExists: string) =>
			closing(
				number,
				{ ifExists, settingsNotShown: 'none' },
				{ signers: borrowers({ phone_number: '617 555 0199' }) },
			);
		await person.fails(form('update'));
		await person.again("set 'If It Exists' to Return It", form('return'));
		await person.does("'Transaction: Recall'", on(there, 'recall', { evenIfSent: true }));
		await run(form('update'));
		expect(made(number)).toHaveLength(1);
	},
	"ifExists/createWrite.ts: To replace them, turn on '": whereOneIs(
		[],
		[{ ifExists: 'update', settingsNotShown: 'none' }, { signers: JOE }],
		async (person, again) =>
			await person.again(
				"turn on 'Remove Signers Not Named'",
				again({ removeSignersNotNamed: true }),
			),
	),
	'other: no change': async (person) => {
		const draft = await createClosing(credential());
		await inForm(
			update(draft, {}),
			'Add at least one field',
			update(draft, { loan_number: '7051' }),
		)(person);
	},
	'change/changeFields.ts: Choose a document or remove the entry': async (person) => {
		const draft = await createClosing(credential());
		const { json } = await addDeed(draft);
		const order = (documentId: unknown) =>
			update(draft, { documents: { row: [{ documentId: id(String(documentId)) }] } });
		await inForm(order(''), 'Choose a document', order(json.document_id))(person);
	},
	'create/closing.ts: Fill it in: a closing needs the name and the email address o': inForm(
		{ ...CLOSING, signers: borrowers({ first_name: '={{ $json.first }}' }) },
		"'Signers, entry 1: First Name' is empty: its expression {{ $json.first }} gives nothing",
		{ ...CLOSING, ...toForm({ ...TITLE, loan_number: newNumber() }) },
	),
	"create/contacts.ts: Choose the role '": (() => {
		const contact = { first_name: 'Tom', last_name: 'T', email: 'tom@example.com' };
		const form = (role: string) => ({
			...CLOSING,
			...toForm({
				...TITLE,
				contacts: { row: [{ ...contact, role, contactDetails: { title: 'Aunt' } }] },
			}),
		});
		return inForm(form('closer'), "Choose the role 'Other'", form('other'));
	})(),
	'create/fields.ts: Add at least one signer with an email address': inForm(
		{ ...BUSINESS, signers: {} },
		'Add at least one signer',
		BUSINESS,
	),
	'create/fields.ts: Correct one of the two times': (() => {
		const form = (expiry: string) => ({
			...BUSINESS,
			...toForm({ activation_time: '2030-05-02T10:00:00', expiry }),
		});
		return inForm(
			form('2030-05-01T10:00:00'),
			'Correct one of the two times',
			form('2030-06-01T10:00:00'),
		);
	})(),
	"create/business.ts: Enter the signer's phone number, or set 'Authentication Requ": (() => {
		const fields = toForm({ authentication_requirement: 'sms' });
		const phoned = { signers: { row: [{ ...JANE, phone_number: '+1 617 555 0123' }] } };
		return inForm({ ...BUSINESS, ...fields }, "Enter the signer's phone number", {
			...BUSINESS,
			...phoned,
			...fields,
		});
	})(),
	"create/create.operation.ts: Add a document, or turn on 'Create as Draft' and add it late":
		inForm({ ...BUSINESS, draft: false }, "turn on 'Create as Draft'", BUSINESS),
	'check/checks.ts: Nothing was sent': async (person) => {
		const draft = await createClosing(credential(), {
			...toForm({ paper_note_consent: true }),
		});
		const send = { ...sendClosing(id(draft)), additionalFields: { checkFirst: true } };
		await person.fails(send);
		person.reads("'Document: Add'");
		await addDeed(draft);
		await run(send);
	},
};
