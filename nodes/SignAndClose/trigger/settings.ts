import type { IDataObject, IExecuteFunctions, ITriggerFunctions, IWebhookFunctions } from 'n8n-workflow';

import { asObject } from '../service/wire';

/** The trigger's parameters, the same whoever asks: its webhook, its tick, its run. */
export interface TriggerSettings {
	/** Events are taken from the event records instead of from the calls. */
	pull: boolean;
	confirm: boolean;
	retrieve: boolean;
	simplify: boolean;
	filters: IDataObject;
	/** A call without signature is refused. */
	signatureRequired: boolean;
	downloadDocuments: boolean;
}

export function readTriggerSettings(context: IExecuteFunctions | ITriggerFunctions | IWebhookFunctions): TriggerSettings {
	// The contexts' own signatures differ; each takes (name, fallback) or (name, index, fallback).
	const read = (name: string, fallback: unknown) => ('getInputData' in context ? context.getNodeParameter(name, 0, fallback) : (context as ITriggerFunctions).getNodeParameter(name, fallback as string));
	const options = asObject(read('options', {}));
	return {
		pull: read('deliveryMode', 'push') === 'pull',
		confirm: read('confirm', true) === true,
		retrieve: read('retrieveTransaction', true) === true,
		simplify: read('simplify', true) === true,
		filters: asObject(read('filters', {})),
		signatureRequired: options.signatureRequired === true,
		downloadDocuments: options.downloadDocuments === true,
	};
}
