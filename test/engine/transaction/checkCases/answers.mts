import type { IDataObject } from 'n8n-workflow';

import { buildDocumentReference } from '../../../../nodes/SignAndClose/values/reference.ts';
import { liveBusinessDocument, liveClosing, liveDocument } from '../../../support/live/answers.mts';
import type { Answer } from '../../../support/live/service.mts';
import { signerOf } from '../../../support/live/signers.mts';
import { enoteOf, JANE, JANES_ENOTE } from '../../../support/checkedDrafts.mts';

/** Answers about transactions as live services were seen to shape them, for Transaction: Check. */

export interface Answered {
	platform: 'business' | 'realEstate';
	answer: IDataObject;
	/** Answers to the other questions, by the end of their path. */
	notaries?: Answer;
	places?: Answer;
	file?: string;
}

export const BOSTON = {
	id: 'rlboston',
	name: 'Suffolk County',
	state: 'MA',
	supported: false,
	eligible: true,
};
const SIGNER = signerOf(JANE, 0);

/** What answers of both platforms have, whether it's set or not. */
const ALWAYS: IDataObject = {
	attachments: [],
	notarization_record: null,
	notarization_records: [],
	redirect: {},
	cost: 0,
	cc_recipient_emails: [],
	require_secondary_photo_id: false,
	signers: [SIGNER],
	signer_info: SIGNER,
};
const CLOSING: IDataObject = {
	...liveClosing([liveDocument()]),
	...ALWAYS,
	transaction_type: 'refinance',
	status_description: '',
	contacts: [{ email: 'a@example.com', role: 'title_agent' }],
	lender: { id: 'orod4kenk', name: 'Harbor Lending' },
	underwriter_override: false,
};
const PLACED: IDataObject = {
	...CLOSING,
	street_address: {
		line1: '100 Harbor Street',
		line2: null,
		city: 'Boston',
		state: 'MA',
		postal: '02110',
		country: 'US',
		full_address: '100 Harbor Street, Boston, MA 02110',
	},
	recording_jurisdiction: {
		id: 'rlboston',
		name: 'Suffolk County',
		state: 'MA',
		recording_type: 'electronic',
	},
};
const BUSINESS: IDataObject = {
	...liveClosing([liveBusinessDocument()]),
	...ALWAYS,
	transaction_name: 'Untitled Transaction',
	payer: 'sender',
	sender_name: 'Harbor Lending',
	config_id: 'notarization',
};
/** What the interface document shows, and no more. */
const DOCUMENTED: IDataObject = {
	id: 'ot_od4kenk',
	organization_id: 'or_od4kenk',
	status: 'started',
	detailed_status: 'draft',
	transaction_name: 'Refinance',
	date_created: '2026-11-21T10:00:00.000000Z',
	external_id: null,
	audit_trail_url: null,
	notarization_record: null,
	signer_info: { email: 'jane@example.com' },
	signers: [{ email: 'jane@example.com', first_name: 'Jane', last_name: 'Borrower' }],
	documents: [
		{ id: 'do_1', document_name: 'Deed', requirement: 'notarization', final_document_url: null },
	],
};

const without = (answer: IDataObject, ...names: string[]): IDataObject =>
	Object.fromEntries(Object.entries(answer).filter(([name]) => !names.includes(name)));
export const business = (more: IDataObject): Answered => ({
	platform: 'business',
	answer: { ...BUSINESS, ...more },
});
const closing = (more: IDataObject, others: Partial<Answered> = {}): Answered => ({
	platform: 'realEstate',
	answer: { ...PLACED, ...more },
	...others,
});
const places = (...entries: IDataObject[]): Partial<Answered> => ({ places: { body: entries } });
const refusal = (status: number): Answer => ({
	status,
	body: { errors: ['Feature not available'] },
});
export const esigned = (more: IDataObject) =>
	liveBusinessDocument({
		document_name: 'Affidavit',
		requirement: 'esign',
		esign_required: true,
		notarization_required: false,
		allowed_actions: [],
		...more,
	});
export const DEED = liveBusinessDocument();
const COPIED = (document: IDataObject): IDataObject => ({
	...document,
	tracking_id: buildDocumentReference(
		'unplacedCopy',
		(document.requirement === 'esign' ? 'a' : 'b').repeat(64),
		{},
	),
});
/** No answer shows the consent to a note on paper. */
const NO_NOTE = 'enote: warning';

