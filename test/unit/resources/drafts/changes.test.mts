import type { IDataObject } from 'n8n-workflow';

import { toTransaction } from '../../../../nodes/SignAndClose/transport/answers/shapes.ts';
import {
	compareSigner,
	compareChange,
} from '../../../../nodes/SignAndClose/resources/draft/fieldComparison.ts';
import { evaluateParts } from '../../../../nodes/SignAndClose/run/goals.ts';
import { forEachCase } from '../../../support/forEachCase.mts';

/** Whether a transaction shows the changes that a request asked for. */

type Platform = 'business' | 'realEstate';

const ASSURANCE = 'assurance_requirement';
const answer = (fields: IDataObject) => toTransaction({ id: 'ot_1', ...fields })!;

/** Judges a change, and gives what it comes to. */
function judge(
	changes: IDataObject,
	after: IDataObject,
	{
		before,
		answered = true,
		platform = 'realEstate',
	}: { before?: IDataObject; answered?: boolean; platform?: Platform } = {},
) {
	const parts = compareChange(changes, answer(after), {
		platform,
		assuranceField: ASSURANCE,
		before: before && answer(before),
	});
	const seen = evaluateParts(parts, answered);
	if (seen.state === 'notDone') return seen.reason;
	return seen.state === 'done' ? seen.value : seen.state;
}
const DONE: unknown[] = [];
const unchanged = (...fields: string[]) => ({ unchanged: fields });

describe('a change', () => {
	const WANTED = { loan_number: '2' };
	test.each<[string, IDataObject, IDataObject | undefined, unknown, unknown]>([
		['is shown', { loan_number: '2' }, { loan_number: '1' }, DONE, DONE],
		['is shown, of a value that is not known', { loan_number: '2' }, undefined, DONE, DONE],
		[
			'shows the former value',
			{ loan_number: '1' },
			{ loan_number: '1' },
			unchanged('loan_number'),
			unchanged('loan_number'),
		],
		[
			'is still unset',
			{},
			{ loan_number: null },
			unchanged('loan_number'),
			unchanged('loan_number'),
		],
		[
			'shows a third value',
			{ loan_number: '3' },
			{ loan_number: '1' },
			[{ field: 'loan_number', expected: '2', actual: '3' }],
			'unknown',
		],
		[
			'shows another value, and nobody knows the former one',
			{ loan_number: '1' },
			undefined,
			[{ field: 'loan_number', expected: '2', actual: '1' }],
			'unknown',
		],
	])('that %s', (_how, after, before, answered, lost) => {
		expect(judge(WANTED, after, { before, answered: true })).toEqual(answered);
		expect(judge(WANTED, after, { before, answered: false })).toEqual(lost);
	});
	test.each([true, null])('to %j that no answer shows is done when it was answered', (value) => {
		const changes = { paper_note_consent: value };
		forEachCase([undefined, {}], (before) => {
			expect(judge(changes, {}, { before })).toEqual(DONE);
			expect(judge(changes, {}, { before, answered: false })).toBe('unknown');
		});
	});
	test('names all that stayed, whatever else was done or differs', () => {
		const before = { loan_number: '1', file_number: '1', external_id: 'a', message_subject: 'Hi' };
		const after = { ...before, message_subject: 'Hi!', external_id: 'b' };
		const changes = { loan_number: '2', file_number: '2', external_id: 'b', message_subject: 'Ho' };
		expect(judge(changes, after, { before })).toEqual(unchanged('loan_number', 'file_number'));
	});
	test('is read where the platform shows it', () => {
		const jurisdiction = { recording_jurisdiction: { id: 'rl2', name: 'Suffolk' } };
		expect(judge({ recording_jurisdiction_id: 'rl2' }, jurisdiction)).toEqual(DONE);
		const redirect = {
			redirect_url: 'https://a.example',
			redirect_msg: null,
			forced_redirect: false,
		};
		expect(judge({ redirect: { url: 'https://a.example' } }, { redirect })).toEqual(DONE);
		expect(judge({ redirect: { message: 'Bye' } }, { redirect }, { before: { redirect } })).toEqual(
			unchanged('redirect'),
		);
		expect(
			judge(
				{ payer: 'sender' },
				{ payer: 'signer' },
				{ platform: 'business', before: { payer: 'signer' } },
			),
		).toEqual(unchanged('payer'));
	});
	test('of a message is done without what the service removes from it', () => {
		const wanted =
			'Hi <b>Jane</b>,\n\nsee [our page](https://a.example/x?y=1) or https://a.example.\n' +
			'![logo](https://a.example/logo.png) Use `code 7` <img src="x"> & sign.<br/>';
		forEachCase(['message_to_signer', 'message_subject', 'message_signature'], (name) => {
			for (const shown of [
				wanted,
				'Hi Jane, see our page or Use code 7 & sign.',
				'Hi Jane,\nsee or\n Use & sign.',
			])
				expect(judge({ [name]: wanted }, { [name]: shown }, { answered: false })).toEqual(DONE);
			for (const shown of ['Hi Jane, see our page', 'hi jane, see or use & sign.', ''])
				expect(judge({ [name]: wanted }, { [name]: shown })).toHaveLength(1);
		});
		const before = { message_subject: 'Hi' };
		expect(judge({ message_subject: 'Hi https://a.example' }, before, { before })).toEqual(DONE);
		expect(judge({ message_subject: 'Ho <b></b>' }, before, { before })).toEqual(
			unchanged('message_subject'),
		);
		// A comparison isn't a tag.
		expect(judge({ message_subject: 'If 1 < 2 > 0' }, { message_subject: 'If 1 0' })).toHaveLength(
			1,
		);
	});
	test('of a name is judged also where the address stands for it', () => {
		const unnamed = {
			transaction_name: '1 Main St, Boston',
			street_address: { full_address: '1 Main St, Boston' },
		};
		const changes = { transaction_name: 'Refinance' };
		expect(judge(changes, unnamed, { before: unnamed })).toEqual(unchanged('transaction_name'));
		expect(judge(changes, unnamed, { before: { transaction_name: 'Deed' } })).toEqual([
			{ field: 'transaction_name', expected: 'Refinance', actual: '1 Main St, Boston' },
		]);
		expect(judge({ transaction_name: '1 Main St, Boston' }, unnamed, { before: {} })).toEqual(DONE);
	});
});

