import type { INodeProperties, INodePropertyMode } from 'n8n-workflow';

/**
 * Things to choose instead of typing their ids: from a list, by id, or by a pasted link where there
 * are links (interface.md §4).
 */

interface Choice {
	displayName: string;
	name: string;
	/** The list method of the node (lists/index.ts). */
	list: string;
	placeholder: string;
	description: string;
	required?: boolean;
	/** Part of a link's path that comes before the id. */
	linkPart?: string;
	dependsOn?: string[];
}

function locator({
	displayName,
	name,
	list,
	placeholder,
	description,
	required = false,
	linkPart,
	dependsOn,
}: Choice): INodeProperties {
	const noun = displayName.toLowerCase();
	const property: INodeProperties = {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		...(required && { required }),
		description,
		...(dependsOn && { typeOptions: { loadOptionsDependsOn: dependsOn } }),
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select a ${noun}...`,
				typeOptions: { searchListMethod: list, searchable: true },
			},
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder: `e.g. ${placeholder}` },
		],
	};
	return linkPart === undefined
		? property
		: { ...property, modes: [...property.modes!, byUrl(noun, linkPart, placeholder)] };
}

function byUrl(noun: string, linkPart: string, placeholder: string): INodePropertyMode {
	const regex = `https?://[^\\s]+/${linkPart}/([^/?#\\s]+)`;
	const mode = {
		displayName: 'By URL',
		name: 'url',
		placeholder: `e.g. https://api.example.com/${linkPart}/${placeholder}`,
	};
	const validation: INodePropertyMode['validation'] = [
		{
			type: 'regex',
			properties: { regex: `${regex}.*`, errorMessage: `Not a valid ${noun} link` },
		},
	];
	return Object.assign(mode, {
		type: 'string' as const,
		validation,
		extractValue: { type: 'regex' as const, regex },
	});
}

export const transactionLocator = locator({
	displayName: 'Transaction',
	name: 'transactionId',
	list: 'searchTransactions',
	placeholder: 'ot_9a8b7c6d',
	description: 'The transaction to work on',
	required: true,
	linkPart: 'transactions',
	dependsOn: ['platform'],
});

export const documentLocator = locator({
	displayName: 'Document',
	name: 'documentId',
	list: 'searchDocuments',
	placeholder: 'do_1a2b3c4d',
	description: 'The document of the transaction',
	required: true,
	linkPart: 'documents',
	dependsOn: ['platform', 'transactionId.value'],
});

export const signerLocator = locator({
	displayName: 'Signer',
	name: 'signerId',
	list: 'searchSigners',
	placeholder: 'jane@example.com',
	description: 'The signer, by ID, email address or external ID',
	required: true,
	dependsOn: ['platform', 'transactionId.value'],
});

export const recordLocator = locator({
	displayName: 'Notarization Record',
	name: 'recordId',
	list: 'searchRecords',
	placeholder: 'me_1a2b3c4d',
	description:
		"The record of a completed notarization. Its transaction has the ID as 'notarization_record_id'.",
	required: true,
	linkPart: 'notarization_records',
});

export const webhookLocator = locator({
	displayName: 'Webhook',
	name: 'webhookId',
	list: 'searchWebhooks',
	placeholder: 'wh1a2b3c',
	description: 'The webhook to work on',
	required: true,
	linkPart: 'webhooks',
});

/**
 * Its value is the permalink, which is what a document's resource takes (gaps.md §1, Templates).
 */
export const templateLocator = locator({
	displayName: 'Template',
	name: 'templateId',
	list: 'searchTemplates',
	placeholder: 'od_1a2b3c4d',
	description: 'The template to create the document from. Also accepts its link.',
});

export const notaryLocator = (name: string, description: string) =>
	locator({
		displayName: 'Notary',
		name,
		list: 'searchNotaries',
		placeholder: 'us_1a2b3c4d',
		description,
	});

/*
 * The address decides the jurisdictions, they the agencies, those the underwriters (interface.md
 * §2). Another choice above empties the ones below. The parts of the address are not named as what
 * the lists depend on: the editor would not ask for a list at all while one of them is an
 * expression without data, and say that this node has not been executed.
 */

export const jurisdictionLocator = locator({
	displayName: 'Recording Jurisdiction',
	name: 'recordingJurisdictionId',
	list: 'searchJurisdictions',
	placeholder: 'rl1a2b3c',
	description: 'Where the deed is recorded. The list shows the jurisdictions of the address above.',
});

export const agencyLocator = locator({
	displayName: 'Title Agency',
	name: 'titleAgencyId',
	list: 'searchAgencies',
	placeholder: 'or_1a2b3c',
	description:
		'The title agency. The list shows those that serve the address and jurisdiction above.',
	dependsOn: ['recordingJurisdictionId.value'],
});

export const underwriterLocator = locator({
	displayName: 'Underwriter',
	name: 'titleUnderwriterId',
	list: 'searchUnderwriters',
	placeholder: 'or_4d5e6f',
	description: 'The underwriter. The list shows those of the title agency above.',
	dependsOn: ['recordingJurisdictionId.value', 'titleAgencyId.value'],
});
