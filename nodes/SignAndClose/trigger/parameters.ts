import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { eventsOfGroup } from '../fields/shared/eventGroups';
import { isChosen, notOffered, toSubscriptions } from '../service/resources/events';
import type { TransactionForm } from '../service/resources/simplified/transaction';
import { asObject } from '../service/values/json';
import { needTransaction, readConditions, type Conditions } from './conditions/conditions';
import { hasFilters } from './events/filters';

/* Reads the trigger's parameters, in the same way for all of its roles. */

/** Where events come from: calls, the event log of the webhook, or changes of transactions. */
export type EventSource = 'changes' | 'pull' | 'push';

/** The trigger's parameters with their defaults. */
export interface TriggerParameters {
	typeVersion: number;
	/** Events to subscribe to: selected and typed ones, and those of selected groups. */
	events: string[];
	/** Those of them that are selected as part of a group alone. */
	ofGroups: string[];
	/** Selected names that no service takes. They aren't among `events`. */
	notOffered: string[];
	source: EventSource;
	/** Whether events come from the event records instead of the calls. */
	pull: boolean;
	/**
	 * Whether to ask the service about each event: because that was selected, or because a filter or a
	 * condition needs the transaction.
	 */
	confirm: boolean;
	/** Whether to add the transaction to the event. */
	retrieve: boolean;
	/** How much of it comes out. */
	form: TransactionForm;
	filters: IDataObject;
	/** What an event has to meet. Version 1 has filters instead. */
	conditions: Conditions | undefined;
	/** Whether to reject calls without a signature. */
	signatureRequired: boolean;
	downloadDocuments: boolean;
}

type Context = IExecuteFunctions | IHookFunctions | ITriggerFunctions | IWebhookFunctions;
type Read = (name: string, fallback: unknown) => unknown;

/** Reads the trigger's parameters in any of its contexts. */
export function readTriggerParameters(context: Context): TriggerParameters {
	// The contexts differ: execute() takes (name, index, fallback), the others (name, fallback).
	const read: Read = (name, fallback) =>
		'getInputData' in context
			? context.getNodeParameter(name, 0, fallback)
			: (context as ITriggerFunctions).getNodeParameter(name, fallback as string);
	const { typeVersion } = context.getNode();
	const options = asObject(read('options', {}));
	const chosen = chosenEvents(read('events', []), options.otherEvents);
	const source = sourceOf(typeVersion < 2 ? read('deliveryMode', 'push') : options.eventSource);
	return {
		typeVersion,
		...chosen,
		source,
		pull: source === 'pull',
		form: formOf(typeVersion, read),
		...(typeVersion < 2 ? askingV1(read) : askingV2(read, options)),
		signatureRequired: options.signatureRequired === true,
		downloadDocuments: options.downloadDocuments === true,
	};
}

type Asking = Pick<TriggerParameters, 'conditions' | 'confirm' | 'filters' | 'retrieve'>;

function askingV1(read: Read): Asking {
	const filters = asObject(read('filters', {}));
	return {
		confirm: read('confirm', true) === true || hasFilters(filters),
		retrieve: read('retrieveTransaction', true) === true,
		filters,
		conditions: undefined,
	};
}

/** One choice confirms an event and adds its transaction, because one request does both. */
function askingV2(read: Read, { confirm = true, combinator }: IDataObject): Asking {
	const conditions = readConditions(read('onlyRunIf', {}), combinator);
	return {
		confirm: confirm === true || needTransaction(conditions),
		retrieve: confirm === true,
		filters: {},
		conditions,
	};
}

function sourceOf(value: unknown): EventSource {
	return value === 'changes' || value === 'pull' ? value : 'push';
}

/** What can't be used is taken for the simplified form, because an event must not be lost for it. */
function formOf(typeVersion: number, read: Read): TransactionForm {
	if (typeVersion < 2) return read('simplify', true) === true ? 'simplifiedV1' : 'raw';
	const output = read('output', 'simple');
	if (output === 'fields') return asTexts(read('fields', []));
	return output === 'raw' ? 'raw' : 'simplified';
}

function chosenEvents(
	chosen: unknown,
	typed: unknown,
): Pick<TriggerParameters, 'events' | 'notOffered' | 'ofGroups'> {
	const others = Array.isArray(typed)
		? typed.map((event) => String(event).trim()).filter((event) => event !== '')
		: [];
	const selected = [...asTexts(chosen), ...others];
	const single = selected.filter((event) => eventsOfGroup(event) === undefined);
	const grouped = selected.flatMap((event) => eventsOfGroup(event) ?? []);
	const events = toSubscriptions([...single, ...grouped]);
	return {
		events,
		ofGroups: events.filter((event) => !isChosen(event, single)),
		notOffered: notOffered(single),
	};
}

const asTexts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
