import type { INodeProperties } from 'n8n-workflow';

import { parseTogether } from '../../messages/faults';
import { defineOperation, type OperationCall, type OperationResult } from '../../run/operation';
import { mapGoal } from '../../run/outcome/goals';
import { isDraft } from '../../transport/answers/transactionState';
import { platform, parsePlatform } from '../shared/commonFields';
import { collection, flag, longText, text } from '../shared/fields';
import { changeHint, joined } from '../shared/hints';
import { signerLocator, transactionLocator } from '../shared/locators';
import { signerDetailFields } from '../signer/form';
import { parseCorrections } from '../signer/input';
import { withSigningLinks, parseSendOptions, sendOptions } from './form/sendOptions';
import { parseSettingsNotShown, settingsNotShown } from '../drafts/settingsNotShown';
import { parseTransactionForm, transactionJson, transactionOutput } from './output';
import {
	correctedGoal,
	correctSigner as correct,
	type Corrected,
	type Correction,
} from './update/signerCorrection';

const DRAFT = "The signer is corrected and the transaction is a draft: use 'Transaction: Send'";
const WITH_TEAM =
	'The signer is corrected. The closing team has the closing again and sends it to the signer';

const corrections: INodeProperties[] = [
	text(
		'Email',
		'email',
		'jane@example.com',
		'The correct address, which the service invites instead',
	),
	text('External ID', 'external_id', 'borrower-1'),
	text('First Name', 'first_name', 'Jane'),
	text('Last Name', 'last_name', 'Borrower'),
	text('Middle Name', 'middle_name', 'Ann'),
	text('Phone', 'phone_number', '+1 617 555 0123'),
	collection('Details', 'details', signerDetailFields),
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
		collection('Corrections', 'corrections', corrections, { placeholder: 'Add Correction' }),
		{
			...flag(
				'Send Again',
				'sendAgain',
				'Whether to send the transaction again if it was already sent, also if it has been recalled since. A draft that was never sent stays a draft.',
			),
			default: true,
		},
		longText(
			'Reason',
			'recallReason',
			'Why the transaction is recalled. The service stores the reason.',
		),
		...settingsNotShown(),
		collection('Additional Fields', 'additionalFields', sendOptions),
		...transactionOutput,
	],
	check: parseTransactionForm,
	// Its steps are no writes that are wanted by themselves: a recall alone would leave it with nobody.
	doing: {
		prepare: async () => await Promise.resolve(undefined),
		execute: async (call) => toResult(call, await correct(parseCorrection(call))),
		goal: async (call) =>
			await Promise.resolve(
				mapGoal(correctedGoal(parseCorrection(call)), (corrected) => toResult(call, corrected)),
			),
	},
});

function toResult(
	{ params }: OperationCall,
	{ transaction, steps, ...changed }: Corrected,
): OperationResult {
	const state = String(transaction.detailed_status ?? '');
	const next = isDraft(transaction)
		? DRAFT
		: state.startsWith('order_placed') || state.startsWith('sent_to_title')
			? WITH_TEAM
			: undefined;
	const hint = joined([next, changeHint(params, changed)]);
	const json = { ...transactionJson(params, transaction), correction_steps: steps };
	return withSigningLinks({ json, hint }, transaction, params);
}

function parseCorrection({ params, service, steps }: OperationCall): Correction {
	const side = parsePlatform(params);
	return {
		service,
		memory: steps,
		platform: side,
		...parseTogether({
			transactionId: () => params.requiredLocator('transactionId'),
			signer: () => params.requiredLocator('signerId'),
			changes: () => parseCorrections(params),
			reason: () => params.text('recallReason'),
			notShown: () => parseSettingsNotShown(params, service.settings.assuranceField),
			sendOptions: () => parseSendOptions(params, side),
			sendAgain: () => params.boolean('sendAgain', true),
		}),
	};
}
