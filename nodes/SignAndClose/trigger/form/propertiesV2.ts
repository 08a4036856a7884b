import type { INodeProperties } from 'n8n-workflow';

import { VERSION_2 } from '../../fields/form/versions';
import { byName, collection } from '../../fields/shared/builders';
import { FINISHED, savedGroupedOptions } from '../../fields/shared/eventGroups';
import { transactionOutputFor } from '../../fields/shared/transactionOutput';
import { conditionsToMeet, onlyRunIf } from '../conditions/properties';
import { downloadDocuments, EVENT_LABEL, otherEvents, signatureRequired } from './sharedProperties';

/*
 * The form of version 2 of the trigger: which events, under which conditions and what comes out. How
 * events come to the node is in the options.
 */

const show = VERSION_2;

const confirm: INodeProperties = {
	displayName: 'Confirm With Service',
	name: 'confirm',
	type: 'boolean',
	default: true,
	description:
		"Whether to retrieve the transaction before the workflow starts, which confirms the event and adds the transaction to it. Events that the service doesn't confirm are marked. Turn this off only if you need neither. Conditions on the transaction confirm the event in any case.",
};

/** The choice of version 1 that reads the event log has the same stored value. */
const eventSource: INodeProperties = {
	displayName: 'Event Source',
	name: 'eventSource',
	type: 'options',
	options: [
		{
			name: 'Event Log',
			value: 'pull',
			description:
				"The node reads events from the service's log when a call arrives, and every 20 seconds while events come, every two minutes otherwise. Works without a URL that the service can reach. Each event starts exactly one execution, even with several n8n processes.",
		},
		{
			name: 'Transaction Changes',
			value: 'changes',
			description:
				"The node asks which transactions have changed: every few seconds while something changes, every three minutes otherwise. Works without a webhook, but only sees changes of a transaction's status.",
		},
		{
			name: 'Webhook Calls',
			value: 'push',
			description:
				'Immediate. With several n8n processes, a repeat that arrives at the same moment can start a second execution.',
		},
	],
	default: 'push',
	description: 'Where to get events from',
};

/** There's no transaction to output where the event isn't confirmed. */
const output = transactionOutputFor()
	.filter(({ name }) => name !== 'simplify')
	.map((field) => ({
		...field,
		displayOptions: { ...field.displayOptions, hide: { '/options.confirm': [false] } },
	}));

/** The parameters of version 2. */
export const propertiesV2: INodeProperties[] = [
	{
		displayName: EVENT_LABEL,
		name: 'events',
		type: 'multiOptions',
		displayOptions: { show },
		typeOptions: { loadOptionsMethod: 'getGroupedEvents' },
		options: savedGroupedOptions(),
		default: [FINISHED],
		required: true,
		description:
			'The events that start the workflow, in groups or one by one. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	{
		displayName:
			"The source 'Transaction Changes' sees when a transaction is created, sent, opened, partially completed, completed, declined, expired, recalled or held for review, each as far as the status shows it. It can't see events about documents, imports, meetings, notaries and the identity of signers, and not that a transaction was deleted, released or reviewed. If the status changes twice between two looks, only the last change is seen.",
		name: 'changesNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { ...show, '/options.eventSource': ['changes'] } },
	},
	{ ...onlyRunIf, displayOptions: { show } },
	...output,
	collection(
		'Options',
		'options',
		byName([
			conditionsToMeet,
			confirm,
			downloadDocuments,
			eventSource,
			otherEvents,
			signatureRequired,
		]),
		{ displayOptions: { show }, placeholder: 'Add Option' },
	),
];
