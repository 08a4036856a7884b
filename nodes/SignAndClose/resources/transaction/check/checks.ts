import type { IDataObject } from 'n8n-workflow';

import { ExplainedFailure } from '../../../messages/failures';
import { joinSentences, withNumbers } from '../../../values/words';
import { toPlainText } from '../../../values/plainText';
import type { OperationCall } from '../../../run/operation';
import { findFirstText } from '../../../form/output';
import { isDraft } from '../../../transport/answers/transactionState';
import * as closing from './closingChecks';
import * as documents from './documentChecks';
import type { Facts, Finding, CheckRule } from './findings';
import * as notary from './notaryChecks';
import * as signers from './signerChecks';
import * as state from './stateChecks';

/* The checks, and what they find. */

/** A check by its code, which workflows compare. docs/check.md says in words what each asks. */
export interface Check {
	/** The fields of the answer that show it, or another operation whose answer does. */
	fields: readonly string[];
	/** Only closings are asked. */
	realEstate?: true;
	rule: CheckRule;
}

/** The checks, in the order in which a person mends what they find. */
export const CHECKS = {
	draft: { fields: ['detailed_status', 'status'], rule: state.checkDraft },
	expiration: { fields: ['expiry', 'expiration_time'], rule: state.checkExpiration },
	activation: { fields: ['activation_time'], rule: state.checkActivation },
	signers: { fields: ['signers'], rule: signers.checkDraftSigners },
	signer_email: {
		fields: ['signers[].email', 'signers[].recipient_group'],
		rule: signers.checkSignerEmail,
	},
	signer_phone: {
		fields: ['signers[].phone', 'signers[].phone_number'],
		rule: signers.checkSignerPhone,
	},
	external_ids: { fields: ['signers[].external_id'], rule: signers.checkExternalIds },
	designation_signers: {
		fields: ['documents[].signing_designations', 'signers[].external_id'],
		rule: signers.checkDesignationSigners,
	},
	documents: { fields: ['documents'], rule: documents.checkDocuments },
	document_pending: { fields: ['documents[].processing_state'], rule: documents.checkPending },
	document_failed: {
		fields: ['documents[].processing_state', 'documents[].processing_error'],
		rule: documents.checkFailed,
	},
	places_to_sign: {
		fields: ['documents[].signing_designations', 'documents[].allowed_actions'],
		rule: documents.checkPlaces,
	},
	signer_places: {
		fields: ['documents[].signing_designations', 'signers[].external_id'],
		rule: documents.checkSignerPlaces,
	},
	notarization: {
		fields: [
			'documents[].requirement',
			'documents[].allowed_actions',
			'documents[].notarization_required',
		],
		rule: notary.checkNotarization,
	},
	notary: { fields: ['Notary: Get Eligible'], rule: notary.checkNotary },
	title_agency: {
		fields: ['title_agency', 'contacts[].role', 'lender'],
		realEstate: true,
		rule: closing.checkTitleAgency,
	},
	enote: {
		fields: ['documents[].is_enote', 'transaction_type', 'lender'],
		realEstate: true,
		rule: closing.checkEnote,
	},
	enote_names: {
		fields: ['signers[].first_name', 'signers[].middle_name', 'signers[].last_name'],
		realEstate: true,
		rule: closing.checkEnoteNames,
	},
	recording_jurisdiction: {
		fields: ['recording_jurisdiction', 'street_address', 'Address: Verify'],
		realEstate: true,
		rule: closing.checkJurisdiction,
	},
	order_progress: {
		fields: ['order_progress'],
		realEstate: true,
		rule: closing.checkOrderProgress,
	},
} as const satisfies Record<string, Check>;

export type Code = keyof typeof CHECKS;

interface CodedFinding extends Finding {
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

/** A finding as an item. */
export const toFinding = (
	transactionId: string,
	{ code, state, text, field, document }: CodedFinding,
): IDataObject => ({
	transaction_id: transactionId,
	code,
	state,
	text,
	field,
	document_id: findFirstText(document?.id),
});

/** What is missing, what a person should look at, and what isn't shown. */
const groupTexts = (findings: CodedFinding[]) =>
	(['missing', 'warning', 'unknown'] as const).map((expected) =>
		findings.filter(({ state }) => state === expected).map(({ text }) => text),
	);

/** Says at a glance whether something is missing; of one of several transactions with its name. */
export function describeFindings(
	{ context }: OperationCall,
	transaction: Facts['transaction'],
	findings: CodedFinding[],
): string {
	const { id, transaction_name: name } = transaction;
	const isAlone = context.getInputData().length === 1;
	const label = isAlone ? '' : `'${findFirstText(name, id)}' (${id})`;
	const [missing, warnings, unknown] = groupTexts(findings);
	const toLookAt = [...warnings, ...unknown];
	const join = (texts: string[]) => (texts.length === 1 ? texts : withNumbers(texts)).join('. ');
	const verdict =
		missing.length === 0
			? `Nothing is missing${label && ` in ${label}`}${toLookAt.length > 0 ? ' that the service shows' : ''}`
			: `${label ? `${label} can't` : "Can't"} be sent${isDraft(transaction) ? ' yet' : ''}: ${join(missing)}`;
	return joinSentences(
		verdict,
		toLookAt.length > 0 && `Look at this before you send it: ${join(toLookAt)}`,
	);
}

/** All findings as one item, whose fields a sheet and an If can use. */
export function toSummary(
	{ id, transaction_name: name }: Facts['transaction'],
	findings: CodedFinding[],
): IDataObject {
	const [missing, warnings, unknown] = groupTexts(findings);
	return {
		transaction_id: id,
		transaction_name: findFirstText(name),
		ready: missing.length === 0,
		missing: missing.length,
		warnings: warnings.length,
		unknown: unknown.length,
		missing_list: missing.join('\n'),
		warning_list: warnings.join('\n'),
		unknown_list: unknown.join('\n'),
	};
}

/**
 * Makes sure that nothing is missing in a draft that is about to be sent. Send waits for documents
 * that are pending.
 * @throws ExplainedFailure with all that is missing
 */
export function requireComplete(facts: Facts): void {
	const missing = runChecks(facts).filter(
		({ code, state }) => state === 'missing' && code !== 'document_pending',
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
