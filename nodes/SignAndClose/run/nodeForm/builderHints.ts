import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';

/*
 * What n8n's builders of workflows read, e.g. its AI assistant and clients of its own MCP server. n8n
 * before 2.41 doesn't know these hints and passes over them.
 */

type NodeHint = NonNullable<INodeTypeDescription['builderHint']>;

const OWN_NODES = 'n8n-nodes-sign-and-close.';

/** The hint of the action node. */
export const ACTION_HINT: NodeHint = {
	searchHint:
		"Use it to get documents signed or notarized online and to close loans. To send PDFs, use ONE node with 'Transaction: Create and Send': for each item it creates the transaction or closing, adds all PDFs of the item as its 'Document Rules' say, checks and sends, and adds what is missing when it runs again. With its 'Then' set to 'Check', nobody is invited. Only where a workflow needs single steps: 'Transaction: Create Closing' (real estate) or 'Transaction: Create' (anything else, with 'Create as Draft' on), then 'Document: Add' for each PDF, then 'Transaction: Send'. 'Transaction: Get Many' finds a transaction by loan number, signer's email or name.",
	relatedNodes: [
		{
			nodeType: `${OWN_NODES}signAndCloseTrigger`,
			relationHint:
				'Starts a second workflow when a transaction is completed. Do NOT poll for the end in a loop',
		},
		{
			nodeType: 'n8n-nodes-base.formTrigger',
			relationHint:
				"All files of a form are in one item, as 'Transaction: Create and Send' takes them",
		},
		{
			nodeType: 'n8n-nodes-base.extractFromFile',
			relationHint:
				"Reads a sheet, from which 'Transaction: Create Closing' makes closings by the headings",
		},
	],
};

/** The hint of the trigger. */
export const TRIGGER_HINT: NodeHint = {
	searchHint:
		'It starts a workflow when a transaction is completed or needs attention, and can download the finished documents. It registers its webhook at the service by itself: never add a Webhook node or create a webhook by hand for it. Its output has transaction_id, event and the transaction, for the node Sign and Close.',
	relatedNodes: [
		{
			nodeType: `${OWN_NODES}signAndClose`,
			relationHint:
				"'Transaction: Download Package' takes the trigger's transaction_id and returns every file, for an archive",
		},
		{
			nodeType: 'n8n-nodes-base.readWriteFile',
			relationHint: "Writes the files of 'Transaction: Download Package' to disk",
		},
	],
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
