import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { asText } from '../../values/json';
import { chosenParameter, chosenTransaction, distinct, offered, withReason } from '../shared/lists';
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

/** An entry of the list of signers for a designation, which may be one that can't be chosen. */
interface SignerEntry {
	name: string;
	value: string;
	description?: string;
	disabled?: boolean;
}

/**
 * Lists who can complete a designation: signers with an external ID, the notary, witnesses
 * (docs/service/documents.md#signer-identifier). Signers without one are shown, with what to do, so
 * that nobody takes the list without them for all.
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
const EXPECTED_SIGNERS = ['first', 'second', 'third'].map((nth, index): SignerEntry => {
	const id = externalIdAt(index + 1);
	return {
		name: `Signer ${index + 1} · ${id}`,
		value: id,
		description: `The ${nth} signer in the node that creates the transaction, unless you give an 'External ID' there`,
	};
});

/** Whether the transaction is an expression that gets its data from nodes that haven't run. */
const isUnknownYet = (context: ILoadOptionsFunctions) =>
	chosenParameter(context, 'transactionId') === undefined &&
	context.getCurrentNodeParameter('transactionId', { extractValue: true }) !== '';

/** What to do about a signer without an external ID. */
export const GIVE_EXTERNAL_ID =
	"Give the signer an 'External ID' with 'Transaction: Correct Signer', then choose the signer again";

/** Begins the value of an entry that can't be chosen. No external ID begins like this. */
const NONE = 'no external ID: ';

function signerEntry(signer: Parameters<typeof signerName>[0]): SignerEntry {
	const id = asText(signer.external_id);
	const name = signerName(signer);
	if (id !== undefined) return { name, value: id, description: id };
	return {
		name: `${name} · no external ID`,
		value: `${NONE}${asText(signer.signer_id) ?? name}`,
		description: `Can't be chosen. ${GIVE_EXTERNAL_ID}.`,
		disabled: true,
	};
}

/** Whether a value is that of an entry that can't be chosen, which an older n8n lets people do. */
export const hasNoExternalId = (value: unknown) =>
	typeof value === 'string' && value.startsWith(NONE);
