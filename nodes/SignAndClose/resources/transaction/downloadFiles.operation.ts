import { ExplainedFailure } from '../../messages/explainedFailure';
import { defineOperation } from '../../run/operation';
import { retrieveTransaction } from '../../transport/answers/retrieveTransaction';
import { findFiles } from '../../transport/linkedFiles';
import { outputField, platform } from '../shared/commonFields';
import { choice, parseChosen } from '../shared/fields';
import { transactionLocator } from '../shared/locators';
import { parseTarget } from './api';
import { FILE_KINDS, otherFiles } from './files';

const files = choice(
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
	properties: [platform, transactionLocator, files, outputField],
	async execute({ context, service, params }) {
		const { transactionId, platform } = parseTarget(params);
		const field = params.required('binaryPropertyName');
		const wanted = parseChosen(params, 'files', FILE_KINDS);
		const files = await findFiles(service, async () =>
			otherFiles(await retrieveTransaction(service, transactionId, platform)).filter(({ kind }) =>
				wanted.has(kind),
			),
		);
		const saved = await files.downloadAll(context);
		if (saved.length === 0)
			throw new ExplainedFailure(
				"This transaction has none of the chosen 'Files' yet",
				"Start this workflow with the 'Sign and Close Trigger' on completed transactions. Not every transaction has these files",
			);
		return saved.map(({ file: { kind, date }, binary, facts }) => ({
			json: { transaction_id: transactionId, kind, date_created: date ?? null, ...facts },
			binary: { [field]: binary },
		}));
	},
});
