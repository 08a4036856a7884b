/**
 * Witnesses of a notarization (docs/service/notarization.md#witnesses). `witness_required` asks for
 * one, designations name witness1, witness2 ... (docs/service/documents.md#signer-identifier).
 */

import type { Document } from '../world/world.mts';

export interface Witness {
	name: string;
	email: string;
}

const NAMES = 'Walter Wilma William Wanda Wesley Winona Wyatt Willow Warren'.split(' ');

/** The person whom a designation calls `witness1` to `witness9`. */
export function witnessOf(identifier: string): Witness {
	const first = NAMES[Number(identifier.replace('witness', '')) - 1] ?? NAMES[0];
	return { name: `${first} Witness`, email: `${first.toLowerCase()}@witnesses.example` };
}

/**
 * The witnesses that documents need: as many as their designations name, and at least one where
 * witness_required is set.
 */
export function witnessesOf(documents: Document[]): Witness[] {
	const numbers = documents.flatMap(({ designations, flags }) => [
		flags.witness_required === true ? 1 : 0,
		...designations.map(({ signer_identifier: who }) =>
			Number(/^witness([1-9])$/.exec(who)?.[1] ?? 0),
		),
	]);
	return Array.from({ length: Math.max(0, ...numbers) }, (_, index) =>
		witnessOf(`witness${index + 1}`),
	);
}
