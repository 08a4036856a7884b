import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { parseTogether } from '../../../messages/faults';
import type { Params } from '../../../run/parameters/params';
import type { Platform } from '../../../transport/service/endpoints';
import { wholeNumber } from '../../shared/checks';
import { choice, collection, flag, number, type Choice } from '../../shared/fields';
import { IF_ROW, withRow } from '../form/fieldsFrom';
import { settingsNotShownOfItem } from '../../drafts/settingsNotShown';
import type { RowKind } from '../row/rowFields';
import { NONE, type NotShown } from '../../drafts/draftUpdate';

/* What becomes of an item that was created before, and by what that is recognized. */

/** The numbers that a transaction is recognized by. */
export type NumberField = 'external_id' | 'loan_number' | 'file_number';

/** The number of an item. */
export interface Key {
	field: NumberField;
	value: string;
}

/** How an item is recognized beside its number, and what an update would lose or remove. */
export interface ExistingOptions {
	/** How many days back it's looked for. */
	days: number;
	/** Transactions of other organizations count, too. */
	looksInBranches: boolean;
	/** Drafts count that show no mark of this node. */
	usesHandMade: boolean;
	/** Signers go whom the item doesn't name. */
	removes: boolean;
	notShown: NotShown;
}

const MODES: Choice[] = [
	['Return It', 'return', 'Return the existing one as it is'],
	['Update It', 'update', 'Change a draft to what the item says. Empty values change nothing.'],
	['Stop', 'stop', 'Refuse the item, and name the existing one'],
	['Create Another', 'another', 'Create it without looking whether it exists'],
];

/** The numbers of each choice: the first one that an item has counts. */
export const NUMBERS: Record<string, NumberField[]> = {
	reference: ['external_id', 'loan_number'],
	external_id: ['external_id'],
	loan_number: ['loan_number'],
	file_number: ['file_number'],
};

export const matchBy = choice(
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

export const createdWithin = number(
	'Created Within',
	'createdWithin',
	[1, 365],
	'How many days back to look. What was created before that, or has expired or been declined or canceled, counts as not there.',
);

/** By what else an item is recognized, and what becomes of people whom it doesn't name. */
export const lookInBranches = flag(
	'Look in Branches',
	'lookInBranches',
	'Whether a transaction of another organization that the key reaches counts, too',
);
export const useDraftsMadeByHand = flag(
	'Use Drafts Made by Hand',
	'useDraftsMadeByHand',
	'Whether a draft counts that has the loan or file number, and that no workflow of this node has made',
);
export const removeSignersNotNamed = flag(
	'Remove Signers Not Named',
	'removeSignersNotNamed',
	"Whether Update It removes the draft's signers whom the item doesn't name. Otherwise they stay.",
);

/** The options of those who look whether an item exists. */
const existingOptions = [
	createdWithin,
	lookInBranches,
	removeSignersNotNamed,
	settingsNotShownOfItem(),
	useDraftsMadeByHand,
];

/** The fields of a create, in the order of the form. */
function fieldsOf(kind: RowKind): INodeProperties[] {
	const what =
		kind === 'closing'
			? 'What to do if there is a closing with the same number, type and signer already, e.g. from an earlier run'
			: 'What to do if there is a transaction with the same External ID, type and signer already, e.g. from an earlier run. Items without an External ID are created.';
	return [
		choice('If It Exists', 'ifExists', MODES, what),
		...(kind === 'closing' ? [matchBy] : []),
	];
}

const OPTIONS = 'existingOptions';

/** Builds the fields for rows, which are usually run again. */
export function ifRowExists(kind: RowKind): INodeProperties[] {
	const [ifExists, ...others] = fieldsOf(kind);
	const options = collection('Options if It Exists', OPTIONS, existingOptions);
	return [
		withRow(ifExists),
		...[...others, options].map((field) => ({
			...field,
			displayOptions: { show: IF_ROW, hide: { ifExists: ['another'] } },
		})),
	];
}

/** Builds the additional fields for a form, which creates another one unless somebody adds them. */
export const ifFormExists = (kind: RowKind): INodeProperties[] =>
	[...fieldsOf(kind), ...existingOptions].map((field) => ({
		...field,
		displayOptions: { show: { '/fieldsFrom': ['form'] } },
	}));

/** Offers to create another one, in a sentence that goes on, where the form has that choice. */
export const orAnother = (params: Params, and: string, when = ''): string =>
	params.label('ifExists') === 'ifExists'
		? ''
		: `, ${and} set 'If It Exists' to Create Another${when}`;

/**
 * Parses these options.
 * @param given the collection that has them
 * @throws InputFailure naming the parameter
 */
export function parseExistingOptions(params: Params, given: IDataObject): ExistingOptions {
	const isOn = ({ name }: INodeProperties) => params.toBoolean(name, given[name]) === true;
	return parseTogether({
		days: () => wholeNumber(given.createdWithin ?? 365, 1, params.label(createdWithin.name)),
		looksInBranches: () => isOn(lookInBranches),
		usesHandMade: () => isOn(useDraftsMadeByHand),
		removes: () => isOn(removeSignersNotNamed),
		notShown: () =>
			params.choice('settingsNotShown', given.settingsNotShown ?? '') === 'none' ? NONE : 'ask',
	});
}

/** What becomes of an item that was created before. */
export interface IfExists extends ExistingOptions {
	mode: 'return' | 'update' | 'stop';
	/** The numbers that count, the first one that the item has. */
	numbers: NumberField[];
}

/**
 * Parses what becomes of an item that was created before.
 * @returns undefined where nobody looks
 * @throws InputFailure naming the parameter
 */
export function parseIfExists(params: Params, platform: Platform): IfExists | undefined {
	const ofForm =
		params.choice('fieldsFrom') === 'form' ? params.object('additionalFields') : undefined;
	const choiceOf = (name: string) =>
		params.choice(name, (ofForm === undefined ? params.raw(name) : ofForm[name]) ?? '');
	const mode = choiceOf('ifExists') ?? 'another';
	if (mode === 'another') return undefined;
	return {
		mode: mode as IfExists['mode'],
		// Business transactions have no other number.
		numbers:
			NUMBERS[platform === 'business' ? 'external_id' : (choiceOf('matchBy') ?? 'reference')],
		...parseExistingOptions(params, ofForm ?? params.object(OPTIONS)),
	};
}
