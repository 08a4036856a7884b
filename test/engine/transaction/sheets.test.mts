import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { forEachCase } from '../../support/forEachCase.mts';

import { complaint, hints, run } from '../../support/operations.mts';
import { sandbox, useSandbox } from '../../support/useSandbox.mts';
import { REFINANCE as CLOSING } from './sheets/playRow.mts';

/** Whose a column of a sheet is, and what its cells mean: values never reach another person. */

useSandbox();

const TRANSACTION: IDataObject = {
	...CLOSING,
	operation: 'create',
	documents: {},
	draft: true,
};
const PLACE: IDataObject = {
	'Property Address': '100 Harbor Street',
	'Property City': 'Boston',
	'Property State': 'MA',
	'Property Zip': '02110',
};
const person = (who: string, first: string, last: string): IDataObject => ({
	[`${who} Email`]: `${first}@example.com`.toLowerCase(),
	[`${who} First Name`]: first,
	[`${who} Last Name`]: last,
});
const BORROWER = person('Borrower', 'Jane', 'Miller');
const ROW = { ...BORROWER, ...PLACE };

const bodies = () =>
	sandbox.requests.filter(({ method }) => method === 'POST').map(({ body }) => body as IDataObject);
const people = (body: IDataObject): IDataObject[] =>
	(body.signers as IDataObject[] | undefined) ?? [body.signer as IDataObject];
beforeEach(() => void sandbox.requests.splice(0));

/** Creates from rows; gives the signers of the last one and what is said after the run. */
async function create(row: IDataObject | IDataObject[], more: IDataObject = {}) {
	const items = [row].flat().map((json) => ({ json }));
	const outcome = await run({ ...CLOSING, ...more }, { items });
	const body = bodies().at(-1)!;
	return { body, signers: people(body), said: hints(outcome) };
}
/** What is said of rows that are refused; nothing may have been sent. */
async function refusal(row: IDataObject | IDataObject[], more: IDataObject = {}) {
	const items = [row].flat().map((json) => ({ json }));
	const said = await complaint({ ...CLOSING, ...more }, { items });
	expect(bodies()).toEqual([]);
	return said;
}
const typed = (transactionType: string) => ({ transactionType });
const emails = (signers: IDataObject[]) => signers.map(({ email }) => email);

