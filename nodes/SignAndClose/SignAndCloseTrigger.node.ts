import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type IHookFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type ITriggerFunctions,
	type ITriggerResponse,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { TRIGGER_ANSWER } from './resources/webhook/deliveries';
import { buildEventsSubtitle } from './resources/webhook/events';
import { getGroupedEvents } from './resources/webhook/dropdowns';
import { TRIGGER_HINT } from './run/nodeForm/builderHints';
import { executeTrigger } from './trigger/delivery/execute';
import { TRIGGER_TEXTS, triggerProperties } from './trigger/form';
import { startChecks } from './trigger/schedule';
import { handleDelivery } from './trigger/delivery/webhook';
import { createSubscription, removeSubscription } from './trigger/subscription/webhookMethods';

/**
 * The trigger node. It has three roles, which no node of n8n's own combines: `webhook()` checks and
 * answers a delivery; `execute()` drops repeats and completes the event, so that a failure shows up
 * in an execution; `trigger()` runs on the leader only, repairs the subscription and emits events
 * that were missed. Without `execute()`, "Listen for test event" would never end.
 */
export class SignAndCloseTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Sign and Close Trigger',
		name: 'signAndCloseTrigger',
		icon: {
			light: 'file:../../icons/signAndClose.svg',
			dark: 'file:../../icons/signAndClose.dark.svg',
		},
		group: ['trigger'],
		// At each delivery to a node of version 1, n8n evaluates an expression over a parameter that its
		// own Webhook node had, and parses bodies of any content type. From 2 on, it parses only JSON,
		// XML, forms and text.
		version: 2,
		subtitle: buildEventsSubtitle(),
		description:
			'Creates, sends and follows transactions and closings. As a trigger, starts the workflow when one is completed or another event occurs.',
		defaults: { name: 'Sign and Close Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'signAndCloseApi', required: true }],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				// Otherwise n8n answers what starts a workflow with a word of its own.
				responseData: TRIGGER_ANSWER,
				path: 'events',
			},
		],
		builderHint: TRIGGER_HINT,
		...TRIGGER_TEXTS,
		properties: triggerProperties,
	};

	methods = { loadOptions: { getGroupedEvents } };

	webhookMethods = {
		default: {
			/** create() finds out itself, and uses a webhook that is there. */
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return false;
			},
			async create(this: IHookFunctions): Promise<boolean> {
				return await createSubscription.call(this);
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return await removeSubscription.call(this);
			},
		},
	};

	async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
		return this.getMode() === 'trigger' ? startChecks(this) : {};
	}

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await handleDelivery(this);
	}

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await executeTrigger(this);
	}
}
