import type { ReadSigner } from './readSigner';

/*
 * External IDs of new signers. Designations refer to signers by it
 * (docs/service/documents.md#signer-identifier), so a signer without one has nowhere to sign.
 */

/** The external ID that the node gives to the signer at a place, which counts from 1. */
export const externalIdAt = (place: number): string => `signer-${place}`;

/**
 * Gives each new signer without an external ID one of its own: signer-1 for the first signer,
 * signer-2 for the second, and so on. A number that somebody else has is passed over.
 * @param read the signers as they were filled in
 */
export function withExternalIds(read: ReadSigner[]): ReadSigner[] {
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
