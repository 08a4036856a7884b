import type { IDataObject } from 'n8n-workflow';

import { toTransaction } from '../../../../nodes/SignAndClose/transport/answers/shapes.ts';
import {
	type DraftUpdate,
	NO_HIDDEN_SETTINGS,
	type HiddenSettings,
	planDraftUpdate,
	sendDraftUpdate,
	buildDraftUpdateGoal,
} from '../../../../nodes/SignAndClose/resources/draft/draftUpdate.ts';
import {
	buildClosingSigners,
	mergeSigner,
} from '../../../../nodes/SignAndClose/resources/draft/signerRequests.ts';
import { write } from '../../../../nodes/SignAndClose/run/write/write.ts';
import type { ServiceClient } from '../../../../nodes/SignAndClose/transport/client.ts';
import { forEachCase } from '../../../support/forEachCase.mts';
import { inTurn, withClient } from '../../../support/live/client.mts';
import type { Answer } from '../../../support/live/service.mts';
import { AFTER_LOSS } from '../looks.mts';

/** What an update of a draft sends, so that it keeps what doesn't change, and when it sends nothing. */

type Platform = 'business' | 'realEstate';

/** Signers as they are sent. */
const jane = { email: 'jane@example.com', first_name: 'Jane' };
const joe = { email: 'joe@example.com', first_name: 'Joe' };
/** The same as they are answered. */
const JANE = { signer_id: 'oc_1', ...jane };
const JOE = { signer_id: 'oc_2', ...joe };
const COSIGNER = { signer_id: 'oc_3', email: '', first_name: 'Sam', last_name: 'Hart' };
/** As answers show it in which no address is set. */
const CLOSING = {
	id: 'ot_1',
	status: 'started',
	detailed_status: 'draft',
	transaction_type: 'refinance',
	loan_number: '1',
	signers: [JANE],
	documents: [],
};
const SELFIE = { assurance_requirement: { id_verification: { selfie: true } } };
/** Every setting of a signer that answers may leave out, as a service that shows them does. */
const SHOWN = {
	middle_name: null,
	dob: null,
	capacity: null,
	entity: null,
	signing_requirement: null,
	order: null,
	notary_id: null,
	suppress_communications: null,
	primary_id_allow_list_by_country: null,
	secondary_id_allow_list_by_country: null,
	verify_tools_configuration: null,
	verify_tool_configuration: null,
	assurance_requirement: null,
};

const SETTINGS = { assuranceField: 'assurance_requirement' };

interface Options {
	before?: IDataObject;
	platform?: Platform;
	notShown?: HiddenSettings;
	/** Corrects the signer at this place. */
	correct?: { at: number; changes: IDataObject };
}

function plan(
	fields: IDataObject,
	{
		before = CLOSING,
		platform = 'realEstate',
		notShown = NO_HIDDEN_SETTINGS,
		correct,
	}: Options = {},
) {
	const shown = toTransaction(before)!;
	return planDraftUpdate(SETTINGS, shown, platform, {
		fields,
		notShown,
		...(correct && {
			signerChanges: new Map([[shown.signers![correct.at], correct.changes]]),
		}),
	});
}
const sendUpdate = async (service: ServiceClient, update: DraftUpdate) =>
	await write(
		service,
		async () => await sendDraftUpdate(service, update),
		buildDraftUpdateGoal(service, update),
	);
const bodyOf = (...parts: Parameters<typeof plan>) => plan(...parts).request.body as IDataObject;
const given = (signer: string, fields: IDataObject, closing: IDataObject = {}): HiddenSettings => ({
	closing,
	signers: [{ signer, fields }],
});

test('one signer is sent as a signer, several as signers, none as nothing', () => {
	expect(buildClosingSigners([])).toEqual({});
	expect(buildClosingSigners([JANE])).toEqual({ signer: JANE });
	expect(buildClosingSigners([JANE, JOE])).toEqual({ signers: [JANE, JOE] });
});

