import type { Transaction } from '../../../../sandbox/world/world.mts';
import {
	AFFIDAVIT,
	BY_SMS,
	DEED,
	JANE,
	JANES_ENOTE,
	JOHN,
	NOTARY_ONLY,
	SIGNED,
	TAGGED,
	closing,
	enoteOf,
	send,
	signers,
	without,
	business,
	PLACE,
	type CheckCase,
} from '../../../support/checkedDrafts.mts';

/** Drafts for Transaction: Check that lack something. */

const LAPSED = '2026-01-01T00:00:00Z';
const document = ({ documents }: Transaction) =>
	documents.find(({ name }) => name === 'Deed of Trust')!;

/** Each has its own fault, and nothing else is wrong. */
export const PLANTED: CheckCase[] = [
	{
		...business,
		name: 'a transaction that was sent',
		then: ({ id }, { url, keys }) => send(id, 'business', url, keys.full),
		found: ['draft: missing'],
	},
	{
		...business,
		name: 'a transaction that is completed',
		then: async ({ id }, { url, keys, act }) => {
			await send(id, 'business', url, keys.full);
			await act.complete(id);
		},
		found: ['draft: missing'],
	},
	{
		...business,
		name: 'an expiration in the past',
		then: ({ fields }) => void (fields.expiry = LAPSED),
		found: ['expiration: missing'],
	},
	{
		...closing,
		name: 'an expiration of a closing in the past',
		then: ({ fields }) => void (fields.expiration_time = LAPSED),
		found: ['expiration: missing'],
	},
	{
		...business,
		name: 'an activation after the expiration',
		fields: { activation_time: '2099-12-31T12:00:00Z', expiry: '2099-12-30T12:00:00Z' },
		found: ['activation: missing'],
	},
	{
		...business,
		name: 'no signer',
		then: (transaction) => void (transaction.signers = []),
		found: ['signers: missing'],
	},
	{
		...business,
		name: 'eleven signers',
		then: (transaction) => {
			const [one] = transaction.signers;
			transaction.signers = Array.from({ length: 11 }, (_, index) => ({
				...one,
				external_id: `s${index}`,
			}));
		},
		found: ['signers: missing'],
	},
	{
		...business,
		name: 'half an email address',
		then: ({ signers: [one] }) => void (one.email = 'jane.borrower@'),
		found: ['signer_email: missing'],
	},
	{
		...business,
		name: 'no email address and no shared inbox',
		then: ({ signers: [one] }) => void Object.assign(one, { email: '', recipient_group: null }),
		found: ['signer_email: missing'],
	},
	{
		...business,
		name: 'no phone number for a code by text message',
		...signers({ ...without(JANE, 'phone_number'), assurance_requirement: BY_SMS }),
		documents: [DEED, SIGNED],
		found: ['signer_phone: missing'],
	},
	{
		...business,
		name: 'one external ID of two signers',
		...signers(JANE, JOHN),
		then: ({ signers: [, other] }) => void (other.external_id = 'borrower-1'),
		found: ['external_ids: missing'],
	},
	{
		...business,
		name: 'a designation of nobody',
		then: (transaction) =>
			void document(transaction).designations.push({
				...PLACE,
				signer_identifier: 'borrower-9',
			} as never),
		found: ['designation_signers: missing', 'notarization: warning'],
	},
	{
		...business,
		name: 'no document',
		documents: [],
		found: ['documents: missing', 'notarization: warning'],
	},
	{
		...closing,
		name: 'consent forms alone',
		documents: [],
		found: ['documents: missing', 'notarization: warning'],
	},
	{
		...business,
		name: 'a document that is pending',
		then: (transaction) => void (document(transaction).state = 'pending'),
		found: ['document_pending: missing'],
	},
	{
		...business,
		name: 'a document that has failed without a reason',
		then: (transaction) => void (document(transaction).state = 'failed'),
		found: ['document_failed: missing'],
	},
	{
		...closing,
		name: 'a document that is done with a reason why not',
		options: { switches: { failedProcessing: 'done' } },
		then: (transaction) =>
			void Object.assign(document(transaction), { state: 'failed', processingError: 'Encrypted' }),
		found: ['document_failed: missing'],
	},
	{
		...business,
		name: 'an e-sign document without a place',
		documents: [DEED, AFFIDAVIT],
		found: ['places_to_sign: missing'],
	},
	{
		...business,
		name: "an e-sign document with the notary's place alone",
		documents: [DEED, NOTARY_ONLY],
		found: ['places_to_sign: missing'],
	},
	{
		...business,
		name: 'tags for an account without them',
		options: { missingFeatures: ['text_tags'] },
		sample: 'borrower-affidavit-tagged',
		documents: [DEED, TAGGED],
		found: ['places_to_sign: missing'],
	},
	{
		...business,
		name: 'a second signer with nothing to sign',
		fields: { config_id: 'sign', signers: [JANE, JOHN] },
		documents: [SIGNED],
		found: ['signer_places: missing'],
	},
	{
		...business,
		name: 'nothing for a notary',
		documents: [SIGNED],
		found: ['notarization: warning'],
	},
	{
		...business,
		name: 'no notary who can come',
		then: (_transaction, { world }) => void world.notaries.splice(0),
		found: ['notary: warning'],
	},
	{
		...closing,
		name: "a lender's closing without a title agency",
		fields: { title_agency_id: undefined },
		found: ['title_agency: unknown'],
	},
	{
		...closing,
		name: 'a contact who is no title agent',
		fields: {
			title_agency_id: undefined,
			contacts: [{ email: 'c@example.com', first_name: 'C', last_name: 'Closer', role: 'closer' }],
		},
		found: ['title_agency: unknown'],
	},
	{
		...closing,
		name: 'a refinance without an eNote',
		fields: { transaction_type: 'refinance' },
		found: ['enote: warning'],
	},
	{
		...closing,
		name: 'an eNote of somebody else',
		fields: { transaction_type: 'refinance' },
		enote: JANES_ENOTE,
		file: enoteOf(
			'_FirstName="Jane" _LastName="Borrower"',
			'_FirstName="Jim" _LastName="Borrower"',
		),
		found: ['enote_names: warning'],
	},
	{
		...closing,
		name: 'an eNote with another middle name',
		fields: { transaction_type: 'refinance' },
		enote: JANES_ENOTE,
		file: enoteOf('_FirstName="Jane" _MiddleName="Alice" _LastName="Borrower"'),
		found: ['enote_names: warning'],
	},
	{
		...closing,
		name: 'a jurisdiction that is not eligible',
		fields: {
			transaction_type: 'heloc',
			street_address: { line1: '1 Congress Ave', city: 'Austin', state: 'TX', postal: '78701' },
			recording_jurisdiction_id: undefined,
			title_agency_id: undefined,
			contacts: [
				{ email: 'a@example.com', first_name: 'A', last_name: 'Agent', role: 'title_agent' },
			],
			jurisdiction_eligibility_consent: 'yes',
		},
		found: ['recording_jurisdiction: warning'],
	},
	{
		...closing,
		name: 'a place without a jurisdiction',
		fields: {
			street_address: { line1: '1 Ala Moana', city: 'Honolulu', state: 'HI', postal: '96814' },
			recording_jurisdiction_id: undefined,
			title_agency_id: undefined,
			contacts: [
				{ email: 'a@example.com', first_name: 'A', last_name: 'Agent', role: 'title_agent' },
			],
			jurisdiction_eligibility_consent: 'yes',
		},
		found: ['recording_jurisdiction: warning'],
	},
	{
		...closing,
		name: 'a closing that its team has put on hold',
		options: { closingTeam: 'manual' },
		then: async ({ id }, { url, keys, act }) => {
			await send(id, 'realEstate', url, keys.full);
			await act.putOnHold(id);
		},
		found: ['draft: missing', 'order_progress: missing'],
	},
];
