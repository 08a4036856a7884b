/** The signers of a request's body: which they are, what is checked, what becomes of them. */

import { phoneOf } from './phones.mts';
import { published, publishedText, refuse, TEXTS } from '../refusal.mts';
import type { Fields, Signer, World } from '../../world/world.mts';

const DOMAIN_TYPOS: Record<string, string> = {
	'gmial.com': 'gmail.com',
	'gmal.com': 'gmail.com',
	'gmail.con': 'gmail.com',
	'yaho.com': 'yahoo.com',
	'hotmial.com': 'hotmail.com',
	'outlok.com': 'outlook.com',
};

/**
 * The signers that a body names: `signers`, or `signer` and a `cosigner` beside it
 * (docs/service/transactions.md#signer-signers-and-cosigner).
 * @param old the signers so far, of which a cosigner alone leaves the first
 * @returns undefined when the body names none
 * @throws Refusal 422 for both forms together
 */
export function listSigners(
	{ signer, signers, cosigner }: Fields,
	old: Signer[] = [],
): Fields[] | undefined {
	if (signers !== undefined && (signer !== undefined || cosigner !== undefined))
		throw published('signersTwice');
	if (signers !== undefined) return signers;
	const second: Fields[] =
		cosigner === undefined
			? old.slice(1).filter(({ isCosigner }) => isCosigner)
			: [{ ...cosigner, isCosigner: true }];
	if (signer !== undefined) return [signer, ...second];
	return cosigner === undefined || old.length === 0 ? undefined : [old[0], ...second];
}

/**
 * The rules between the fields of signers (docs/service/transactions.md#rules-between-fields).
 * @throws Refusal for one without a proper email address, or with fields that don't go together
 */
export function checkSigners(signers: Fields[], { authentication_requirement }: Fields): void {
	for (const signer of signers) {
		if (signer.isCosigner) continue;
		if (signer.recipient_group && signer.email)
			refuse('email and recipient_group exclude each other');
		checkEmail(signer.recipient_group?.shared_inbox_email ?? signer.email);
		if (isGiven(signer.capacity) !== isGiven(signer.entity))
			refuse('capacity and entity are required together');
		if (isGiven(signer.notary_id) && !isGiven(signer.order)) refuse('notary_id requires order');
		if (signer.personally_known_to_notary && signers.length > 1 && !isGiven(signer.notary_id))
			refuse('personally_known_to_notary requires notary_id where there are several signers');
		if (authentication_requirement === 'sms' && phoneOf(signer) === undefined)
			refuse('authentication_requirement sms requires the phone of every signer');
	}
	const notaries = new Map<unknown, unknown>();
	for (const { order, notary_id: notary = null } of signers) {
		if (!isGiven(order)) continue;
		if (notaries.has(order) && notaries.get(order) !== notary)
			refuse('Signers of equal order need the same notary_id');
		notaries.set(order, notary);
	}
	const ids = signers.map(({ external_id }) => external_id).filter(isGiven);
	if (new Set(ids).size !== ids.length) refuse('external_id of the signers must differ');
}

const isGiven = (value: unknown) => value !== undefined && value !== null;

/**
 * Refuses with the texts of docs/service/errors.md#errors-of-transactions and
 * docs/service/errors.md#texts-worth-a-remedy.
 */
function checkEmail(email: unknown): void {
	if (typeof email !== 'string' || email === '') return refuse(TEXTS.noEmail);
	if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) throw published('invalidEmail');
	const [name, domain] = email.split('@');
	const meant = DOMAIN_TYPOS[domain.toLowerCase()];
	if (meant !== undefined)
		throw publishedText(400, `Typo in domain name. Did you mean: ${name}@${meant}?`);
}

/** A signer as it is stored: under the names of the request, without what is null. */
export function newSigner(world: World, fields: Fields, id = world.newId('oc_')): Signer {
	const given = Object.entries(fields).filter(([, value]) => value !== null);
	return { ...Object.fromEntries(given), email: String(fields.email ?? ''), id };
}

/** The signer that an update describes: who was a signer before keeps the id. */
export function updatedSigner(world: World, old: Signer[], fields: Fields): Signer {
	const sameWay = old.filter((signer) => wayTo(signer) === wayTo(fields));
	const same = sameWay.find(({ external_id }) => external_id === fields.external_id) ?? sameWay[0];
	return newSigner(world, fields, same?.id);
}

/** How the service reaches a signer. It does not reach a cosigner, who comes with the signer. */
function wayTo({ email, recipient_group: group, isCosigner }: Fields): unknown {
	return isCosigner ? 'with the signer' : email || group?.shared_inbox_email;
}

/** How a signer is reached, which is what texts call the signer. A cosigner has a name alone. */
export function labelOf(signer: Signer): string {
	return signer.email || signer.recipient_group?.shared_inbox_email || fullName(signer);
}

export function fullName({
	first_name,
	middle_name,
	last_name,
	email,
	recipient_group: group,
}: Signer): string {
	const name = [first_name, middle_name, last_name].filter(Boolean).join(' ');
	return name || email || group?.shared_inbox_email || 'The signer';
}
