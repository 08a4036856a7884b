import type { Platform } from '../transport/service/endpoints';
import { WRONG_PLATFORM } from '../transport/service/platforms';
import { quote, toCapitalized } from '../values/words';
import { hasParameter, labelIn, toCamelCase, type Situation } from './situation';
import { INVITE_AGAIN } from './transactionTexts';

/*
 * What to do about the texts that the service refuses with (docs/service/errors.md#errors-of-each-call,
 * docs/service/errors.md#texts-worth-a-remedy). Everything else is explained by its status. No remedy
 * takes something back from its signers as the first thing to do.
 */

/** For every way in which the service says that a file is too big. */
export const SMALLER_FILE =
	'Split the file or reduce its size; the service accepts files of up to 30 MB';
const CORRECT_EMAIL = 'Correct the {email} that it names: that of a signer or of a contact';
const NO_ENOTE =
	'Leave out the eNote, or use another {transaction_type}: closings of this type have their note on paper';
const OTHER_KEY =
	"Use an 'API Key' of an organization that may do this, or ask the service to allow it for yours";
/** What a workflow that also creates the closing would do a second time. */
const ONLY_THIS =
	'. Then execute this node alone: the closing is still a draft, and the whole workflow may create another';
/** What a lender decides for a refinance and a purchase with a loan. Nobody else knows it. */
export const NOTE_QUESTION =
	"eNote or paper note? For an eNote, use 'eNote: Add'. For a paper note, turn on 'Paper Note Consent' with 'Transaction: Update'";
const NO_AGENCY = 'the closing has no title agency, which a lender needs';
const NEEDS_AGENCY = `Set {titleAgencyId}. One that isn't in the list is added to 'Contacts' there, with the role Title Agent. If its note isn't chosen yet: ${NOTE_QUESTION}${ONLY_THIS}`;

/** What is run again, by operation. */
const AGAIN: Partial<Record<string, string>> = {
	'transaction/createAndSend': '. Then run the workflow again',
	'transaction/createClosing': '. Then run the node again',
};

/** What texts of the service say that only its developers understand, by a part of them, in lower case. */
const FACTS: Record<string, string> = {
	'enote required': 'the closing says neither eNote nor paper note',
	'lender needs title_agency': NO_AGENCY,
	'title agency required': NO_AGENCY,
	'title agency is required': NO_AGENCY,
};

/**
 * Remedies by a part of the text, in lower case; the first one counts. A name in braces becomes the
 * label of the field.
 */
const REMEDIES: Record<string, string> = {
	'not allowed to send transactions': OTHER_KEY,
	'only available to lenders and title agencies': OTHER_KEY,
	'organization not permitted': OTHER_KEY,
	'not found: organization': "Correct 'Organization ID' in the node or in the credential",
	'not allowed to force complete':
		'Let the signers complete the transaction: only test environments can complete it by force',
	'transaction has expired':
		"It can no longer be sent or changed: start over with 'Transaction: Copy'. A draft gets more time with a later 'Expiration' in 'Transaction: Update', before it expires",
	'already been completed by at least 1 signer':
		'Create a new transaction for what is still to change. This one ends when the other signers complete, or when it expires',
	'cannot be recalled at this time':
		"Retrieve it with 'Transaction: Get': only a transaction that was sent and that no signer has completed can be recalled",
	'cannot resend email for':
		"The service sends no email in this state. Send a draft with 'Transaction: Send' first. After it has ended, nothing can be sent",
	'unable to force complete':
		"Only a transaction that waits for its signers can be completed by force: send a draft with 'Transaction: Send' first, and leave one that has ended as it is",
	'need at least 1 signer': 'Add a signer with an email address in {signers}',
	'customer email not present': 'Fill in the {signerEmail} of every signer',
	'typo in domain name': CORRECT_EMAIL,
	'invalid email format': CORRECT_EMAIL,
	'contact not found for transaction':
		"Enter the email of one of the contacts of the closing in {contactEmail}, or leave it empty for all. 'Transaction: Update' adds contacts to a draft",
	'invalid phone number': 'Enter {phone_number} with its country code, e.g. +1 617 555 0123',
	'signers do not have a phone number':
		"Add the 'Phone' of every signer with 'Transaction: Correct Signer', or use 'Transaction: Resend Email'",
	'could not send sms':
		"Use 'Transaction: Resend Email', or ask the service to enable text messages for your organization",
	'no signer designations':
		"Give the documents that are only signed their {designations}, so that the service knows where. Delete one that has none with 'Document: Delete' before you add it again",
	'need at least 1 document':
		"Add a document with 'Document: Add', or in 'Documents' of 'Transaction: Create'",
	'enabled for notarization or identity confirmation':
		'Set the {requirement} of at least one document to Notarization or Identity Check',
	'file is too big': SMALLER_FILE,
	'transaction size too large':
		'Put some of the documents into another transaction: together, they are too big for one',
	'externaldocumentservice::jobexists':
		"These documents are being imported already. Wait for the event 'Import Finished'",
	'enote required': `${NOTE_QUESTION}. If the closing has no title agency yet, set {titleAgencyId}${ONLY_THIS}`,
	'lender needs title_agency': NEEDS_AGENCY,
	'title agency required': NEEDS_AGENCY,
	'title agency is required': NEEDS_AGENCY,
	'cannot add enotes to hybrid': NO_ENOTE,
	'cannot add enotes to wet sign': NO_ENOTE,
	'invalid subscription': 'Choose events in {events} that this service offers',
};

