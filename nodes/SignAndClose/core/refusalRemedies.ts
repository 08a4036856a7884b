import { WRONG_PLATFORM } from '../service/errors/wrongPlatform';
import { ownValue } from '../service/values/json';

/*
 * What to do about the texts that the service refuses with (docs/service/errors.md#errors-of-each-call,
 * docs/service/errors.md#texts-worth-a-remedy). Fields are named as the forms show them. Everything
 * else is explained by its status.
 */

type Remedy = string | ((found: RegExpExecArray) => string);

const RECALL_FIRST =
	"Recall the transaction to a draft with 'Transaction: Recall', then change it. One that has expired or is completed can no longer be changed";
/** For every way in which the service says that a file is too big. */
export const SMALLER_FILE =
	'Split the file or reduce its size; the service accepts files of up to 30 MB';
const EMAIL = "Correct the signer's 'Email', or that of one of the 'Contacts'";
const NO_ENOTE =
	"Leave out the eNote, or use another 'Transaction Type': closings of this type have their note on paper";
const OTHER_ACCOUNT =
	"Use an 'API Key' of an organization that may do this, or ask the service to allow it for yours";

const REMEDIES: Array<[RegExp, Remedy]> = [
	// The platform and the account
	[
		WRONG_PLATFORM.business,
		"Set 'Platform' to Business. For a new transaction, use 'Transaction: Create' instead of 'Transaction: Create Closing'",
	],
	[WRONG_PLATFORM.realEstate, "Set 'Platform' to Real Estate: the transaction is a closing"],
	[
		WRONG_PLATFORM.unnamed,
		"Your organization's plan doesn't include this. Set 'Platform' to the one your organization uses, or ask the service to add the feature",
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
	[/need at least 1 signer/i, "Add a signer with an email address in 'Signer'"],
	[/customer email not present/i, "Fill in the 'Email' of every signer"],
	[/typo in domain name/i, EMAIL],
	[/invalid email format/i, EMAIL],
	[
		/signers array or signer\/cosigner/i,
		"Leave signer, signers and cosigner out of 'Additional Fields (JSON)', and enter all but the first signer in 'Co-Signers'",
	],
	[
		/invalid value for argument role/i,
		"Choose the 'Role' of each contact from the list. An expression must return one of its values",
	],
	[/contact not found for transaction/i, "Use the email of one of the 'Contacts' of the closing"],
	[/invalid phone number/i, "Enter 'Phone' with its country code, e.g. +1 617 555 0123"],
	[
		/signers do not have a phone number/i,
		"Add the 'Phone' of every signer with 'Transaction: Correct Signer', or use 'Transaction: Resend Email'",
	],
	[
		/could not send sms/i,
		"Use 'Transaction: Resend Email', or ask the service to enable text messages for your organization",
	],

	// States of the transaction
	[
		/transaction has expired/i,
		"Create a new transaction. A draft gets more time with a later 'Expiry' or 'Expiration Time', before it expires",
	],
	[
		/already been completed by at least 1 signer/i,
		'A signer has finished, so this can no longer be changed',
	],
	[/cannot be edited at this time|cannot be modified/i, RECALL_FIRST],
	[
		/cannot be recalled at this time/i,
		"Retrieve it with 'Transaction: Get': only a transaction that was sent and that no signer has completed can be recalled",
	],
	[
		/cannot resend email for/i,
		"Send the transaction with 'Transaction: Send' first. After it has ended, nothing can be sent",
	],
	[
		/unable to force complete/i,
		"Send the transaction with 'Transaction: Send' first: only one that waits for its signers can be completed by force",
	],

	// Documents and eNotes
	[
		/no signer designations/i,
		"Add 'Designations' to the documents that are only signed, so that the service knows where",
	],
	[
		/enabled for notarization or identity confirmation/i,
		"Set the 'Requirement' of at least one document to Notarization or Identity Confirmation",
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
	[/invalid encoding/i, "Choose 'Content' from the list"],
	[
		/enote required/i,
		"Add the eNote with 'eNote: Add' before sending, or set 'Paper Note Consent'",
	],
	[/cannot add enotes to (hybrid|wet sign)/i, NO_ENOTE],
	[
		/borrowers argument must be array/i,
		"Enter the 'Borrowers' as rows, or let the expression return an array of objects",
	],

	// Places and parties
	[
		/invalid value for transaction_type|transaction type is invalid/i,
		"Choose a 'Transaction Type' from the list",
	],
	[/invalid state code/i, "Enter 'State' as a two-letter code, e.g. MA"],
	[
		/email or address is required/i,
		"Fill in 'Email', 'Street Address' or another of the 'Filters'",
	],
	[
		/notary cannot be added/i,
		"Check the notary's name, email and state. One that another account has can't be added",
	],
	[/invalid request parameters/i, "Correct 'Limit' or what is in 'Filters'"],

	// Webhooks
	[
		/invalid subscription|field subscriptions/i,
		"Choose events in 'Event Names or IDs' that this service offers",
	],
	[/invalid url/i, "Enter 'URL' as a complete address that begins with https://"],
	[/missing webhook/i, "Create a webhook first with 'Webhook: Create'"],
	[
		/webhook call failed/i,
		"Check that the address in 'URL' can be called from outside and answers with 200",
	],

	[
		/invalid value for (?:required field )?(\w+) - expected (\w+)/i,
		([, field, type]) =>
			`Enter '${ownValue(LABELS, field) ?? field}' as ${ownValue(TYPES, type) ?? type}`,
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
 * @returns undefined when we know nothing better than what its status says
 */
export function remedyFor(text: string): string | undefined {
	for (const [pattern, remedy] of REMEDIES) {
		const found = pattern.exec(text);
		if (found !== null) return typeof remedy === 'string' ? remedy : remedy(found);
	}
	return undefined;
}
