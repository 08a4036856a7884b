import type { INodeProperties } from 'n8n-workflow';

import { byName, collection, flag } from '../fields/shared/builders';
import { filterProperties } from './events/filters';

/** The trigger's parameters after the events. */
export const triggerProperties: INodeProperties[] = [
	{
		displayName: 'Confirm at the Service',
		name: 'confirm',
		type: 'boolean',
		default: true,
		description:
			'Whether to ask the service about each event before it starts the workflow. An event that the service does not confirm is marked.',
	},
	{
		displayName: 'Retrieve Transaction',
		name: 'retrieveTransaction',
		type: 'boolean',
		default: true,
		description: 'Whether to add the transaction to the event, which itself holds the ID only',
	},
	{
		displayName: 'Simplify',
		name: 'simplify',
		type: 'boolean',
		default: true,
		displayOptions: { show: { retrieveTransaction: [true] } },
		description: 'Whether to return a simplified version of the response instead of the raw data',
	},
	collection('Filters', 'filters', filterProperties, {
		placeholder: 'Add Filter',
		description: 'Other events are acknowledged and start nothing',
	}),
	{
		displayName: 'Take Events',
		name: 'deliveryMode',
		type: 'options',
		options: [
			{
				name: 'From the Calls of the Service',
				value: 'push',
				description:
					'At once. With several n8n processes, a repeat that comes at the same moment may start a second run.',
			},
			{
				name: 'From the Event Records',
				value: 'pull',
				description:
					'The call only wakes the node, which takes events from the records of the service: each exactly once, also with several n8n processes',
			},
		],
		default: 'push',
		description: 'Where the events come from',
	},
	collection(
		'Options',
		'options',
		byName([
			flag(
				'Download Documents',
				'downloadDocuments',
				'Whether to add the finished documents as files document_1, document_2 and so on',
			),
			{
				displayName: 'Other Events',
				name: 'otherEvents',
				type: 'string',
				typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Event' },
				default: [],
				placeholder: 'e.g. transaction.archived',
				description: 'Events of the service that are not in the list above',
			},
			flag(
				'Require Signature',
				'signatureRequired',
				'Whether to turn away calls without a signature. A signature that is there is always checked.',
			),
		]),
		{ placeholder: 'Add Option' },
	),
];
