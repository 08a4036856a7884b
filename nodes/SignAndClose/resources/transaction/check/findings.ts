import type { IDataObject } from 'n8n-workflow';

import type {
	DocumentAnswer,
	SignerAnswer,
	TransactionAnswer,
} from '../../../transport/answers/shapes';
import type { Platform } from '../../../transport/service/endpoints';
import { asText } from '../../../values/json';
import { joinWithAnd } from '../../../values/words';
import { withoutConsentForms } from '../../document/api';

/* What the checks of a transaction work with, and what they find. */

/**
 * `missing`: an answer shows that the transaction can't go out like this. `warning`: an answer shows
 * what a person should know. `unknown`: no answer shows it.
 */
export type State = 'ok' | 'missing' | 'warning' | 'unknown';

/** What a check has found. */
export interface Finding {
	state: State;
	/** Sentences without a final period. */
	text: string;
	/** The same in two parts, where something has to be done. */
	words?: [fact: string, remedy: string];
	/** The document that it's about. */
	document?: DocumentAnswer;
}

/** What the service answered to a question beside the transaction, or why that isn't known. */
export type CheckAnswer = { entries: IDataObject[] } | { reason: string };

/** A person as an eNote names them. */
export interface Borrower {
	first: string;
	middle: string;
	last: string;
	suffix: string;
}

/** What is known of a transaction. */
export interface Facts {
	transaction: TransactionAnswer;
	platform: Platform;
	/** The service's name for the identity-assurance object of a signer. */
	assuranceField: string;
	/** In milliseconds since 1970. */
	now: number;
	/** Whether a closing is sent without its closing team, which sets the places to sign. */
	skipsClosingTeam?: boolean;
	/** Whether this execution has consented to a note on paper. */
	hasPaperNote?: boolean;
	/** Whether this run has created the closing without a title agency. */
	lacksTitleAgency?: boolean;
	/** The notaries who can meet the signers. */
	notaries?: CheckAnswer;
	/** The recording jurisdictions of the address. */
	jurisdictions?: CheckAnswer;
	/** The people whom the eNote names; undefined where its file can't be read. */
	enote?: { borrowers: Borrower[] | undefined };
}

/** A check. It finds one thing at least. */
export type CheckRule = (facts: Facts) => Finding | Finding[];

const buildFinding = (state: State, text: string, document?: DocumentAnswer): Finding => ({
	state,
	text,
	document,
});
export const sayOk = (text: string) => buildFinding('ok', text);
export const sayUnknown = (text: string, document?: DocumentAnswer) =>
	buildFinding('unknown', text, document);
export const sayWarning = (message: string, remedy: string) =>
	buildFinding('warning', `${message}. ${remedy}`);
export const sayMissing = (
	message: string,
	remedy: string,
	document?: DocumentAnswer,
): Finding => ({
	...buildFinding('missing', `${message}. ${remedy}`, document),
	words: [message, remedy],
});

/** What was found, or else that all is well. */
export const addOk = (findings: Finding[], text: string): Finding | Finding[] =>
	findings.length > 0 ? findings : sayOk(text);

/** The fields that the interface document shows of a transaction (docs/service/transactions.md#answer-fields). */
const DOCUMENTED = new Set(
	(
		'id organization_id transaction_name status detailed_status date_created date_updated signers ' +
		'signer_info external_id audit_trail_url documents notarization_record'
	).split(' '),
);

/**
 * Whether a field that an answer lacks isn't set. A live service leaves out only what is unset
 * (docs/service/transactions.md#unset-fields). One that shows no more than the interface document does
 * says nothing of the other fields.
 */
export const leavesOutUnset = (transaction: TransactionAnswer): boolean =>
	Object.keys(transaction).some((name) => !DOCUMENTED.has(name));

export const DOCUMENTS_NOT_SHOWN = "The service doesn't show the documents";

/** The documents, without those that the service adds by itself; undefined where they aren't shown. */
export const getDocuments = ({ transaction, platform }: Facts): DocumentAnswer[] | undefined =>
	Array.isArray(transaction.documents)
		? withoutConsentForms(transaction.documents, platform)
		: undefined;

/** A check of documents that are shown. */
export const onDocuments =
	(check: (documents: DocumentAnswer[], facts: Facts) => ReturnType<CheckRule>): CheckRule =>
	(facts) => {
		const documents = getDocuments(facts);
		return documents === undefined ? sayUnknown(DOCUMENTS_NOT_SHOWN) : check(documents, facts);
	};

/** A check of signers who are shown. */
export const onSigners =
	(check: (signers: SignerAnswer[], facts: Facts) => ReturnType<CheckRule>): CheckRule =>
	(facts) => {
		const { signers } = facts.transaction;
		return Array.isArray(signers)
			? check(signers, facts)
			: sayUnknown("The service doesn't show the signers");
	};

/** Names documents in a sentence. */
export const quoteDocuments = (documents: DocumentAnswer[]): string =>
	joinWithAnd(
		documents.map(({ document_name: name, id }) => `'${asText(name) ?? id ?? 'unnamed document'}'`),
	);
