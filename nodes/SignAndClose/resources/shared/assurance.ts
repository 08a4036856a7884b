import type { IDataObject } from 'n8n-workflow';

import { asBoolean } from '../../values/shown';
import { asObject, asText } from '../../values/json';

/* The identity-assurance object of a signer (docs/service/signers.md#identity-assurance). */

/** Which checks a signer has to pass. */
interface Assurance {
	selfie: boolean;
	knowledge: boolean;
	sms: boolean;
}

/**
 * Builds the identity-assurance object. A live service requires `knowledge_based_authentication` in
 * it, so that is also sent when it isn't chosen; the other two are left out then.
 * @returns undefined when no check is chosen
 */
export function toAssurance({ selfie, knowledge, sms }: Assurance): IDataObject | undefined {
	if (!selfie && !knowledge && !sms) return undefined;
	return {
		...(selfie && { id_verification: { selfie: true } }),
		knowledge_based_authentication: knowledge,
		...(sms && { multi_factor_authentication: { type: 'sms' } }),
	};
}

/** Reads which checks an identity-assurance object of the service asks for. */
export function readAssurance(value: IDataObject): Assurance {
	return {
		selfie: asBoolean(asObject(value.id_verification).selfie) === true,
		knowledge: asBoolean(value.knowledge_based_authentication) === true,
		sms: asText(asObject(value.multi_factor_authentication).type)?.toLowerCase() === 'sms',
	};
}
