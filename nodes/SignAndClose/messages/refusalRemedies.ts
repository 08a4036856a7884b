import { WRONG_PLATFORM } from '../transport/service/platforms';
import { ownValue } from '../values/json';
import { explainMissingPage } from './missingPage';
import { Place } from './situation';
import { stateRefusalIn, stateRemedyText } from './stateRemedies';

/*
 * What to do about the texts that the service refuses with (docs/service/errors.md#errors-of-each-call,
 * docs/service/errors.md#texts-worth-a-remedy). Fields are named as the form of the operation shows
 * them, or with the operation that has them. Refusals because of a state are in
 * remedies/stateRemedies.ts. Everything else is explained by its status.
 */

type Remedy = string | ((found: RegExpExecArray, place: Place) => string);
/** For every way in which the service says that a file is too big. */
export const SMALLER_FILE =
	'Split the file or reduce its size; the service accepts files of up to 30 MB';
const EMAIL: Remedy = (_found, place) =>
	place.has('Contacts')
		? "Correct the signer's 'Email', or that of one of the 'Contacts'"
		: `Correct the signer's ${place.field('Email', 'Transaction: Update')}`;
const NO_ENOTE: Remedy = (_found, place) =>
	`Leave out the eNote, or use another ${place.field('Transaction Type', 'Transaction: Update')}: closings of this type have their note on paper`;
const OTHER_ACCOUNT =
	"Use an 'API Key' of an organization that may do this, or ask the service to allow it for yours";

/** What a workflow that also creates the closing would do a second time. */
const ONLY_THIS =
	"The closing is still a draft. After the change, execute this node alone: the whole workflow would create another closing. For new ones, 'Transaction: Create Closing' has the same fields";

/** Lists that only business has (docs/service/api.md#endpoints). */
const BUSINESS_LISTS = /^(template|notarizationRecord)\/getAll$/;

