import type { IDataObject } from 'n8n-workflow';

import { fieldsIn, id, toForm } from '../../support/closing.mts';
import { businessFile, closingFile } from '../../support/createAndSend.mts';
import { makeCheckedDraft } from '../../support/checkedDrafts.mts';
import { storeFile, type RunOptions } from '../../support/engine.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import { complaint, hints, ownDocuments, run, transaction } from '../../support/operations.mts';
import { textPdf, type TextPage } from '../../support/textPdf.mts';
import { sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Roles of signers, and one set of rules for every package. */

useSandbox();
let loan: string;
let number = 0;
beforeEach(() => {
	loan = `530${++number}`;
	sandbox.requests.length = 0;
});

const person = (name: string, role?: string, external_id = ''): IDataObject => ({
	email: `${name.toLowerCase()}@example.com`,
	first_name: name,
	last_name: 'Borrower',
	phone_number: '6175550123',
	external_id,
	...(role !== undefined && { role }),
});
const people = (...row: IDataObject[]): IDataObject => ({ row });
const SINGLE = people(person('Jane', 'Borrower'));
const JOINT = people(person('Jane', 'Borrower'), person('John', 'Co-Borrower'));

const at = (text: string, signer_identifier: string): IDataObject => ({
	...{ text, signer_identifier, width: 100, height: 20 },
});
const RULE = { whereToSign: 'text', requirement: 'esign', ifSignerMissing: 'leaveOut' };
const RULES = {
	row: [
		{
			...{ ...RULE, nameContains: 'Deed' },
			texts: { row: [at('First', 'Borrower'), at('Second', 'Co-Borrower')] },
		},
		{
			...{ ...RULE, nameContains: 'Rider', needed: false, ifTextMissing: 'leaveOut' },
			texts: {
				row: [at('First', 'Borrower'), at('Initials', 'Borrower'), at('Second', 'Co-Borrower')],
			},
		},
	],
};
const RULES_OF_DEED = { row: [RULES.row[0]] };
const PAGE: TextPage = {
	texts: [
		['First', 100, 500],
		['Second', 300, 500],
	],
};

const withNumber = (field: string, more: IDataObject): IDataObject => ({
	...more,
	...toForm({ [field]: loan, ...fieldsIn(more) }),
});
const closing = (more: IDataObject = {}) =>
	closingFile(withNumber('loan_number', { documentRules: RULES, ...more }));
const business = (more: IDataObject = {}) =>
	businessFile(withNumber('external_id', { documentRules: RULES, ...more }));
async function files(...names: string[]): Promise<Partial<RunOptions>> {
	const binary: Record<string, Awaited<ReturnType<typeof storeFile>>> = {};
	for (const [index, name] of names.entries()) {
		const texts: TextPage['texts'] = [...PAGE.texts!, [name, 20, 20]];
		binary[`file${index}`] = await storeFile(await textPdf([{ texts }]), name, 'application/pdf');
	}
	return { items: [{ json: {}, binary }] };
}
/** Who signs in which document, as the service has it. */
const owners = (id: unknown) =>
	Object.fromEntries(
		ownDocuments(id).map(({ name, designations }) => [
			name,
			designations.map(({ signer_identifier: signer }) => signer),
		]),
	);
/** The differences of which the service shows both sides. */
const known = ({ differences }: IDataObject) =>
	(differences as IDataObject[]).filter(({ kind }) => kind !== 'unknown');
const writes = () => sandbox.requests.filter(({ method }) => method !== 'GET');
const signersSent = () => {
	const body = sandbox.requests.find(({ method }) => method === 'POST')!.body as IDataObject;
	return (body.signers ?? [body.signer]) as IDataObject[];
};

describe('one set of rules', () => {
	test('serves two borrowers with a rider', async () => {
		const outcome = await run(closing({ signers: JOINT }), await files('Deed.pdf', 'Rider.pdf'));
		expect(owners(outcome.json.transaction_id)).toEqual({
			Deed: ['borrower-1', 'borrower-2'],
			Rider: ['borrower-1', 'borrower-2'],
		});
		expect(outcome.json.left_out).toEqual([
			{
				...{ document: 'Rider', rule: 2, place: 'Initials', signer: 'Borrower', type: 'signature' },
				why: "'Initials' isn't in Rider",
			},
		]);
		expect(hints(outcome)).toContain("'Initials' isn't in Rider: 1 place left out");
	});
	test('serves one borrower without a rider, and says once what was left out', async () => {
		const outcome = await run(closing({ signers: SINGLE }), await files('Deed.pdf'));
		expect(owners(outcome.json.transaction_id)).toEqual({ Deed: ['borrower-1'] });
		expect(outcome.json.left_out).toEqual([
			{
				...{ document: 'Deed', rule: 1, place: 'Second', signer: 'Co-Borrower', type: 'signature' },
				why: 'no Co-Borrower in this closing, though the text is there',
			},
		]);
		expect(hints(outcome)).toContain(
			'No Co-Borrower in this closing: 1 place left out, though the text is there',
		);
		expect(hints(outcome)).not.toContain('rule 2');
	});
	test('is what Apply Rules finds applied, too, until somebody has the role', async () => {
		sandbox.world.settings.processingMs = 0;
		const { json } = await run(closing({ signers: SINGLE }), await files('Deed.pdf'));
		const apply: IDataObject = {
			...{ resource: 'document', operation: 'applyRules', platform: 'realEstate' },
			...{ transactionId: id(String(json.transaction_id)), documentRules: RULES_OF_DEED },
			...{ ifSplitRunning: 'return', settingsNotShown: 'none', notUpdatable: 'replace' },
		};
		sandbox.requests.length = 0;
		const applied = await run(apply);
		expect(writes()).toEqual([]);
		expect(applied.json.not_applied).toEqual([]);
		// It reads no file, and so doesn't know whether the text is there.
		const [{ why, ...leftOut }] = json.left_out as IDataObject[];
		expect(why).toBe('no Co-Borrower in this closing, though the text is there');
		expect(applied.json.left_out).toEqual([{ ...leftOut, why: 'no Co-Borrower in this closing' }]);
		expect(hints(applied)).toContain('No Co-Borrower in this closing: 1 place left out');
		const [jane] = transaction(json.transaction_id).signers;
		transaction(json.transaction_id).signers.push({
			...{ ...jane, id: 'si_john', email: 'john@example.com' },
			...{ first_name: 'John', external_id: 'borrower-2' },
		});
		const replaced = await run(apply);
		expect(replaced.json.left_out).toEqual([]);
		expect(owners(json.transaction_id)).toEqual({ Deed: ['borrower-1', 'borrower-2'] });
	});
	test('tells whose external ID says another role after roles were swapped', async () => {
		const item = await files('Deed.pdf');
		await run(closing({ signers: JOINT }), item);
		const swapped = people(person('Jane', 'Co-Borrower'), person('John', 'Borrower'));
		const changed = closing({
			signers: swapped,
			...toForm({ loan_number: loan, ifItDiffers: 'update' }),
		});
		const outcome = await run(changed, item);
		expect(owners(outcome.json.transaction_id)).toEqual({ Deed: ['borrower-2', 'borrower-1'] });
		expect(hints(outcome)).toContain(
			"john@example.com is Borrower now and keeps the External ID 'borrower-2': choose them by it in other operations, not by a role",
		);
		expect(hints(outcome)).toContain("keeps the External ID 'borrower-1'");
	});
	test('tells of several documents in one hint, and in the plan', async () => {
		const item = await files('Deed.pdf', 'Rider.pdf');
		const planned = await run(closing({ signers: SINGLE, then: 'plan' }), item);
		expect(planned.json.left_out).toHaveLength(3);
		expect(hints(planned)).toContain(
			'No Co-Borrower in this closing: 2 places left out, though the texts are there',
		);
	});
	test('changes nothing when it runs again', async () => {
		const item = await files('Deed.pdf', 'Rider.pdf');
		const first = await run(closing({ signers: SINGLE }), item);
		sandbox.requests.length = 0;
		const again = await run(closing({ signers: SINGLE }), item);
		expect(again.json.transaction_id).toBe(first.json.transaction_id);
		expect(known(again.json)).toEqual([]);
		expect(writes()).toEqual([]);
	});
	test('finds a draft whose signers have numbers from before they had roles', async () => {
		const byNumber = {
			row: [
				{ ...RULES.row[0], texts: { row: [at('First', 'signer-1'), at('Second', 'signer-2')] } },
			],
		};
		const plain = people(person('Jane'), person('John'));
		const item = await files('Deed.pdf');
		const first = await run(closing({ signers: plain, documentRules: byNumber }), item);
		const again = await run(closing({ signers: JOINT }), item);
		expect(again.json.existing).toBe(true);
		expect(known(again.json)).toEqual([]);
		expect(owners(first.json.transaction_id)).toEqual({ Deed: ['signer-1', 'signer-2'] });
	});
	test('names the places of a co-borrower who comes later', async () => {
		const item = await files('Deed.pdf');
		await run(closing({ signers: SINGLE }), item);
		const text = await complaint(closing({ signers: JOINT }), item);
		expect(text).toContain('John Borrower');
		expect(text).toContain('Where to Sign');
		const updating = toForm({ loan_number: loan, ifItDiffers: 'update', settingsNotShown: 'none' });
		const { json } = await run({ ...closing({ signers: JOINT }), ...updating }, item);
		expect(owners(json.transaction_id)).toEqual({ Deed: ['borrower-1', 'borrower-2'] });
	});
});

describe('the role of a signer', () => {
	test('makes the external ID, and is never sent', async () => {
		const signers = people(
			person('Ann', 'Seller'),
			person('Bob', 'Seller'),
			person('Cy', 'Trustee', 'own'),
			person('Di'),
		);
		await run(closing({ signers, documentRules: {} }));
		const sent = signersSent();
		expect(sent.map(({ external_id: id }) => id)).toEqual([
			'seller-1',
			'seller-2',
			'own',
			'signer-4',
		]);
		forEachCase(sent, (signer) => expect(signer).not.toHaveProperty('role'));
	});
	test('names a signer of the item who has an external ID of their own', async () => {
		const signers = people(person('Jane', 'Borrower', 'j'), person('John', 'Co-Borrower', 'k'));
		const { json } = await run(closing({ signers }), await files('Deed.pdf'));
		expect(owners(json.transaction_id)).toEqual({ Deed: ['j', 'k'] });
	});
	test.each([
		['Guarantor', "'Signers, entry 1: Role' is 'Guarantor', which isn't a role"],
		['Notary', "'Signers, entry 1: Role' is 'Notary', which isn't a role"],
	])('%s is refused, naming those there are', async (role, expected) => {
		const text = await complaint(closing({ signers: people(person('Jane', role)) }));
		expect(text).toContain(expected);
		expect(text).toContain('Borrower, Buyer, Seller, Spouse, Trustee, Grantor or Grantee');
	});
	test('is refused if two signers have the same', async () => {
		const signers = people(person('Jane', 'Co-Borrower'), person('John', 'Borrower 2'));
		expect(await complaint(closing({ signers }))).toContain('has the role Borrower 2 twice');
	});
});

describe('of a row', () => {
	const ROW: IDataObject = {
		borrower_email: 'jane@example.com',
		borrower_first_name: 'Jane',
		borrower_last_name: 'Borrower',
		property_address: '100 Harbor Street',
		property_city: 'Boston',
		property_state: 'MA',
		property_zip: '02110',
	};
	const SECOND = {
		coborrower_email: 'john@example.com',
		coborrower_first_name: 'John',
		coborrower_last_name: 'Borrower',
	};
	const fromRow = async (row: IDataObject, more: IDataObject = {}) => {
		const item = await files('Deed.pdf');
		item.items![0].json = { ...ROW, loan_number: loan, ...row };
		return await run({ ...closing(), fieldsFrom: 'row', ...toForm({}), ...more }, item);
	};
	test('the heading tells the role, and the external ID stays', async () => {
		const joint = await fromRow(SECOND);
		expect(owners(joint.json.transaction_id)).toEqual({ Deed: ['signer-1', 'signer-2'] });
		loan += 'b';
		const single = await fromRow({ coborrower_email: '' });
		expect(owners(single.json.transaction_id)).toEqual({ Deed: ['signer-1'] });
		expect(hints(single)).toContain(
			'No Co-Borrower in this closing: 1 place left out, though the text is there',
		);
	});
	test('the buyer of a purchase is the borrower, too', async () => {
		const buyer = Object.fromEntries(
			Object.entries({ ...ROW, loan_number: loan }).map(([name, value]) => [
				name.replace('borrower', 'buyer'),
				value,
			]),
		);
		const item = await files('Deed.pdf');
		item.items![0].json = buyer;
		const parameters = { ...closing(), fieldsFrom: 'row', transactionType: 'purchase_buyer_loan' };
		const { json } = await run({ ...parameters, ...toForm({ paper_note_consent: true }) }, item);
		expect(owners(json.transaction_id)).toEqual({ Deed: ['signer-1'] });
	});
	test('the spouse is one, too', async () => {
		const spouse = {
			...RULES.row[0],
			texts: { row: [at('First', 'Borrower'), at('Second', 'Spouse')] },
		};
		const cells = {
			spouse_email: 'sam@example.com',
			spouse_first_name: 'Sam',
			spouse_last_name: 'Borrower',
		};
		const { json } = await fromRow(cells, { documentRules: { row: [spouse] } });
		expect(owners(json.transaction_id)).toEqual({ Deed: ['signer-1', 'signer-2'] });
	});
	test('a column tells it, too', async () => {
		const { json } = await fromRow({
			...SECOND,
			coborrower_role: 'Co-Borrower',
			borrower_role: 'Borrower',
		});
		expect(owners(json.transaction_id)).toEqual({ Deed: ['borrower-1', 'borrower-2'] });
	});
	test('a column with another word is refused', async () => {
		const item = await files('Deed.pdf');
		item.items![0].json = { ...ROW, loan_number: loan, borrower_role: 'Primary' };
		const parameters = { ...closing(), fieldsFrom: 'row', ...toForm({}) };
		expect(await complaint(parameters, item)).toContain(
			"'borrower_role' is 'Primary', which isn't a role",
		);
	});
});

describe('a signer without a place', () => {
	const FIRST = { row: [{ ...RULES.row[0], texts: { row: [at('First', 'Borrower')] } }] };
	const REASON = 'John Borrower · john@example.com has nothing to sign';
	test('stops Send on business before anything is created', async () => {
		const parameters = business({ signers: JOINT, documentRules: FIRST, then: 'send' });
		const text = await complaint(parameters, await files('Deed.pdf'));
		expect(text).toContain(REASON);
		expect(sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
	});
	test('is a finding of Check, and told in the plan', async () => {
		const parameters = business({ signers: JOINT, documentRules: FIRST });
		const planned = await run({ ...parameters, then: 'plan' }, await files('Deed.pdf'));
		expect(planned.json.stops).toEqual([REASON]);
		const checked = await run({ ...parameters, then: 'check' }, await files('Deed.pdf'));
		expect(checked.json.check).toMatchObject({ ready: false });
		expect(JSON.stringify(checked.json.check).split(REASON)).toHaveLength(2);
	});
	test('is told on real estate', async () => {
		const outcome = await run(
			closing({ signers: JOINT, documentRules: FIRST }),
			await files('Deed.pdf'),
		);
		expect(hints(outcome)).toContain(REASON);
	});
	test('is a warning of Check on real estate, said once: the closing team may add a place', async () => {
		const parameters = closing({ signers: JOINT, documentRules: FIRST, then: 'check' });
		const outcome = await run(parameters, await files('Deed.pdf'));
		const { warning_list: warnings, missing_list: missing } = outcome.json.check as IDataObject;
		expect(warnings).toContain(REASON);
		expect(missing).not.toContain(REASON);
		expect(hints(outcome).split(REASON)).toHaveLength(2);
	});
	test.each<[string, IDataObject]>([
		['tags', { whereToSign: 'tags', texts: {} }],
		['the signer', { whereToSign: 'signer', texts: {} }],
	])('may get one by %s', async (_name, rule) => {
		const row = [...FIRST.row, { ...RULE, nameContains: 'Other', ...rule }];
		const parameters = business({ signers: JOINT, documentRules: { row }, then: 'plan' });
		const { json } = await run(parameters, await files('Deed.pdf', 'Other.pdf'));
		expect(json.stops).toEqual([]);
	});
	test('may only have to show who they are', async () => {
		const signers = people(person('Jane', 'Borrower'), {
			...person('John', 'Co-Borrower'),
			details: { signingRequirement: 'identify' },
		});
		const parameters = business({ signers, documentRules: FIRST, then: 'plan' });
		const { json } = await run(parameters, await files('Deed.pdf'));
		expect(json.stops).toEqual([]);
	});
});

test('a new business transaction has them, too', async () => {
	const create = { resource: 'transaction', operation: 'create', transactionName: 'Deed' };
	await run({ ...create, draft: true, signers: JOINT, documents: {}, additionalFields: {} });
	expect(signersSent().map(({ external_id: id }) => id)).toEqual(['borrower-1', 'borrower-2']);
});

describe('a draft whose signer is called borrower-1', () => {
	const drafted = async () =>
		await makeCheckedDraft(sandbox, {
			platform: 'realEstate',
			documents: [],
			fields: {
				transaction_type: 'refinance',
				signers: [person('Jane', undefined, 'borrower-1')],
				loan_number: loan,
			},
		});
	test('was made by the node if the item makes the same of a role', async () => {
		await drafted();
		const { json } = await run(closing({ signers: SINGLE, documentRules: {}, then: 'plan' }));
		expect(json.existing).toBe(true);
	});
	test('was made by hand otherwise', async () => {
		await drafted();
		const signers = people(person('Jane', undefined, 'borrower-1'));
		expect(await complaint(closing({ signers, documentRules: {} }))).toContain('made by hand');
	});
});
