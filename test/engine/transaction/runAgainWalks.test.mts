import { useBinaryMode } from '../../support/engine.mts';
import {
	startKeptService,
	type KeptService,
	type Platform,
} from '../../support/keptService/index.mts';
import { onePage } from '../../support/pdfFile.mts';
import {
	enoteOf,
	inputOf,
	parametersOf,
	pdfOf,
	type Choices,
	type Item,
	type Person,
} from './pairs/item.mts';
import { play, playWith, type Played } from './pairs/play.mts';
import { sha256, without } from '../../support/keptService/kept.mts';
import { toForm, fieldsIn } from '../../support/closing.mts';

/**
 * Create and Send is run, something happens, and it's run again with what the person has now. Only
 * what the service has kept judges.
 */

beforeAll(async () => await useBinaryMode('filesystem'));

const NUMBER = 'LN-7001';
const JANE: Person = {
	email: 'jane@exmaple.com',
	first_name: 'Jane',
	last_name: 'Doe',
	phone_number: '617 555 0123',
};
const RIGHT = 'jane@example.com';
const BOB: Person = { email: 'bob@example.com', first_name: 'Bob', last_name: 'Roe' };
const signature = (person: number, y = 96) => ({ person, type: 'signature', x: 72, y });

/** A loan of these people: each of them signs the deed, one above the other. */
function loanOf(people: Person[], more: Partial<Item> = {}): Item {
	return {
		people,
		fields: { message_to_signer: 'Please sign', title_agency: 'or_agency_harbor' },
		property: {
			addressLine1: '100 Harbor Street',
			addressCity: 'Boston',
			addressState: 'MA',
			addressZipCode: '02110',
		},
		files: [
			{
				name: 'Deed',
				content: 1,
				requirement: 'notarization',
				flags: [],
				places: people.map((_person, index) => signature(index, 96 + 60 * index)),
				by: 'rows',
			},
		],
		enote: 'A',
		...more,
	};
}
const caseOf = (people: Person[], more: Partial<Item> = {}): Item => {
	const fields = { message_to_signer: 'Please sign', ...more.fields };
	return { ...loanOf(people, more), property: undefined, enote: undefined, fields };
};
const itemOf = (platform: Platform, people: Person[], more: Partial<Item> = {}) =>
	(platform === 'business' ? caseOf : loanOf)(people, more);

interface Walk {
	service: KeptService;
	again: (item: Item, choices?: Partial<Choices>) => Promise<Played>;
	first: Played;
	[Symbol.asyncDispose]: () => PromiseLike<void>;
}

