import { ExplainedFailure } from '../../../messages/failures';
import { joinSentences, withNumbers } from '../../../values/words';
import { toPlainText } from '../../../values/plainText';
import * as closing from './closingChecks';
import * as documents from './documentChecks';
import type { Facts, Finding, CheckRule } from './findings';
import * as notary from './notaryChecks';
import * as signers from './signerChecks';
import * as state from './stateChecks';

/* The checks, and what they find. */

/** A check by its code, which workflows compare. docs/check.md says in words what each asks. */
export interface Check {
	/** What is unknown where nothing shows it: part of a sentence. */
	about: string;
	/** The fields of the answer that show it, or another operation whose answer does. */
	fields: readonly string[];
	/** Only closings are asked. */
	realEstate?: true;
	rule: CheckRule;
}

/** The checks, in the order in which a person mends what they find. */
export const CHECKS = {
	draft: {
		about: "whether it's a draft",
		fields: ['detailed_status', 'status'],
		rule: state.checkDraft,
	},
	expiration: {
		about: 'the expiration',
		fields: ['expiry', 'expiration_time'],
		rule: state.checkExpiration,
	},
	activation: {
		about: 'the time to sign',
		fields: ['activation_time'],
		rule: state.checkActivation,
	},
	signers: { about: 'the signers', fields: ['signers'], rule: signers.checkDraftSigners },
	signer_email: {
		about: 'email addresses',
		fields: ['signers[].email', 'signers[].recipient_group'],
		rule: signers.checkSignerEmail,
	},
	signer_phone: {
		about: 'phone numbers, which codes by text message need',
		fields: ['signers[].phone', 'signers[].phone_number'],
		rule: signers.checkSignerPhone,
	},
	external_ids: {
		about: 'external IDs',
		fields: ['signers[].external_id'],
		rule: signers.checkExternalIds,
	},
	designation_signers: {
		about: 'who signs where',
		fields: ['documents[].signing_designations', 'signers[].external_id'],
		rule: signers.checkDesignationSigners,
	},
	documents: { about: 'the documents', fields: ['documents'], rule: documents.checkDocuments },
	document_pending: {
		about: 'whether documents are processed',
		fields: ['documents[].processing_state'],
		rule: documents.checkPending,
	},
	document_failed: {
		about: 'whether documents are processed',
		fields: ['documents[].processing_state', 'documents[].processing_error'],
		rule: documents.checkFailed,
	},
	places_to_sign: {
		about: 'who signs where',
		fields: ['documents[].signing_designations', 'documents[].allowed_actions'],
		rule: documents.checkPlaces,
	},
	copied_places: {
		about: 'who signs where',
		fields: ['documents[].tracking_id', 'documents[].signing_designations'],
		rule: documents.checkCopiedPlaces,
	},
	signer_places: {
		about: 'who signs where',
		fields: ['documents[].signing_designations', 'signers[].external_id'],
		rule: documents.checkSignerPlaces,
	},
	notarization: {
		about: 'whether a notary is needed',
		fields: [
			'documents[].requirement',
			'documents[].allowed_actions',
			'documents[].notarization_required',
		],
		rule: notary.checkNotarization,
	},
	notary: {
		about: 'whether a notary can come',
		fields: ['Notary: Get Eligible'],
		rule: notary.checkNotary,
	},
	title_agency: {
		about: 'the title agency, which lenders need',
		fields: ['title_agency', 'contacts[].role', 'lender'],
		realEstate: true,
		rule: closing.checkTitleAgency,
	},
	enote: {
		about: 'the choice of eNote or paper note, which lenders need',
		fields: ['documents[].is_enote', 'transaction_type', 'lender'],
		realEstate: true,
		rule: closing.checkEnote,
	},
	enote_names: {
		about: 'the names in the eNote',
		fields: ['signers[].first_name', 'signers[].middle_name', 'signers[].last_name'],
		realEstate: true,
		rule: closing.checkEnoteNames,
	},
	recording_jurisdiction: {
		about: 'whether the property can be closed online',
		fields: ['recording_jurisdiction', 'street_address', 'Address: Verify'],
		realEstate: true,
		rule: closing.checkJurisdiction,
	},
	order_progress: {
		about: 'how far the closing team is',
		fields: ['order_progress'],
		realEstate: true,
		rule: closing.checkOrderProgress,
	},
} as const satisfies Record<string, Check>;

export type Code = keyof typeof CHECKS;

/** A finding with the check that has made it. */
export interface CodedFinding extends Finding {
	code: Code;
	field: string;
}

/** What all checks find, at least one thing each. */
export function runChecks(facts: Facts): CodedFinding[] {
	return Object.entries<Check>(CHECKS).flatMap(([code, { fields, realEstate, rule }]) => {
		const isAsked =
			(realEstate !== true || facts.platform === 'realEstate') &&
			(code !== 'enote_names' || facts.enote !== undefined);
		if (!isAsked) return [];
		// Names and reasons are somebody else's words.
		return [rule(facts)].flat().map((finding) => ({
			...finding,
			text: toPlainText(finding.text),
			code: code as Code,
			field: fields.join(', '),
		}));
	});
}

/**
 * Makes sure that nothing is missing in a draft that is about to be sent. Send waits for documents
 * that are pending.
 * @param isAsked which checks count
 * @throws ExplainedFailure with all that is missing
 */
export function requireComplete(facts: Facts, isAsked: (code: Code) => boolean = () => true): void {
	const missing = runChecks(facts).filter(
		({ code, state }) => state === 'missing' && code !== 'document_pending' && isAsked(code),
	);
	if (missing.length === 0) return;
	const [{ words: [fact, remedy] = ['', ''] }] = missing;
	if (missing.length === 1)
		throw new ExplainedFailure(
			`The transaction can't go out yet: ${toPlainText(fact)}`,
			joinSentences('Nothing was sent', toPlainText(remedy)),
			{ final: true },
		);
	throw new ExplainedFailure(
		`The transaction can't go out yet: ${missing.length} things are missing`,
		joinSentences('Nothing was sent', ...withNumbers(missing.map(({ text }) => text))),
		{ final: true },
	);
}
