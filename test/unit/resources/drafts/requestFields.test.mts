import { loadOpenapi } from '../../../../sandbox/http/openapi.mts';
import { toTransaction } from '../../../../nodes/SignAndClose/transport/answers/shapes.ts';
import {
	listHiddenSignerFields,
	toSignerRequest,
	toTransactionRequest,
} from '../../../../nodes/SignAndClose/resources/draft/requestFields.ts';
import {
	listUnknownClosingFields,
	listUnknownSignerFields,
} from '../../../../nodes/SignAndClose/resources/draft/unknownFields.ts';

/** What is written back is built from request names; nothing of an answer is echoed. */

const ANSWER = {
	id: 'ot_1',
	organization_id: 'or_1',
	status: 'started',
	detailed_status: 'draft',
	status_description: '',
	transaction_name: 'Refinance',
	transaction_type: 'refinance',
	loan_number: '77',
	file_number: null,
	cost: 2250,
	order_progress: 'received',
	audit_trail_url: null,
	attachments: [],
	activation_time: null,
	expiration_time: '2027-03-01T23:59:59Z',
	expiry: '2027-03-01T23:59:59Z',
	redirect: { redirect_url: 'https://a.example', redirect_msg: 'Done', forced_redirect: true },
	recording_jurisdiction: { id: 'rl1', name: 'Suffolk', state: 'MA', recording_type: 'electronic' },
	title_agency: { id: 'or_t', name: 'Harbor Title', company_notaries: false },
	title_underwriter: { id: 'or_u', name: 'Atlantic' },
	lender: { id: 'or_1', name: 'Lender' },
	require_secondary_photo_id: true,
	street_address: {
		line1: '1 Main St',
		line2: null,
		city: 'Boston',
		state: 'MA',
		postal: '02110',
		country: 'US',
		full_address: '1 Main St, Boston, MA 02110',
	},
	contacts: [
		{
			first_name: 'Al',
			email: 'al@title.example',
			role: 'title_agent',
			title: null,
			phone_number: '6175550123',
			shown_to_signer: false,
			organization_address: { line1: '', city: '' },
			date_created: '2026-01-01T00:00:00Z',
			date_updated: '2026-01-01T00:00:00Z',
		},
	],
	notarization_records: [],
	underwriter_override: false,
	constructor: 'x',
	new_field_of_the_service: 'x',
};

test('a closing: ids for objects, request names, nothing that is unset or answer-only', () => {
	expect(toTransactionRequest(toTransaction(ANSWER)!, 'realEstate')).toEqual({
		transaction_name: 'Refinance',
		transaction_type: 'refinance',
		loan_number: '77',
		expiration_time: '2027-03-01T23:59:59Z',
		redirect: { url: 'https://a.example', message: 'Done' },
		recording_jurisdiction_id: 'rl1',
		title_agency_id: 'or_t',
		title_underwriter_id: 'or_u',
		require_secondary_photo_id: true,
		street_address: {
			line1: '1 Main St',
			city: 'Boston',
			state: 'MA',
			postal: '02110',
			country: 'US',
		},
		contacts: [
			{
				first_name: 'Al',
				email: 'al@title.example',
				role: 'title_agent',
				phone_number: '6175550123',
				shown_to_signer: false,
			},
		],
	});
});
test.each(['real_estate_esign', 'real_estate_proof'])(
	'the type %s, which a change does not take, is left out',
	(transaction_type) => {
		const closing = toTransaction({ ...ANSWER, transaction_type })!;
		expect(toTransactionRequest(closing, 'realEstate')).not.toHaveProperty('transaction_type');
	},
);
test('a name that the service made up is not written back', () => {
	const named = (transaction_name: string) =>
		toTransactionRequest(toTransaction({ ...ANSWER, transaction_name })!, 'realEstate');
	expect(named('1 Main St, Boston, MA 02110')).not.toHaveProperty('transaction_name');
	expect(
		toTransactionRequest(
			toTransaction({ id: 'ot_1', transaction_name: 'Untitled Transaction' })!,
			'business',
		),
	).toEqual({});
});
test('a signer: no tokens, links, states or records', () => {
	const [signer] = toTransaction({
		id: 'ot_1',
		signers: [
			{
				signer_id: 'oc_1',
				email: 'jane@example.com',
				first_name: 'Jane',
				middle_name: null,
				last_name: 'Borrower',
				external_id: 'b1',
				phone: { country_code: '1', number: '6175550123' },
				address: { line1: '', line2: null, city: '', state: '', postal: '', country: '' },
				signing_status: 'incomplete',
				link_expired: false,
				transaction_access_link: 'https://service.example/access?token=t',
				sdk_token: 't',
				signatory_capacities: [],
				vesting_type: 'borrower',
				personally_known_to_notary: false,
				credential_assets: [{ credential_type: 'primary' }],
				esign_authentication_records: [{ verified: true }],
				assurance_requirement: { knowledge_based_authentication: false },
			},
		],
	})!.signers!;
	expect(toSignerRequest(signer, 'assurance_requirement')).toEqual({
		email: 'jane@example.com',
		first_name: 'Jane',
		last_name: 'Borrower',
		external_id: 'b1',
		phone: { country_code: '1', number: '6175550123' },
		vesting_type: 'borrower',
		personally_known_to_notary: false,
		assurance_requirement: { knowledge_based_authentication: false },
	});
});