/** Fields that remedies name: their label, the operation to name where the form lacks them, and other names. */
const FIELDS: Record<string, [label: string, operation: string, ...parameters: string[]]> = {
	signers: ['Signers', 'Transaction: Update'],
	email: ['Email', 'Transaction: Update'],
	signerEmail: ['Email', 'Transaction: Correct Signer', 'email'],
	phone_number: ['Phone', 'Transaction: Correct Signer', 'phoneNumber'],
	contacts: ['Contacts', 'Transaction: Update'],
	contactEmail: ['Contact Email', 'Transaction: Resend to Contacts'],
	designations: ['Designations', 'Document: Add'],
	requirement: ['Requirement', 'Document: Update'],
	recordingJurisdictionId: ['Recording Jurisdiction', 'Transaction: Update'],
	paper_note_consent: ['Paper Note Consent', 'Transaction: Update', 'promissoryNote'],
	titleAgencyId: ['Title Agency', 'Transaction: Update'],
	titleUnderwriterId: ['Title Underwriter', 'Transaction: Update'],
	transaction_type: ['Transaction Type', 'Transaction: Update', 'transactionType'],
	events: ['Event Names or IDs', 'Webhook: Create'],
};

/** What is chosen from lists that depend on the address of the closing, by its name in requests. */
const CHOICES_BY_ADDRESS: Record<string, string> = {
	recording_jurisdiction: 'recordingJurisdictionId',
	title_agency: 'titleAgencyId',
	title_underwriter: 'titleUnderwriterId',
};

/** Names a field as the form of the operation does, or with the operation that has it. */
function nameField(field: string, situation: Situation | undefined): string {
	const [label, operation, ...parameters] = FIELDS[field];
	const ownLabel = [field, ...parameters].map((name) => labelIn(situation, name)).find(Boolean);
	if (ownLabel !== undefined) return quote(ownLabel);
	return situation === undefined ? quote(label) : `'${label}' with '${operation}'`;
}

/** Writes the names of fields in a text of the service as the form of the operation does. */
export function useLabels(text: string, situation: Situation | undefined): string {
	return text.replace(/\b[a-z]+(?:_[a-z\d]+)+\b/g, (name) => {
		const ofOtherForm = FIELDS[name] ?? FIELDS[toCamelCase(name)];
		const label = labelIn(situation, name) ?? ofOtherForm?.[0];
		return label === undefined ? name : quote(label);
	});
}

/** Whether the item can choose this platform: what is chosen already is no remedy. */
const canChoose = (situation: Situation | undefined, platform: Platform): boolean =>
	hasParameter(situation, 'platform') && situation?.platform !== platform;

