import type { INodeProperties, INodePropertyMode } from 'n8n-workflow';

import { withArticle } from '../values/words';

/*
 * Resource locators: fields that take a choice from a list, an ID, or a pasted link where the
 * service has links.
 */

interface Locator extends Pick<INodeProperties, 'displayName' | 'name' | 'description'> {
	required?: true;
	/** Name of the list method (resources/dropdowns.ts). */
	list: string;
	placeholder: string;
	/** What is entered if nothing is chosen from the list; by default, an ID. */
	entered?: string;
	/** The part of a link's path before the ID. Without it, the locator takes no links. */
	linkPart?: string;
	/** What a choice from the list means, shown below it. */
	listHint?: string;
	/** Parameters whose change makes the editor load the list again. */
	dependsOn?: string[];
}

function defineLocator(definition: Locator): INodeProperties {
	const {
		list,
		placeholder,
		entered = 'ID',
		linkPart,
		listHint,
		dependsOn,
		...property
	} = definition;
	const noun = property.displayName.toLowerCase();
	return {
		...property,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		...(dependsOn && { typeOptions: { loadOptionsDependsOn: dependsOn } }),
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select ${withArticle(noun)}...`,
				...(listHint !== undefined && { hint: listHint }),
				typeOptions: {
					searchListMethod: list,
					searchable: true,
					slowLoadNotice: {
						message: `It takes long. If you know the ${entered}, choose 'By ${entered}'.`,
						timeout: 8_000,
					},
				},
			},
			{
				displayName: `By ${entered}`,
				name: 'id',
				type: 'string',
				placeholder: `e.g. ${placeholder}`,
			},
			...(linkPart === undefined ? [] : [defineUrlMode(linkPart, placeholder, noun)]),
		],
	};
}

const BY_URL = { displayName: 'By URL', name: 'url' };

function defineUrlMode(linkPart: string, placeholder: string, noun: string): INodePropertyMode {
	const regex = `https?://[^\\s]+/${linkPart}/([^/?#\\s]+)`;
	const errorMessage = `Not a valid ${noun} link`;
	return {
		...BY_URL,
		type: 'string',
		placeholder: `e.g. https://api.example.com/${linkPart}/${placeholder}`,
		validation: [{ type: 'regex', properties: { regex: `${regex}.*`, errorMessage } }],
		extractValue: { type: 'regex', regex },
	};
}

/** A transaction that a person chooses, where the one of the item must not be taken by default. */
export const chosenTransactionLocator = defineLocator({
	displayName: 'Transaction',
	name: 'transactionId',
	list: 'searchTransactions',
	placeholder: 'ot_9a8b7c6d',
	description: 'Transaction to use',
	required: true,
	linkPart: 'transactions',
	listHint:
		"Every run works on the transaction chosen here. For the one of the node before, choose 'By ID' and enter {{ $json.transaction_id }} as an expression.",
	dependsOn: ['platform'],
});

/**
 * The transaction that an operation works on: in a workflow, that of the item. A choice from the list
 * is stored and holds for every item of every run.
 */
export const transactionLocator: INodeProperties = {
	...chosenTransactionLocator,
	default: { mode: 'id', value: '={{ $json.transaction_id }}' },
	hint: "A transaction from the list is used for every item of every run. With 'By ID', it's the one of the item.",
};

/** A document of the transaction. */
export const documentLocator = defineLocator({
	displayName: 'Document',
	name: 'documentId',
	list: 'searchDocuments',
	placeholder: 'do_1a2b3c4d',
	description: 'The document of the transaction',
	required: true,
	linkPart: 'documents',
	dependsOn: ['platform', 'transactionId.value'],
});

/** A signer of the transaction. */
export const signerLocator = defineLocator({
	displayName: 'Signer',
	name: 'signerId',
	list: 'searchSigners',
	placeholder: 'jane@example.com',
	description: 'The signer, by ID, email address or external ID',
	required: true,
	dependsOn: ['platform', 'transactionId.value'],
});

/** The notarization record that an operation works on. */
export const recordLocator = defineLocator({
	displayName: 'Notarization Record',
	name: 'recordId',
	list: 'searchRecords',
	placeholder: 'me_1a2b3c4d',
	description:
		"The record of a completed notarization. Its transaction has the ID as 'notarization_record_id'.",
	required: true,
	linkPart: 'notarization_records',
});

/** The webhook that an operation works on. */
export const webhookLocator = defineLocator({
	displayName: 'Webhook',
	name: 'webhookId',
	list: 'searchWebhooks',
	placeholder: 'wh1a2b3c',
	description: 'Webhook to use',
	required: true,
	linkPart: 'webhooks',
});

/**
 * A template. Its value is the permalink, because that is what `resource` of a document takes
 * (docs/service/documents.md#templates).
 */
export const templateLocator = defineLocator({
	displayName: 'Template',
	name: 'templateId',
	list: 'searchTemplates',
	placeholder: 'od1a2b3c4',
	description: 'The template to create the document from. Also accepts its permalink.',
});

/** A field of the form of a PDF. The node sees the file before it runs only behind a link. */
export const formFieldLocator: INodeProperties = {
	...defineLocator({
		displayName: 'Field Name',
		name: 'fieldName',
		list: 'searchFormFields',
		placeholder: 'Borrower*Signature',
		entered: 'Name',
		description:
			"The name of a form field of the PDF, which 'Document: Get Places' lists. * stands for any letters.",
		dependsOn: ['source', 'fileUrl'],
	}),
	default: { mode: 'id', value: '' },
};

/** A notary, under a name of the service. */
export const defineNotaryLocator = (name: string, description: string) =>
	defineLocator({
		displayName: 'Notary',
		name,
		list: 'searchNotaries',
		placeholder: 'us_1a2b3c4d',
		description,
	});

/*
 * The address determines the jurisdictions, these the agencies, and these the underwriters
 * (docs/service/closings.md#verify-an-address), so a new choice empties the lists that depend on
 * it. The parts of the address aren't among `dependsOn`: while one of them is an expression without
 * data, the editor would not ask for the list at all, and say that this node hasn't been executed.
 */

/** Where the deed is recorded. */
export const jurisdictionLocator = defineLocator({
	displayName: 'Recording Jurisdiction',
	name: 'recordingJurisdictionId',
	list: 'searchJurisdictions',
	placeholder: 'rl1a2b3c',
	description: 'Where the deed is recorded. The list shows the jurisdictions of the address above.',
});

/** The title agency of a closing. */
export const agencyLocator = defineLocator({
	displayName: 'Title Agency',
	name: 'titleAgencyId',
	list: 'searchAgencies',
	placeholder: 'or_1a2b3c',
	description:
		'The title agency. The list shows those that serve the address and jurisdiction above.',
	dependsOn: ['recordingJurisdictionId.value'],
});

/** The title underwriter of a closing. */
export const underwriterLocator = defineLocator({
	displayName: 'Title Underwriter',
	name: 'titleUnderwriterId',
	list: 'searchUnderwriters',
	placeholder: 'or_4d5e6f',
	description: 'The title underwriter. The list shows those of the title agency above.',
	dependsOn: ['recordingJurisdictionId.value', 'titleAgencyId.value'],
});
