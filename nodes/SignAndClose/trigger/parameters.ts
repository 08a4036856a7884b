import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { notOffered, toSubscriptions } from '../service/resources/events';
import type { TransactionForm } from '../service/resources/simplified/transaction';
import { asObject } from '../service/values/json';
import { hasFilters } from './events/filters';

/* Reads the trigger's parameters, in the same way for all of its roles. */

/** The trigger's parameters with their defaults. */
export interface TriggerParameters {
	/** Events to subscribe to, selected and typed ones. */
	events: string[];
	/** Selected names that no service takes. They aren't among `events`. */
	notOffered: string[];
	/** Whether events come from the event records instead of the calls. */
	pull: boolean;
	/**
	 * Whether to ask the service about each event: because that was selected, or because a filter
	 * needs the transaction.
	 */
	confirm: boolean;
	/** Whether to add the transaction to the event. */
	retrieve: boolean;
	/** How much of it comes out. */
	form: TransactionForm;
	filters: IDataObject;
	/** Whether to reject calls without a signature. */
	signatureRequired: boolean;
	downloadDocuments: boolean;
}

/** Reads the trigger's parameters in any of its contexts. */
export function readTriggerParameters(
	context: IExecuteFunctions | IHookFunctions | ITriggerFunctions | IWebhookFunctions,
): TriggerParameters {
	// The contexts differ: execute() takes (name, index, fallback), the others (name, fallback).
	const read = (name: string, fallback: unknown) =>
		'getInputData' in context
			? context.getNodeParameter(name, 0, fallback)
			: (context as ITriggerFunctions).getNodeParameter(name, fallback as string);
	const options = asObject(read('options', {}));
	const filters = asObject(read('filters', {}));
	const chosen = chosenEvents(read('events', []), options.otherEvents);
	return {
		events: toSubscriptions(chosen),
		notOffered: notOffered(chosen),
		pull: read('deliveryMode', 'push') === 'pull',
		confirm: read('confirm', true) === true || hasFilters(filters),
		retrieve: read('retrieveTransaction', true) === true,
		form: formOf(context.getNode().typeVersion, read),
		filters,
		signatureRequired: options.signatureRequired === true,
		downloadDocuments: options.downloadDocuments === true,
	};
}

/** What can't be used is taken for the simplified form, because an event must not be lost for it. */
function formOf(
	typeVersion: number,
	read: (name: string, fallback: unknown) => unknown,
): TransactionForm {
	if (typeVersion < 2) return read('simplify', true) === true ? 'simplifiedV1' : 'raw';
	const output = read('output', 'simple');
	if (output === 'fields') return asTexts(read('fields', []));
	return output === 'raw' ? 'raw' : 'simplified';
}

function chosenEvents(chosen: unknown, typed: unknown): string[] {
	const listed = asTexts(chosen);
	const others = Array.isArray(typed)
		? typed.map((event) => String(event).trim()).filter((event) => event !== '')
		: [];
	return [...listed, ...others];
}

const asTexts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
