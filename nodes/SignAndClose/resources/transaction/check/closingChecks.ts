import type { SignerAnswer } from '../../../transport/answers/shapes';
import { asObjects, asText, getOwnValue } from '../../../values/json';
import { isBlank } from '../../../values/comparison';
import { isDraft } from '../../../transport/answers/transactionState';
import { TYPES_WITH_NOTE } from '../../../form/hints';
import { NOTE_QUESTION } from '../../../messages/remedies';
import { isSameId } from '../../../values/ids';
import { joinWithAnd } from '../../../values/words';
import { canCloseOnline } from '../../address/api';
import { isEnote } from '../../document/api';
import { formatFullName } from '../../signer/output';
import {
	DOCUMENTS_NOT_SHOWN,
	leavesOutUnset,
	sayMissing,
	onSigners,
	sayOk,
	addOk,
	sayUnknown,
	sayWarning,
	type Borrower,
	type Facts,
	type Finding,
	type CheckRule,
} from './findings';

/* What only closings need (docs/service/closings.md). */

/** Whether the account is a lender's; undefined where nothing shows it (docs/service/transactions.md#answer-fields). */
function isLenders({ transaction }: Facts): boolean | undefined {
	if (!isBlank(transaction.lender)) return true;
	return leavesOutUnset(transaction) ? false : undefined;
}

/** docs/service/transactions.md#create-a-closing */
export const checkTitleAgency: CheckRule = (facts) => {
	const { title_agency: agency, contacts } = facts.transaction;
	if (!isBlank(agency)) return sayOk('There is a title agency');
	const roles = asObjects(contacts).map(({ role }) => asText(role));
	if (roles.includes('title_agent')) return sayOk('One of the contacts is a title agent');
	const lenders = isLenders(facts);
	if (lenders === false)
		return sayOk('Only lenders need a title agency, and the service shows no lender');
	if (lenders === undefined || roles.includes(undefined))
		return sayUnknown(
			"The service doesn't show whether there's a title agency, which lenders need",
		);
	if (facts.lacksTitleAgency === true)
		return sayMissing(
			'A lender needs a title agency',
			"Set 'Title Agency' with 'Transaction: Update'",
		);
	// Most of the answers that were recorded of lenders' closings show neither, a sent one among them.
	return sayUnknown(
		"The service shows neither a title agency nor a title agent, and doesn't show them of every closing. A lender needs one of the two: add it with 'Title Agency' or 'Contacts' of 'Transaction: Update' if there's none",
	);
};

/** The consent to a note on paper isn't answered (docs/service/transactions.md#request-names-and-answer-names). */
export const checkEnote: CheckRule = (facts) => {
	const { documents, transaction_type: type } = facts.transaction;
	if (documents?.some(isEnote)) return sayOk('There is an eNote');
	if (!isBlank(type) && !TYPES_WITH_NOTE.has(type)) return sayOk('This type needs no eNote');
	if (isLenders(facts) === false)
		return sayOk('Only lenders add an eNote, and the service shows no lender');
	if (facts.hasPaperNote === true)
		return sayOk('This run of the workflow has consented to a note on paper');
	if (!Array.isArray(documents)) return sayUnknown(DOCUMENTS_NOT_SHOWN);
	const problem = "There's no eNote, and the service never shows the consent to a paper note";
	const remedy = `If you chose Paper Note, all is set. If nobody has chosen yet: ${NOTE_QUESTION}`;
	return isBlank(facts.transaction.lender) || isBlank(type)
		? sayUnknown(`${problem}. Only a lender needs one of the two. ${remedy}`)
		: sayWarning(problem, remedy);
};

const fold = (text: string | null | undefined) =>
	(text ?? '').normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();

/** Whether a signer is the person that the eNote names. A middle name counts if both have one. */
function isSamePerson({ first, middle, last, suffix }: Borrower, signer: SignerAnswer): boolean {
	const between = fold(signer.middle_name);
	return (
		fold(signer.first_name) === fold(first) &&
		[fold(last), fold(`${last} ${suffix}`)].includes(fold(signer.last_name)) &&
		(between === '' || fold(middle) === '' || between === fold(middle))
	);
}

