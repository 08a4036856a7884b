import { defineOperation } from '../../../run/operation';
import { retrieveTransaction } from '../../../transport/answers/transaction';
import { platform } from '../../../form/commonFields';
import { defineChoice } from '../../../form/fields';
import { transactionLocator } from '../../../form/locators';
import { parseTransactionTarget } from '../api';
import { runChecks } from './checks';
import { collectFacts, enoteFileField, readEnote } from './facts';
import { describeFindings, toFinding, toSummary } from './report';

const outputChoice = defineChoice(
	'Output',
	'checkOutput',
	[
		['Summary', 'summary', 'One item for each transaction, with counts and texts'],
		['One Item for Each Finding', 'findings', 'For a table of all that was checked'],
	],
	'What comes out. A node behind this one runs once for each item.',
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
	properties: [platform, transactionLocator, enoteFileField, outputChoice],
	async execute(call) {
		const { service, params } = call;
		const target = parseTransactionTarget(params);
		const isSummary = params.getChoice(outputChoice.name) !== 'findings';
		const enote = await readEnote(call);
		const { transactionId, platform } = target;
		const transaction = await retrieveTransaction(service, transactionId, platform);
		const findings = runChecks({ ...(await collectFacts(call, transaction, target)), enote });
		const hint = describeFindings(call, transaction, findings);
		return isSummary
			? { json: toSummary(transaction, findings), hint }
			: findings.map((finding) => ({ json: toFinding(transaction.id, finding), hint }));
	},
});