export const ANSWERS: Array<[name: string, answered: Answered, found: string[]]> = [
	['a business transaction as it was recorded', business({}), []],
	[
		'a closing as it was recorded, without an address',
		{ platform: 'realEstate', answer: CLOSING },
		[NO_NOTE, 'recording_jurisdiction: unknown'],
	],
	['a closing with its address', closing({}), [NO_NOTE]],
	[
		'unset fields as null',
		closing({ activation_time: null, expiry: null, expiration_time: null, order_progress: null }),
		[NO_NOTE],
	],
	[
		'what is always there, and no more',
		{ platform: 'realEstate', answer: { id: 'ot_od4kenk', status: 'started' } },
		[
			'expiration: unknown',
			'activation: unknown',
			'signers: unknown',
			'signer_email: unknown',
			'signer_phone: unknown',
			'external_ids: unknown',
			'designation_signers: unknown',
			'documents: unknown',
			'document_pending: unknown',
			'document_failed: unknown',
			'places_to_sign: unknown',
			'copied_places: unknown',
			'notarization: unknown',
			'title_agency: unknown',
			'enote: unknown',
			'recording_jurisdiction: unknown',
		],
	],
	[
		'what is documented of a closing, and no more',
		{ platform: 'realEstate', answer: DOCUMENTED, notaries: { status: 404, body: {} } },
		[
			'expiration: unknown',
			'activation: unknown',
			'signer_phone: unknown',
			'designation_signers: unknown',
			'document_pending: unknown',
			'document_failed: unknown',
			'notary: unknown',
			'title_agency: unknown',
			'enote: unknown',
			'recording_jurisdiction: unknown',
		],
	],
	[
		'no signer of a closing without a type, and nobody to correct',
		closing({ signers: [], transaction_type: null }),
		['signers: unknown', 'enote: unknown', 'recording_jurisdiction: unknown'],
	],
	['no signer of a refinance', closing({ signers: [] }), ['signers: missing', NO_NOTE]],
	[
		'a state that nobody knows',
		business({ status: 'odd', detailed_status: 'odder' }),
		['draft: unknown'],
	],
	[
		'a time without a zone',
		business({ activation_time: '2099-01-01T00:00:00', expiry: '2099-01-02T00:00:00' }),
		['expiration: unknown', 'activation: unknown'],
	],
	['a beginning without an end', business({ activation_time: '2099-01-01T00:00:00Z' }), []],
	[
		'signers that are not shown',
		{ platform: 'business', answer: without(BUSINESS, 'signers') },
		[
			'signers: unknown',
			'signer_email: unknown',
			'signer_phone: unknown',
			'external_ids: unknown',
			'designation_signers: unknown',
			'signer_places: unknown',
		],
	],
	[
		'documents that are not shown',
		{ platform: 'business', answer: without(BUSINESS, 'documents') },
		[
			'designation_signers: unknown',
			'documents: unknown',
			'document_pending: unknown',
			'document_failed: unknown',
			'places_to_sign: unknown',
			'copied_places: unknown',
			'signer_places: unknown',
			'notarization: unknown',
		],
	],
	[
		'a code by text message, where only what is documented is shown',
		{
			platform: 'business',
			answer: {
				...DOCUMENTED,
				signers: [
					{
						email: 'jane@example.com',
						external_id: ' borrower-1 ',
						assurance_requirement: { multi_factor_authentication: { type: 'sms' } },
					},
				],
				documents: [{ id: 'do_1', document_name: 'Affidavit', requirement: 'esign' }],
			},
			notaries: { body: [] },
		},
		[
			'expiration: unknown',
			'activation: unknown',
			'signer_phone: unknown',
			'designation_signers: unknown',
			'document_pending: unknown',
			'document_failed: unknown',
			'places_to_sign: unknown',
			'signer_places: unknown',
			'notarization: unknown',
			'notary: unknown',
		],
	],
	[
		'external IDs with blanks around them',
		business({
			signers: [{ ...SIGNER, external_id: ' a ' }],
			documents: [{ ...DEED, signing_designations: [{ signer_identifier: 'a ' }] }],
		}),
		['notarization: warning'],
	],
	[
		'one external ID, with blanks and without',
		business({ signers: ['a', ' a'].map((external_id) => ({ ...SIGNER, external_id })) }),
		['external_ids: missing'],
	],
	[
		'one of two signers who only shows who that is',
		business({
			signers: [
				{ ...SIGNER, external_id: 'a', signing_requirement: 'verify' },
				{ ...SIGNER, external_id: 'b' },
			],
			documents: [DEED, esigned({})],
		}),
		['places_to_sign: missing'],
	],
	[
		'two signers who only show who they are',
		business({
			signers: ['a', 'b'].map((external_id) => ({
				...SIGNER,
				external_id,
				signing_requirement: 'verify',
			})),
			documents: [DEED, esigned({})],
		}),
		[],
	],
	[
		'two equal times',
		business({ activation_time: '2099-01-01T00:00:00Z', expiry: '2099-01-01T01:00:00+01:00' }),
		['activation: missing'],
	],
	[
		'a phone of an older answer',
		business({ signers: [{ ...without(SIGNER, 'phone'), phone_number: '6175550123' }] }),
		[],
	],
	[
		'a group in an answer without its inbox',
		business({ signers: [{ ...SIGNER, email: '', recipient_group: { id: 'g1' } }] }),
		['signer_email: unknown'],
	],
	[
		'a second signer without an address',
		business({
			signers: [SIGNER, { ...SIGNER, email: '', external_id: 'b', recipient_group: null }],
		}),
		['signer_email: unknown'],
	],
	[
		'a third signer without an address',
		business({
			signers: ['a', 'b', 'c'].map((external_id, index) => ({
				...SIGNER,
				external_id,
				...(index === 2 && { email: '', recipient_group: null }),
			})),
		}),
		['signer_email: missing'],
	],
	[
		'designations by their IDs',
		business({ documents: [{ ...DEED, signing_designations: [{ id: 'ad1' }] }] }),
		['designation_signers: unknown'],
	],
	[
		'designations of a witness and of nobody',
		business({
			documents: [
				{
					...DEED,
					signing_designations: [
						{ signer_identifier: 'witness1' },
						{ signer_identifier: 'nobody' },
					],
				},
			],
		}),
		['designation_signers: missing', 'notarization: warning'],
	],
	[
		'an e-sign document with designations by their IDs',
		business({ documents: [DEED, esigned({ signing_designations: [{ id: 'ad1' }] })] }),
		['designation_signers: unknown', 'places_to_sign: unknown'],
	],
	[
		'an e-sign document that is pending, whose tags are not read',
		business({ documents: [DEED, esigned({ processing_state: 'pending' })] }),
		['document_pending: missing', 'places_to_sign: unknown'],
	],
	[
		'an e-sign document whose permissions are not shown',
		business({ documents: [DEED, without(esigned({}), 'allowed_actions')] }),
		['places_to_sign: unknown'],
	],
	[
		'documents that Copy has added without the places of the old ones',
		business({ documents: [COPIED(DEED), COPIED(esigned({}))] }),
		['copied_places: missing', 'copied_places: warning'],
	],
	[
		'documents of a copy that have places since',
		business({ documents: [COPIED({ ...DEED, signing_designations: [{ id: 'ad1' }] })] }),
		['designation_signers: unknown'],
	],
	[
		'such documents of a closing',
		closing({
			documents: [COPIED(liveDocument()), COPIED(liveDocument({ requirement: 'esign' }))],
		}),
		['copied_places: warning', NO_NOTE],
	],
	[
		'a document for the notary whose flag wants a signature',
		business({ documents: [{ ...DEED, esign_required: true }] }),
		['places_to_sign: unknown'],
	],
	[
		'a place by the permissions of the signer',
		business({ documents: [DEED, esigned({ allowed_actions: ['CUSTOMER_CAN_ANNOTATE'] })] }),
		[],
	],
	[
		'a state of processing that nobody knows',
		business({ documents: [{ ...DEED, processing_state: 'queued' }] }),
		['document_pending: unknown', 'document_failed: unknown'],
	],
	[
		'a failure with a reason whatever the state is',
		closing({
			documents: [liveDocument({ processing_state: 'queued', processing_error: 'Locked' })],
		}),
		['document_failed: missing', NO_NOTE],
	],
	[
		'a notary by a flag alone',
		business({
			documents: [
				esigned({
					notarization_required: true,
					signing_designations: [
						{ signer_identifier: 'notary' },
						{ signer_identifier: 'borrower-1' },
					],
				}),
			],
		}),
		[],
	],
	['two documents of one name', business({ documents: [DEED, DEED] }), ['documents: warning']],
	[
		'two documents of one content',
		business({
			documents: ['Deed', 'Deed, copy'].map((document_name, index) => ({
				...DEED,
				document_name,
				tracking_id: buildDocumentReference('add', 'a'.repeat(64), {}, `00000${index}`),
			})),
		}),
		['documents: warning'],
	],
	[
		'two documents of one name and different content',
		business({
			documents: ['a', 'b'].map((letter) => ({
				...DEED,
				tracking_id: buildDocumentReference('add', letter.repeat(64), {}),
			})),
		}),
		[],
	],
	[
		'a notary by a word alone',
		closing({ documents: [liveDocument({ requirement: 'readonly' })] }),
		[NO_NOTE],
	],
	[
		'nothing for a notary in a closing',
		closing({
			documents: [liveDocument({ requirement: 'readonly', allowed_actions: [], permissions: [] })],
		}),
		['notarization: warning', NO_NOTE],
	],
	[
		'a document that confirms an identity by its requirement alone',
		closing({
			documents: [
				liveDocument({
					requirement: 'identity_confirmation',
					allowed_actions: [],
					permissions: [],
				}),
			],
		}),
		[NO_NOTE],
	],
	...['real_estate_proof', 'wet_sign'].map((transaction_type): [string, Answered, string[]] => [
		`nothing for a notary in a closing of the type ${transaction_type}`,
		closing({
			transaction_type,
			documents: [liveDocument({ requirement: 'readonly', allowed_actions: [], permissions: [] })],
		}),
		[],
	]),
	[
		'a closing that is signed online',
		closing({
			transaction_type: 'real_estate_esign',
			documents: [liveDocument({ requirement: 'readonly', allowed_actions: [], permissions: [] })],
		}),
		[],
	],
	[
		'documents whose flags are not shown',
		business({
			documents: [
				{
					id: 'do_1',
					document_name: 'A',
					requirement: 'readonly',
					processing_state: 'done',
					signing_designations: [],
				},
			],
		}),
		['notarization: unknown'],
	],
	...[401, 403, 404, 422].map((status): [string, Answered, string[]] => [
		`a list of notaries that is refused with ${status}`,
		{ ...business({}), notaries: refusal(status) },
		['notary: unknown'],
	]),
	['an empty list of notaries', { ...business({}), notaries: { body: [] } }, ['notary: warning']],
	[
		'a lender without agency and agent',
		closing({ contacts: [{ email: 'c@example.com', role: 'closer' }] }),
		['title_agency: unknown', NO_NOTE],
	],
	[
		'a lender with contacts whose roles are not shown',
		closing({ contacts: [{ email: 'c@example.com' }] }),
		['title_agency: unknown', NO_NOTE],
	],
	[
		'a purchase with a loan, without an eNote',
		closing({ transaction_type: 'purchase_buyer_loan' }),
		[NO_NOTE],
	],
	[
		'a title agency by its name',
		closing({ contacts: [], title_agency: { id: 'orharbor', name: 'Harbor Title' } }),
		[NO_NOTE],
	],
	['no lender, and no agency', closing({ contacts: [], lender: null }), []],
	[
		'an eNote',
		closing({
			documents: [
				liveDocument(),
				liveDocument({
					id: 'do_2',
					document_name: 'enote.xml',
					is_enote: true,
					requirement: 'readonly',
				}),
			],
		}),
		[],
	],
	[
		'an eNote of one of two signers, written in another way',
		closing(
			{
				signers: [
					{ ...SIGNER, external_id: 'a', first_name: 'Jim' },
					{ ...SIGNER, external_id: 'b', first_name: ' Jose\u0301', last_name: 'de  la CRUZ Jr' },
				],
			},
			{ file: enoteOf('_FirstName="JOS\u00C9" _LastName="De la Cruz" _NameSuffix="JR"') },
		),
		[NO_NOTE],
	],
	[
		'an eNote beside signers that are not shown',
		{ platform: 'realEstate', answer: without(PLACED, 'signers'), file: JANES_ENOTE },
		[
			'signers: unknown',
			'signer_email: unknown',
			'signer_phone: unknown',
			'external_ids: unknown',
			'designation_signers: unknown',
			NO_NOTE,
			'enote_names: unknown',
		],
	],
	[
		'names in an eNote that nobody can read',
		closing({}, { file: '<SMART_DOCUMENT><PARTY>Jane</PARTY></SMART_DOCUMENT>' }),
		[NO_NOTE, 'enote_names: unknown'],
	],
	['an eNote beside signers without middle names', closing({}, { file: JANES_ENOTE }), [NO_NOTE]],
	[
		'a jurisdiction that is not eligible',
		closing({}, places({ ...BOSTON, supported: true, eligible: false })),
		[NO_NOTE, 'recording_jurisdiction: warning'],
	],
	[
		'a jurisdiction of another address',
		closing({}, places({ ...BOSTON, id: 'rlother' })),
		[NO_NOTE, 'recording_jurisdiction: warning'],
	],
	[
		'one of two jurisdictions',
		closing({}, places({ ...BOSTON, id: 'rlother', eligible: false }, BOSTON)),
		[NO_NOTE],
	],
	[
		'one of two jurisdictions, of which the other has no ID',
		closing({}, places({ name: 'Elsewhere', eligible: false }, BOSTON)),
		[NO_NOTE],
	],
	[
		'none chosen of two that differ',
		closing(
			{ recording_jurisdiction: null },
			places({ ...BOSTON, id: 'rlother', eligible: false }, BOSTON),
		),
		[NO_NOTE, 'recording_jurisdiction: unknown'],
	],
	[
		'an address as the interface document answers it',
		closing({}, { places: { body: { supported: true, eligible_title_agencies: [] } } }),
		[NO_NOTE],
	],
	[
		'such an address where nothing is closed online',
		closing({}, { places: { body: { supported: false, eligible_title_agencies: [] } } }),
		[NO_NOTE, 'recording_jurisdiction: warning'],
	],
	[
		'a jurisdiction that says neither',
		closing({}, places({ id: 'rlboston', name: 'Suffolk County' })),
		[NO_NOTE, 'recording_jurisdiction: unknown'],
	],
	...['line1', 'city', 'state'].map((part): [string, Answered, string[]] => [
		`an address without ${part}`,
		closing({ street_address: without(PLACED.street_address as IDataObject, part) }),
		[NO_NOTE, 'recording_jurisdiction: unknown'],
	]),
	[
		'an address that the service does not check',
		closing({}, { places: refusal(422) }),
		[NO_NOTE, 'recording_jurisdiction: unknown'],
	],
	...(
		[
			['received', []],
			['preparing_order', []],
			['in_qc', []],
			['awaiting_lender_approval', ['order_progress: warning']],
			['on_hold_enote', ['order_progress: missing']],
			['on_hold_name_discrepancy', ['order_progress: missing']],
			['on_hold_final_cd', ['order_progress: missing']],
			['on_hold_other', ['order_progress: missing']],
			['on_the_moon', ['order_progress: unknown']],
			['constructor', ['order_progress: unknown']],
		] satisfies Array<[string, string[]]>
	).map(([progress, found]): [string, Answered, string[]] => [
		`a closing with its team: ${progress}`,
		closing({
			status: 'sent_to_closing_ops',
			detailed_status: 'order_placed',
			order_progress: progress,
		}),
		['draft: missing', NO_NOTE, ...found],
	]),
	[
		'a draft that was recalled from its team, which held it',
		closing({ detailed_status: 'recalled', order_progress: 'on_hold_enote' }),
		[NO_NOTE, 'order_progress: warning'],
	],
	[
		'a closing with its team, of which only what is documented is shown',
		{
			platform: 'realEstate',
			answer: { ...DOCUMENTED, status: 'sent_to_closing_ops', detailed_status: 'order_placed' },
		},
		[
			'draft: missing',
			'expiration: unknown',
			'activation: unknown',
			'signer_phone: unknown',
			'designation_signers: unknown',
			'document_pending: unknown',
			'document_failed: unknown',
			'title_agency: unknown',
			'enote: unknown',
			'recording_jurisdiction: unknown',
			'order_progress: unknown',
		],
	],
];
