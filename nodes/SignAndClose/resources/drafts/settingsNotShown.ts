import type { INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../../messages/explainedFailure';
import { parseEach, parseTogether } from '../../messages/faults';
import type { Params } from '../../run/parameters/params';
import { asObject, withoutEmpty } from '../../values/json';
import { choice, collection, parseCollection, rows, text, type Choice } from '../shared/fields';
import { signerLocator } from '../shared/locators';
import { newSignerVerification, paperNoteConsent, transactionType } from '../shared/commonFields';
import { signerDetailFields } from '../signer/form';
import { assuranceOf, identityChecks, parseIdentityChecks } from '../signer/identityChecks';
import { checkTogether, parseDetails, parseNames } from '../signer/input';
import { NONE, type NotShown } from './draftUpdate';
import type { GivenSettings } from './signers';

/*
 * What becomes of settings that no answer shows where signers or a closing are written back: the
 * person says it, because they would be lost (docs/service/signers.md#signer-answer).
 */

/** The details of a signer that no answer shows. */
const DETAILS = [
	'capacity',
	'dob',
	'entity',
	'notary_id',
	'order',
	'signingRequirement',
	'additionalJson',
];

const signerSettings: INodeProperties[] = [
	signerLocator,
	identityChecks,
	text('Middle Name', 'middle_name', 'Ann'),
	collection(
		'Details',
		'details',
		signerDetailFields.filter(({ name }) => DETAILS.includes(name)),
	),
];

const closingSettings: INodeProperties[] = [
	paperNoteConsent,
	newSignerVerification,
	{
		...transactionType,
		name: 'transaction_type',
		required: false,
		description: "The kind of closing, if the service doesn't show it",
	},
];

const CHOICES: Choice[] = [
	['Stop the Item', 'stop', 'Change nothing, and say which settings the service does not show'],
	['There Are None', 'none', 'Neither the signers nor the closing have such settings'],
	['Set Below', 'set', 'Enter the settings that there are. All others are none.'],
];

const choiceOf = (choices: Choice[], show: Record<string, string[]>) =>
	choice(
		'Settings Not Shown',
		'settingsNotShown',
		choices,
		"This sends all signers back to the service. It doesn't show whether they have identity checks, a signing order, a capacity and the like, and would lose them.",
		Object.keys(show).length > 0 ? { displayOptions: { show } } : {},
	);

/** Builds the choice for items that say themselves what such settings there are. */
export const settingsNotShownOfItem = (): INodeProperties => choiceOf(CHOICES.slice(0, 2), {});

/** Builds the fields of an operation that writes signers or a closing back. */
export function settingsNotShown(show: Record<string, string[]> = {}): INodeProperties[] {
	const below = { ...show, settingsNotShown: ['set'] };
	return [
		choiceOf(CHOICES, show),
		rows('Settings of Signers', 'signerSettings', 'Signer', signerSettings, {
			description: "What the service doesn't show of each signer. Signers you leave out have none.",
			displayOptions: { show: below },
		}),
		collection('Settings of Closing', 'closingSettings', closingSettings, {
			displayOptions: { show: { ...below, platform: ['realEstate'] } },
		}),
	];
}

/**
 * Parses what there is of settings that aren't shown.
 * @param assuranceField the service's name for the identity-assurance object
 * @throws InputFailure naming the field
 */
export function parseSettingsNotShown(params: Params, assuranceField: string): NotShown {
	const choice = params.choice('settingsNotShown') ?? 'stop';
	if (choice !== 'set') return choice === 'none' ? NONE : 'ask';
	return parseTogether({
		closing: () => parseCollection(params, params.object('closingSettings'), closingSettings),
		signers: () => parseSigners(params, assuranceField),
	});
}

function parseSigners(params: Params, assuranceField: string): GivenSettings['signers'] {
	const label = params.label('signerSettings');
	return parseEach(params.rows('signerSettings'), (row, index) => {
		const labelOf = (field: string) => `${label}, entry ${index + 1}: ${field}`;
		const read = parseTogether({
			signer() {
				const signer = params.locatorOf('signerId', row.signerId);
				if (signer !== undefined) return signer;
				throw new InputFailure(
					labelOf('Signer'),
					'is empty',
					'Choose a signer or remove the entry',
				);
			},
			checks: () => parseIdentityChecks(row.identityChecks, labelOf('Identity Checks')),
			names: () => parseNames(params, row, labelOf),
			details: () => parseDetails(params, asObject(row.details), labelOf),
		});
		checkTogether(read.details, labelOf);
		const checks = withoutEmpty({ [assuranceField]: assuranceOf(read.checks) });
		return {
			signer: read.signer,
			fields: { ...withoutEmpty(read.names), ...read.details, ...checks },
		};
	});
}