describe('a closing', () => {
	const KEPT = { transaction_type: 'refinance', loan_number: '1', signer: jane };

	test('is sent as a whole, with the change and without an address that is not set', () => {
		expect(bodyOf({ loan_number: '2' })).toEqual({ ...KEPT, loan_number: '2' });
	});
	test('is sent with its signers, or with others', () => {
		const before = { ...CLOSING, signers: [JANE, JOE] };
		expect(bodyOf({}, { before })).toEqual({ ...KEPT, signer: undefined, signers: [jane, joe] });
		expect(bodyOf({ signers: [joe] }, { before }).signer).toEqual(joe);
	});
	const CHECKED = [{ ...JANE, ...SELFIE }];
	test.each<[IDataObject, IDataObject, IDataObject, unknown]>([
		[{ signers: CHECKED }, {}, {}, 'refinance'],
		[{ signers: CHECKED }, { transaction_type: 'other' }, {}, 'other'],
		[{ transaction_type: null }, {}, {}, null],
		[{ transaction_type: null }, { transaction_type: 'other' }, {}, 'other'],
		[{ transaction_type: null }, {}, { transaction_type: 'other' }, 'other'],
		[{ transaction_type: undefined }, {}, {}, undefined],
		[{ transaction_type: undefined, signers: CHECKED }, {}, {}, null],
		[{ transaction_type: undefined, signers: CHECKED }, {}, { transaction_type: 'other' }, 'other'],
		[{ transaction_type: 'real_estate_esign', signers: CHECKED }, {}, {}, undefined],
	])('the type of %j, changed by %j and given as %j', (before, changes, closing, expected) => {
		const body = bodyOf(changes, {
			before: { ...CLOSING, ...before },
			notShown: { closing, signers: [] },
		});
		expect(body.transaction_type).toBe(expected);
	});
});

describe('fields that the node does not know', () => {
	const before = {
		...CLOSING,
		pet_name: 'Rex',
		nothing: [{ at: '' }],
		cost: 2250,
		underwriter_override: false,
		contacts: [{ email: 'al@title.example', date_created: '2026-01-01', pronouns: 'he' }],
		signers: [{ ...JANE, link_expired: true, nickname: 'J', ...SELFIE }],
	};
	const correct = { at: 0, changes: { first_name: 'Ann' } };
	test.each<[string, IDataObject, Options, string[]]>([
		['a closing', { loan_number: '2' }, {}, ['pet_name', 'pronouns', 'nickname']],
		['a correction', {}, { correct }, ['pet_name', 'pronouns', 'nickname']],
		['other signers and contacts', { signers: [joe], contacts: [] }, {}, ['pet_name']],
		['themselves', { pet_name: 'Tom' }, {}, ['pronouns', 'nickname']],
		[
			'their settings',
			{},
			{ notShown: given('oc_1', { nickname: 'K' }) },
			['pet_name', 'pronouns'],
		],
		['business', { external_id: '2' }, { platform: 'business' }, []],
		['signers on business', {}, { platform: 'business', correct }, ['nickname']],
	])('are named where a change of %s leaves them out', (_what, fields, options, unknown) => {
		const { notSent, request } = plan(fields, { before, ...options });
		expect(notSent.unknown).toEqual(unknown);
		for (const name of unknown) expect(JSON.stringify(request.body)).not.toContain(name);
	});
	test('are written back where requests are known to have them', () => {
		const shown = { allowed_notary_states: ['MA'], paper_note_consent: true };
		const { request, notSent } = plan(
			{},
			{ before: { ...CLOSING, ...shown }, notShown: NO_HIDDEN_SETTINGS },
		);
		expect(request.body).toMatchObject(shown);
		expect(notSent.unknown).toEqual([]);
	});
});

describe('of signers who are kept', () => {
	test('a group needs no email address', () => {
		const group = { recipient_group: { shared_inbox_email: 'desk@example.com' } };
		expect(bodyOf({}, { before: { ...CLOSING, signers: [JANE, group, JOE] } }).signers).toEqual([
			jane,
			group,
			joe,
		]);
	});
	test('one whose email address a person says is a signer like others', () => {
		const notShown = given('oc_3', { email: 'sam@example.com', ...SELFIE });
		const sam = { email: 'sam@example.com', first_name: 'Sam', last_name: 'Hart' };
		const before = { ...CLOSING, signers: [JANE, JOE, COSIGNER] };
		expect(bodyOf({}, { before, notShown }).signers).toEqual([jane, joe, { ...sam, ...SELFIE }]);
	});
	test('the corrected one takes the correction before what a person says of it', () => {
		const notShown = given('jane@example.com', { dob: '1980-01-01', order: 2 });
		const correct = { at: 0, changes: { dob: '1981-01-01' } };
		expect(bodyOf({}, { notShown, correct, platform: 'business' })).toEqual({
			signers: [{ ...jane, dob: '1981-01-01', order: 2 }],
		});
	});
});