const REMEDIES: Array<[RegExp, Remedy]> = [
	// The platform and the account
	[
		WRONG_PLATFORM.business,
		(_found, place) =>
			place.has('Platform')
				? "Set 'Platform' to Business"
				: "This is for closings only. For a new transaction, use 'Transaction: Create' instead of 'Transaction: Create Closing'",
	],
	[
		WRONG_PLATFORM.realEstate,
		(_found, place) => {
			if (BUSINESS_LISTS.test(place.operation ?? ''))
				return "Only the business platform has this list. Use an 'API Key' that it takes: the present one is for real estate";
			return place.has('Platform')
				? "Set 'Platform' to Real Estate"
				: "The transaction is a closing. For a new one, use 'Transaction: Create Closing'";
		},
	],
	[
		WRONG_PLATFORM.unnamed,
		(_found, place) =>
			`Your organization's plan doesn't include this. ${place.has('Platform') ? "Set 'Platform' to the one your organization uses, or ask" : 'Ask'} the service to add the feature`,
	],
	[
		/does not have access to (\w+)/i,
		([, feature]) =>
			`Leave out ${inWords(feature)}, or ask the service to enable them for your organization`,
	],
	[
		/cannot override default value for (\w+)/i,
		([, field]) => `Leave out ${field}: the service has set it for your organization`,
	],
	[
		/not allowed to send transactions/i,
		"Use an 'API Key' that may send transactions, or ask the service to allow it for your organization",
	],
	[
		/only available to lenders and title agencies/i,
		"Use an 'API Key' of a lender or a title agency: other organizations can't ask this",
	],
	[/organization not permitted/i, OTHER_ACCOUNT],
	[/not found: organization/i, "Correct 'Organization ID' in the node or in the credential"],
	[
		/not allowed to force complete/i,
		'Let the signers complete the transaction: only test environments can complete it by force',
	],

	// Signers and contacts
	[
		/need at least 1 signer/i,
		(_found, place) =>
			`Add a signer with an email address in ${place.field(['Signers', 'Signer Email'], 'Transaction: Update')}`,
	],
	[
		/customer email not present/i,
		(_found, place) =>
			`Fill in the ${place.field('Email', 'Transaction: Correct Signer')} of every signer`,
	],
	[/typo in domain name/i, EMAIL],
	[/invalid email format/i, EMAIL],
	[
		/signers array or signer\/cosigner/i,
		(_found, place) =>
			`Leave signer, signers and cosigner out of ${place.field('Additional Fields (JSON)', 'Transaction: Update')}, and enter all signers in ${place.field('Signers', 'Transaction: Update')}`,
	],
	[
		/invalid value for argument role/i,
		(_found, place) =>
			`Choose the ${place.field('Role', 'Transaction: Update')} of each contact from the list. An expression must return one of its values`,
	],
	[
		/contact not found for transaction/i,
		(_found, place) =>
			`Enter the email of one of the contacts of the closing in ${place.field('Contact Email', 'Transaction: Resend to Contacts')}, or leave it empty for all. 'Transaction: Update' adds contacts to a draft`,
	],
	[
		/invalid phone number/i,
		(_found, place) =>
			`Enter ${place.field(['Phone', 'Signer Phone'], 'Transaction: Correct Signer')} with its country code, e.g. +1 617 555 0123`,
	],
	[
		/signers do not have a phone number/i,
		"Add the 'Phone' of every signer with 'Transaction: Correct Signer', or use 'Transaction: Resend Email'",
	],
	[
		/could not send sms/i,
		"Use 'Transaction: Resend Email', or ask the service to enable text messages for your organization",
	],

	// Documents and eNotes
	[
		/no signer designations/i,
		(_found, place) =>
			`Add ${place.field('Designations', 'Document: Add')} to the documents that are only signed, so that the service knows where`,
	],
	[
		/need at least 1 document/i,
		(_found, place) =>
			place.has('Documents')
				? "Add a document in 'Documents'"
				: "Add a document with 'Document: Add'",
	],
	[
		/enabled for notarization or identity confirmation/i,
		(_found, place) =>
			`Set the ${place.field('Requirement', 'Document: Update')} of at least one document to Notarization or Identity Confirmation`,
	],
	[/file is too big/i, SMALLER_FILE],
	[
		/transaction size too large/i,
		'Put some of the documents into another transaction: together, they are too big for one',
	],
	[
		/externaldocumentservice::jobexists/i,
		'These documents are being imported already. Wait for the event Transaction Import Processed',
	],
	[
		/invalid encoding/i,
		(_found, place) => `Choose ${place.field('Content', 'Document: Get')} from the list`,
	],
	[
		/enote required/i,
		(_found, place) =>
			`Add the eNote with 'eNote: Add' before sending, or set ${place.field('Paper Note Consent', 'Transaction: Update')} if the note is signed on paper. A lender also needs a title agency: set ${place.field('Title Agency', 'Transaction: Update')}. ${ONLY_THIS}`,
	],
	[
		/lender needs title_agency|title agency (is )?required/i,
		(_found, place) =>
			`Set ${place.field('Title Agency', 'Transaction: Update')}, or add one of the ${place.field('Contacts', 'Transaction: Update')} with the role Title Agent. A lender also needs the eNote, with 'eNote: Add', or ${place.field('Paper Note Consent', 'Transaction: Update')}. ${ONLY_THIS}`,
	],
	[/cannot add enotes to (hybrid|wet sign)/i, NO_ENOTE],
	[
		/borrowers argument must be array/i,
		(_found, place) =>
			`Enter the ${place.field('Borrowers', 'eNote: Add')} as rows, or let the expression return an array of objects`,
	],

	// Places and parties
	[
		/invalid value for transaction_type|transaction type is invalid/i,
		(_found, place) =>
			`Choose a ${place.field('Transaction Type', 'Transaction: Update')} from the list`,
	],
	[
		/invalid state code/i,
		(_found, place) =>
			`Enter ${place.field('State', 'Underwriter: Get Many')} as a two-letter code, e.g. MA`,
	],
	[
		/email or address is required/i,
		(_found, place) =>
			place.has('Filters')
				? `Fill in ${place.field('Email', 'Title Agency: Get Many')}, ${place.field('Street Address', 'Title Agency: Get Many')} or another of the 'Filters'`
				: "Use 'Title Agency: Get Many' with an email or an address",
	],
	[
		/notary cannot be added/i,
		"Check the notary's name, email and state. One that another account has can't be added",
	],
	[
		/invalid request parameters/i,
		(_found, place) =>
			place.has('Filters')
				? `Correct ${place.field('Limit', 'Template: Get Many')} or what is in 'Filters'`
				: `Correct ${place.field('Limit', 'Template: Get Many')}`,
	],

	// Webhooks
	[
		/invalid subscription|field subscriptions/i,
		(_found, place) =>
			`Choose events in ${place.field('Event Names or IDs', 'Webhook: Create')} that this service offers`,
	],
	[
		/invalid url/i,
		(_found, place) =>
			`Enter ${place.field('URL', 'Webhook: Create')} as a complete address that begins with https://`,
	],
	[/missing webhook/i, "Create a webhook first with 'Webhook: Create'"],
	[
		/webhook call failed/i,
		(_found, place) =>
			`Check that the address in ${place.field('URL', 'Webhook: Create')} can be called from outside and answers with 200`,
	],

	[
		/invalid value for (?:required field )?(\w+) - expected (\w+)/i,
		([, field, type], place) => {
			const label = ownValue(LABELS, field) ?? place.nameOf(field);
			return `Enter ${place.has(label) ? `'${label}'` : inWords(field)} as ${ownValue(TYPES, type) ?? type}`;
		},
	],
];

/** The editor's names for fields that the service complains about by type. */
const LABELS: Record<string, string> = {
	signing_designations: 'Designations (JSON)',
	signing_designation_groups: 'Designation Groups',
	name: 'Document Name',
	documents: 'Documents',
	signers: 'Signers',
	contacts: 'Contacts',
	headers: 'Headers',
};

/** The service's names for types, in words. */
const TYPES: Record<string, string> = {
	Array: 'a list, in square brackets',
	Hash: 'an object, in braces',
	Object: 'an object, in braces',
	String: 'text',
};

function inWords(name: string): string {
	return name.replaceAll('_', ' ');
}

/**
 * Finds what to do about a text of the service.
 * @param place where a person reads it
 * @returns undefined when we know nothing better than what its status says
 */
export function remedyFor(text: string, place: Place = new Place()): string | undefined {
	const refused = stateRefusalIn([text]);
	if (refused !== undefined) return stateRemedyText(refused, place);
	const page = explainMissingPage(text, place);
	if (page !== undefined) return page.remedy;
	for (const [pattern, remedy] of REMEDIES) {
		const found = pattern.exec(text);
		if (found !== null) return typeof remedy === 'string' ? remedy : remedy(found, place);
	}
	return undefined;
}