describe('an address', () => {
	const before = { street_address: { line1: '1 Main St', line2: 'Unit 4', postal: '02110' } };
	const shown = (street_address: IDataObject) => ({ street_address });
	test.each<[string, IDataObject, IDataObject, unknown]>([
		[
			'shows the zip code as postal code',
			{ zip_code: '02111', postal: '02111' },
			{ postal: '02111' },
			DONE,
		],
		['shows the zip code under its own name', { postal: '02111' }, { zip_code: '02111' }, DONE],
		[
			'keeps its zip code',
			{ zip_code: '02111' },
			before.street_address,
			unchanged('street_address'),
		],
		['has lost its second line', { line2: '' }, { line1: '1 Main St', postal: '02110' }, DONE],
		[
			'keeps its second line',
			{ line2: '' },
			{ ...before.street_address, full_address: '1 Main St' },
			[
				{
					field: 'street_address',
					expected: { line2: '' },
					actual: { ...before.street_address, full_address: '1 Main St' },
				},
			],
		],
	])('%s', (_how, wanted, after, expected) => {
		expect(judge({ street_address: wanted }, shown(after), { before })).toEqual(expected);
	});
});

describe('what a service writes in another form', () => {
	const TIME = '2027-03-01T22:00:00-05:00';
	test.each<[string, string, IDataObject | string, Platform]>([
		['notary_meeting_time', TIME, '2027-03-02T03:00:00.000Z', 'realEstate'],
		['notary_meeting_time', TIME, '2027-03-02T04:00:00+01:00', 'business'],
		['expiry', TIME, '2027-03-02T03:00:00Z', 'business'],
		['expiration_time', TIME, '2027-03-02T03:00:00Z', 'realEstate'],
		['activation_time', TIME, '2027-03-02T03:00:00Z', 'business'],
		['expiration_time', TIME, '2027-03-02T23:59:59Z', 'realEstate'],
		['expiration_time', TIME, '2027-03-02T23:59:59.999Z', 'realEstate'],
		['activation_time', TIME, '2027-03-02T00:00:00.000Z', 'realEstate'],
		['notary_id', 'us_1', 'us1', 'business'],
		['recording_jurisdiction_id', 'rl_1', { id: 'rl1' }, 'realEstate'],
		['title_agency_id', 'or1', { id: 'or_1' }, 'realEstate'],
		['title_underwriter_id', 'or_1', { id: 'or1' }, 'realEstate'],
	])('%s: %j is %j on %s', (field, wanted, shown, platform) => {
		const name = field.endsWith('_id') && field !== 'notary_id' ? field.slice(0, -3) : field;
		expect(judge({ [field]: wanted }, { [name]: shown }, { platform, answered: false })).toEqual(
			DONE,
		);
	});
	test.each<[string, string, Platform]>([
		// The ends of neighboring days, and of the same day in the zone that was written.
		['expiration_time', '2027-03-01T23:59:59Z', 'realEstate'],
		['expiration_time', '2027-03-03T23:59:59Z', 'realEstate'],
		['expiration_time', '2027-03-02T04:59:59Z', 'realEstate'],
		['expiration_time', '2027-03-02T23:59:58Z', 'realEstate'],
		['activation_time', '2027-03-02T23:59:59Z', 'realEstate'],
		['activation_time', '2027-03-01T00:00:00Z', 'realEstate'],
		// Only real estate moves times, and only these.
		['activation_time', '2027-03-02T00:00:00Z', 'business'],
		['expiry', '2027-03-02T23:59:59Z', 'business'],
		['notary_meeting_time', '2027-03-02T00:00:00Z', 'realEstate'],
		// Nobody knows which moment that is.
		['expiration_time', '2027-03-02T23:59:59', 'realEstate'],
		['expiration_time', '2027-03-02', 'realEstate'],
	])('%s: a time is not %j on %s', (field, shown, platform) => {
		expect(judge({ [field]: TIME }, { [field]: shown }, { platform })).toEqual([
			{ field, expected: TIME, actual: shown },
		]);
	});
	test('only the ID that has no underscore is another form of one', () => {
		expect(judge({ notary_id: 'us_1' }, { notary_id: 'US_1' })).toHaveLength(1);
		expect(judge({ external_id: 'a_1' }, { external_id: 'a1' })).toHaveLength(1);
	});
	test('a second photo ID that is not asked for is left out', () => {
		const before = { require_secondary_photo_id: true };
		expect(judge({ require_secondary_photo_id: false }, {}, { before })).toEqual(DONE);
		expect(judge({ require_secondary_photo_id: false }, before, { before })).toEqual(
			unchanged('require_secondary_photo_id'),
		);
		expect(judge({ require_secondary_photo_id: true }, {}, { before: {} })).toEqual(
			unchanged('require_secondary_photo_id'),
		);
	});
});

