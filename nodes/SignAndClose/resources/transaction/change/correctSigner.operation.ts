import type { INodeProperties } from 'n8n-workflow';

import { parseTogether } from '../../../messages/inputFaults';
import { defineOperation, type OperationCall, type OperationResult } from '../../../run/operation';
import { mapGoal } from '../../../run/goals';
import { isDraft } from '../../../transport/answers/transactionState';
import { platform, parsePlatform } from '../../../form/commonFields';
import { defineCollection, defineFlag, defineLongText, defineText } from '../../../form/fields';
import { describeChange, joinHints } from '../../../form/hints';
import { signerLocator, transactionLocator } from '../../../form/locators';
import { isPrepared } from '../../signer/api';
import { signerDetailFields } from '../../signer/form';
import { parseCorrections } from '../../signer/input';
import { withSigningLinks, parseSendOptions, sendOptions } from '../sendOptions';
import { parseHiddenSettings, defineHiddenSettings } from '../../draft/hiddenSettings';
import { parseTransactionOutput, formatTransaction, transactionOutputFields } from '../output';
import {
	buildCorrectionGoal,
	runCorrection as correct,
	type CorrectionResult,
	type SignerCorrection,
} from './signerCorrection';

const DRAFT_HINT =
	"The signer is corrected and the transaction is a draft: use 'Transaction: Send'";
const TEAM_HINT =
	'The signer is corrected. The closing team has the closing again and sends it to the signer';

const corrections: INodeProperties[] = [
	defineText(
		'Email',
		'email',
		'jane@example.com',
		'The correct address, which the service invites instead',
	),
	defineText('External ID', 'external_id', 'borrower-1'),
	defineText('First Name', 'first_name', 'Jane'),
	defineText('Last Name', 'last_name', 'Borrower'),
	defineText('Middle Name', 'middle_name', 'Ann'),
	defineText('Phone', 'phone_number', '+1 617 555 0123'),
	defineCollection('Details', 'details', signerDetailFields),
];

/**
 * Corrects a signer, e.g. a wrong e-mail address that is discovered after sending. Signers change
 * only with a draft, so a sent transaction is recalled, changed and sent again
 * (docs/service/signers.md#change-signers-of-a-draft).
 */
export const correctSigner = defineOperation({
	resource: 'transaction',
	value: 'correctSigner',
	name: 'Correct Signer',
	action: 'Correct signer of transaction',
	description:
		'Correct a signer, even after sending. The transaction is recalled, changed and sent again, and keeps its documents and other signers.',
	kind: 'write',
	passesFiles: true,
	effect: 'Takes a sent transaction back from all of its signers and invites them again',
	properties: [
		platform,
		transactionLocator,
		signerLocator,
		defineCollection('Corrections', 'corrections', corrections, { placeholder: 'Add Correction' }),
		{
			...defineFlag(
				'Send Again',
				'sendAgain',
				'Whether to send the transaction again if it was already sent, also if it has been recalled since. A draft that was never sent stays a draft.',
			),
			default: true,
		},
		defineLongText(
			'Reason',
			'recallReason',
			'Why the transaction is recalled. The service stores the reason.',
		),
		...defineHiddenSettings(),
		defineCollection('Additional Fields', 'additionalFields', sendOptions),
		...transactionOutputFields,
	],
	check: parseTransactionOutput,
	// Its steps are no writes that are wanted by themselves: a recall alone would leave it with nobody.
	writer: {
		prepare: async () => await Promise.resolve(undefined),
		execute: async (call) => toResult(call, await correct(parseCorrection(call))),
		buildGoal: async (call) =>
			await Promise.resolve(
				mapGoal(buildCorrectionGoal(parseCorrection(call)), (corrected) =>
					toResult(call, corrected),
				),
			),
	},
});

function toResult(
	{ params }: OperationCall,
	{ transaction, steps, ...changes }: CorrectionResult,
): OperationResult {
	const hintOfState = isDraft(transaction)
		? DRAFT_HINT
		: isPrepared(transaction)
			? TEAM_HINT
			: undefined;
	const hint = joinHints([hintOfState, describeChange(params, changes)]);
	const json = { ...formatTransaction(params, transaction), correction_steps: steps };
	return withSigningLinks({ json, hint }, transaction, params);
}

function parseCorrection({ params, service, steps }: OperationCall): SignerCorrection {
	const platformOfItem = parsePlatform(params);
	return {
		service,
		memory: steps,
		platform: platformOfItem,
		...parseTogether({
			transactionId: () => params.getRequiredLocator('transactionId'),
			signer: () => params.getRequiredLocator('signerId'),
			changes: () => parseCorrections(params),
			reason: () => params.getText('recallReason'),
			notShown: () => parseHiddenSettings(params, service.settings.assuranceField),
			sendOptions: () => parseSendOptions(params, platformOfItem),
			sendAgain: () => params.getBoolean('sendAgain', true),
		}),
	};
}