describe('who signs', () => {
	const SALE = { ...person('Buyer', 'Ben', 'Buyer'), ...person('Seller', 'Sue', 'Seller') };

	test.each([
		['purchase_buyer_loan', 'ben@example.com'],
		['hybrid_purchase_buyer_cash', 'ben@example.com'],
		['purchase_seller', 'sue@example.com'],
	])('%s: one side of a sheet with both', async (type, email) => {
		const { signers } = await create({ ...SALE, ...PLACE, 'Closing Type': type });
		expect(emails(signers)).toEqual([email]);
	});
	test('nothing of the seller fills a gap of the buyer', async () => {
		const row = { ...SALE, ...PLACE, 'Seller Cell': '6175550199', 'Seller DOB': '1970-01-02' };
		expect(await refusal({ ...row, 'Buyer Email': '' }, typed('purchase_buyer_loan'))).toMatch(
			/'Buyer Email' is empty/,
		);
		const gaps = { 'Buyer Cell': '', 'Buyer DOB': 'N/A' };
		const { signers } = await create({ ...row, ...gaps }, typed('purchase_buyer_loan'));
		expect(signers).toEqual([
			{ external_id: 'signer-1', email: 'ben@example.com', first_name: 'Ben', last_name: 'Buyer' },
		]);
	});
	test('a second seller is no second buyer', async () => {
		const row = { ...SALE, ...person('Seller 2', 'Sam', 'Seller'), ...PLACE };
		expect(emails((await create(row, typed('purchase_buyer_cash'))).signers)).toEqual([
			'ben@example.com',
		]);
		expect(emails((await create(row, typed('purchase_seller'))).signers)).toEqual([
			'sue@example.com',
			'sam@example.com',
		]);
	});
	test('the other side is refused, and so are both where the type does not choose', async () => {
		expect(await refusal({ ...SALE, ...PLACE })).toMatch(
			/'Buyer Email'.* doesn't sign a closing of the type Refinance/,
		);
		expect(await refusal({ ...SALE, ...PLACE }, typed('other'))).toMatch(
			/'Buyer Email' and 'Seller Email' .*who signs/,
		);
		expect(await refusal(SALE, TRANSACTION)).toMatch(/'Buyer Email' and 'Seller Email'/);
	});
	test('buyer and borrower of a purchase are one person, unless the columns differ', async () => {
		const { signers } = await create(
			{ ...BORROWER, 'Buyer Phone': '6175550123', 'Buyer Email': 'JANE@example.com', ...PLACE },
			typed('purchase_buyer_loan'),
		);
		expect(signers).toMatchObject([{ email: 'jane@example.com', phone_number: '6175550123' }]);
		sandbox.requests.splice(0);
		const both = { ...ROW, ...person('Buyer', 'Ben', 'Buyer') };
		expect(await refusal(both, typed('purchase_buyer_loan'))).toMatch(
			/'Buyer Email'.*'Borrower Email'.* differ/,
		);
	});
	test('signers by number sign whatever the type is, but not beside others', async () => {
		const row = { ...person('Signer 1', 'Ann', 'Lee'), ...person('Signer 2', 'Bob', 'Lee') };
		expect(emails((await create({ ...row, ...PLACE }, typed('other'))).signers)).toEqual([
			'ann@example.com',
			'bob@example.com',
		]);
		sandbox.requests.splice(0);
		expect(await refusal({ ...ROW, ...person('Signer 2', 'Bob', 'Lee') })).toMatch(
			/'Borrower Email' and 'Signer 2 Email'/,
		);
	});
	test('co-borrowers and a spouse come after the borrower, each with an ID of their own', async () => {
		const { signers } = await create({
			...person('Spouse', 'Sam', 'Miller'),
			...person('Co-Borrower', 'Cora', 'Miller'),
			...ROW,
			...person('B3', 'Bob', 'Ray'),
		});
		expect(signers.map(({ email, external_id: own }) => [email, own])).toEqual([
			['jane@example.com', 'signer-1'],
			['cora@example.com', 'signer-2'],
			['bob@example.com', 'signer-3'],
			['sam@example.com', 'signer-4'],
		]);
	});
	test('a spouse is refused where it is unclear whose', async () => {
		const row = { ...SALE, ...PLACE, 'Spouse Email': 'x@example.com' };
		expect(await refusal(row, typed('purchase_seller'))).toMatch(/'Spouse Email'.*whose spouse/);
		const clear = { ...SALE, ...PLACE, ...person("Seller's Spouse", 'Sam', 'Seller') };
		expect(emails((await create(clear, typed('purchase_seller'))).signers)).toEqual([
			'sue@example.com',
			'sam@example.com',
		]);
		expect(emails((await create(clear, typed('purchase_buyer_cash'))).signers)).toEqual([
			'ben@example.com',
		]);
	});
});

