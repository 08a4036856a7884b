import type { Json, Platform } from '../types.mts';
import type { SignerRecord, World } from '../state/world.mts';
import { checkLength, checkTypes, refuse } from './call.mts';

/** Reads the signers of a create or an update (docs/service/signers.md). */

const MOST_SIGNERS = 10;

/** The signers that a body names, or undefined if it names none. */
export function readSigners(
	world: World,
	body: Json,
	platform: Platform,
	before: SignerRecord[] = [],
): SignerRecord[] | undefined {
	checkTypes(body, { arrays: ['signers'], objects: ['signer', 'cosigner'] });
	if (body.signers && (body.signer || body.cosigner))
		refuse(422, 'Use either the signers array or signer/cosigner input fields');
	const given: Json[] | undefined = body.signers ?? (body.signer && [body.signer]);
	if (!given) return undefined;
	if (given.length > MOST_SIGNERS) refuse(422, `At most ${MOST_SIGNERS} signers are allowed`);
	given.forEach(checkSigner);
	if (body.authentication_requirement === 'sms' && platform === 'business')
		for (const signer of given)
			if (!signer.phone_number && !signer.phone)
				refuse(422, 'Phone number is required for sms authentication');
	const all = body.cosigner ? [...given, body.cosigner] : given;
	return all.map((fields) => ({
		// A signer who stays keeps the id.
		signer_id: before.find((one) => isSame(one.fields, fields))?.signer_id ?? world.newId('oc_'),
		fields,
	}));
}

function checkSigner(signer: unknown): void {
	if (typeof signer !== 'object' || signer === null)
		refuse(400, 'Invalid value for signers - expected Object');
	const fields = signer as Json;
	checkTypes(fields, {
		strings: ['email', 'first_name', 'middle_name', 'last_name', 'phone_number', 'external_id'],
		arrays: ['signatory_capacities'],
		objects: ['address', 'phone', 'assurance_requirement', 'recipient_group'],
	});
	checkLength(fields, { first_name: 30, middle_name: 30, last_name: 30, phone_number: 30 });
	if (!fields.email && !fields.recipient_group) refuse(422, 'Customer email not present');
	if (fields.email && fields.recipient_group) refuse(422, 'Use either email or recipient_group');
	if (fields.email && !/^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(fields.email))
		refuse(400, 'Invalid email format.');
	const [name, domain] = String(fields.email ?? '').split('@');
	if (domain === 'gmial.com') refuse(400, `Typo in domain name. Did you mean: ${name}@gmail.com?`);
	if (!fields.capacity !== !fields.entity) refuse(422, 'capacity and entity are required together');
	if (fields.notary_id && fields.order === undefined)
		refuse(422, 'order is required with notary_id');
}

function isSame(one: Json, other: Json): boolean {
	if (one.external_id && one.external_id === other.external_id) return true;
	return Boolean(one.email) && one.email === other.email;
}
