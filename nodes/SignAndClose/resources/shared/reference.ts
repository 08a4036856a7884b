import type { INodeProperties } from 'n8n-workflow';

import type { OperationCall } from '../../run/operation';
import type { Params } from '../../run/parameters/params';
import { flag } from './builders';

/* References of the node's own (docs/behaviour.md#when-an-answer-is-lost). */

/**
 * Builds the switch for a reference of the node's own.
 * @param field the field of the form that holds a person's own reference
 */
export const sendReference = (field: string): INodeProperties => ({
	...flag(
		'Send Reference',
		'sendReference',
		`Whether to send '${field}' with a reference of the node (n8n-...) if you leave it empty. By it, the node finds what it created if the service's answer gets lost.`,
	),
	default: true,
});

/**
 * Whether the item is sent with a reference of the node's own, where it has none of the person's.
 * @throws InputFailure when that can't be read
 */
export function wantsReference(params: Params): boolean {
	const { sendReference: wanted } = params.object('additionalFields');
	return wanted === undefined || params.toBoolean('sendReference', wanted) !== false;
}

/** Says that the service took the item without the node's reference. */
export const referenceHint = ({ sending }: OperationCall): string | undefined =>
	sending.get()?.isRefused === true
		? "The service takes no reference of the node. If an answer gets lost, its outcome is unknown. To spare a request for each item, turn off 'Send Reference'"
		: undefined;
