import type { IDataObject } from 'n8n-workflow';

/** A signer in an answer, made of the one that was sent (docs/service/signers.md#signer-answer). */
export function signerOf(sent: IDataObject, index: number): IDataObject {
	const { email, first_name, last_name, external_id, address, vesting_type } = sent;
	const phone = phoneOf(sent);
	return {
		signer_id: `oc_signer${index + 1}`,
		email: email ?? '',
		first_name,
		last_name,
		address: {
			line1: '',
			line2: '',
			city: '',
			state: '',
			postal: '',
			country: '',
			...(address as object),
		},
		link_expired: true,
		personally_known_to_notary: false,
		signatory_capacities: [],
		transaction_access_link: '',
		vesting_type: vesting_type ?? 'borrower',
		...(external_id !== undefined && { external_id }),
		...(phone !== undefined && { phone }),
	};
}

/** The number in two parts, however it was sent (docs/service/signers.md#phones). */
function phoneOf({ phone, phone_number: text }: IDataObject): IDataObject | undefined {
	if (phone !== undefined) return phone as IDataObject;
	if (typeof text !== 'string') return undefined;
	const foreign = /^\+(49|44)(\d+)$/.exec(text);
	return foreign === null
		? { country_code: '1', number: text }
		: { country_code: foreign[1], number: foreign[2] };
}
