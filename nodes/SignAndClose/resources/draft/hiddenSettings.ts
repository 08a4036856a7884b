import type { INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../../messages/failures';
import { parseEach, parseTogether } from '../../messages/inputFaults';
import type { Params } from '../../run/parameters/params';
import { asObject, withoutEmpty } from '../../values/json';
import {
	defineChoice,
	defineCollection,
	defineRows,
	defineText,
	type OptionTuple,
} from '../../form/fields';
import { parseCollection } from '../../form/input';
import { signerLocator } from '../../form/locators';
import { newSignerVerification, paperNoteConsent, transactionType } from '../../form/commonFields';
import { signerDetailFields } from '../signer/form';
import { buildAssurance, identityChecks, parseIdentityChecks } from '../signer/identityChecks';
import { checkDetailPairs, parseSignerDetails, parseNames } from '../signer/input';
import { NO_HIDDEN_SETTINGS, type HiddenSettings } from './draftUpdate';
import type { HiddenValues } from './signerRequests';

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
	defineText('Middle Name', 'middle_name', 'Ann'),
	defineCollection(
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

const CHOICES: OptionTuple[] = [
	['Stop the Item', 'stop', 'Change nothing, and say which settings the service does not show'],
	['There Are None', 'none', 'Neither the signers nor the closing have such settings'],
	['Only Paper Note Consent', 'consent', 'The note is signed on paper, and nothing else is set'],
	['Set Below', 'set', 'Enter the settings that there are. All others are none.'],
];

const defineSettingsChoice = (choices: OptionTuple[], show: Record<string, string[]>) =>
	defineChoice(
		'Settings Not Shown',
		'settingsNotShown',
		choices,
		"This sends all signers back to the service. It doesn't show whether they have identity checks, a signing order, a capacity and the like, and would lose them.",
		Object.keys(show).length > 0 ? { displayOptions: { show } } : {},
	);

/** Builds the choice for items that say themselves what such settings there are. */
export const defineHiddenSettingsChoice = (): INodeProperties =>
	defineSettingsChoice(CHOICES.slice(0, 2), {});

/** Builds the fields of an operation that writes signers or a closing back. */
export function defineHiddenSettings(show: Record<string, string[]> = {}): INodeProperties[] {
	const below = { ...show, settingsNotShown: ['set'] };
	return [
		defineSettingsChoice(CHOICES, show),
		defineRows('Settings of Signers', 'signerSettings', 'Signer', signerSettings, {
			description: "What the service doesn't show of each signer. Signers you leave out have none.",
			displayOptions: { show: below },
		}),
		defineCollection('Settings of Closing', 'closingSettings', closingSettings, {
			displayOptions: { show: { ...below, platform: ['realEstate'] } },
		}),
	];
}

/**
 * Parses what there is of settings that aren't shown.
 * @param assuranceField the service's name for the identity-assurance object
 * @throws InputFailure naming the field
 */
export function parseHiddenSettings(params: Params, assuranceField: string): HiddenSettings {
	const choice = params.getChoice('settingsNotShown') ?? 'stop';
	if (choice === 'consent') return { ...NO_HIDDEN_SETTINGS, closing: { paper_note_consent: true } };
	if (choice !== 'set') return choice === 'none' ? NO_HIDDEN_SETTINGS : 'ask';
	return parseTogether({
		closing: () => parseCollection(params, params.getObject('closingSettings'), closingSettings),
		signers: () => parseSignerSettings(params, assuranceField),
	});
}

function parseSignerSettings(params: Params, assuranceField: string): HiddenValues['signers'] {
	const label = params.label('signerSettings');
	return parseEach(params.getRows('signerSettings'), (row, index) => {
		const getLabel = (field: string) => `${label}, entry ${index + 1}: ${field}`;
		const values = parseTogether({
			signer() {
				const signer = params.parseLocator('signerId', row.signerId);
				if (signer !== undefined) return signer;
				throw new InputFailure(
					getLabel('Signer'),
					'is empty',
					'Choose a signer or remove the entry',
				);
			},
			checks: () => parseIdentityChecks(row.identityChecks, getLabel('Identity Checks')),
			names: () => parseNames(params, row, getLabel),
			details: () => parseSignerDetails(params, asObject(row.details), getLabel),
		});
		checkDetailPairs(values.details, getLabel);
		const checks = withoutEmpty({ [assuranceField]: buildAssurance(values.checks) });
		return {
			signer: values.signer,
			fields: { ...withoutEmpty(values.names), ...values.details, ...checks },
		};
	});
}
