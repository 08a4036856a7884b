import { asText } from '../../values/json';
import { signerName } from './api';

/*
 * Signers whom no designation can name, because they have no external ID
 * (docs/service/documents.md#signer-identifier). The list of signers shows them, so that nobody
 * takes the list without them for all.
 */

/** What to do about a signer without an external ID. */
export const GIVE_EXTERNAL_ID =
	"Give the signer an 'External ID' with 'Transaction: Correct Signer', then choose the signer again";

/** Begins the value of an entry that can't be chosen. No external ID begins like this. */
const NONE = 'no external ID: ';

/** An entry of a list of signers, which can't be chosen where n8n knows how. */
export interface SignerEntry {
	name: string;
	value: string;
	description?: string;
	disabled?: boolean;
}

/**
 * The entry of a signer in a list: by the external ID, or saying that there is none and what to do.
 */
export function signerEntry(signer: Parameters<typeof signerName>[0]): SignerEntry {
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

/** Whether a value is that of an entry that can't be chosen. */
export function hasNoExternalId(value: unknown): boolean {
	return typeof value === 'string' && value.startsWith(NONE);
}