/** A difference of names can hold a closing (docs/service/states.md#order-progress). */
export const checkEnoteNames = onSigners((signers, { enote: file }) => {
	if (file?.borrowers === undefined)
		return sayUnknown("The names in the eNote can't be read from its file");
	const people = signers.map((signer) => formatFullName(signer) ?? 'a signer without a name');
	return addOk(
		file.borrowers
			.filter((borrower) => !signers.some((signer) => isSamePerson(borrower, signer)))
			.map(({ first, middle, last, suffix }) =>
				sayWarning(
					`The eNote names ${[first, middle, last, suffix].filter(Boolean).join(' ')}, and the signers are ${joinWithAnd(people)}`,
					"Correct the signer with 'Transaction: Correct Signer', or replace the eNote",
				),
			),
		'Each name in the eNote is that of a signer',
	);
});

/** docs/service/closings.md#supported-and-eligible */
export const checkJurisdiction: CheckRule = ({ transaction, jurisdictions }) => {
	if (jurisdictions === undefined)
		return sayUnknown(
			"The service shows no complete address with a transaction type, so it can't be asked whether the property can be closed online",
		);
	if ('reason' in jurisdictions)
		return sayUnknown(
			`It's unknown whether the property can be closed online. ${jurisdictions.reason}`,
		);
	const entries = jurisdictions.entries;
	const { id, name } = transaction.recording_jurisdiction ?? {};
	const chosenId = asText(id);
	// A service that gives no IDs speaks of the address.
	const isNamed = chosenId !== undefined && entries.some((entry) => asText(entry.id) !== undefined);
	const matches = isNamed ? entries.filter((entry) => isSameId(entry.id, chosenId)) : entries;
	const remedy = "See 'Address: Verify', and change the closing with 'Transaction: Update'";
	if (isNamed && matches.length === 0)
		return sayWarning(
			`${asText(name) ?? chosenId} isn't among the jurisdictions of the address`,
			remedy,
		);
	const closable = matches.map(canCloseOnline);
	if (closable.every((isClosable) => isClosable === false))
		return sayWarning("The property can't be closed online", remedy);
	return closable.every((isClosable) => isClosable === true)
		? sayOk('The property can be closed online')
		: sayUnknown("The service doesn't show whether the property can be closed online");
};

/** By the words of the service (docs/service/states.md#order-progress); nobody publishes more about them. */
const PROGRESS: Record<string, Finding> = {
	received: sayOk('The closing team has received it'),
	preparing_order: sayOk('The closing team is preparing it'),
	in_qc: sayOk('The closing team is checking its quality'),
	awaiting_lender_approval: sayWarning(
		'The closing team waits for the approval of the lender',
		'Approve it there',
	),
	on_hold_enote: sayMissing(
		'The closing team has put it on hold because of the eNote',
		"Compare the eNote with the loan. 'eNote: Add' takes another one after 'Transaction: Recall'",
	),
	on_hold_name_discrepancy: sayMissing(
		'The closing team has put it on hold because names differ',
		"Compare the signers with the documents and the eNote, and correct them with 'Transaction: Correct Signer'",
	),
	on_hold_final_cd: sayMissing(
		'The closing team has put it on hold because of the final Closing Disclosure',
		"Ask the closing team what it needs. 'Document: Add' takes it after 'Transaction: Recall'",
	),
	on_hold_other: sayMissing(
		'The closing team has put it on hold for another reason',
		'Ask the closing team, because the service shows no more',
	),
};

export const checkOrderProgress: CheckRule = ({ transaction }) => {
	const progress = asText(transaction.order_progress);
	if (progress === undefined)
		return isDraft(transaction) || leavesOutUnset(transaction)
			? sayOk('The closing team holds nothing')
			: sayUnknown("The service doesn't show how far the closing team is");
	const finding = getOwnValue(PROGRESS, progress);
	if (finding === undefined)
		return sayUnknown(`The service shows '${progress}' as the progress of the order`);
	// A draft isn't with the closing team any more, so this is what it has said last.
	return finding.state === 'missing' && isDraft(transaction)
		? { ...finding, state: 'warning' }
		: finding;
};
