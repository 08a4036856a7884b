import type { IDataObject } from 'n8n-workflow';

import type { TransactionAnswer } from '../../../transport/answers/answers';
import { ServiceFailure } from '../../../transport/failure/failure';
import type { Platform } from '../../../transport/service/endpoints';
import { chosenSigner } from '../../signer/api';
import { signerFieldsNotShown, signerToRequest } from './requestFields';
import type { KeptSigner } from './signerRules';

/*
 * Settings that no answer is sure to show. Whoever writes a closing or signers back would remove
 * them, so that a person says what they are (docs/service/signers.md#signer-answer,
 * docs/service/transactions.md#request-names-and-answer-names).
 */

/** The settings of a transaction that no answer shows, as a person has given them. */
export interface GivenSettings {
	/** Fields of the closing itself. */
	closing: IDataObject;
	/** Fields of signers, by ID, external ID or email address. Whoever isn't here has none. */
	signers: Array<{ signer: string; fields: IDataObject }>;
}

/** Whether to stop where settings aren't shown, or what they are. */
export type NotShown = 'ask' | GivenSettings;

/** Says that there are no settings but those that are shown. */
export const NONE: GivenSettings = { closing: {}, signers: [] };

/** Fields of a closing that no answer shows. Its type can be missing where signers have identity checks. */
const CLOSING_FIELDS = ['paper_note_consent', 'require_new_signer_verification'];

/**
 * Names the settings of a closing itself that aren't shown.
 * @param given fields that the change sets in any case
 */
export function closingFieldsNotShown(closing: TransactionAnswer, given: IDataObject): string[] {
	const { transaction_type: type } = closing;
	return [
		...CLOSING_FIELDS.filter((name) => closing[name] === undefined),
		...(type === undefined || type === null ? ['transaction_type'] : []),
	].filter((name) => given[name] === undefined);
}

/**
 * Names the settings of signers that aren't shown.
 * @param corrected fields that the change sets, of one signer
 */
export function signersFieldsNotShown(
	{ signers }: TransactionAnswer,
	platform: Platform,
	assuranceField: string,
	corrected?: { signer: IDataObject; changes: IDataObject },
): string[] {
	const names = (signers ?? []).flatMap((signer) =>
		signerFieldsNotShown(signer, platform, assuranceField).filter(
			(name) => signer !== corrected?.signer || corrected.changes[name] === undefined,
		),
	);
	return [...new Set(names)].map((name) =>
		name === assuranceField ? 'assurance_requirement' : name,
	);
}

/** @throws ServiceFailure `settingsNotShown` where a person has to say what they are */
export function requireSettings(notShown: NotShown, names: string[]): GivenSettings {
	if (notShown !== 'ask') return notShown;
	if (names.length === 0) return NONE;
	throw new ServiceFailure({ code: 'settingsNotShown', names }, { final: true });
}

/**
 * Builds the signers of a transaction as they are, as fields of a request.
 * @throws ServiceFailure when settings are given for somebody who isn't one signer
 */
export function signersAsTheyAre(
	transaction: TransactionAnswer,
	{ signers: given }: GivenSettings,
	assuranceField: string,
): KeptSigner[] {
	const settings = new Map<IDataObject, IDataObject>();
	for (const { signer, fields } of given) {
		const answer = chosenSigner(transaction, signer);
		settings.set(answer, { ...settings.get(answer), ...fields });
	}
	return (transaction.signers ?? []).map((answer) => ({
		answer,
		request: { ...signerToRequest(answer, assuranceField), ...settings.get(answer) },
	}));
}
