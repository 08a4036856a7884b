import { defineOperation } from '../../run/operation';
import { retrieveTransaction } from '../../transport/answers/retrieveTransaction';
import { platform } from '../shared/commonFields';
import { flag } from '../shared/fields';
import { transactionLocator } from '../shared/locators';
import { parseTarget } from './api';
import { findingsOf, toFinding, toSummary } from './check/check';
import { allFacts, enoteFile, readEnote } from './check/facts';

const summary = flag(
	'Summary',
	'summary',
	'Whether to return one item for each transaction, with counts and texts, instead of one for each finding',
);

/**
 * Checks whether anything is missing before a transaction goes out, by what the service shows of it.
 * What no answer shows stays unknown (docs/check.md).
 */
export const checkTransaction = defineOperation({
	resource: 'transaction',
	value: 'check',
	name: 'Check',
	action: 'Check transaction before sending',
	description: 'Show what is missing in a draft before you send it. Changes nothing.',
	kind: 'read',
	passesFiles: true,
	properties: [platform, transactionLocator, summary, enoteFile],
	async execute(call) {
		const { service, params } = call;
		const target = parseTarget(params);
		const isSummary = params.boolean(summary.name);
		const enote = await readEnote(call);
		const { transactionId, platform } = target;
		const transaction = await retrieveTransaction(service, transactionId, platform);
		const findings = findingsOf({ ...(await allFacts(call, transaction, target)), enote });
		return isSummary
			? { json: toSummary(transaction, findings) }
			: findings.map((finding) => ({ json: toFinding(transaction.id, finding) }));
	},
});
