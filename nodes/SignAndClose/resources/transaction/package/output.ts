import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';

import type { OperationResult } from '../../../run/operation';
import { hasEnded } from '../../../transport/answers/transactionState';
import type { Downloaded } from '../../../transport/download';
import { fieldsOf } from '../../shared/output';
import type { Collected } from './collect';
import type { Wanted } from './form';
import { namesOf, shownMissing } from './missing';

/* What comes out of a package. */

/**
 * What a package has in all, as the manifest has it: the same for the same files, whatever this run
 * had to do for them.
 */
export function summaryOf({ transaction, manifest, missing }: Collected): IDataObject {
	const ended = hasEnded(transaction);
	return {
		transaction_id: transaction.id,
		...fieldsOf(transaction, ['loan_number', 'transaction_name']),
		// More may come as long as the transaction goes on, and nobody knows in a state that isn't known.
		complete: missing.length > 0 ? false : (ended ?? null),
		file_count: manifest.length,
		missing_count: missing.length,
		missing_files: namesOf(missing),
		manifest,
		missing: shownMissing(transaction.id, missing),
	};
}

/**
 * The results of an item: a file each, the manifest last, or all in one.
 * @param manifest as a file, if it's wanted
 */
export function resultsOf(
	collected: Collected,
	{ inOneItem, field }: Wanted,
	manifest: Downloaded | undefined,
): OperationResult[] {
	const { transaction, fetched } = collected;
	const summary = {
		...summaryOf(collected),
		new_count: fetched.length,
	};
	const { loan_number } = fieldsOf(transaction, ['loan_number']);
	if (inOneItem) {
		const files = [...fetched, ...(manifest === undefined ? [] : [manifest])];
		const binary: IBinaryKeyData = Object.fromEntries(
			files.map((file, index) => [`${field}_${index + 1}`, file.binary]),
		);
		return [{ json: summary, ...(files.length > 0 && { binary }) }];
	}
	const { id } = transaction;
	return [
		...fetched.map(({ row: { transaction_id, ...row }, binary }) => ({
			json: { transaction_id, loan_number, ...row },
			binary: { [field]: binary },
		})),
		...(manifest === undefined
			? []
			: [
					{
						json: { ...summary, kind: 'manifest', id, ...manifest.facts },
						binary: { [field]: manifest.binary },
					},
				]),
	];
}
