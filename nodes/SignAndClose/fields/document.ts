import type { INodeProperties } from 'n8n-workflow';

export const documentLocator: INodeProperties = {
	displayName: 'Document',
	name: 'documentId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The document of the transaction',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a document...',
			typeOptions: { searchListMethod: 'searchDocuments', searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. do_1a2b3c4d' },
	],
};
