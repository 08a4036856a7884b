import { ExplainedFailure } from '../../messages/failures';
import { defineOperation } from '../../run/operation';
import { retrieveTransaction } from '../../transport/answers/transaction';
import { findFiles } from '../../transport/fileDownload/linkedFiles';
import { outputField, platform } from '../../form/commonFields';
import { defineChoice } from '../../form/fields';
import { parseSelection } from '../../form/input';
import { transactionLocator } from '../../form/locators';
import { parseTransactionTarget } from './api';
import { FILE_KINDS, listOtherFiles } from './files';

const filesField = defineChoice(
	'Files',
	'files',
	FILE_KINDS,
	'The files to download, as far as there are any',
	{
		type: 'multiOptions',
		default: FILE_KINDS.map(([, value]) => value),
	},
);

/**
 * Downloads what a transaction has besides its documents and its audit trail, behind temporary links
 * (docs/service/transactions.md#answer-fields). One item for each file.
 */
export const downloadFiles = defineOperation({
	resource: 'transaction',
	value: 'downloadFiles',
	name: 'Download Files',
	action: 'Download files of transaction',
	description: 'Download attachments, charge statement and identity report, one item for each file',
	kind: 'read',
	properties: [platform, transactionLocator, filesField, outputField],
	async execute({ context, service, params }) {
		const { transactionId, platform } = parseTransactionTarget(params);
		const field = params.getRequired('binaryPropertyName');
		const kinds = parseSelection(params, 'files', FILE_KINDS);
		const linkedFiles = await findFiles(service, async () =>
			listOtherFiles(await retrieveTransaction(service, transactionId, platform)).filter(
				({ kind }) => kinds.has(kind),
			),
		);
		const downloads = await linkedFiles.downloadAll(context);
		if (downloads.length === 0)
			throw new ExplainedFailure(
				"This transaction has none of the chosen 'Files' yet",
				"Start this workflow with the 'Sign and Close Trigger' on completed transactions. Not every transaction has these files",
			);
		return downloads.map(({ file: { kind, date }, binary, facts }) => ({
			json: { transaction_id: transactionId, kind, date_created: date ?? null, ...facts },
			binary: { [field]: binary },
		}));
	},
});
