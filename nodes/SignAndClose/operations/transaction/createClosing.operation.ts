import type { IDataObject } from 'n8n-workflow';

import { defineOperation } from '../../core/operation';
import type { Params } from '../../core/params';
import { readAddress } from '../../fields/address';
import { closingProperties } from '../../fields/closing';
import { simplify } from '../../fields/transaction';
import { explainNoJson } from '../../service/errors';
import { InputFailure } from '../../service/failures';
import type { ServiceSettings } from '../../service/settings';
import { findCreated, simplifyTransaction, withTransactionIds } from '../../service/transactions';
import { asObject, asText, toAssurance, toStreetAddress, withoutEmpty } from '../../service/wire';

const NEXT = "This closing is a draft: add its documents with 'Document: Add', the eNote with 'eNote: Add', then use 'Transaction: Send'";

/** interface.md §4, Create Transaction (real estate): always created as a draft. */
export const createClosing = defineOperation({
	resource: 'transaction',
	value: 'createClosing',
	name: 'Create Closing',
	action: 'Create closing',
	description: 'Create a real-estate closing as a draft, ready for its documents',
	kind: 'write',
	properties: [...closingProperties, simplify],
	async execute({ service, params }) {
		const { body, assurance } = readClosing(params, service.settings);
		const closing = asObject(await service.json('createTransaction', { platform: 'realEstate', assurance, body }));
		if (asText(closing.id) === undefined) throw explainNoJson(200);
		return { json: output(params, closing), hint: NEXT };
	},
	async lookUp(call) {
		const { service, params } = call;
		const { body } = readClosing(params, service.settings);
		const closing = await findCreated(call, 'realEstate', body);
		return closing && { json: output(params, closing), hint: NEXT };
	},
});

function output(params: Params, closing: IDataObject): IDataObject {
	return params.boolean('simplify') ? simplifyTransaction(closing) : withTransactionIds(closing);
}

/**
 * The body of a new closing. With identity assurance the type is null and the request goes to /mortgage/v2 (interface.md §2).
 * @throws InputFailure naming the parameter
 */
function readClosing(params: Params, settings: ServiceSettings): { body: IDataObject; assurance: boolean } {
	const more = params.object('additionalFields');
	const checks = params.raw('identityChecks');
	const chosen = new Set(Array.isArray(checks) ? checks.map(String) : []);
	const assurance = toAssurance({ selfie: chosen.has('selfie'), knowledge: chosen.has('knowledge'), sms: chosen.has('sms') });
	const signer = readSigner(params, chosen);
	if (assurance !== undefined) signer[settings.assuranceField] = assurance;
	const extra = params.json('additionalJson', more.additionalJson);
	if (extra !== undefined && (typeof extra !== 'object' || Array.isArray(extra))) {
		throw new InputFailure(params.label('additionalJson'), 'is not a JSON object', 'Write fields in braces, e.g. {"cash_out": true}');
	}
	const body: IDataObject = {
		...withoutEmpty({
			transaction_name: params.required('transactionName'),
			signer,
			street_address: toStreetAddress(readAddress(params)),
			recording_jurisdiction_id: params.locator('recordingJurisdictionId'),
			title_agency_id: params.locator('titleAgencyId'),
			title_underwriter_id: params.locator('titleUnderwriterId'),
			organization_id: settings.organizationId,
			file_number: params.textOf(more, 'file_number'),
			loan_number: params.textOf(more, 'loan_number'),
			message_to_signer: params.textOf(more, 'message_to_signer'),
			paper_note_consent: more.paper_note_consent,
			require_secondary_photo_id: more.require_secondary_photo_id,
		}),
		transaction_type: assurance === undefined ? params.required('transactionType') : null,
		...asObject(extra),
	};
	return { body, assurance: assurance !== undefined };
}

function readSigner(params: Params, checks: ReadonlySet<string>): IDataObject {
	const email = params.required('signerEmail');
	if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) {
		throw new InputFailure(params.label('signerEmail'), `is '${email}'`, 'Enter one complete e-mail address, e.g. jane@example.com');
	}
	const phone = params.text('signerPhone')?.replace(/[\s().-]/g, '');
	if (checks.has('sms') && phone === undefined) {
		throw new InputFailure(params.label('signerPhone'), 'is empty', "Enter the signer's phone number: the SMS code of 'Identity Checks' goes there");
	}
	return withoutEmpty({
		email,
		first_name: params.required('signerFirstName'),
		middle_name: params.text('signerMiddleName'),
		last_name: params.required('signerLastName'),
		phone_number: phone,
		external_id: params.text('signerExternalId'),
	});
}
