import * as closing from './closing';
import * as documents from './documents';
import type { Rule } from './finding';
import * as signers from './signers';
import * as state from './state';

/** A check by its code, which workflows compare. docs/check.md shows all of it. */
export interface Check {
	/** The fields of the answer that show it, or another operation whose answer does. */
	fields: readonly string[];
	/** What is checked, as a question. */
	asks: string;
	/** When it's in this state. A check without such a text is never in it. */
	missing?: string;
	warning?: string;
	unknown?: string;
	/** Only closings are asked. */
	realEstate?: true;
	rule: Rule;
}

const NOT_SHOWN = 'not shown';

/** The checks, in the order in which a person mends what they find. */
export const CHECKS = {
	draft: {
		fields: ['detailed_status', 'status'],
		asks: 'Is it a draft?',
		missing: 'sent, or ended',
		unknown: 'no known state shown',
		rule: state.draft,
	},
	expiration: {
		fields: ['expiry', 'expiration_time'],
		asks: 'Does it expire in the future, or never?',
		missing: 'in the past',
		unknown: 'not shown by a service that shows only documented fields; a time without a zone',
		rule: state.expiration,
	},
	activation: {
		fields: ['activation_time'],
		asks: 'Does the time to sign begin before it ends?',
		missing: 'at or after the expiration',
		unknown: 'as for the expiration',
		rule: state.activation,
	},
	signers: {
		fields: ['signers'],
		asks: 'Are there 1 to 10 signers?',
		missing: 'none, unless the type is wet_sign; or more than 10',
		unknown: 'not shown; none, and no type shown',
		rule: signers.signers,
	},
	signer_email: {
		fields: ['signers[].email', 'signers[].recipient_group'],
		asks: 'Does each signer have an email address, or a shared inbox?',
		missing: 'not a complete address; empty, and the service shows that there is no shared inbox',
		unknown: 'not shown; empty, as for a cosigner or a shared inbox that is not shown',
		rule: signers.signerEmail,
	},
	signer_phone: {
		fields: ['signers[].phone', 'signers[].phone_number'],
		asks: 'Does each signer have a phone number, where codes are sent by text message?',
		missing: 'none, and the identity checks for an e-sign document show a code by text message',
		unknown: 'none, and nothing shows whether there are codes',
		rule: signers.signerPhone,
	},
	external_ids: {
		fields: ['signers[].external_id'],
		asks: 'Is each external ID that of one signer only?',
		missing: 'two signers have the same one',
		unknown: NOT_SHOWN,
		rule: signers.externalIds,
	},
	designation_signers: {
		fields: ['documents[].signing_designations', 'signers[].external_id'],
		asks: 'Does each designation belong to a signer, the notary or a witness?',
		missing: 'no signer has the external ID',
		unknown: 'not shown whose they are, as on real estate',
		rule: signers.designationSigners,
	},
	documents: {
		fields: ['documents'],
		asks: "Is there a document? The service's own consent forms don't count.",
		missing: 'none',
		unknown: NOT_SHOWN,
		rule: documents.documents,
	},
	document_pending: {
		fields: ['documents[].processing_state'],
		asks: 'Has the service processed each document?',
		missing: 'pending',
		unknown: 'not shown, or another word',
		rule: documents.pending,
	},
	document_failed: {
		fields: ['documents[].processing_state', 'documents[].processing_error'],
		asks: 'Can the service process each document?',
		missing: 'failed, or with a processing_error',
		unknown: 'not shown, or another word',
		rule: documents.failed,
	},
	places_to_sign: {
		fields: ['documents[].signing_designations', 'documents[].allowed_actions'],
		asks: 'Does each e-sign document have a place to sign, or a signer who places it?',
		missing: 'none on business, or in a closing that is sent without the closing team',
		unknown:
			'none in a closing, whose team adds them; not shown, or not whose; not processed yet; wanted by a flag alone',
		rule: documents.places,
	},
	signer_places: {
		fields: ['documents[].signing_designations', 'signers[].external_id'],
		asks: 'Does each signer who only e-signs have something to sign? Closings have a closing team for that.',
		missing: 'no place in any e-sign document, and no document that signers annotate',
		unknown: 'not shown whose the places are; not processed yet',
		rule: documents.signerPlaces,
	},
	notarization: {
		fields: [
			'documents[].requirement',
			'documents[].allowed_actions',
			'documents[].notarization_required',
		],
		asks: 'Does a document need a notary, or confirm an identity?',
		warning: 'none does, and neither type nor config_id is one without a notary',
		unknown: NOT_SHOWN,
		rule: documents.notarization,
	},
	notary: {
		fields: ['Notary: Get Eligible'],
		asks: 'Can a notary meet the signers, if one is needed?',
		warning: 'the list is empty',
		unknown: "the list can't be read; not shown whether one is needed",
		rule: documents.notary,
	},
	title_agency: {
		fields: ['title_agency', 'contacts[].role', 'lender'],
		asks: "Does a lender's closing have a title agency or a title agent?",
		missing: 'a lender is shown, and neither of the two',
		unknown: 'nothing shows whether the account is a lender',
		realEstate: true,
		rule: closing.titleAgency,
	},
	enote: {
		fields: ['documents[].is_enote', 'transaction_type', 'lender'],
		asks: "Does a lender's refinance or purchase with a loan have an eNote, or the consent to a note on paper?",
		unknown: 'no eNote: no answer shows paper_note_consent',
		realEstate: true,
		rule: closing.enote,
	},
	enote_names: {
		fields: ['signers[].first_name', 'signers[].middle_name', 'signers[].last_name'],
		asks: "Is each person in the eNote's file a signer? Only with 'eNote File'.",
		warning: 'no signer has the name',
		unknown: 'signers not shown; the file names nobody in a form that is known',
		realEstate: true,
		rule: closing.enoteNames,
	},
	recording_jurisdiction: {
		fields: ['recording_jurisdiction', 'street_address', 'Address: Verify'],
		asks: 'Can the property be closed online where it is recorded?',
		warning: "not eligible, or not among the address's",
		unknown: "no complete address or type shown; the question can't be answered",
		realEstate: true,
		rule: closing.jurisdiction,
	},
	order_progress: {
		fields: ['order_progress'],
		asks: 'Does the closing team go on?',
		missing: 'on_hold_enote, on_hold_name_discrepancy, on_hold_final_cd, on_hold_other',
		warning: 'awaiting_lender_approval; on hold, in a draft',
		unknown: 'not shown of what is no draft; another word',
		realEstate: true,
		rule: closing.orderProgress,
	},
} as const satisfies Record<string, Check>;

export type Code = keyof typeof CHECKS;
