import type { IDataObject } from 'n8n-workflow';

import { readTogether } from '../../../messages/faults';
import type { OperationCall } from '../../../run/operation';
import { withoutEmpty } from '../../../values/json';
import { readAddress } from '../../address/address';
import { toStreetAddress } from '../../address/streetAddress';
import { parseOrganization } from '../../shared/commonFields';
import { withExternalIds } from '../../signer/input';
import { readRow } from '../row/readRow';
import { readRowSigners } from '../row/rowSigners';
import { closingSigners } from '../update/draftUpdate';
import { readClosingFields } from './closingOptional';
import { readClosingSigners } from './closingRequired';

/* Reads a new closing (docs/service/transactions.md#create-a-closing). */

/** A closing as it is sent. */
export interface ReadClosing {
	body: IDataObject;
	/** The type that was chosen, where the body has null for it. */
	type?: string;
	/** Whether it goes to the prefix for identity assurance. */
	assurance: boolean;
	signers: IDataObject[];
	/** Headings of columns that fill in nothing. */
	leftOut: string[];
}

/**
 * Builds the body of a new closing from the form or from the item's row. With identity assurance,
 * the type is null at first and the request goes to another prefix
 * (docs/service/api.md#path-of-a-closing-with-identity-assurance).
 * @throws InputFailure naming the parameters, all faults at once
 */
export function readClosing(call: OperationCall): ReadClosing {
	const { settings } = call.service;
	const row = readRow(call, 'closing');
	const params = row?.params ?? call.params;
	const additional = params.object('additionalFields');
	const chosen = (name: string) => params.locatorOf(name, additional[name]);
	let assurance = false;
	const {
		read,
		type,
		address,
		optional: { fields, country },
		...named
	} = readTogether({
		read: () => {
			const all = row
				? readRowSigners(params, row.signers, settings.assuranceField)
				: readClosingSigners(params, settings.assuranceField);
			assurance = all.some(({ checks }) => checks > 0);
			return all;
		},
		type: () => (assurance ? params.text('transactionType') : params.required('transactionType')),
		transaction_name: () => params.required('transactionName'),
		// The second line is among the additional fields.
		address: () => {
			const { line2 = params.textOf(additional, 'addressLine2'), ...more } = readAddress(params);
			return { ...more, line2 };
		},
		recording_jurisdiction_id: () => chosen('recordingJurisdictionId'),
		title_agency_id: () => chosen('titleAgencyId'),
		title_underwriter_id: () => chosen('titleUnderwriterId'),
		organization_id: () => parseOrganization(params, settings),
		optional: () => readClosingFields(params, additional),
	});
	const signers = withExternalIds(read).map(({ signer }) => signer);
	const body: IDataObject = {
		...withoutEmpty({
			...named,
			...closingSigners(signers),
			street_address: withoutEmpty({ ...toStreetAddress(address), country }),
		}),
		transaction_type: assurance ? null : type,
		...fields,
	};
	return { body, type, assurance, signers, leftOut: row?.leftOut ?? [] };
}