describe('documents', () => {
	const wanted = ['do_3', 'do_1', 'do_2'].map((id, bundle_position) => ({ id, bundle_position }));
	type Positions = Record<string, number | undefined>;
	const at = (positions: Positions) => ({
		documents: Object.entries(positions).map(([id, position]) => ({
			id,
			bundle_position: position,
		})),
	});
	test.each<[string, Positions, boolean]>([
		['are ordered, wherever they begin', { do_1: 5, do_2: 9, do_3: 2 }, true],
		['are ordered, with others among them', { do_1: 5, do_4: 6, do_2: 9, do_3: 2 }, true],
		['are ordered, under IDs without underscores', { do1: 5, do2: 9, do3: 2 }, true],
		['are not ordered', { do_1: 1, do_2: 2, do_3: 3 }, false],
		['are ordered but for two at one place', { do_1: 2, do_2: 2, do_3: 1 }, false],
		['do not have one that was ordered', { do_1: 2, do_3: 1 }, false],
		['do not show all their places', { do_1: undefined, do_2: 2, do_3: 1 }, false],
	])('%s', (_how, positions, isDone) => {
		const seen = judge({ documents: wanted }, at(positions), { answered: false });
		expect(seen).toEqual(isDone ? DONE : 'unknown');
	});
	test('that keep their order are unchanged', () => {
		const before = at({ do_1: 1, do_2: 2, do_3: 3, do_consent: 9 });
		expect(judge({ documents: wanted }, before, { before })).toEqual(unchanged('documents'));
	});
});

