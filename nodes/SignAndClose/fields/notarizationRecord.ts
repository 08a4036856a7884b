import type { INodeProperties } from 'n8n-workflow';

export const recordLocator: INodeProperties = {
	displayName: 'Notarization Record',
	name: 'recordId',
	type: 'resourceLocator',
	default: { mode: 'id', value: '' },
	required: true,
	description: "The record of a completed notarization: 'notarization_record_id' of its transaction",
	modes: [{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. me_1a2b3c4d' }],
};
