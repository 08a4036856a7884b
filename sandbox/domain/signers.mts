/** The signers of a request's body: which they are, what is checked, what becomes of them. */

import { Refusal, refuse, TEXTS } from './refusal.mts';
import type { Fields, Signer, World } from '../world/world.mts';

const DOMAIN_TYPOS: Record<string, string> = {
	'gmial.com': 'gmail.com',
	'gmal.com': 'gmail.com',
	'gmail.con': 'gmail.com',
	'yaho.com': 'yahoo.com',
	'hotmial.com': 'hotmail.com',
	'outlok.com': 'outlook.com',
};

/**
 * A closing has one `signer`. With co-signers, `signers` lists all of them, and the primary one
 * comes first (docs/service/transactions.md#signer-signers-and-cosigner).
 */
export function listSigners({ signer, signers }: Fields): Fields[] {
	if (signers === undefined) return signer === undefined ? [] : [signer];
	if (signer !== undefined && signer.email !== signers[0]?.email)
		throw new Refusal(422, 'signers must begin with signer');
	return signers;
}

/** @throws Refusal 422 when there is none, or one without a proper email address */
export function checkSigners(signers: Fields[]): void {
	if (signers.length === 0) refuse(TEXTS.noSigner);
	for (const { email } of signers) checkEmail(email);
	const ids = signers.flatMap(({ external_id }) =>
		external_id === undefined ? [] : [external_id],
	);
	if (new Set(ids).size !== ids.length) refuse('external_id of the signers must differ');
}

/**
 * Refuses with the texts of docs/service/errors.md#texts-worth-a-remedy: "Customer email not
 * present", "Typo in domain name. Did you mean ...".
 */
function checkEmail(email: unknown): void {
	if (typeof email !== 'string' || !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email))
		return refuse(TEXTS.noEmail);
	const [name, domain] = email.split('@');
	const meant = DOMAIN_TYPOS[domain.toLowerCase()];
	if (meant !== undefined) refuse(`Typo in domain name. Did you mean ${name}@${meant}?`);
}

export function newSigner(world: World, fields: Fields): Signer {
	return { ...fields, email: String(fields.email), id: world.newId('oc_') };
}

/** The signer that an update describes: who was a signer before keeps the id. */
export function updatedSigner(world: World, old: Signer[], fields: Fields): Signer {
	const same =
		old.find(
			({ email, external_id }) => email === fields.email && external_id === fields.external_id,
		) ?? old.find(({ email }) => email === fields.email);
	return same === undefined
		? newSigner(world, fields)
		: { ...fields, email: String(fields.email), id: same.id };
}

export function fullName({ first_name, middle_name, last_name, email }: Signer): string {
	return [first_name, middle_name, last_name].filter(Boolean).join(' ') || email;
}
