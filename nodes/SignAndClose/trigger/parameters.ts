import type { ITriggerFunctions } from 'n8n-workflow';

import type { TransactionForm } from '../resources/transaction/output';
import { isSelected, toSubscriptions } from '../resources/webhook/eventSelection';
import { listEventsOfGroup } from '../resources/webhook/events';
import type { ServiceContext } from '../transport/request/attempt';
import { asObject } from '../values/json';
import { needsTransaction, parseConditions, type Conditions } from './conditions';

/* Reads the trigger's parameters, in the same way for all of its roles. */

/** The trigger's parameters with their defaults. */
export interface TriggerParameters {
	/** Events to subscribe to: selected ones, and those of selected groups. */
	events: string[];
	/** Those of them that are selected as part of a group alone. */
	ofGroups: string[];
	/** Whether events come from the event records instead of the calls. */
	pull: boolean;
	/**
	 * Whether to ask the service about each event: because that was selected, or because a condition
	 * needs the transaction.
	 */
	confirm: boolean;
	/** Whether to add the transaction to the event. */
	retrieve: boolean;
	/** How much of it comes out. */
	form: TransactionForm;
	/** What an event has to meet. */
	conditions: Conditions | undefined;
	/** Whether to reject calls without a signature. */
	signatureRequired: boolean;
	downloadDocuments: boolean;
}

type ParameterReader = (name: string, fallback: unknown) => unknown;

/** Reads the trigger's parameters in any of its contexts. */
export function parseTriggerParameters(context: ServiceContext): TriggerParameters {
	// The contexts differ: execute() takes (name, index, fallback), the others (name, fallback).
	const readParameter: ParameterReader = (name, fallback) =>
		'getInputData' in context
			? context.getNodeParameter(name, 0, fallback)
			: (context as ITriggerFunctions).getNodeParameter(name, fallback as string);
	const { confirm = true, ...options } = asObject(readParameter('options', {}));
	const conditions = parseConditions(readParameter('onlyRunIf', {}), options.combinator);
	return {
		...parseEvents(readParameter('events', [])),
		pull: options.eventSource === 'pull',
		// One choice confirms an event and adds its transaction, because one request does both.
		confirm: confirm === true || needsTransaction(conditions),
		retrieve: confirm === true,
		form: parseForm(readParameter),
		conditions,
		signatureRequired: options.signatureRequired === true,
		downloadDocuments: options.downloadDocuments === true,
	};
}

/** What can't be used is taken for the simplified form, because an event must not be lost for it. */
function parseForm(readParameter: ParameterReader): TransactionForm {
	const output = readParameter('output', 'simple');
	if (output === 'fields') return asTexts(readParameter('fields', []));
	return output === 'raw' ? 'raw' : 'simplified';
}

function parseEvents(value: unknown): Pick<TriggerParameters, 'events' | 'ofGroups'> {
	const selected = asTexts(value);
	const single = selected.filter((event) => listEventsOfGroup(event) === undefined);
	const grouped = selected.flatMap((event) => listEventsOfGroup(event) ?? []);
	const events = toSubscriptions([...single, ...grouped]);
	return { events, ofGroups: events.filter((event) => !isSelected(event, single)) };
}

const asTexts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
