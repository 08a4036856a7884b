import { defineOperation } from '../../run/operation';
import { inStore } from '../../transport/download';
import { outputField, platform } from '../shared/commonFields';
import { transactionLocator } from '../shared/locators';
import { parseTarget } from './api';
import { collect } from './package/collect';
import { packageFields, parseWanted } from './package/form';
import { receiveJson } from './package/jsonFile';
import { hintOf, lackFailure } from './package/missing';
import { resultsOf, summaryOf } from './package/output';

const properties = [platform, transactionLocator, ...packageFields, outputField];
const situation = { operation: 'transaction/downloadPackage', properties };

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
	properties,
	async execute(call) {
		const { context, service, params } = call;
		const target = parseTarget(params);
		const wanted = parseWanted(params, target.transactionId);
		const collected = await collect(call, target, wanted, situation);
		const { missing, total } = collected;
		if (wanted.failsIfMissing && missing.length > 0) throw lackFailure(missing, total);
		const list = wanted.kinds.has('manifest')
			? await receiveJson(
					service.hide(summaryOf(collected)),
					inStore(context),
					collected.manifestName,
				)
			: undefined;
		const results = resultsOf(collected, wanted, list && { binary: list.kept, facts: list.facts });
		if (missing.length === 0) return results;
		if (results.length === 0) throw lackFailure(missing, total);
		results[0].hint = hintOf(missing);
		return results;
	},
});