type Remedy = (match: RegExpExecArray, situation: Situation | undefined) => string;

/** Remedies for texts that name something, or that depend on the operation. */
const NAMING: Array<[RegExp, Remedy]> = [
	[
		/cannot be (?:edited at this time|modified)/i,
		(_found, situation) =>
			situation?.operation === 'transaction/send'
				? `It may be sent already: see its state with 'Transaction: Get'. ${INVITE_AGAIN}`
				: "Only a draft can be changed: see the state with 'Transaction: Get'. If it's sent, use 'Transaction: Correct Signer' for a signer. For anything else, 'Transaction: Recall' takes it back from its signers and makes it a draft. One that has expired or is completed can no longer be changed",
	],
	[
		WRONG_PLATFORM.business,
		(_found, situation) =>
			canChoose(situation, 'business')
				? "Set 'Platform' to Business"
				: "This is for closings only. For a new transaction, use 'Transaction: Create'",
	],
	[
		WRONG_PLATFORM.realEstate,
		(_found, situation) =>
			canChoose(situation, 'realEstate')
				? "Set 'Platform' to Real Estate"
				: "This is for the business platform only. For a new closing, use 'Transaction: Create Closing'; for anything else, an 'API Key' of that platform",
	],
	[
		WRONG_PLATFORM.unnamed,
		(_found, situation) =>
			`Your organization's plan doesn't include this. ${hasParameter(situation, 'platform') ? "Set 'Platform' to the one your organization uses, or ask" : 'Ask'} the service to add the feature`,
	],
	[
		/does not have access to (\w+)/i,
		([, feature], situation) =>
			`Leave out ${useLabels(feature, situation).replaceAll('_', ' ')}, or ask the service to enable them for your organization`,
	],
	[
		/cannot override default value for (\w+)/i,
		([, field], situation) =>
			`Leave out ${useLabels(field, situation).replace(/^\w+$/, '"$&"')}: the service has set it for your organization`,
	],
	[
		/\b(recording_jurisdiction|title_agency|title_underwriter)_id\b/i,
		([, field], situation) =>
			`Choose ${nameField(CHOICES_BY_ADDRESS[field.toLowerCase()], situation)} again: its list depends on the address. Then run the node again`,
	],
	// Rows count pages from 1, the service from 0 (docs/service/documents.md#coordinates).
	[
		/\bpage_number (\d+)\b.*\b(?:not exist|out of range|beyond|invalid)\b/i,
		([, page]) =>
			`The document has no page ${Number(page) + 1}: 'Page' counts from 1, and "page_number" in 'Designations (JSON)' of 'Document: Add' from 0`,
	],
];

/** Finds the first part of a text that a table has. */
const findPhrase = (table: Record<string, string>, text: string): string | undefined =>
	Object.keys(table).find((part) => text.toLowerCase().includes(part));

/** Says a text of the service in words of ours, where its own say little. */
export function findFact(text: string, situation?: Situation): string | undefined {
	const phrase = findPhrase(FACTS, text);
	if (phrase === undefined) return undefined;
	return situation?.operation === 'transaction/send'
		? `Not sent: ${FACTS[phrase]}`
		: toCapitalized(FACTS[phrase]);
}

/**
 * Finds what to do about a text of the service.
 * @returns undefined when we know nothing better than what its status says
 */
export function findRemedy(text: string, situation?: Situation): string | undefined {
	const phrase = findPhrase(REMEDIES, text);
	const again = situation?.saysHowToGoOn ? '' : (AGAIN[situation?.operation ?? ''] ?? ONLY_THIS);
	if (phrase !== undefined)
		return REMEDIES[phrase]
			.replace(ONLY_THIS, again)
			.replace(/\{(\w+)\}/g, (_all, field: string) => nameField(field, situation));
	for (const [pattern, remedy] of NAMING) {
		const match = pattern.exec(text);
		if (match !== null) return remedy(match, situation);
	}
	return undefined;
}
