import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../client';
import type { Platform } from '../endpoints';
import { toStreetAddress } from '../values/address';
import { asObject, asObjects, withoutEmpty } from '../values/json';
import { retrieveTransaction } from './transactions';

/*
 * Changes drafts. A closing has no partial update, and its PUT may reset what isn't sent, so it is
 * read, merged and written as a whole (docs/service/transactions.md#update-a-draft).
 */

/**
 * Fields that the service adds to a closing (docs/service/transactions.md#answer-fields), or that
 * are set below. All other fields are written back, known here or not.
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

/** Turns a signer of an answer into one for a request: without the fields that the service adds. */
export function toWritableSigner(signer: IDataObject): IDataObject {
	return withoutEmpty({ ...signer, id: undefined, signing_status: undefined });
}

/**
 * Builds the signer fields of a closing from its signers, the primary one first. One signer is
 * `signer`. With several, all of them are in `signers` too, although a service may refuse both
 * fields together (docs/service/transactions.md#signer-signers-and-cosigner).
 */
export function closingSigners(signers: IDataObject[]): IDataObject {
	return { signer: signers[0], ...(signers.length > 1 && { signers }) };
}

/**
 * Builds the body of a closing's PUT: its current state with the changes.
 * @param current the closing as retrieved a moment ago
 * @param changes request fields; `signers` replaces all signers, `street_address` is merged by its
 *   parts
 * @param assuranceField the service's name for the identity-assurance object
 * @returns the body, and whether any signer has the identity-assurance object
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
			// Null goes with the identity-assurance object
			// (docs/service/api.md#path-of-a-closing-with-identity-assurance).
			transaction_type: assurance ? null : (type ?? null),
		},
		assurance,
	};
}

/**
 * Changes a draft: by a partial update on business, as a whole on real estate.
 * @param transaction the draft as retrieved a moment ago
 * @param changes request fields
 * @returns the transaction as the service has it now
 * @throws ServiceFailure with `flags.inDoubt` when the change may have been made
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
