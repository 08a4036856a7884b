import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { parseTogether } from '../../../messages/inputFaults';
import { readOptionalFields } from '../../../run/parameters/optionalFields';
import type { Params } from '../../../run/parameters/params';
import type { Platform } from '../../../transport/service/endpoints';
import { parseWholeNumber } from '../../../form/checks';
import { defineChoice, defineFlag, defineNumber, type OptionTuple } from '../../../form/fields';
import { IF_ROW, isForm, withRow } from '../sheet/source';
import { defineHiddenSettingsChoice } from '../../draft/hiddenSettings';
import type { RowKind } from '../sheet/rowFields';
import { NO_HIDDEN_SETTINGS, type HiddenSettings } from '../../draft/draftUpdate';

/* What becomes of an item that was created before, and by what that is recognized. */

/** The numbers that a transaction is recognized by. */
export type NumberField = 'external_id' | 'loan_number' | 'file_number';

/** The number of an item. */
export interface NumberKey {
	field: NumberField;
	value: string;
}

/** How an item is recognized beside its number, and what an update would lose or remove. */
export interface ExistingOptions {
	/** How many days back it's looked for. */
	days: number;
	/** The time of what it's younger than, as answers have it. */
	since?: string;
	/** Transactions of other organizations count, too. */
	looksInBranches: boolean;
	/** Drafts count that show no mark of this node. */
	usesHandMade: boolean;
	/** Signers go whom the item doesn't name. */
	removes: boolean;
	notShown: HiddenSettings;
}

const IF_EXISTS_CHOICES: OptionTuple[] = [
	['Return It', 'return', 'Return the existing one as it is'],
	['Update It', 'update', 'Change a draft to what the item says. Empty values change nothing.'],
	['Stop', 'stop', 'Refuse the item, and name the existing one'],
	['Create Another', 'another', 'Create it without looking whether it exists'],
];

/** The numbers of each choice: the first one that an item has counts. */
export const NUMBER_FIELDS: Record<string, NumberField[]> = {
	reference: ['external_id', 'loan_number'],
	external_id: ['external_id'],
	loan_number: ['loan_number'],
	file_number: ['file_number'],
};

export const matchBy = defineChoice(
	'Match By',
	'matchBy',
	[
		['External ID, Else Loan Number', 'reference'],
		['External ID', 'external_id'],
		['File Number', 'file_number'],
		['Loan Number', 'loan_number'],
	],
	'The number that tells whether it exists. It has to be exactly the same, and so have the transaction type and a signer. Items without the number are created.',
);

export const createdWithin = defineNumber(
	'Created Within',
	'createdWithin',
	[1, 365],
	'How many days back to look. What was created before that, or has expired or been declined or canceled, counts as not there.',
);

/** By what else an item is recognized, and what becomes of people whom it doesn't name. */
export const lookInBranches = defineFlag(
	'Look in Branches',
	'lookInBranches',
	'Whether a transaction of another organization that the key reaches counts, too',
);
export const useDraftsMadeByHand = defineFlag(
	'Use Drafts Made by Hand',
	'useDraftsMadeByHand',
	'Whether a draft counts that has the loan or file number, and that no workflow of this node has made',
);
export const removeSignersNotNamed = defineFlag(
	'Remove Signers Not Named',
	'removeSignersNotNamed',
	"Whether Update It removes the draft's signers whom the item doesn't name. Otherwise they stay.",
);

/** The options of those who look whether an item exists. */
const existingOptions = [
	createdWithin,
	lookInBranches,
	removeSignersNotNamed,
	defineHiddenSettingsChoice(),
	useDraftsMadeByHand,
];

/** The fields of a create, in the order of the form. */
function defineExistsFields(kind: RowKind): INodeProperties[] {
	const description =
		kind === 'closing'
			? 'What to do if there is a closing with the same number, type and signer already, e.g. from an earlier run'
			: 'What to do if there is a transaction with the same External ID, type and signer already, e.g. from an earlier run. Items without an External ID are created.';
	return [
		defineChoice('If It Exists', 'ifExists', IF_EXISTS_CHOICES, description),
		...(kind === 'closing' ? [matchBy] : []),
	];
}

/** Builds the fields for rows, which are usually run again. */
export function defineIfRowExists(kind: RowKind): INodeProperties[] {
	const [ifExists, ...otherFields] = defineExistsFields(kind);
	return [
		withRow(ifExists),
		...otherFields.map((field) => ({
			...field,
			displayOptions: { show: IF_ROW, hide: { ifExists: ['another'] } },
		})),
	];
}

/** Builds the optional fields. A form creates another one unless somebody adds the first of them. */
export const defineIfFormExists = (kind: RowKind): INodeProperties[] => [
	...defineExistsFields(kind).map((field) => ({
		...field,
		displayOptions: { show: { '/fieldsFrom': ['form'] } },
	})),
	...existingOptions,
];

/** Offers to create another one, in a sentence that goes on, where the form has that choice. */
export const describeCreateAnother = (params: Params, and: string, when = ''): string =>
	params.label('ifExists') === 'ifExists'
		? ''
		: `, ${and} set 'If It Exists' to Create Another${when}`;

/**
 * Parses these options.
 * @param values the collection that has them
 * @throws InputFailure naming the parameter
 */
export function parseExistingOptions(params: Params, values: IDataObject): ExistingOptions {
	const isOn = ({ name }: INodeProperties) => params.toBoolean(name, values[name]) === true;
	return parseTogether({
		days: () => parseWholeNumber(values.createdWithin ?? 365, 1, params.label(createdWithin.name)),
		looksInBranches: () => isOn(lookInBranches),
		usesHandMade: () => isOn(useDraftsMadeByHand),
		removes: () => isOn(removeSignersNotNamed),
		notShown: () =>
			params.getChoice('settingsNotShown', values.settingsNotShown ?? '') === 'none'
				? NO_HIDDEN_SETTINGS
				: 'ask',
	});
}

/** What becomes of an item that was created before. */
export interface IfTransactionExists extends ExistingOptions {
	mode: 'return' | 'update' | 'stop';
	/** The numbers that count, the first one that the item has. */
	numbers: NumberField[];
}

/**
 * Parses what becomes of an item that was created before.
 * @returns undefined where nobody looks
 * @throws InputFailure naming the parameter
 */
export function parseIfTransactionExists(
	params: Params,
	platform: Platform,
): IfTransactionExists | undefined {
	const optional = readOptionalFields(params);
	const readChoice = (name: string) =>
		params.getChoice(name, (isForm(params) ? optional[name] : params.getRaw(name)) ?? '');
	const mode = readChoice('ifExists') ?? 'another';
	if (mode === 'another') return undefined;
	return {
		mode: mode as IfTransactionExists['mode'],
		// Business transactions have no other number.
		numbers:
			NUMBER_FIELDS[
				platform === 'business' ? 'external_id' : (readChoice('matchBy') ?? 'reference')
			],
		...parseExistingOptions(params, optional),
	};
}
