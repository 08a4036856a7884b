import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { asObject, asText } from '../service/wire';
import { isChosen } from './events';
import { isSameSecret, SECRET_PARAMETER } from './secret';

/**
 * Receives one delivery (interface.md §6: {event, data.transaction_id}). Answers fast: the transaction is retrieved afterwards, in execute(),
 * where a failure is visible and the event is kept with the run.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const { secret } = context.getWorkflowStaticData('node');
	const given = asObject(context.getQueryData())[SECRET_PARAMETER];
	if (!isSameSecret(given, secret)) return refuse(context, 401, 'This address needs the key it was registered with');
	const body = asObject(context.getBodyData());
	const event = asText(body.event);
	if (event === undefined) return refuse(context, 400, 'The body is not an event of the service');
	const chosen = context.getNodeParameter('events', []);
	// Answered with 200 all the same: a refusal would only make the service send it again.
	if (!isChosen(event, Array.isArray(chosen) ? chosen.map(String) : [])) return {};
	return { workflowData: [[{ json: toItem(event, asObject(body.data)) }]] };
}

/** The event with the ids at top level and everything else the service sent. */
export function toItem(event: string, data: IDataObject): IDataObject {
	const document = asObject(data.document);
	return {
		event,
		transaction_id: data.transaction_id ?? null,
		...(document.document_id !== undefined && { document_id: document.document_id }),
		data,
	};
}

function refuse(context: IWebhookFunctions, status: number, message: string): IWebhookResponseData {
	context.getResponseObject().status(status).json({ message }).end();
	return { noWebhookResponse: true };
}