describe('a signer is corrected', () => {
	const phone = { country_code: '44', number: '7700900123' };
	test.each<[string, IDataObject, IDataObject, IDataObject]>([
		[
			'with the address that does not change',
			{ address: { line1: 'A', city: 'B' } },
			{ address: { line1: 'C' } },
			{ address: { line1: 'C', city: 'B' } },
		],
		[
			'without the second line',
			{ address: { line1: 'A', line2: 'B' } },
			{ address: { line2: '' } },
			{ address: { line1: 'A', line2: '' } },
		],
		['without an address', { address: { line1: 'A' } }, { address: null }, { address: null }],
		['with the number as it was', { phone }, { dob: '1980-05-17' }, { phone, dob: '1980-05-17' }],
		['with the number as text', { phone_number: '6175550123' }, {}, { phone_number: '6175550123' }],
		[
			'in the country of the former number',
			{ phone },
			{ phone_number: '7700900124' },
			{ phone_number: '+447700900124', phone: { country_code: '44', number: '7700900124' } },
		],
		[
			'in no country, where there was none',
			{},
			{ phone_number: '6175550124' },
			{ phone_number: '6175550124' },
		],
		[
			'in the country that is written',
			{ phone },
			{ phone_number: '+491701234567' },
			{ phone_number: '+491701234567' },
		],
		[
			'in the country that is given',
			{ phone },
			{ phone_number: '6175550124', phone: { country_code: '1', number: '6175550124' } },
			{ phone_number: '6175550124', phone: { country_code: '1', number: '6175550124' } },
		],
		[
			'with a number in two parts alone',
			{ phone },
			{ phone: { country_code: '1', number: '6175550124' } },
			{ phone: { country_code: '1', number: '6175550124' } },
		],
		['without a number', { phone }, { phone_number: null }, { phone_number: null }],
	])('%s', (_how, former, changes, expected) => {
		expect(mergeSigner({ ...jane, ...former }, changes)).toStrictEqual({
			...jane,
			...expected,
		});
	});
});

describe('nothing is sent', () => {
	const refused = (...parts: Parameters<typeof plan>) => {
		try {
			plan(...parts);
		} catch (thrown) {
			return thrown;
		}
		throw new Error('It is planned.');
	};
	const reason = (fields: IDataObject) => ({ reason: fields, flags: { final: true } });

	/** The settings of a service that shows none of them. */
	const SETTINGS = Object.keys(SHOWN).filter((name) => name !== 'verify_tools_configuration');
	const CLOSING_SETTINGS = ['paper_note_consent', 'require_new_signer_verification'];
	test.each<[string, IDataObject, Options, string[]]>([
		['a closing', {}, {}, [...SETTINGS, ...CLOSING_SETTINGS]],
		[
			'a closing of unknown type',
			{},
			{ before: { ...CLOSING, transaction_type: null } },
			[...SETTINGS, ...CLOSING_SETTINGS, 'transaction_type'],
		],
		[
			'a closing with new signers and a consent',
			{ signers: [joe], paper_note_consent: true },
			{},
			['require_new_signer_verification'],
		],
		[
			'a closing that shows all but one of one signer',
			{},
			{
				before: {
					...CLOSING,
					paper_note_consent: false,
					require_new_signer_verification: null,
					signers: [
						{ ...JANE, ...SHOWN },
						{ ...JOE, ...SHOWN, order: undefined },
					],
				},
			},
			['order'],
		],
		[
			'business signers',
			{},
			{ platform: 'business', correct: { at: 0, changes: {} } },
			[...SETTINGS, 'verify_tools_configuration'],
		],
		[
			'the corrected signer, but for what is corrected',
			{},
			{
				platform: 'business',
				before: { ...CLOSING, signers: [{ ...JANE, ...SHOWN, dob: undefined, order: undefined }] },
				correct: { at: 0, changes: { dob: '1980-05-17' } },
			},
			['order'],
		],
		[
			'others than the corrected signer',
			{},
			{
				platform: 'business',
				before: {
					...CLOSING,
					signers: [
						{ ...JANE, ...SHOWN },
						{ ...JOE, ...SHOWN, dob: undefined },
					],
				},
				correct: { at: 0, changes: { dob: '1980-05-17' } },
			},
			['dob'],
		],
	])('while nobody says what is not shown of %s', (_what, fields, options, names) => {
		const failure = refused(fields, { ...options, notShown: 'ask' }) as { reason: IDataObject };
		expect(failure).toMatchObject({ reason: { code: 'settingsNotShown' }, flags: { final: true } });
		expect([...(failure.reason.names as string[])].sort()).toEqual([...names].sort());
		expect(bodyOf(fields, options)).toBeDefined();
	});

	test.each(['business', 'realEstate'] as const)(
		'on %s when a signer has no email address, as the service may have one it does not show',
		(platform) => {
			const before = { ...CLOSING, signers: [JANE, COSIGNER] };
			const correct = { at: 0, changes: {} };
			expect(refused({}, { before, platform, correct })).toMatchObject(
				reason({ code: 'signerNotWritable', signer: 'Sam Hart' }),
			);
		},
	);
	test.each<[IDataObject, missing: string, beside: string]>([
		[{ capacity: 'Trustee' }, 'entity', 'capacity'],
		[{ entity: 'The Trust' }, 'capacity', 'entity'],
		[{ notary_id: 'us_1' }, 'order', 'notary'],
	])('when %j lacks what it needs, because a recall comes first', (changes, missing, beside) => {
		expect(refused({}, { correct: { at: 0, changes } })).toMatchObject(
			reason({ code: 'signerIncomplete', missing, counterpart: beside }),
		);
	});
	test('when an external ID is that of another signer, or designations refer to it', () => {
		const signers = [
			{ ...JANE, external_id: 'a' },
			{ ...JOE, external_id: 'b' },
		];
		const correct = { at: 0, changes: { external_id: 'b' } };
		expect(refused({}, { before: { ...CLOSING, signers }, correct })).toMatchObject(
			reason({ code: 'externalIdTaken', externalId: 'b' }),
		);
		const designated = (...designations: IDataObject[]) => ({
			...CLOSING,
			signers,
			documents: [
				{ id: 'do_1', document_name: 'Deed', signing_designations: designations },
				{ id: 'do_2', signing_designations: [] },
			],
		});
		const anew = { at: 0, changes: { external_id: 'c' } };
		forEachCase([{ signer_identifier: 'a' }, { id: 'de_1' }], (designation) =>
			expect(refused({}, { before: designated(designation), correct: anew })).toMatchObject(
				reason({ code: 'externalIdInUse', externalId: 'a', documents: ['Deed'] }),
			),
		);
		const others = designated({ signer_identifier: 'b' });
		expect(bodyOf({}, { before: others, correct: anew })).toBeDefined();
		const same = { at: 0, changes: { external_id: 'a' } };
		expect(
			bodyOf({}, { before: designated({ signer_identifier: 'a' }), correct: same }),
		).toBeDefined();
	});
});