describe('signers', () => {
	const jane = { external_id: 'a', email: 'jane@example.com', first_name: 'Jane' };
	const joe = { external_id: 'b', email: 'joe@example.com', first_name: 'Joe' };
	const of = (...signers: IDataObject[]) => ({ signers });

	test.each<[string, IDataObject[], IDataObject[]]>([
		[
			'external IDs',
			[{ ...jane, email: 'new@example.com' }, joe],
			[joe, { ...jane, email: 'new@example.com' }],
		],
		[
			'email addresses',
			[{ email: 'joe@example.com', first_name: 'Jo' }, { email: 'jane@example.com' }],
			[jane, { ...joe, first_name: 'Jo' }],
		],
		[
			'places',
			[{ email: 'new@example.com' }, { email: 'joe@example.com' }],
			[{ ...jane, email: 'new@example.com' }, joe],
		],
	])('are told apart by their %s', (_how, wanted, shown) => {
		expect(judge(of(...wanted), of(...shown), { before: of(jane, joe), answered: false })).toEqual(
			DONE,
		);
	});
	test.each<[string, IDataObject, IDataObject]>([
		[
			'a phone number in two parts',
			{ phone_number: '6175550123' },
			{ phone: { country_code: '1', number: '617-555-0123' } },
		],
		[
			'a phone number as text',
			{ phone_number: '+447700900123' },
			{ phone_number: '+44 7700 900123', phone: { country_code: '', number: '' } },
		],
		[
			'the zip code as postal code',
			{ address: { postal: '02110' } },
			{ address: { zip_code: '02110', line1: '' } },
		],
		[
			'no second line',
			{ address: { line1: 'A', line2: '' } },
			{ address: { line1: 'A', city: 'B', line2: null } },
		],
		['no phone number', { phone_number: null }, { phone: { country_code: '', number: '' } }],
		['no address', { address: null }, { address: { line1: '', city: '' } }],
		['the ID of a notary without underscore', { notary_id: 'us_1' }, { notary_id: 'us1' }],
		[
			'fields that the package does not know',
			{ new_field: { a: 1 } },
			{ new_field: { a: 1, b: 2 } },
		],
	])('show %s', (_what, wanted, shown) => {
		expect(compareSigner({ email: 'j@example.com', ...shown }, wanted, ASSURANCE).isShown).toBe(
			true,
		);
	});
	test.each<[string, IDataObject, IDataObject]>([
		[
			'the country of a phone number',
			{ phone_number: '+441701234567' },
			{ phone: { country_code: '1', number: '1701234567' } },
		],
		['an address that was removed', { address: null }, { address: { line1: 'A' } }],
		[
			'a second line that was removed',
			{ address: { line2: '' } },
			{ address: { line1: 'A', line2: 'B' } },
		],
		[
			'identity checks that were removed',
			{ [ASSURANCE]: null },
			{ [ASSURANCE]: { knowledge_based_authentication: true } },
		],
		['a middle name that was removed', { middle_name: '' }, { middle_name: 'Ann' }],
		['whether an unshown date of birth is removed', { dob: null }, {}],
		['an unshown date of birth', { dob: '1980-05-17' }, {}],
		['an unshown field that the package does not know', { new_field: 'x' }, {}],
	])('do not show %s', (_what, wanted, shown) => {
		expect(compareSigner({ email: 'j@example.com', ...shown }, wanted, ASSURANCE).isShown).toBe(
			false,
		);
	});
	test('are taken on trust only in what no answer shows', () => {
		const changes = of({ ...jane, dob: '1980-05-17', vesting_type: 'borrower' });
		const shown = { ...jane, vesting_type: 'borrower' };
		expect(judge(changes, of(shown), { before: of(shown) })).toEqual(DONE);
		expect(judge(changes, of(shown), { before: of(shown), answered: false })).toBe('unknown');
		expect(judge(changes, of(jane), { before: of(jane) })).toEqual(unchanged('vesting_type'));
	});
	test('with one email address are told apart by their place, not by it', () => {
		const home = (first: string, last = 'Poe') => ({
			email: 'home@example.com',
			first_name: first,
			last_name: last,
		});
		const wanted = of(home('Jane'), home('John', 'Doe'));
		const before = of(home('Jane'), home('John'));
		expect(judge(wanted, of(home('Jane'), home('John', 'Doe')), { before })).toEqual(DONE);
		expect(judge(wanted, before, { before })).toEqual(unchanged('last_name'));
	});
	test('in another order are told apart by their IDs', () => {
		const [a, b] = ['a', 'b'].map((name) => ({
			signer_id: `oc_${name}`,
			email: `${name}@example.com`,
		}));
		const wanted = of({ email: a.email }, { email: 'b2@example.com' });
		expect(judge(wanted, of(b, a), { before: of(a, b) })).toEqual(unchanged('email'));
	});
	const home = 'home@example.com';
	test.each<[string, IDataObject, IDataObject]>([
		['external IDs', { external_id: 'a' }, { external_id: 'b' }],
		['an external ID that one of them has', { external_id: 'a' }, {}],
		['IDs of the service', { signer_id: 'oc_a' }, { signer_id: 'oc_b' }],
	])('with one email address in another order are told apart by %s', (_what, a, b) => {
		const [jane, john] = [
			{ ...a, email: home, first_name: 'Jane' },
			{ ...b, email: home, first_name: 'John' },
		];
		// A request has no IDs of the service.
		const toRequest = (signer: IDataObject) =>
			Object.fromEntries(Object.entries(signer).filter(([name]) => name !== 'signer_id'));
		const wanted = of(toRequest(jane), toRequest({ ...john, last_name: 'Doe' }));
		const before = of(jane, john);
		expect(judge(wanted, of({ ...john, last_name: 'Doe' }, jane), { before })).toEqual(DONE);
		expect(judge(wanted, of(john, jane), { before })).toEqual(unchanged('last_name'));
	});
	test('that were to be removed and are there are unchanged', () => {
		const before = of(jane, joe);
		expect(judge(of(jane), before, { before })).toEqual(unchanged('signers'));
		expect(judge(of(jane), of(), { before })).toEqual([
			{ field: 'signers', expected: ['jane@example.com'], actual: [] },
		]);
		expect(judge(of(jane), before, { answered: false })).toBe('unknown');
	});
	test.each([null, undefined])('that are %j in an answer are taken on trust only', (signers) => {
		expect(judge(of(jane), { signers }, { before: of(joe) })).toEqual(DONE);
		expect(judge(of(jane), { signers }, { before: of(joe), answered: false })).toBe('unknown');
	});
});

test('those who are told may be shown in any order', () => {
	const [wanted, shown] = [
		['a@x.example', 'b@x.example'],
		['b@x.example', 'a@x.example'],
	];
	expect(judge({ cc_recipient_emails: wanted }, { cc_recipient_emails: shown })).toEqual(DONE);
});
