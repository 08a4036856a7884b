import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';

/*
 * What n8n's builders of workflows read, e.g. its AI assistant and clients of its own MCP server. n8n
 * before 2.41 doesn't know these hints and passes over them.
 */

type NodeHint = NonNullable<INodeTypeDescription['builderHint']>;

/** The hint of the action node. */
export const ACTION_HINT: NodeHint = {
	searchHint:
		"Use it to get documents signed or notarized online and to close loans. The usual order: 'Transaction: Create Closing' (real estate) or 'Transaction: Create' (anything else, with 'Create as Draft' on), then 'Document: Add' for each PDF, then 'Transaction: Send'. Do NOT poll for the end in a loop: start a second workflow with the Sign and Close Trigger. 'Get Many' finds a transaction by loan number, signer's email or name.",
};

/** The hint of the trigger. */
export const TRIGGER_HINT: NodeHint = {
	searchHint:
		'It starts a workflow when a transaction is completed or needs attention, and can download the finished documents. It registers its webhook at the service by itself: never add a Webhook node or create a webhook by hand for it. Its output has transaction_id, event and the transaction, for the node Sign and Close.',
};

/** Hints for single parameters, by name. */
const OF_PARAMETERS: Record<string, string> = {
	platform:
		"'realEstate' for closings of loans, 'business' for anything else. It has to be the one that the transaction was created on",
	transactionId:
		"Use { __rl: true, mode: 'id', value: expr('{{ $json.transaction_id }}') } with the ID that a node before this one returns. A choice from the list holds for every run",
};

/** Adds the hints for single parameters. */
export function withBuilderHints(properties: INodeProperties[]): INodeProperties[] {
	return properties.map((property) => {
		const propertyHint = OF_PARAMETERS[property.name];
		return propertyHint === undefined ? property : { ...property, builderHint: { propertyHint } };
	});
}
