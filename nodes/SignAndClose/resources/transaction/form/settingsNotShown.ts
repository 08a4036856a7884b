import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../../../messages/explainedFailure';
import { readEach, readTogether } from '../../../messages/faults';
import type { Params } from '../../../run/parameters/params';
import { asObject } from '../../../values/json';
import { collection, flag, parseCollection, rows, text } from '../../shared/fields';
import { signerLocator } from '../../shared/locators';
import { transactionType } from '../../shared/transactionType';
import { identityChecks, signerDetailFields } from '../../signer/form';
import {
	assuranceOf,
	parseIdentityChecks,
	checkTogether,
	parseDetails,
	parseNames,
} from '../../signer/input';
import { NONE, type GivenSettings, type NotShown } from '../update/draftUpdate';
import { newSignerVerification } from './sendOptions';

/*
 * What becomes of settings that no answer shows where signers or a closing are written back: the
 * person says it, because they would be lost (docs/service/signers.md#signer-answer).
 */

/** The details of a signer that no answer shows. */
const DETAILS = new Set([
	'capacity',
	'dob',
	'entity',
	'notary_id',
	'order',
	'signingRequirement',
	'additionalJson',
]);

const signerSettings: INodeProperties[] = [
	signerLocator,
	identityChecks,
	text('Middle Name', 'middle_name', 'Ann'),
	collection(
		'Details',
		'details',
		signerDetailFields.filter(({ name }) => DETAILS.has(name)),
	),
];

const closingSettings: INodeProperties[] = [
	flag('Paper Note Consent', 'paper_note_consent', 'Whether the lender closes without an eNote'),
	newSignerVerification,
	{
		...transactionType,
		name: 'transaction_type',
		required: false,
		description: "The kind of closing, if the service doesn't show it",
	},
];

/** Builds the fields of an operation that writes signers or a closing back. */
export function settingsNotShown(show: Record<string, string[]> = {}): INodeProperties[] {
	const below = { ...show, settingsNotShown: ['set'] };
	return [
		{
			displayName: 'Settings Not Shown',
			name: 'settingsNotShown',
			type: 'options',
			options: [
				{
					name: 'Stop the Item',
					value: 'stop',
					description: 'Change nothing, and say which settings the service does not show',
				},
				{
					name: 'There Are None',
					value: 'none',
					description: 'Neither the signers nor the closing have such settings',
				},
				{
					name: 'Set Below',
					value: 'set',
					description: 'Enter the settings that there are. All others are none.',
				},
			],
			default: 'stop',
			description:
				"This sends all signers back to the service. It doesn't show whether they have identity checks, a signing order, a capacity and the like, and would lose them.",
			...(Object.keys(show).length > 0 && { displayOptions: { show } }),
		},
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
	return readTogether({
		closing: () => parseCollection(params, params.object('closingSettings'), closingSettings),
		signers: () => parseSigners(params, assuranceField),
	});
}

function parseSigners(params: Params, assuranceField: string): GivenSettings['signers'] {
	const label = params.label('signerSettings');
	return readEach(params.rows('signerSettings'), (row, index) => {
		const labelOf = (field: string) => `${label}, row ${index + 1}: ${field}`;
		const read = readTogether({
			signer: () => parseSigner(params, row, labelOf('Signer')),
			checks: () => parseIdentityChecks(row.identityChecks, labelOf('Identity Checks')),
			names: () => parseNames(params, row, labelOf),
			details: () => parseDetails(params, asObject(row.details), labelOf),
		});
		checkTogether(read.details, labelOf);
		const assurance = assuranceOf(read.checks);
		const { middle_name: middleName } = read.names;
		const fields: IDataObject = {
			...(middleName !== undefined && { middle_name: middleName }),
			...read.details,
			...(assurance && { [assuranceField]: assurance }),
		};
		return { signer: read.signer, fields };
	});
}

function parseSigner(params: Params, row: IDataObject, label: string): string {
	const signer = params.locatorOf('signerId', row.signerId);
	if (signer !== undefined) return signer;
	throw new InputFailure(label, 'is empty', 'Choose a signer or remove the row');
}
