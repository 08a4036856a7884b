import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';

import { joinSentences } from '../../../values/words';
import type { OperationCall, OperationResult } from '../../../run/operation';
import { hasEnded } from '../../../transport/answers/transactionState';
import { pickFields } from '../../../form/output';
import type { CollectedPackage } from './entries';
import { saveJson } from './contents';
import type { PackageForm } from './form';
import { buildLackFailure, listLabels } from './missingFiles';

/* What comes out of a package. */

/**
 * What a package has in all, as the manifest has it: the same for the same files, whatever this run
 * had to do for them.
 */
function summarize({ transaction, manifest, missing }: CollectedPackage): IDataObject {
	const ended = hasEnded(transaction);
	return {
		transaction_id: transaction.id,
		...pickFields(transaction, ['loan_number', 'transaction_name']),
		// More may come as long as the transaction goes on, and nobody knows in a state that isn't known.
		complete: missing.length > 0 ? false : (ended ?? null),
		file_count: manifest.length,
		missing_count: missing.length,
		missing_files: listLabels(missing),
		manifest,
		missing: missing.map(({ kind, id, label, lack: { why, explanation: words } }) => ({
			transaction_id: transaction.id,
			kind,
			id,
			document_name: label,
			why,
			message: joinSentences(...words),
		})),
	};
}

/**
 * Builds the results of an item: a file each, the manifest last, or all in one.
 * @throws ExplainedFailure when nothing comes out because files are missing
 */
export async function buildResults(
	{ context, service }: OperationCall,
	collected: CollectedPackage,
	{ kinds, inOneItem, field }: PackageForm,
): Promise<OperationResult[]> {
	const { transaction, received, missing, total } = collected;
	const summary = summarize(collected);
	const manifests = kinds.has('manifest')
		? [await saveJson(context, service.hide(summary), collected.manifestName)]
		: [];
	const json = { ...summary, new_count: received.length };
	const results: OperationResult[] = [];
	if (inOneItem) {
		const files = [...received.map(({ file }) => file), ...manifests];
		const binary: IBinaryKeyData = Object.fromEntries(
			files.map(({ result: content }, index) => [`${field}_${index + 1}`, content]),
		);
		results.push({ json, ...(files.length > 0 && { binary }) });
	} else {
		for (const { row, file } of received) {
			const { transaction_id, ...facts } = row;
			const { loan_number } = summary;
			results.push({
				json: { transaction_id, loan_number, ...facts },
				binary: { [field]: file.result },
			});
		}
		for (const { result: content, facts } of manifests)
			results.push({
				json: { ...json, kind: 'manifest', id: transaction.id, ...facts },
				binary: { [field]: content },
			});
	}
	if (missing.length === 0) return results;
	if (results.length === 0) throw buildLackFailure(missing, total);
	const count = missing.length === 1 ? '1 file is' : `${missing.length} files are`;
	results[0].hint = `${count} missing: ${listLabels(missing)}. 'missing' in the output says why`;
	return results;
}
