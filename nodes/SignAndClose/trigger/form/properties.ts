import type { INodeProperties } from 'n8n-workflow';

import { byName, collection, flag } from '../../resources/shared/fields';
import { transactionOutput } from '../../resources/transaction/output';
import { FINISHED, knownGroupedOptions } from '../../resources/webhook/eventGroups';
import { conditionsToMeet, onlyRunIf } from '../conditions/properties';

/*
 * The trigger's form: which events, under which conditions and what comes out. How events come to the
 * node is in the options.
 */

/** The label of the events. n8n wants these words where a list is loaded. */
export const EVENT_LABEL = 'Event Names or IDs';

const confirm: INodeProperties = {
	displayName: 'Confirm With Service',
	name: 'confirm',
	type: 'boolean',
	default: true,
	description:
		"Whether to retrieve the transaction before the workflow starts, which confirms the event and adds the transaction to it. Events that the service doesn't confirm are marked, and so are those that no transaction shows (e.g., a release or an identity check) if the call isn't signed. Turn this off only if you need neither. Conditions on the transaction confirm the event in any case.",
};

const eventSource: INodeProperties = {
	displayName: 'Event Source',
	name: 'eventSource',
	type: 'options',
	options: [
		{
			name: 'Event Log',
			value: 'pull',
			description:
				"The node reads events from the service's log when a call arrives, and every minute. Works without a URL that the service can reach. Each event starts exactly one execution, even with several n8n processes.",
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

const downloadDocuments = flag(
	'Download Documents',
	'downloadDocuments',
	'Whether to add the finished documents as binary fields document_1, document_2 and so on',
);

const otherEvents: INodeProperties = {
	displayName: 'Other Events',
	name: 'otherEvents',
	type: 'string',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Event' },
	default: [],
	placeholder: 'e.g. transaction.archived',
	description: "Events of the service that aren't in the list above",
};

const signatureRequired = flag(
	'Require Signature',
	'signatureRequired',
	'Whether to reject unsigned calls. Signatures that are present are always checked.',
);

/** There's no transaction to output where the event isn't confirmed. */
const output = transactionOutput.map((field) => ({
	...field,
	displayOptions: { ...field.displayOptions, hide: { '/options.confirm': [false] } },
}));

/** The trigger's parameters. */
export const triggerProperties: INodeProperties[] = [
	{
		displayName: EVENT_LABEL,
		name: 'events',
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: 'getGroupedEvents' },
		options: knownGroupedOptions(),
		default: [FINISHED],
		required: true,
		description:
			'The events that start the workflow, in groups or one by one. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	onlyRunIf,
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
		{ placeholder: 'Add Option' },
	),
];