test('flags that come as text are written back as flags', () => {
	const { signers, contacts, ...closing } = toTransaction({
		id: 'ot_1',
		require_secondary_photo_id: 'true',
		contacts: [
			{ email: 'a@title.example', shown_to_signer: 'true', access_to_transaction: 'false' },
		],
		signers: [
			{
				email: 'jane@example.com',
				personally_known_to_notary: 'false',
				suppress_communications: 'TRUE',
				assurance_requirement: {
					knowledge_based_authentication: 'true',
					id_verification: { selfie: 'true' },
					multi_factor_authentication: { type: 'sms' },
				},
			},
		],
	})!;
	expect(toSignerRequest(signers![0], 'assurance_requirement')).toEqual({
		email: 'jane@example.com',
		personally_known_to_notary: false,
		suppress_communications: true,
		assurance_requirement: {
			knowledge_based_authentication: true,
			id_verification: { selfie: true },
			multi_factor_authentication: { type: 'sms' },
		},
	});
	expect(toTransactionRequest({ ...closing, contacts }, 'realEstate')).toEqual({
		require_secondary_photo_id: true,
		contacts: [{ email: 'a@title.example', shown_to_signer: true, access_to_transaction: false }],
	});
});
test('a signer: every setting that is shown, in its request form', () => {
	const settings = {
		dob: '1980-05-17',
		order: 2,
		signing_requirement: 'verify',
		suppress_communications: false,
		primary_id_allow_list_by_country: { US: ['passport'] },
		verify_tools_configuration: { selfie_config: { requirement: 'pass' } },
		verify_tool_configuration: { requirement: 'run' },
	};
	const shown = { ...settings, verify_tool_configuration: { requirement: 'run', state: 'open' } };
	expect(toSignerRequest(shown, 'assurance_requirement')).toEqual(settings);
});
test('settings of a signer that are not shown: those that may be set all the same', () => {
	const names = (signer: object, platform: 'business' | 'realEstate' = 'business') =>
		listHiddenSignerFields({ email: 'jane@example.com', ...signer }, platform, 'checks').sort();
	const all = [
		'capacity',
		'checks',
		'dob',
		'entity',
		'middle_name',
		'notary_id',
		'order',
		'primary_id_allow_list_by_country',
		'secondary_id_allow_list_by_country',
		'signing_requirement',
		'suppress_communications',
		'verify_tool_configuration',
		'verify_tools_configuration',
	];
	expect(names({})).toEqual(all);
	expect(names({}, 'realEstate')).toEqual(all.slice(0, -1));
	// Null says that there is none.
	expect(names(Object.fromEntries(all.map((name) => [name, null])))).toEqual([]);
	// Somebody has to be invited somehow.
	expect(names({ email: '' })).toEqual([...all, 'recipient_group'].sort());
	expect(names({ email: '', recipient_group: null })).toEqual(all);
});

test('every field that is described is known, whether a request has it or not', () => {
	const { schemas } = (loadOpenapi() as any).components;
	const fieldsOf = ({ properties = {}, allOf = [], $ref }: any): string[] =>
		$ref === undefined
			? [...Object.keys(properties), ...allOf.flatMap(fieldsOf)]
			: fieldsOf(schemas[$ref.split('/').at(-1)]);
	const filled = (schema: string) =>
		Object.fromEntries(fieldsOf(schemas[schema]).map((name) => [name, 'x']));
	const closing = { ...filled('Closing'), ...filled('Transaction'), contacts: [filled('Contact')] };
	expect(Object.keys(closing).length).toBeGreaterThan(50);
	expect(listUnknownClosingFields(closing)).toEqual([]);
	expect(listUnknownSignerFields([filled('Signer')], 'assurance_requirement')).toEqual([]);
	const strange = { new_one: 1, contacts: [{ newer: 1 }, { newer: 2 }] };
	expect(listUnknownClosingFields(strange)).toEqual(['new_one', 'newer']);
	expect(listUnknownClosingFields(strange, { new_one: 2, contacts: [] })).toEqual([]);
});
