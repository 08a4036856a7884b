import type { INodeProperties } from 'n8n-workflow';

import { VERSION_1 } from '../../fields/form/versions';
import { byName, collection } from '../../fields/shared/builders';
import { savedOptions } from '../../fields/shared/eventOptions';
import { transactionOutputFor } from '../../fields/shared/transactionOutput';
import { filterProperties } from '../events/filters';
import { downloadDocuments, EVENT_LABEL, otherEvents, signatureRequired } from './sharedProperties';

/* The form of version 1 of the trigger. Saved workflows hold its parameters, so it never changes. */

const show = VERSION_1;

/** The parameters of version 1. */
export const propertiesV1: INodeProperties[] = [
	{
		displayName: EVENT_LABEL,
		name: 'events',
		type: 'multiOptions',
		displayOptions: { show },
		typeOptions: { loadOptionsMethod: 'getEvents' },
		options: savedOptions(),
		default: ['transaction.completed', 'transaction.completed_with_rejections'],
		required: true,
		description:
			'The events that start the workflow. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	{
		displayName: 'Confirm With Service',
		name: 'confirm',
		type: 'boolean',
		displayOptions: { show },
		default: true,
		description:
			"Whether to check each event with the service before the workflow starts. Events that the service doesn't confirm are marked.",
	},
	{
		displayName: 'Retrieve Transaction',
		name: 'retrieveTransaction',
		type: 'boolean',
		displayOptions: { show },
		default: true,
		description: 'Whether to add the transaction to the event, which only has its ID',
	},
	...transactionOutputFor({ retrieveTransaction: [true] }).filter(
		({ name }) => name === 'simplify',
	),
	collection('Filters', 'filters', filterProperties, {
		displayOptions: { show },
		placeholder: 'Add Filter',
		description: "Other events are acknowledged but don't start the workflow",
	}),
	{
		displayName: 'Event Source',
		name: 'deliveryMode',
		type: 'options',
		displayOptions: { show },
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
	collection('Options', 'options', byName([downloadDocuments, otherEvents, signatureRequired]), {
		displayOptions: { show },
		placeholder: 'Add Option',
	}),
];
