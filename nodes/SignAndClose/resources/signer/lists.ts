import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import { asText } from '../../values/json';
import { chosenParameter, chosenTransaction, offered, withReason } from '../shared/lists';
import { signerName, signersOf } from './api';
import { externalIdAt } from './input';

/**
 * Lists the signers of the chosen transaction.
 * @throws NodeOperationError with the remedy in its message
 */
export async function searchSigners(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await withReason(this, async (connect) => {
		const choices = signersOf(await chosenTransaction(this, connect)).map((signer) => ({
			name: signerName(signer),
			value: asText(signer.signer_id) ?? asText(signer.external_id) ?? asText(signer.email),
		}));
		return { results: offered(choices, filter) };
	});
}

/** Who can complete a designation beside the signers. */
const OFFICIALS = [
	{ name: 'Notary', value: 'notary' },
	{ name: 'Witness 1', value: 'witness1' },
	{ name: 'Witness 2', value: 'witness2' },
];

/**
 * What the node gives to the signers of a new transaction. Somebody who builds a workflow can choose
 * them before a first run has created a real closing.
 */
const EXPECTED_SIGNERS = [1, 2, 3].map((place) => ({
	name: `Signer ${place} · ${externalIdAt(place)}`,
	value: externalIdAt(place),
}));

/**
 * Lists who can complete a designation: signers with an external ID, the notary, witnesses
 * (docs/service/documents.md#signer-identifier).
 * @throws NodeOperationError with the remedy in its message
 */
export async function getSigners(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await withReason(this, async (connect) => {
		// Without a run, an expression has no data yet.
		const isExpected =
			chosenParameter(this, 'transactionId') === undefined &&
			this.getCurrentNodeParameter('transactionId', { extractValue: true }) !== '';
		if (isExpected) return [...EXPECTED_SIGNERS, ...OFFICIALS];
		const choices = signersOf(await chosenTransaction(this, connect)).map((signer) => ({
			name: signerName(signer),
			value: asText(signer.external_id),
		}));
		return [...offered(choices, undefined), ...OFFICIALS];
	});
}
