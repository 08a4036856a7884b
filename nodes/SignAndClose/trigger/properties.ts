import type { INodeProperties } from 'n8n-workflow';

import { byName, collection, flag } from '../fields/shared/builders';
import { savedOptions } from '../fields/shared/eventOptions';
import { transactionOutputFor } from '../fields/shared/transactionOutput';
import { filterProperties } from './events/filters';

/**
 * The events that start the workflow. The editor shows those that the service offers. The options
 * here are what saved workflows may hold, for whoever reads the description without a service.
 */
export const triggerEvents: INodeProperties = {
	displayName: 'Event Names or IDs',
	name: 'events',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getEvents' },
	options: savedOptions(),
	default: ['transaction.completed', 'transaction.completed_with_rejections'],
	required: true,
	description:
		'The events that start the workflow. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

/** The trigger's parameters that follow the events. */
export const triggerProperties: INodeProperties[] = [
	{
		displayName: 'Confirm With Service',
		name: 'confirm',
		type: 'boolean',
		default: true,
		description:
			"Whether to check each event with the service before the workflow starts. Events that the service doesn't confirm are marked.",
	},
	{
		displayName: 'Retrieve Transaction',
		name: 'retrieveTransaction',
		type: 'boolean',
		default: true,
		description: 'Whether to add the transaction to the event, which only has its ID',
	},
	...transactionOutputFor({ retrieveTransaction: [true] }),
	collection('Filters', 'filters', filterProperties, {
		placeholder: 'Add Filter',
		description: "Other events are acknowledged but don't start the workflow",
	}),
	{
		displayName: 'Event Source',
		name: 'deliveryMode',
		type: 'options',
		options: [
			{
				name: 'Webhook Calls',
				value: 'push',
				description:
					'Immediate. With several n8n processes, a repeat that arrives at the same moment can start a second execution.',
			},
			{
				name: 'Event Log',
				value: 'pull',
				description:
					"The node reads events from the service's log when a call arrives. Each event starts exactly one execution, even with several n8n processes.",
			},
		],
		default: 'push',
		description: 'Where to get events from',
	},
	collection(
		'Options',
		'options',
		byName([
			flag(
				'Download Documents',
				'downloadDocuments',
				'Whether to add the finished documents as binary fields document_1, document_2 and so on',
			),
			{
				displayName: 'Other Events',
				name: 'otherEvents',
				type: 'string',
				typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Event' },
				default: [],
				placeholder: 'e.g. transaction.archived',
				description: "Events of the service that aren't in the list above",
			},
			flag(
				'Require Signature',
				'signatureRequired',
				'Whether to reject unsigned calls. Signatures that are present are always checked.',
			),
		]),
		{ placeholder: 'Add Option' },
	),
];