/** A first run, at a service of its own. */
async function begin(
	platform: Platform,
	item: Item,
	choices: Partial<Choices> = {},
): Promise<Walk> {
	const service = await startKeptService();
	const again = async (next: Item, more: Partial<Choices> = {}) =>
		await play(service, platform, NUMBER, next, more);
	const first = await again(item, choices);
	expect(first.failure).toBeUndefined();
	return { service, again, first, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

const emails = ({ signers }: { signers: Array<{ email: string }> }) =>
	signers.map(({ email }) => email).sort();
const own = ({ service }: Walk) =>
	service.kept
		.find(NUMBER)
		.documents.filter(({ isConsentForm, isEnote }) => !isConsentForm && !isEnote);
/** Whose the places of a document are, by email address, with how high they stand. */
function placesOf({ service }: Walk, name: string): string[] {
	const { signers } = service.kept.find(NUMBER);
	const document = own({ service } as Walk).find((one) => one.name === name)!;
	return document.designations
		.map(({ signer_identifier: key, y }) => {
			const owner = signers.find(({ external_id: external }) => external === key);
			return `${owner?.email} ${String(y)}`;
		})
		.sort();
}
/** Nothing was changed, and the message or the differences have each of these texts. */
function expectRefused({ failure, writes, said }: Played, ...texts: string[]): void {
	expect(writes).toEqual([]);
	expect(failure).toBeDefined();
	for (const text of texts) expect(said).toContain(text);
}
async function expectNothingLeft(walk: Walk, item: Item, choices: Partial<Choices>): Promise<void> {
	const { failure, writes } = await walk.again(item, choices);
	expect([failure, writes]).toEqual([undefined, []]);
}
const UPDATE: Partial<Choices> = { then: 'send', ifItDiffers: 'update' };

describe.each(['business', 'realEstate'] as const)('on %s', (platform) => {
	const right = itemOf(platform, [{ ...JANE, email: RIGHT }]);

	test('an email address with a mistake is corrected before anything is sent', async () => {
		await using walk = await begin(platform, itemOf(platform, [JANE]), { then: 'check' });
		expectRefused(await walk.again(right, { then: 'send' }), JANE.email, RIGHT);
		const planned = await walk.again(right, { then: 'plan', ifItDiffers: 'update' });
		expect(planned.writes).toEqual([]);
		expect(JSON.stringify(planned.json.plan)).toContain(RIGHT);
		const { failure, sent } = await walk.again(right, UPDATE);
		expect(failure).toBeUndefined();
		expect(sent.map(emails)).toEqual([[RIGHT]]);
		expect(placesOf(walk, 'Deed')).toEqual([`${RIGHT} 96`]);
		await expectNothingLeft(walk, right, UPDATE);
	});
	test('an email address and a phone change together', async () => {
		await using walk = await begin(platform, itemOf(platform, [JANE]));
		const both = itemOf(platform, [{ ...JANE, email: RIGHT, phone_number: '617 555 0199' }]);
		expectRefused(await walk.again(both, { then: 'send' }), JANE.email, RIGHT, '0199');
		const { sent } = await walk.again(both, UPDATE);
		expect(sent.map(emails)).toEqual([[RIGHT]]);
		expect(sent[0].signers[0].phone).toMatchObject({ number: '6175550199' });
	});
	test.each([
		['first', [BOB, JANE]],
		['last', [JANE, BOB]],
	])('a co-borrower is added %s, and each place stays with its person', async (_where, people) => {
		await using walk = await begin(platform, itemOf(platform, [JANE]));
		const both = itemOf(platform, people);
		expectRefused(await walk.again(both, { then: 'send' }), BOB.email);
		const { failure, sent } = await walk.again(both, UPDATE);
		expect(failure).toBeUndefined();
		expect(sent.map(emails)).toEqual([[BOB.email, JANE.email].sort()]);
		expect(placesOf(walk, 'Deed')).toEqual(
			people.map(({ email }, index) => `${email} ${96 + 60 * index}`).sort(),
		);
		await expectNothingLeft(walk, both, UPDATE);
	});
	test('a co-borrower whom the item no longer names is removed only by choice', async () => {
		await using walk = await begin(platform, itemOf(platform, [JANE, BOB]));
		const alone = itemOf(platform, [JANE]);
		const kept = await walk.again(alone, UPDATE);
		expect(kept.sent).toEqual([]);
		expect(kept.said).toContain(BOB.email);
		const { sent } = await walk.again(alone, { ...UPDATE, removeSignersNotNamed: true });
		expect(sent.map(emails)).toEqual([[JANE.email]]);
		expect(placesOf(walk, 'Deed')).toEqual([`${JANE.email} 96`]);
	});
	test.each(['decline', 'cancel', 'expire'] as const)(
		'after %s, the number makes a new one',
		async (end) => {
			await using walk = await begin(platform, right, { then: 'send' });
			walk.service.colleague[end](NUMBER);
			const { failure, sent } = await walk.again(right, { then: 'send' });
			expect(failure).toBeUndefined();
			expect(sent.map(emails)).toEqual([[RIGHT]]);
			expect(walk.service.kept.all(NUMBER)).toHaveLength(2);
			await expectNothingLeft(walk, right, { then: 'send' });
		},
	);
	test('a recalled one is sent only by choice', async () => {
		await using walk = await begin(platform, right, { then: 'send' });
		walk.service.colleague.recall(NUMBER, 'The borrower has withdrawn');
		const { sent, said, hints } = await walk.again(right, { then: 'send' });
		expect(sent).toEqual([]);
		expect(`${said} ${hints}`).toMatch(/recalled/i);
		const again = await walk.again(right, { then: 'send', sendAgainIfRecalled: true });
		expect(again.sent.map(emails)).toEqual([[RIGHT]]);
	});
	test('a field that a colleague has edited is named, kept or updated', async () => {
		await using walk = await begin(platform, right);
		walk.service.colleague.editField(NUMBER, 'message_to_signer', 'Sign by Friday');
		expectRefused(await walk.again(right, { then: 'send' }), 'Sign by Friday', 'Please sign');
		const kept = await walk.again(right, { then: 'check', ifItDiffers: 'keep' });
		expect(kept.failure).toBeUndefined();
		expect(kept.json.differences).toEqual([
			expect.objectContaining({
				expected: 'Please sign',
				actual: 'Sign by Friday',
				kind: 'different',
			}),
		]);
		const { sent } = await walk.again(right, UPDATE);
		expect(sent.map(({ fields }) => fields.message_to_signer)).toEqual(['Please sign']);
	});
	test('an empty field changes nothing', async () => {
		await using walk = await begin(platform, right);
		const empty = itemOf(platform, right.people, {
			fields: { ...right.fields, message_to_signer: '' },
		});
		const { failure, sent } = await walk.again(empty, UPDATE);
		expect(failure).toBeUndefined();
		expect(sent.map(({ fields }) => fields.message_to_signer)).toEqual(['Please sign']);
	});
	test('a paper that a colleague has added stops a send, unless it may stay', async () => {
		await using walk = await begin(platform, right);
		walk.service.colleague.addPaper(NUMBER, 'Survey', onePage('BT ET'));
		const stopped = await walk.again(right, UPDATE);
		expect(stopped.sent).toEqual([]);
		expect(stopped.said).toContain('Survey');
		expect(own(walk).map(({ name }) => name)).toEqual(['Deed', 'Survey']);
		const { sent } = await walk.again(right, { ...UPDATE, documentsNotInTheItem: 'leave' });
		expect(sent.map(emails)).toEqual([[RIGHT]]);
	});
	test('a file that the item no longer has stops a send, and is deleted by an update', async () => {
		const [deed] = right.files;
		const two = { ...right, files: [deed, { ...deed, name: 'Rider', content: 2 }] };
		await using walk = await begin(platform, two);
		const stopped = await walk.again(right, { then: 'send' });
		expect(stopped.sent).toEqual([]);
		expect(stopped.said).toContain('Rider');
		const { sent } = await walk.again(right, UPDATE);
		expect(sent.map(({ documents }) => documents.some(({ name }) => name === 'Rider'))).toEqual([
			false,
		]);
	});
	test('a file with other content takes the place of the former one', async () => {
		const [deed] = right.files;
		const corrected = { ...right, files: [{ ...deed, content: 9 }] };
		await using walk = await begin(platform, right);
		expectRefused(await walk.again(corrected, { then: 'send' }), 'Deed');
		const { sent } = await walk.again(corrected, UPDATE);
		expect(sent).toHaveLength(1);
		expect(own(walk).map(({ bytes }) => sha256(bytes))).toEqual([sha256(pdfOf({ content: 9 }))]);
		await expectNothingLeft(walk, corrected, UPDATE);
	});
	test('a rule that was mended counts', async () => {
		const [deed] = right.files;
		const esign = { ...deed, requirement: 'esign', places: [signature(0, 300)] };
		const mended = { ...right, files: [esign] };
		await using walk = await begin(platform, right);
		expectRefused(await walk.again(mended, { then: 'send' }), 'Deed');
		const { sent } = await walk.again(mended, UPDATE);
		expect(sent).toHaveLength(1);
		expect(own(walk).map(({ requirement }) => requirement)).toEqual(['esign']);
		expect(placesOf(walk, 'Deed')).toEqual([`${RIGHT} 300`]);
	});
	test('what was sent is red only for people and papers', async () => {
		await using walk = await begin(platform, right, { then: 'send' });
		const other = itemOf(platform, right.people, {
			fields: { ...right.fields, message_to_signer: 'Other' },
		});
		const listed = await walk.again(other, { then: 'send' });
		expect([listed.failure, listed.writes]).toEqual([undefined, []]);
		expect(listed.said).toContain('Other');
		const [deed] = right.files;
		const rider = { ...right, files: [deed, { ...deed, name: 'Rider', content: 2 }] };
		expectRefused(await walk.again(rider, { then: 'send' }), 'Rider');
		expectRefused(await walk.again(rider, UPDATE), 'Recall');
		const kept = await walk.again(rider, { then: 'send', ifItDiffers: 'keep' });
		expect([kept.failure, kept.writes]).toEqual([undefined, []]);
		expect(kept.said).toContain('Rider');
	});
	test('a number of other people is refused, and both are named', async () => {
		await using walk = await begin(platform, right);
		expectRefused(await walk.again(itemOf(platform, [BOB]), UPDATE), RIGHT, BOB.email);
	});
});

describe('on real estate', () => {
	const item = loanOf([{ ...JANE, email: RIGHT }]);
	test('buyer and seller of one loan have a closing each', async () => {
		await using walk = await begin('realEstate', item, { then: 'send' });
		const seller = loanOf([BOB]);
		const parameters = parametersOf('realEstate', NUMBER, seller, { then: 'send' });
		const { failure, sent } = await playWith(
			walk.service,
			{ ...parameters, transactionType: 'purchase_seller' },
			[await inputOf(seller)],
		);
		expect([failure, sent.map(emails)]).toEqual([undefined, [[BOB.email]]]);
		expect(walk.service.kept.all(NUMBER).map(emails)).toEqual([[RIGHT], [BOB.email]]);
	});
	test('consent forms of the service never count', async () => {
		await using walk = await begin('realEstate', item);
		const forms = walk.service.kept
			.find(NUMBER)
			.documents.filter(({ isConsentForm }) => isConsentForm);
		expect(forms.map(({ name, requirement }) => [name, requirement])).toEqual([
			['eSign Consent Form - Signer 1', 'esign'],
		]);
		const { failure, sent, json } = await walk.again(item, { then: 'send' });
		expect([failure, sent.length]).toEqual([undefined, 1]);
		expect(json.differences).toEqual([]);
	});
	test('an eNote with other content takes the place of the former one', async () => {
		await using walk = await begin('realEstate', item);
		const corrected = { ...item, enote: 'B' };
		expectRefused(await walk.again(corrected, { then: 'send' }), 'eNote');
		const { sent } = await walk.again(corrected, UPDATE);
		const notes = sent.flatMap(({ documents }) => documents.filter(({ isEnote }) => isEnote));
		expect(notes.map(({ sha256: hash }) => hash)).toEqual([sha256(enoteOf('B'))]);
		await expectNothingLeft(walk, corrected, UPDATE);
	});
	test('what was made without an eNote gets it in every choice', async () => {
		const without: Item = { ...item, enote: undefined };
		await using walk = await begin('realEstate', without);
		const { failure } = await walk.again(item);
		expect(failure).toBeUndefined();
		expect(walk.service.kept.find(NUMBER).documents.some(({ isEnote }) => isEnote)).toBe(true);
	});
	test('another property is refused or updated, and never sent to the former one', async () => {
		await using walk = await begin('realEstate', item);
		const moved = { ...item, property: { ...item.property!, addressLine1: '7 Elm Street' } };
		expectRefused(await walk.again(moved, { then: 'send' }), '7 Elm Street', '100 Harbor Street');
		const { sent } = await walk.again(moved, UPDATE);
		for (const { fields } of sent)
			expect(fields.street_address).toMatchObject({ line1: '7 Elm Street' });
	});
	test('a nightly sheet whose rows were all sent is green, and writes nothing', async () => {
		await using service = await startKeptService();
		const rows = [1, 2, 3].map((row) => ({
			'Loan Number': `80${row}`,
			'Borrower Email': `borrower${row}@example.com`,
			'Borrower First Name': 'Jane',
			'Borrower Last Name': `Row${row}`,
			'Property Address': `${row} Main St`,
			'Property City': 'Boston',
			'Property State': 'MA',
			'Property Zip': '02110',
		}));
		const paper = { ...item.fields, paper_note_consent: true };
		const parameters = parametersOf(
			'realEstate',
			'',
			{ ...item, fields: paper, enote: undefined },
			{ then: 'send' },
		);
		const fields = toForm(without(fieldsIn(parameters), ['loan_number']));
		const night = async () =>
			await playWith(
				service,
				{ ...without(parameters, ['signers', 'property']), fieldsFrom: 'row', ...fields },
				await Promise.all(rows.map(async (row) => await inputOf(item, row))),
			);
		const first = await night();
		expect([first.failure, first.sent.length]).toEqual([undefined, 3]);
		const second = await night();
		expect([second.failure, second.writes]).toEqual([undefined, []]);
		expect(second.hints).toContain('3 already sent');
	});
});

describe('on business', () => {
	test('an External ID that a person gave a signer ties, without names', async () => {
		const jane: Person = { email: JANE.email, first_name: '', last_name: '', external_id: 'c-1' };
		await using walk = await begin('business', caseOf([jane]));
		const right = caseOf([{ ...jane, email: RIGHT }]);
		expectRefused(await walk.again(right, { then: 'send' }), JANE.email, RIGHT);
		const { sent } = await walk.again(right, UPDATE);
		expect(sent.map(emails)).toEqual([[RIGHT]]);
		expect(placesOf(walk, 'Deed')).toEqual([`${RIGHT} 96`]);
	});
	test('a box that a colleague has moved is named, kept or moved back', async () => {
		const item = caseOf([{ ...JANE, email: RIGHT }]);
		await using walk = await begin('business', item);
		walk.service.colleague.moveBox(NUMBER, 'Deed', 100);
		expectRefused(await walk.again(item, { then: 'send' }), 'Deed');
		const kept = await walk.again(item, { then: 'check', ifItDiffers: 'keep' });
		expect([kept.failure, kept.writes]).toEqual([undefined, []]);
		expect(JSON.stringify(kept.json.differences)).toContain('Deed');
		expect(placesOf(walk, 'Deed')).toEqual([`${RIGHT} 196`]);
		await walk.again(item, UPDATE);
		expect(placesOf(walk, 'Deed')).toEqual([`${RIGHT} 96`]);
	});
	test('a colleague has removed a signer', async () => {
		const item = caseOf([{ ...JANE, email: RIGHT }, BOB]);
		await using walk = await begin('business', item);
		walk.service.colleague.removeSigner(NUMBER, BOB.email);
		expectRefused(await walk.again(item, { then: 'send' }), BOB.email);
		const { sent } = await walk.again(item, UPDATE);
		expect(sent.map(emails)).toEqual([[BOB.email, RIGHT]]);
	});
});
