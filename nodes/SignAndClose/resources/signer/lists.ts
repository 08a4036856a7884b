import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { asText } from '../../values/json';
import { chosenTransaction } from '../shared/chosenTransaction';
import { chosenParameter, distinct, offered, withReason } from '../shared/listHelpers';
import { signerName, signersOf } from './api';
import { externalIdAt } from './externalIds';
import { signerEntry, type SignerEntry } from './withoutExternalId';

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

/**
 * Lists who can complete a designation: signers with an external ID, the notary, witnesses
 * (docs/service/documents.md#signer-identifier). Signers without one are shown, with what to do.
 * @throws NodeOperationError with the remedy in its message
 */
export async function getSigners(this: ILoadOptionsFunctions): Promise<SignerEntry[]> {
	return await withReason(this, async (connect) => {
		const people = isUnknownYet(this)
			? EXPECTED_SIGNERS
			: signersOf(await chosenTransaction(this, connect)).map(signerEntry);
		return distinct([...people, ...OFFICIALS]);
	});
}

const OFFICIALS: SignerEntry[] = [
	{ name: 'Notary', value: 'notary' },
	{ name: 'Witness 1', value: 'witness1' },
	{ name: 'Witness 2', value: 'witness2' },
];

/**
 * What the node gives to the signers of a new transaction. Somebody who builds a workflow can choose
 * them before a first run has created a real closing.
 */
const EXPECTED_SIGNERS: SignerEntry[] = ['first', 'second', 'third'].map((nth, index) => {
	const id = externalIdAt(index + 1);
	return {
		name: `Signer ${index + 1} · ${id}`,
		value: id,
		description: `The ${nth} signer in the node that creates the transaction, unless you give an 'External ID' there`,
	};
});

/** Whether the transaction is an expression that gets its data from nodes that haven't run. */
function isUnknownYet(context: ILoadOptionsFunctions): boolean {
	return (
		chosenParameter(context, 'transactionId') === undefined &&
		context.getCurrentNodeParameter('transactionId', { extractValue: true }) !== ''
	);
}
