import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import {
	compareByName,
	defineChoice,
	defineCollection,
	defineFlag,
	defineRows,
	defineText,
	type OptionTuple,
} from '../form/fields';
import { toTitle } from '../form/titles';
import { transactionOutputFields } from '../resources/transaction/output';
import { FINISHED_GROUP, buildGroupedOptions } from '../resources/webhook/events';
import { COMPARISONS, CONDITIONS_LABEL, FREE_FIELD } from './conditions';

/*
 * The trigger's form: which events, under which conditions and what comes out. How events come to the
 * node is in the options.
 */

/** The label of the events. n8n wants these words where a list is loaded. */
export const EVENT_LABEL = 'Event Names or IDs';

const confirm: INodeProperties = {
	...defineFlag(
		'Confirm with Service',
		'confirm',
		'Whether to fetch the transaction before starting the workflow. Unconfirmed events are marked.',
	),
	default: true,
};

const eventSource = defineChoice(
	'Event Source',
	'eventSource',
	[
		[
			'Event Log',
			'pull',
			"Reads the service's event log. Works without a public URL. Starts one execution per event.",
		],
		[
			'Webhook Deliveries',
			'push',
			'Fastest. In queue mode, a simultaneous duplicate may start a second execution.',
		],
	],
	'Where to get events from',
	{ default: 'push' },
);

const downloadDocuments = defineFlag(
	'Download Documents',
	'downloadDocuments',
	'Whether to add the finished documents as binary fields document_1, document_2 and so on',
);

const signatureRequired = defineFlag(
	'Require Signature',
	'signatureRequired',
	'Whether to reject unsigned deliveries. Signatures that are present are always checked.',
);

/** There's no transaction to output where the event isn't confirmed. */
const output = transactionOutputFields.map((field) => ({
	...field,
	displayOptions: { ...field.displayOptions, hide: { '/options.confirm': [false] } },
}));

/** Names of the event and of the transaction that the list offers. */
const CONDITION_FIELDS = (
	'detailed_status document_name event expiry external_id file_number loan_number order_progress ' +
	'organization_id payer platform signers.email signers_open status street_address.state ' +
	'title_agency.name transaction_id transaction_name transaction_type'
).split(' ');

const fieldChoices = [
	...CONDITION_FIELDS.map((value): OptionTuple => [toTitle(value.replace('.', ' ')), value]),
	['Other Field', FREE_FIELD] satisfies OptionTuple,
].sort(compareByName);

const comparisonChoices = Object.entries(COMPARISONS)
	.map(([value, { name }]): OptionTuple => [name, value])
	.sort(compareByName);

/** Comparisons that need no value. */
const UNARY_COMPARISONS = Object.keys(COMPARISONS).filter((value) => COMPARISONS[value].alone);

/**
 * The conditions. Their left side is a name and not an expression, because n8n evaluates expressions
 * of a webhook with the raw request, which isn't the event.
 */
export const onlyRunIf: INodeProperties = defineRows(
	CONDITIONS_LABEL,
	'onlyRunIf',
	'Condition',
	[
		defineChoice(
			'Field',
			'field',
			fieldChoices,
			'What to compare, of the event or of its transaction',
			{
				noDataExpression: true,
				default: 'transaction_type',
			},
		),
		{
			...defineText(
				'Field Name',
				'otherField',
				'data.meeting.meeting_id',
				"Name of a field of the transaction or of the event, whose own data is below 'data'. Put a period between the names of nested fields.",
			),
			noDataExpression: true,
			displayOptions: { show: { field: [FREE_FIELD] } },
		},
		defineChoice('Comparison', 'comparison', comparisonChoices, undefined, {
			noDataExpression: true,
			default: 'equals',
		}),
		{
			...defineText(
				'Value',
				'value',
				'refinance',
				"What to compare with. Capital letters don't matter. An expression can't use the event.",
			),
			displayOptions: { hide: { comparison: UNARY_COMPARISONS } },
		},
	],
	{
		description:
			"Other events are acknowledged but don't start the workflow. All conditions have to be met, unless 'Conditions to Meet' says otherwise.",
	},
);

/** How the conditions are combined. */
const conditionsToMeet = defineChoice(
	'Conditions to Meet',
	'combinator',
	[
		['All', 'and'],
		['Any', 'or'],
	],
	"How many conditions of 'Only Run If' have to be met",
);

/** The trigger's parameters. */
export const triggerProperties: INodeProperties[] = [
	{
		displayName: EVENT_LABEL,
		name: 'events',
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: 'getGroupedEvents' },
		options: buildGroupedOptions(),
		default: [FINISHED_GROUP],
		required: true,
		description:
			'The events that start the workflow, in groups or one by one. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	onlyRunIf,
	...output,
	defineCollection(
		'Options',
		'options',
		[conditionsToMeet, confirm, downloadDocuments, eventSource, signatureRequired],
		{ placeholder: 'Add Option' },
	),
];

/** The editor's link to what the published workflow has run. */
const EXECUTIONS_LINK = '<a data-key="executions">executions list</a>';

const WHILE_BUILDING =
	'<b>While you build your workflow</b>, run this node, then make one of the chosen events happen, e.g. complete a transaction in your test account. The trigger registers a webhook of its own for this, and removes it afterwards. What comes shows up in this editor.';

/** What the editor says while the trigger listens, and after the workflow was published. */
export const TRIGGER_TEXTS = {
	eventTriggerDescription:
		'Waiting for one of the chosen events: for Finished, complete a transaction in your test account',
	activationMessage:
		"The trigger has registered its webhook at the service, and you don't have to create one there. From now on, each of the chosen events starts this workflow.",
	triggerPanel: {
		header: 'Start when a transaction is completed or needs attention',
		executionsHelp: {
			inactive: `${WHILE_BUILDING}<br /><br /><b>Once it works</b>, publish it. The trigger then registers a webhook that stays, and each of the chosen events starts the workflow. You find these executions in the ${EXECUTIONS_LINK}, and not in the editor.`,
			active: `${WHILE_BUILDING}<br /><br /><b>The workflow is published</b>: each of the chosen events starts it by itself, through the webhook that the trigger has registered. You find these executions in the ${EXECUTIONS_LINK}, and not in the editor.`,
		},
	},
} satisfies Partial<INodeTypeDescription>;