describe('a change that is sent', () => {
	const WANTED = { loan_number: '2' };
	const AFTER = { ...CLOSING, ...WANTED };
	test.each<[string, Answer, string[]]>([
		['shows it', { body: AFTER }, ['PUT']],
		['shows the former value', { body: CLOSING }, ['PUT', 'GET']],
		['is lost', { status: 502, body: 'Bad gateway' }, ['PUT', 'GET']],
	])(
		'is done when its answer %s, or else what is retrieved shows it',
		async (_how, written, asked) => {
			await withClient(
				({ method }) => (method === 'GET' ? { body: AFTER } : written),
				async (service, { requests }) => {
					const before = toTransaction(CLOSING)!;
					const change = { fields: WANTED, notShown: NO_HIDDEN_SETTINGS };
					const update = planDraftUpdate(SETTINGS, before, 'realEstate', change);
					expect((await sendUpdate(service, update)).differing).toEqual([]);
					expect(requests.map(({ method }) => method)).toEqual(asked);
				},
			);
		},
	);
	test('and is looked up later, without knowing what was there, is done or not seen', async () => {
		const update = { transactionId: 'ot_1', platform: 'realEstate', changes: WANTED } as const;
		await withClient(inTurn(CLOSING, AFTER), async (service) => {
			const { look } = buildDraftUpdateGoal(service, update);
			expect(await look!(AFTER_LOSS)).toBeUndefined();
			expect(await look!(AFTER_LOSS)).toMatchObject({ state: 'done', value: { differing: [] } });
		});
	});
	test('with identity checks goes to the path for them', async () => {
		await withClient(
			inTurn(CLOSING),
			async (service, { requests }) => {
				const before = toTransaction({ ...CLOSING, signers: [{ ...JANE, ...SELFIE }] })!;
				const change = { fields: {}, notShown: NO_HIDDEN_SETTINGS };
				const update = planDraftUpdate(SETTINGS, before, 'realEstate', change);
				await sendUpdate(service, update);
				expect(requests[0].path).toBe('/mortgage/v2/transactions/ot_1');
			},
			{ fields: { pathLayout: 'documented' } },
		);
	});
});
