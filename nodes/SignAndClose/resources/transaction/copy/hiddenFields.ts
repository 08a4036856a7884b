import type { IDataObject } from 'n8n-workflow';

import { findFieldLabel } from '../../../form/hints';
import { toTitle } from '../../../form/titles';
import type { OperationCall } from '../../../run/operation';
import type { TransactionAnswer } from '../../../transport/answers/shapes';
import type { Platform } from '../../../transport/service/endpoints';
import { isBlank } from '../../../values/comparison';
import { OPTIONAL_PLACES } from '../../draft/draftUpdate';
import { listHiddenSignerFields } from '../../draft/requestFields';
import { listUnknownClosingFields, listUnknownSignerFields } from '../../draft/unknownFields';
import { formatSignerName } from '../../signer/api';
import type { NotCopied } from './notCopied';

/* What a copy can't have of a transaction, because no answer shows it, or no request is known to have it. */

/** What a create takes and no answer is sure to show (docs/service/transactions.md#creation-fields). */
const HIDDEN_FIELDS: Record<string, string[]> = {
	business: [
		'allow_signer_annotations',
		'authentication_requirement',
		'require_new_signer_verification',
		'suppress_email',
	],
	realEstate: [
		'allowed_notary_states',
		'jurisdiction_eligibility_consent',
		'paper_note_consent',
		'require_new_signer_verification',
		'skip_closing_ops',
		'suppress_email',
	],
};

/** The fields of these that an answer shows all the same. */
export const pickHiddenFields = (from: IDataObject, platform: Platform): IDataObject =>
	Object.fromEntries(HIDDEN_FIELDS[platform].map((name) => [name, from[name]]));

/** What is shown, and that no request is known to have. */
export function listUnknown(
	{ service }: OperationCall,
	old: TransactionAnswer,
	platform: Platform,
): NotCopied[] {
	const describe = (subject: string, from: IDataObject, names: string[]) =>
		names.map((name): NotCopied => ({
			subject,
			field: toTitle(name),
			value: from[name],
			reason: 'unknown',
		}));
	return [
		...describe('', old, listUnknownClosingFields(old, pickHiddenFields({}, platform))),
		...(old.signers ?? []).flatMap((signer) =>
			describe(
				formatSignerName(signer),
				signer,
				listUnknownSignerFields([signer], service.settings.assuranceField),
			),
		),
	];
}

/** What isn't shown, and may be set. */
export function listHidden(
	{ service: { settings }, params }: OperationCall,
	old: TransactionAnswer,
	{
		platform,
		fields,
		signers,
	}: { platform: Platform; fields: IDataObject; signers: IDataObject[] },
): NotCopied[] {
	const { assuranceField } = settings;
	const describe = (name: string, subject = ''): NotCopied => ({
		subject,
		field: name === assuranceField ? 'Identity Checks' : findFieldLabel(params, name),
		reason: 'hidden',
	});
	const places = OPTIONAL_PLACES.filter((name) => old[name] === undefined);
	const closingFields = [
		...places,
		...(isBlank(old.transaction_type) && isBlank(fields.transaction_type)
			? ['transaction_type']
			: []),
	];
	return [
		...HIDDEN_FIELDS[platform].filter((name) => fields[name] === undefined),
		...(platform === 'realEstate' ? closingFields : []),
	]
		.map((name) => describe(name))
		.concat(
			(old.signers ?? []).flatMap((signer, index) =>
				listHiddenSignerFields(signer, platform, assuranceField)
					.filter((name) => signers[index][name] === undefined)
					.map((name) => describe(name, formatSignerName(signer))),
			),
		);
}
