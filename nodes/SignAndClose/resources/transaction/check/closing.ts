import type { SignerAnswer } from '../../../transport/answers/answers';
import { asObjects, asText, ownValue } from '../../../values/json';
import { isEmpty } from '../../../values/same';
import { isDraft } from '../../../transport/answers/transactionState';
import { sameId } from '../../../values/ids';
import { canCloseOnline } from '../../address/api';
import { isEnote } from '../../document/api';
import { nameOf } from '../../signer/output';
import {
	DOCUMENTS_NOT_SHOWN,
	leavesOutUnset,
	listed,
	missing,
	ofSigners,
	ok,
	orOk,
	unknown,
	warning,
	type Borrower,
	type Facts,
	type Found,
	type Rule,
} from './finding';

/* What only closings need (docs/service/closings.md). */

/** Whether the account is a lender's; undefined where nothing shows it (docs/service/transactions.md#answer-fields). */
function isLenders({ transaction }: Facts): boolean | undefined {
	if (!isEmpty(transaction.lender)) return true;
	return leavesOutUnset(transaction) ? false : undefined;
}

/** docs/service/transactions.md#create-a-closing */
export const titleAgency: Rule = (facts) => {
	const { title_agency: agency, contacts } = facts.transaction;
	if (!isEmpty(agency)) return ok('There is a title agency');
	const roles = asObjects(contacts).map(({ role }) => asText(role));
	if (roles.includes('title_agent')) return ok('One of the contacts is a title agent');
	const lenders = isLenders(facts);
	if (lenders === false)
		return ok('Only lenders need a title agency, and the service shows no lender');
	if (lenders === undefined || roles.includes(undefined))
		return unknown("The service doesn't show whether there's a title agency, which lenders need");
	return missing(
		'A lender sends a closing only with a title agency, or with a contact who is the title agent',
		"Add one with 'Title Agency' or 'Contacts' of 'Transaction: Update'",
	);
};

/** docs/service/closings.md#when-an-enote-is-mandatory */
const WITH_ENOTE = new Set<unknown>(['refinance', 'purchase_buyer_loan']);

/** The consent to a note on paper isn't answered (docs/service/transactions.md#request-names-and-answer-names). */
export const enote: Rule = (facts) => {
	const { documents, transaction_type: type } = facts.transaction;
	if (documents?.some(isEnote)) return ok('There is an eNote');
	if (!isEmpty(type) && !WITH_ENOTE.has(type)) return ok('This type needs no eNote');
	if (isLenders(facts) === false)
		return ok('Only lenders add an eNote, and the service shows no lender');
	if (!Array.isArray(documents)) return unknown(DOCUMENTS_NOT_SHOWN);
	return unknown(
		"There's no eNote, and no answer shows 'Paper Note Consent' of 'Transaction: Update'. For a refinance and a purchase with a loan, a lender needs one of the two: add the eNote with 'eNote: Add'",
	);
};

const fold = (text: string | null | undefined) =>
	(text ?? '').normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();

/** Whether a signer is the person that the eNote names. A middle name counts if both have one. */
function isSame({ first, middle, last, suffix }: Borrower, signer: SignerAnswer): boolean {
	const between = fold(signer.middle_name);
	return (
		fold(signer.first_name) === fold(first) &&
		[fold(last), fold(`${last} ${suffix}`)].includes(fold(signer.last_name)) &&
		(between === '' || fold(middle) === '' || between === fold(middle))
	);
}

/** A difference of names can hold a closing (docs/service/states.md#order-progress). */
export const enoteNames = ofSigners((signers, { enote: file }) => {
	if (file?.borrowers === undefined)
		return unknown("The names in the eNote can't be read from its file");
	const people = signers.map((signer) => nameOf(signer) ?? 'a signer without a name');
	return orOk(
		file.borrowers
			.filter((borrower) => !signers.some((signer) => isSame(borrower, signer)))
			.map(({ first, middle, last, suffix }) =>
				warning(
					`The eNote names ${[first, middle, last, suffix].filter(Boolean).join(' ')}, and the signers are ${listed(people)}`,
					"Correct the signer with 'Transaction: Correct Signer', or replace the eNote",
				),
			),
		'Each name in the eNote is that of a signer',
	);
});

/** docs/service/closings.md#supported-and-eligible */
export const jurisdiction: Rule = ({ transaction, jurisdictions }) => {
	if (jurisdictions === undefined)
		return unknown(
			"The service shows no complete address with a transaction type, so it can't be asked whether the property can be closed online",
		);
	if ('reason' in jurisdictions)
		return unknown(
			`It's unknown whether the property can be closed online. ${jurisdictions.reason}`,
		);
	const all = jurisdictions.entries;
	const { id, name } = transaction.recording_jurisdiction ?? {};
	const chosen = asText(id);
	// A service that gives no IDs speaks of the address.
	const isNamed = chosen !== undefined && all.some((entry) => asText(entry.id) !== undefined);
	const own = isNamed ? all.filter((entry) => sameId(entry.id, chosen)) : all;
	const remedy = "See 'Address: Verify', and change the closing with 'Transaction: Update'";
	if (isNamed && own.length === 0)
		return warning(
			`${asText(name) ?? chosen} isn't among the jurisdictions of the address`,
			remedy,
		);
	const closable = own.map(canCloseOnline);
	if (closable.every((one) => one === false))
		return warning("The property can't be closed online", remedy);
	return closable.every((one) => one === true)
		? ok('The property can be closed online')
		: unknown("The service doesn't show whether the property can be closed online");
};

/** By the words of the service (docs/service/states.md#order-progress); nobody publishes more about them. */
const PROGRESS: Record<string, Found> = {
	received: ok('The closing team has received it'),
	preparing_order: ok('The closing team is preparing it'),
	in_qc: ok('The closing team is checking its quality'),
	awaiting_lender_approval: warning(
		'The closing team waits for the approval of the lender',
		'Approve it there',
	),
	on_hold_enote: missing(
		'The closing team has put it on hold because of the eNote',
		"Compare the eNote with the loan. 'eNote: Add' takes another one after 'Transaction: Recall'",
	),
	on_hold_name_discrepancy: missing(
		'The closing team has put it on hold because names differ',
		"Compare the signers with the documents and the eNote, and correct them with 'Transaction: Correct Signer'",
	),
	on_hold_final_cd: missing(
		'The closing team has put it on hold because of the final Closing Disclosure',
		"Ask the closing team what it needs. 'Document: Add' takes it after 'Transaction: Recall'",
	),
	on_hold_other: missing(
		'The closing team has put it on hold for another reason',
		'Ask the closing team, because the service shows no more',
	),
};

export const orderProgress: Rule = ({ transaction }) => {
	const progress = asText(transaction.order_progress);
	if (progress === undefined)
		return isDraft(transaction) || leavesOutUnset(transaction)
			? ok('The closing team holds nothing')
			: unknown("The service doesn't show how far the closing team is");
	const found = ownValue(PROGRESS, progress);
	if (found === undefined)
		return unknown(`The service shows '${progress}' as the progress of the order`);
	// A draft isn't with the closing team any more, so this is what it has said last.
	return found.state === 'missing' && isDraft(transaction) ? { ...found, state: 'warning' } : found;
};
