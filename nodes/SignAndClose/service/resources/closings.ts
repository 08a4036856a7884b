import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../client';
import type { Platform } from '../endpoints';
import { retrieveTransaction } from './transactions';
import { asObject, asObjects, withoutEmpty } from '../values/json';
import { toStreetAddress } from '../values/address';

/**
 * Changing what exists. A closing has no partial update: its PUT resets what is not sent (gaps.md
 * §1), so it is read, merged and written.
 */

/**
 * What the service adds to a closing (interface.md §2, gaps.md §5, §7); everything else was written
 * once and is written again, known here or not.
 */
const ADDED = new Set([
	'id',
	'audit_trail_url',
	'date_created',
	'date_updated',
	'detailed_status',
	'status',
	'documents',
	'signer_info',
	'signers',
	'signer',
	'notarization_record',
	'notarization_records',
	'transaction_type',
	'object',
	'created_at',
	'updated_at',
	'meetings',
	'signer_access_link',
	'draft',
]);

/**
 * A signer of an answer as a request takes it: without what the service adds, which is no property
 * of the person.
 */
export function toWritableSigner(signer: IDataObject): IDataObject {
	return withoutEmpty({ ...signer, id: undefined, signing_status: undefined });
}

/**
 * The signers of a closing as the service takes them: one is `signer` (interface.md §2); with
 * co-signers all of them follow in `signers` (def).
 */
export function closingSigners(signers: IDataObject[]): IDataObject {
	return { signer: signers[0], ...(signers.length > 1 && { signers }) };
}

/**
 * The body of a closing's PUT: what it is now, with the changes.
 * @param current as retrieved a moment ago
 * @param changes wire fields; `signers` replaces all of them, parts of `street_address` are merged
 * @param type the transaction type of the closing, where it is changed
 */
function mergeClosing(
	current: IDataObject,
	changes: IDataObject,
	assuranceField: string,
): { body: IDataObject; assurance: boolean } {
	const {
		signers: newSigners,
		street_address: newAddress,
		transaction_type: type = current.transaction_type,
		...rest
	} = changes;
	const signers = asObjects(newSigners ?? current.signers).map(toWritableSigner);
	const assurance = signers.some((signer) => signer[assuranceField] !== undefined);
	const address = { ...asObject(current.street_address), ...asObject(newAddress) };
	const kept = withoutEmpty(
		Object.fromEntries(Object.entries(current).filter(([field]) => !ADDED.has(field))),
	);
	return {
		body: {
			...kept,
			...rest,
			...closingSigners(signers),
			street_address: {
				...address,
				...toStreetAddress({
					zipCode: (asObject(newAddress).zip_code ?? address.zip_code ?? address.postal) as
						string | undefined,
				}),
			},
			// interface.md §2: null for a transaction with the identity-assurance object.
			transaction_type: assurance ? null : (type ?? null),
		},
		assurance,
	};
}

/**
 * Changes a draft: partly on business, as a whole on real estate.
 * @returns the transaction as the service has it now
 */
export async function updateDraft(
	service: ServiceClient,
	platform: Platform,
	transaction: IDataObject,
	changes: IDataObject,
): Promise<IDataObject> {
	const transactionId = String(transaction.id);
	const request =
		platform === 'realEstate'
			? mergeClosing(transaction, changes, service.settings.assuranceField)
			: { body: changes };
	return await service.written(
		'updateTransaction',
		{ path: { transactionId }, platform, ...request },
		async () => await retrieveTransaction(service, transactionId, platform),
	);
}
