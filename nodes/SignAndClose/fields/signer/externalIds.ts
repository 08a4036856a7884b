import type { ReadSigner } from '../transaction/readSigner';

/*
 * External IDs of new signers. Designations refer to signers by it
 * (docs/service/documents.md#signer-identifier), so a signer without one has nowhere to sign.
 */

/** The version of the node from which a new signer never goes without. */
const SINCE = 2;

/** The external ID that version 2 gives to the signer at a place, which counts from 1. */
export const externalIdAt = (place: number): string => `signer-${place}`;

/**
 * Gives each new signer without an external ID one of its own: signer-1 for the first signer,
 * signer-2 for the second, and so on. A number that somebody else has is passed over.
 * @param read the signers as they were filled in
 * @param typeVersion of the node; workflows of version 1 send what they have sent
 */
export function withExternalIds(read: ReadSigner[], typeVersion: number): ReadSigner[] {
	if (typeVersion < SINCE) return read;
	const taken = new Set(read.map(({ signer }) => signer.external_id));
	return read.map(({ signer, ...more }, index) => {
		if (signer.external_id !== undefined && signer.external_id !== '') return { signer, ...more };
		let number = index + 1;
		while (taken.has(externalIdAt(number))) number++;
		const id = externalIdAt(number);
		taken.add(id);
		return { signer: { ...signer, external_id: id }, ...more };
	});
}
