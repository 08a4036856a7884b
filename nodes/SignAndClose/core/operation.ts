import type { IBinaryKeyData, IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { ServiceClient } from '../service/client';
import type { Params } from './params';

/**
 * What one item gives. Ids stand at top level, so that the next node's default expressions find
 * them.
 */
export interface OperationResult {
	json: IDataObject;
	binary?: IBinaryKeyData;
	/** Shown once below the node after the run, e.g. what to do next. */
	hint?: string;
}

export interface OperationCall {
	context: IExecuteFunctions;
	service: ServiceClient;
	/** The item's parameters; there is no way to read another item's. */
	params: Params;
	itemIndex: number;
	/** This machine's time when the item began, in milliseconds since 1970. */
	startedAt: number;
	/** Ids that other items of this run have made. */
	madeBefore: ReadonlySet<string>;
}

export interface Operation {
	resource: ResourceValue;
	/** Stored in workflows: never changes. */
	value: string;
	name: string;
	action: string;
	description: string;
	/** Reads run side by side and may be repeated; a write is done one after the other, and once. */
	kind: 'read' | 'write';
	properties: INodeProperties[];
	/**
	 * Does the work for one item.
	 * @throws ServiceFailure naming the parameter and the remedy
	 */
	execute(call: OperationCall): Promise<OperationResult | OperationResult[]>;
	/**
	 * After a write that ended in doubt: looks at the service whether it was done.
	 * @returns what execute would have given, or undefined when nobody can tell
	 */
	lookUp?(call: OperationCall): Promise<OperationResult | undefined>;
}

/** The resources, in the words of interface.md. */
export const RESOURCES = {
	address: 'Address',
	document: 'Document',
	enote: 'eNote',
	notarizationRecord: 'Notarization Record',
	notary: 'Notary',
	recordingJurisdiction: 'Recording Jurisdiction',
	template: 'Template',
	titleAgency: 'Title Agency',
	transaction: 'Transaction',
	underwriter: 'Underwriter',
	webhook: 'Webhook',
} as const;

export type ResourceValue = keyof typeof RESOURCES;

/**
 * Declares an operation: the dropdowns, dispatch, the README's table and the tests are derived from
 * the list of these.
 */
export function defineOperation(operation: Operation): Operation {
	return operation;
}
