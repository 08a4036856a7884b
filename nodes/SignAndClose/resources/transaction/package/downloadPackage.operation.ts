import { defineOperation } from '../../../run/operation';
import { collectPackage } from './entries';
import { packageProperties, parsePackageForm } from './form';
import { buildResults } from './output';

/**
 * Downloads everything that a transaction leaves behind, and says what is missing: documents
 * (docs/service/documents.md#retrieve-a-document), audit trail, other files, and those of its
 * notarization records (docs/service/notarization.md#notarization-record).
 */
export const downloadPackage = defineOperation({
	resource: 'transaction',
	value: 'downloadPackage',
	name: 'Download Package',
	action: 'Download package of transaction',
	description:
		'Download all files of a transaction, with a manifest of them and of what is missing',
	kind: 'read',
	properties: packageProperties,
	async execute(call) {
		const form = parsePackageForm(call.params);
		return await buildResults(call, await collectPackage(call, form), form);
	},
});
