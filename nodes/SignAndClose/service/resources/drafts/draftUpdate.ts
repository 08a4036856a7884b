import type { IDataObject } from 'n8n-workflow';

import { readTransaction, type TransactionAnswer } from '../../answers';
import type { ServiceClient } from '../../client';
import type { Platform } from '../../endpoints';
import { ServiceFailure } from '../../errors/failure';
import { goalOf, UNKNOWN, write, type Goal } from '../../goals';
import { closingToRequest, isEmpty, signerToRequest } from '../../requestFields';
import { asObject, asObjects, withoutEmpty } from '../../values/json';
import { judgeChanges } from './changes';
import { retrieveTransaction } from '../transactions';

/*
 * Changes drafts. A closing has no partial update, and its PUT may reset what isn't sent, so it is
 * read, merged and written as a whole (docs/service/transactions.md#update-a-draft).
 */

/**
 * Builds the signer fields of a closing: `signer` for one, `signers` for several, because the
 * service refuses both together (docs/service/transactions.md#signer-signers-and-cosigner).
 * @param signers request fields of each signer, the primary one first
 */
export function closingSigners(signers: IDataObject[]): IDataObject {
	if (signers.length === 0) return {};
	return signers.length === 1 ? { signer: signers[0] } : { signers };
}

/**
 * Checks that an answer has everything that a PUT has to send back. A shorter one would wipe what
 * it leaves out.
 * @throws ServiceFailure `incompletelyRead` with what is missing
 */
function requireWhole(closing: TransactionAnswer): void {
	const missing = [
		...['signers', 'documents', 'street_address', 'status'].filter(
			(name) => closing[name] === undefined,
		),
		// A closing always has a signer, so null says only that they aren't shown.
		...(closing.signers === null ? ['signers'] : []),
		...((closing.signers ?? []).some(
			({ email, recipient_group: group }) => isEmpty(email) && isEmpty(group),
		)
			? ['signers[].email']
			: []),
	];
	if (missing.length > 0)
		throw new ServiceFailure(
			{ code: 'incompletelyRead', missing, toWriteBack: true },
			{ final: true },
		);
}

/**
 * Builds the body of a closing's PUT: its current state with the changes.
 * @param closing as retrieved a moment ago
 * @param changes request fields; `signers` replaces all signers, `street_address` and `redirect` are
 *   merged by their parts
 * @returns the body, and whether any signer has the identity-assurance object
 */
function mergeClosing(
	closing: TransactionAnswer,
	changes: IDataObject,
	assuranceField: string,
): { body: IDataObject; assurance: boolean } {
	const { signers: newSigners, street_address: newAddress, redirect, ...rest } = changes;
	const kept = closingToRequest(closing);
	const signers =
		newSigners === undefined
			? (closing.signers ?? []).map((signer) => signerToRequest(signer, assuranceField))
			: asObjects(newSigners);
	const assurance = signers.some((signer) => !isEmpty(signer[assuranceField]));
	const address = { ...asObject(kept.street_address), ...asObject(newAddress) };
	return {
		body: {
			...kept,
			...rest,
			...(redirect !== undefined && {
				redirect: { ...asObject(kept.redirect), ...asObject(redirect) },
			}),
			...closingSigners(signers),
			...(!isEmpty(address) && { street_address: withoutEmpty(address) }),
			// Null goes with the identity-assurance object, which answers need not show
			// (docs/service/api.md#path-of-a-closing-with-identity-assurance).
			...((assurance ||
				(closing.transaction_type === null && changes.transaction_type === undefined)) && {
				transaction_type: null,
			}),
		},
		assurance,
	};
}

/**
 * Changes a draft: by a partial update on business, as a whole on real estate.
 * @param changes request fields
 * @param before the transaction as retrieved a moment ago
 * @returns the transaction as the service has it now
 * @throws ServiceFailure `incompletelyRead` before anything is sent; `notDone` when the service
 *   shows no change; with `flags.inDoubt` when the change may have been made
 */
export async function updateDraft(
	service: ServiceClient,
	platform: Platform,
	before: TransactionAnswer,
	changes: IDataObject,
): Promise<TransactionAnswer> {
	const transactionId = before.id;
	const { assuranceField } = service.settings;
	if (platform === 'realEstate') requireWhole(before);
	const request =
		platform === 'realEstate' ? mergeClosing(before, changes, assuranceField) : { body: changes };
	return await write(
		service,
		async () =>
			await service.json('updateTransaction', { path: { transactionId }, platform, ...request }),
		changesGoal(service, { transactionId, platform, changes, before }),
	);
}

/** The goal of an update: the transaction shows the changes. */
export function changesGoal(
	service: ServiceClient,
	{
		transactionId,
		platform,
		changes,
		before,
	}: {
		transactionId: string;
		platform: Platform;
		changes: IDataObject;
		before?: TransactionAnswer;
	},
): Required<Goal<TransactionAnswer>> {
	const context = { platform, assuranceField: service.settings.assuranceField, before };
	return goalOf(
		(shown) => {
			const transaction = readTransaction(shown);
			return transaction === undefined ? UNKNOWN : judgeChanges(changes, transaction, context);
		},
		async () => await retrieveTransaction(service, transactionId, platform),
	);
}