test('whatever columns a sheet has, nothing of a person reaches another one', async () => {
	const PEOPLE = ['', 'Borrower', 'Co-Borrower', 'Buyer', 'Seller', 'Seller 2', 'Spouse', 'Client'];
	const ALL = [...PEOPLE, 'Signer 2', 'Loan Officer', 'Notary', 'Lender'];
	const TOLD = ['Email', 'First Name', 'Last Name', 'Name', 'Phone', 'DOB', 'Address', 'City'];
	const SIDES = ['Borrower', 'Buyer', 'Seller', 'Client', 'Signer'];
	/** Each value says whose it is: by a letter, and in numbers by its place in the alphabet. */
	const valueOf = (who: string, told: string) => {
		const place = ALL.indexOf(who);
		const letter = String.fromCharCode(97 + place);
		if (told === 'Email') return `q${letter}q@example.com`;
		if (told === 'Name') return `Q${letter}q Z${letter}z`;
		if (told === 'Last Name') return `Z${letter}z`;
		if (told === 'Phone') return `61755501${place + 10}`;
		return told === 'DOB' ? `19${place + 10}-01-01` : `Q${letter}q`;
	};
	const PARTS = /(?<=[QqZ])[a-l](?=[qz])|(?<=61755501)\d\d|(?<="19)\d\d/g;
	const ownerOf = (part: string) =>
		ALL[/\d/.test(part) ? Number(part) - 10 : part.charCodeAt(0) - 97];
	const column = fc.tuple(fc.constantFrom(...ALL), fc.constantFrom(...TOLD), fc.boolean());
	const columns = fc.array(column, { minLength: 3, maxLength: 12 });
	const types = ['refinance', 'purchase_buyer_loan', 'purchase_seller', 'other'];
	const sheet = fc.tuple(columns, fc.constantFrom(...types));
	const given = fc.sample(sheet, { numRuns: 400, seed: 7 }).map(([list, type], index) => ({
		...Object.fromEntries(
			list.map(([who, told, isFull]) => [
				`${who} ${told}`.trim(),
				isFull ? valueOf(who, told) : '',
			]),
		),
		...PLACE,
		'Closing Type': type,
		'Loan #': index,
		// Most sheets would be refused without them.
		...(list.length % 2 === 0 && { 'Borrower Email': 'qbq@example.com', Borrower: 'Qbq Zbz' }),
	}));
	for (const json of given)
		await run(CLOSING, { items: [{ json }], node: { onError: 'continueRegularOutput' } });
	expect(bodies().length).toBeGreaterThan(50);
	for (const body of bodies())
		for (const signer of people(body)) {
			const isPurchase = /^purchase_buyer/.test(String(body.transaction_type));
			const owners = JSON.stringify(signer).match(PARTS)!.map(ownerOf);
			const whose = new Set(
				owners.map((owner) => (isPurchase ? owner.replace('Buyer', 'Borrower') : owner)),
			);
			// Columns that don't say whose they are count only beside those of one side.
			const headings = Object.keys(given[Number(body.loan_number)]);
			const sides = SIDES.filter((side) => headings.some((heading) => heading.startsWith(side)));
			if (sides.length < 2) whose.delete('');
			expect([whose.size > 1 || whose.has(''), signer]).toEqual([false, signer]);
		}
});

describe('headings', () => {
	test.each([
		["Borrower's Email"],
		['E-mail (Borrower)'],
		['Email of Borrower'],
		['B1 Email'],
		['borrower_1_email_address'],
		['Primary Borrower E-Mail'],
		['APPLICANT EMAIL'],
		['Borrower(s) Email'],
	])('%s is the email address of the borrower', async (heading) => {
		const { 'Borrower Email': email, ...rest } = ROW;
		expect(emails((await create({ ...rest, [heading]: email })).signers)).toEqual([email]);
	});
	test('Borrowers, ST, Prop Address, Cell Phone #, Home Phone and Present Address are found', async () => {
		const { body, signers, said } = await create({
			Borrowers: 'Jane Miller',
			'Borrower Email': 'jane@example.com',
			'Cell Phone #': '617-555-0123',
			'Home Phone': '617-555-0199',
			'Present Address': '12 Elm Street',
			'Prop Address': '100 Harbor Street',
			'Prop City': 'Boston',
			'Prop ST': 'MA',
			'Prop Zip': '02110',
			row_number: 4,
		});
		expect(signers).toMatchObject([
			{ first_name: 'Jane', last_name: 'Miller', phone_number: '6175550123' },
		]);
		expect(signers[0].address).toEqual({ line1: '12 Elm Street' });
		expect(body.street_address).toMatchObject({ line1: '100 Harbor Street', state: 'MA' });
		expect(said).toMatch(/Not used: 'Home Phone'/);
		expect(said).not.toContain('row_number');
	});
	test('the best phone that has a value is taken', async () => {
		const phones = { 'Borrower Home Phone': '6175550101', 'Borrower Phone': '6175550102' };
		const all = { ...phones, 'Borrower Mobile': '6175550103', 'Borrower Cell Phone': '-' };
		expect((await create({ ...ROW, ...all })).signers[0].phone_number).toBe('6175550103');
	});
	test.each([
		['Client', 'First Bank'],
		['Customer', 'Acme'],
		['Applicant', 'Jane Smith'],
		['Recipient', 'Jane Smith'],
		['Homeowner', 'Jane Smith'],
		['Subject', 'RE: FW: closing'],
		['Message', 'Internal: borrower is late again'],
		['CC', 'boss@example.com'],
		['Expiration Date', '2020-01-01'],
		['Reference', 'XYZZY'],
		['MI', 'YESSIR'],
	])('%s alone fills in nothing, and is named', async (heading, value) => {
		const { body, said } = await create({ ...ROW, [heading]: value });
		expect(JSON.stringify(body)).not.toContain(value);
		expect(said).toMatch(new RegExp(`Not used: '${heading}'`));
	});
	test('what is not used is told first if it has an email address', async () => {
		const row = { ...ROW, 'Home Phone': '6175550101', 'Co-Borower Email': ' john@example.com' };
		const one = await create(row);
		expect(one.said).toMatch(
			/^(?!.*Not used:.*isn't used).*'Co-Borower Email' isn't used, although it has an email address/,
		);
		sandbox.requests.splice(0);
		const two = await create({ ...row, CC: 'boss@example.com' });
		expect(two.said).toContain(
			"'Co-Borower Email' and 'CC' aren't used, although they have email addresses",
		);
	});
	test('texts of the invitation are named in full', async () => {
		const { body } = await create({
			...ROW,
			'Invitation Subject': 'Your closing',
			'Message to Signer': 'Hello',
		});
		expect(body).toMatchObject({ message_subject: 'Your closing', message_to_signer: 'Hello' });
	});
});

describe('headings that do not say whose they are', () => {
	const BARE = { Email: 'jane@example.com', 'First Name': 'Jane', 'Last Name': 'Miller' };
	const BARE_PLACE = { Address: '1 Elm Street', City: 'Boston', State: 'MA', Zip: '02110' };

	test('are the one signer and the property', async () => {
		const { signers, body } = await create({ ...BARE, ...BARE_PLACE, Phone: '6175550123' });
		expect(signers).toMatchObject([{ email: 'jane@example.com', phone_number: '6175550123' }]);
		expect(signers[0]).not.toHaveProperty('address');
		expect(body.street_address).toMatchObject({ line1: '1 Elm Street', city: 'Boston' });
	});
	test('an email address beside a name in one column is the commonest sheet', async () => {
		const row = { Email: 'jane@example.com', 'Full Name': 'Jane Miller', ...PLACE };
		expect((await create(row)).signers).toMatchObject([
			{ first_name: 'Jane', last_name: 'Miller' },
		]);
		const { signers } = await create({ Email: 'a@example.com', Name: 'Lee, Ann' }, TRANSACTION);
		expect(signers).toMatchObject([{ first_name: 'Ann', last_name: 'Lee' }]);
	});
	test('are the first signer where only further ones are named, each with the same columns', async () => {
		const couple = { ...BARE, ...person('Co-Borrower', 'Cora', 'Miller'), ...PLACE };
		const { signers, said } = await create({ ...couple, Phone: '6175550123' });
		expect(emails(signers)).toEqual(['jane@example.com', 'cora@example.com']);
		expect(signers[0]).not.toHaveProperty('phone_number');
		expect(said).toMatch(/Not used: 'Phone'/);
	});
	test.each([
		['two people', { 'Borrower Name': 'Jane Miller', 'Co-Borrower Name': 'Joe Miller' }],
		[
			'a contact without an email column',
			{ 'Borrower Name': 'Jane Miller', 'Loan Officer': 'Lee' },
		],
		['a notary', { 'Borrower Name': 'Jane Miller', Notary: 'Lee' }],
	])("an email address beside %s is nobody's", async (_what, row) => {
		const said = await refusal({ ...row, ...PLACE, Email: 'x@example.com' });
		expect(said).toMatch(/'Borrower Email' has no column.*'Email' doesn't say whose/);
	});
	test("a phone is nobody's where only one of two people lacks one", async () => {
		const row = { ...ROW, ...person('Seller', 'Sue', 'Seller'), 'Seller Phone': '6175550199' };
		const { signers, said } = await create({ ...row, Phone: '6175550123' });
		expect(signers[0]).not.toHaveProperty('phone_number');
		expect(said).toMatch(/Not used: .*'Phone'/);
	});
	test('a second email address is nobody else, and not used', async () => {
		const { signers, said } = await create({
			...ROW,
			'Email 2': 'jane2@example.com',
			'Borrower Email 2': 'jane3@example.com',
		});
		expect(emails(signers)).toEqual(['jane@example.com']);
		expect(said).toContain("Not used: 'Email 2', 'Borrower Email 2'");
	});
	test('a second name is somebody, of whom it is unclear who', async () => {
		const second = { 'First Name 2': 'Joe', 'Last Name 2': 'Miller', 'Email 2': 'joe@example.com' };
		expect(await refusal({ ...ROW, ...second })).toMatch(
			/'First Name 2' may be about another signer/,
		);
		expect(await refusal({ ...ROW, 'Borrower Name 2': 'Joe Miller' })).toMatch(
			/'Borrower Name 2' may be/,
		);
		expect((await create({ ...ROW, 'Name 2': ' ' })).signers).toHaveLength(1);
	});
	test('mean the same in every row, also where items lack the fields of empty cells', async () => {
		const couple = { ...ROW, ...person('Co-Borrower', 'Cora', 'Miller') };
		const alone = { ...ROW, 'Cell Phone': '6175550123' };
		const { said } = await create([alone, { ...couple, 'Cell Phone': '6175550199' }, alone]);
		expect(bodies()).toHaveLength(3);
		expect(JSON.stringify(bodies())).not.toContain('617555');
		expect(said).toContain("Not used: 'Cell Phone'");
		sandbox.requests.splice(0);
		await create([alone, ROW]);
		expect(
			bodies()
				.flatMap(people)
				.map(({ phone_number: phone }) => phone),
		).toContain('6175550123');
	});
	test.each([
		['a mailing address', { 'Mailing Address': '9 Oak Road' }],
		["the borrower's", { 'Borrower Address': '9 Oak Road' }],
		["somebody's", { 'Lender Address': '9 Oak Road' }],
	])('an address beside %s is not the property', async (_what, other) => {
		const said = await refusal({ ...BORROWER, ...BARE_PLACE, ...other });
		expect(said).toMatch(/'Property Address'.*has no column/);
	});
	test('state and province, zip and postal code are headings of address books', async () => {
		const { State: state, Zip: zip, ...rest } = BARE_PLACE;
		const row = { ...BARE, ...rest, 'State/Province': state, 'Zip/Postal Code': zip };
		expect((await create(row)).body.street_address).toMatchObject({ state: 'MA', postal: '02110' });
	});
	test('parts beside the street of the property are the property', async () => {
		const { 'Property Address': street } = PLACE;
		const row = { ...BORROWER, 'Property Address': street, City: 'Boston', State: 'MA', Zip: 2110 };
		expect((await create(row)).body.street_address).toMatchObject({ city: 'Boston' });
		const { signers } = await create(
			{ Email: 'a@example.com', 'Property Address': street, City: 'Boston' },
			TRANSACTION,
		);
		expect(signers[0]).not.toHaveProperty('address');
	});
	test('two addresses of a person are not mixed', async () => {
		const { signers } = await create({
			...ROW,
			'Borrower Current Address': '12 Elm Street',
			'Borrower Mailing Address': 'PO Box 7',
			'Borrower Mailing City': 'Salem',
		});
		expect(signers[0].address).toEqual({ line1: '12 Elm Street' });
	});
});

describe('a name in one column', () => {
	const named = (name: string) => ({ 'Borrower Email': 'j@example.com', Borrower: name, ...PLACE });
	test.each([
		['Jane Miller', 'Jane', undefined, 'Miller'],
		['Vi Nguyen', 'Vi', undefined, 'Nguyen'],
		['Miller, Jane', 'Jane', undefined, 'Miller'],
		['MILLER, JANE', 'JANE', undefined, 'MILLER'],
		['Garcia Lopez, Juana Maria', 'Juana', 'Maria', 'Garcia Lopez'],
	])('%s is split', async (name, first, middle, last) => {
		const { signers } = await create(named(name));
		const [{ first_name: one, middle_name: two, last_name: three }] = signers;
		expect([one, two, three]).toEqual([first, middle, last]);
	});
	test.each([
		'First Bank',
		'Harbor Trust',
		'Acme LLC',
		'John/Jane Smith',
		'John & Jane',
		'John and Jane Smith',
		'SMITH JOHN',
		'Mary Ann Smith',
		'Borrower',
		'Smith Jr',
		'Smith, John, MD',
		'SMITH John',
		'Jane M.',
		'Harbor Trust, The',
	])('%s is not', async (name) => {
		expect(await refusal(named(name))).toMatch(
			/'Borrower' is '.*', which can't be split.*two columns/,
		);
	});
	test('has to agree with the parts that other columns give', async () => {
		expect(await refusal({ ...ROW, Borrower: 'Bob Ray' })).toMatch(/'Borrower'.*differ/);
		expect((await create({ ...ROW, Borrower: 'Jane Ann Miller' })).signers).toMatchObject([
			{ first_name: 'Jane', last_name: 'Miller' },
		]);
	});
	test('is left out of a business transaction, which does without, and named', async () => {
		const { signers, said } = await create(
			{ Email: 'a@example.com', Name: 'Mary Ann Smith' },
			TRANSACTION,
		);
		expect(signers).toEqual([{ external_id: 'signer-1', email: 'a@example.com' }]);
		expect(said).toMatch(/Item 1 \(Mary Ann Smith\): 'Name' is 'Mary Ann Smith'/);
	});
});

describe('cells', () => {
	const signer = async (cells: IDataObject) => await create({ ...ROW, ...cells });

	test.each([
		['6175550123.0', '6175550123'],
		[6175550123, '6175550123'],
		['0044 20 7946 0958', '+442079460958'],
		['+44 20 7946 0958', '+442079460958'],
	])('the phone %s', async (written, phone) => {
		const { signers } = await signer({ 'Borrower Phone': written });
		expect(signers[0].phone_number).toBe(phone);
	});
	test.each([
		['2110.0', '02110'],
		[2110, '02110'],
		[21101234, '02110-1234'],
		['021101234', '02110-1234'],
		['02110-1234', '02110-1234'],
	])('the zip code %s', async (written, zip) => {
		const { body } = await signer({ 'Property Zip': written });
		expect(body.street_address).toMatchObject({ postal: zip });
	});
	test('of a property abroad keep state and zip code as they are', async () => {
		const cells = { 'Property Country': 'Canada', 'Property State': 'ON', 'Property Zip': 1010 };
		const { body } = await signer(cells);
		expect(body.street_address).toMatchObject({ country: 'CA', state: 'ON', postal: '1010' });
	});
	test('only zip codes of the United States have lost zeros', async () => {
		const { signers } = await signer({ 'Borrower Country': 'Austria', 'Borrower Zip': 1010 });
		expect(signers[0].address).toEqual({ country: 'AT', postal: '1010' });
	});
	test.each([
		['Mass.', 'MA'],
		['D.C.', 'DC'],
		['Washington, D.C.', 'DC'],
		['Calif.', 'CA'],
		['N.H.', 'NH'],
		['W.Va.', 'WV'],
		['new york', 'NY'],
	])('the state %s', async (written, state) => {
		const { body } = await signer({ 'Property State': written });
		expect(body.street_address).toMatchObject({ state });
	});
	test.each(['USA', 'UK', 'America', 'XX'])('the state %s is none', async (written) => {
		expect(await refusal({ ...ROW, 'Property State': written })).toMatch(
			/'Property State' is '.*', which isn't a state/,
		);
	});
	test.each([
		['05/17/1980', '1980-05-17'],
		['5-7-1980', '1980-05-07'],
		['May 17, 1980', '1980-05-17'],
		['17 May 1980', '1980-05-17'],
		['Sept. 3, 1980', '1980-09-03'],
		['1980-05-17T00:00:00.000Z', '1980-05-17'],
		['5/17/1980 0:00', '1980-05-17'],
		[10_000, '1927-05-18'],
		[29358, '1980-05-17'],
		[new Date('1980-05-17T00:00:00Z') as never, '1980-05-17'],
		['29358.0', '1980-05-17'],
	])('the date of birth %s', async (written, dob) => {
		expect((await signer({ 'Borrower DOB': written })).signers[0].dob).toBe(dob);
	});
	test('a heading may say how dates are written, but not day first', async () => {
		const { signers } = await signer({ 'Borrower DOB (MM/DD/YYYY)': '05/06/1980' });
		expect(signers[0].dob).toBe('1980-05-06');
		const { signers: other, said } = await signer({ 'Borrower DOB (DD/MM/YYYY)': '05/06/1980' });
		expect(other[0]).not.toHaveProperty('dob');
		expect(said).toContain("Not used: 'Borrower DOB (DD/MM/YYYY)'");
	});
	test.each([1980, 12, 20_261_231, '5/17/80', '31/12/1980', '2/30/1980', 'May', 800_517])(
		'the date of birth %s is left out and named',
		async (written) => {
			const { signers, said } = await signer({ 'Borrower DOB': written });
			expect(signers[0]).not.toHaveProperty('dob');
			expect(said).toContain(`'Borrower DOB' is '${written}', which isn't a date`);
		},
	);
	test("a time in US form is in the workflow's zone, a number of eight digits is none", async () => {
		const { body } = await signer({ 'Activation Time': '12/31/2026 5:00 PM' });
		expect(body.activation_time).toMatch(/^2026-12-31T17:00/);
		const { body: other, said } = await signer({ 'Activation Time': 20_261_231 });
		expect(other).not.toHaveProperty('activation_time');
		expect(said).toContain("'Activation Time' is '20261231'");
	});
	test.each(['N/A', 'n.a.', 'none', '-', '--', ' ', '—', '#N/A'])(
		'%s in the columns of a co-borrower is nobody',
		async (nothing) => {
			const absent = { 'Co-Borrower Name': nothing, 'Co-Borrower Email': nothing };
			expect((await signer({ ...absent, 'Co-Borrower DOB': nothing })).signers).toHaveLength(1);
		},
	);
	test('what is optional and cannot be read is left out and named with its row', async () => {
		const { signers, said } = await create([
			{ ...ROW, 'Loan #': 1 },
			{
				...ROW,
				'Loan #': 8004,
				'Borrower Phone': '617-555-0123 x12',
				'Borrower Entity': 'Harbor Trust',
				'Borrower State': 'Ontario',
				'Borrower Vesting': 'Joint tenants',
				'Paper Note': 'perhaps',
				'Title Agent Email': 'nobody',
				'CC Recipients': 'boss',
				row_number: 4,
			},
		]);
		expect(signers).toEqual([{ external_id: 'signer-1', ...fieldsOf(BORROWER) }]);
		forEachCase(
			[
				"'Borrower Phone' is",
				"'Borrower Entity'",
				"'Borrower State' is",
				"'Borrower Vesting' is",
				"'Paper Note' is",
				"'Title Agent Email' is",
				"'CC Recipients' is",
			],
			(heading) => expect(said).toContain(`Row 4 (Jane Miller, loan 8004): ${heading}`),
		);
		expect(bodies().at(-1)).not.toHaveProperty('contacts');
	});
	test('identity checks that cannot be read refuse their row: nobody may rely on them', async () => {
		expect(await refusal({ ...ROW, 'Borrower Identity Checks': 'retina' })).toMatch(/retina/);
	});
	test('a row without a zip code is named', async () => {
		const { said } = await create([ROW, { ...ROW, 'Property Zip': '' }]);
		expect(said).toMatch(
			/^2 created [^.]*\..*<br>Item 2 \(Jane Miller\): no zip code of the property, which .*Columns/,
		);
	});
});

const fieldsOf = (row: IDataObject) => ({
	email: row['Borrower Email'],
	first_name: row['Borrower First Name'],
	last_name: row['Borrower Last Name'],
});

describe('what is said', () => {
	test('of a run is one hint with what was matched', async () => {
		const rows = Array.from({ length: 3 }, (_, index) => ({
			...ROW,
			...PLACE,
			'Loan #': index + 1,
			'Loan Amount': 1,
			'Title Agent': 'Sam Officer',
			'Title Agent Email': 'sam@example.com',
		}));
		const { said } = await create(rows);
		expect(said.match(/Columns matched/g)).toHaveLength(1);
		expect(said).toContain(
			"Columns matched: 'Borrower Email', 'Borrower First Name' and 'Borrower Last Name' to Borrower; 'Property Address', 'Property City', 'Property State' and 'Property Zip' to Property; 'Loan #' to Loan Number; 'Title Agent' and 'Title Agent Email' to Title Agent. Not used: 'Loan Amount'",
		);
	});
	test('names a column that only some rows use with the others', async () => {
		const phones = { 'Borrower Cell': '', 'Borrower Home Phone': '6175550101' };
		const { said } = await create([
			{ ...ROW, ...phones },
			{ ...ROW, ...phones, 'Borrower Cell': '6175550102' },
		]);
		expect(said).toContain("Item 2 (Jane Miller): 'Borrower Home Phone' not used");
	});
	test('of a heading that is a long text is only that it is not used', async () => {
		const { said } = await create({ ...ROW, ['name 1 '.repeat(50_000)]: 'x' });
		expect(said).toContain('Not used');
	});
	test('of a row names it as the person sees it, without the number of the item', async () => {
		const row = { ...ROW, 'Borrower Email': '', 'Loan #': 8004 };
		expect(await refusal({ ...row, row_number: 4 })).toMatch(
			/^Row 4 \(Jane Miller, loan 8004\): 'Borrower Email' is empty\. /,
		);
		expect(await refusal([ROW, row])).toMatch(
			/^1 of 2 rows can't be used: Item 2 \(Jane Miller, loan 8004\)\. Nothing was created\. Item 2 \(Jane Miller, loan 8004\): 'Borrower Email' is empty/,
		);
	});
	test('of a heading that is misspelled names the one that is meant, and blames no row', async () => {
		const { 'Borrower Email': email, ...rest } = ROW;
		const row = { ...rest, 'Borower Mail': email, row_number: 2 };
		const meant =
			"'Borower Mail' isn't a known heading: did you mean 'Borrower Email'? Correct it in the heading row of the sheet, and run the workflow again";
		expect(await refusal(row)).toBe(`Heading row: ${meant.replace('? ', '?. ')}`);
		expect(await refusal([row, row])).toContain(meant.replace('? ', '?. '));
	});
	test('of a fault that all rows have is said once', async () => {
		const rest = { ...person('Borrower', 'Jane', 'Miller'), ...PLACE };
		delete rest['Borrower Email'];
		expect(await refusal([rest, rest, rest])).toMatch(
			/^None of the 3 rows can be used\. Nothing was created\. 'Borrower Email' has no column.*'Input Items, Columns Mapped by Hand'/,
		);
	});
});
