import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { toSubscriptions } from '../service/resources/events';
import { asObject } from '../service/values/json';
import { hasFilters } from './events/filters';

/** The trigger's parameters, the same whoever asks: its hooks, its webhook, its tick, its run. */
export interface TriggerParameters {
	/** Events to subscribe to: chosen from the list and typed ones. */
	events: string[];
	/** Events are taken from the event records instead of from the calls. */
	pull: boolean;
	/**
	 * The service is asked about each event: because that was chosen, or because a filter needs the
	 * transaction.
	 */
	confirm: boolean;
	retrieve: boolean;
	simplify: boolean;
	filters: IDataObject;
	/** A call without signature is refused. */
	signatureRequired: boolean;
	downloadDocuments: boolean;
}

export function readTriggerParameters(
	context: IExecuteFunctions | IHookFunctions | ITriggerFunctions | IWebhookFunctions,
): TriggerParameters {
	// The contexts' own signatures differ; each takes (name, fallback) or (name, index, fallback).
	const read = (name: string, fallback: unknown) =>
		'getInputData' in context
			? context.getNodeParameter(name, 0, fallback)
			: (context as ITriggerFunctions).getNodeParameter(name, fallback as string);
	const options = asObject(read('options', {}));
	const filters = asObject(read('filters', {}));
	return {
		events: chosenEvents(read('events', []), options.otherEvents),
		pull: read('deliveryMode', 'push') === 'pull',
		confirm: read('confirm', true) === true || hasFilters(filters),
		retrieve: read('retrieveTransaction', true) === true,
		simplify: read('simplify', true) === true,
		filters,
		signatureRequired: options.signatureRequired === true,
		downloadDocuments: options.downloadDocuments === true,
	};
}

function chosenEvents(chosen: unknown, typed: unknown): string[] {
	const listed = Array.isArray(chosen) ? chosen.map(String) : [];
	const others = Array.isArray(typed)
		? typed.map((event) => String(event).trim()).filter((event) => event !== '')
		: [];
	return toSubscriptions([...listed, ...others]);
}
