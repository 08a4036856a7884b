import type { INodeProperties } from 'n8n-workflow';

import type { Params } from '../../../run/parameters/params';
import type { Platform } from '../../../transport/service/endpoints';
import { wholeNumber } from '../../shared/checks';
import { choice, number, type Choice } from '../../shared/fields';
import { IF_ROW, withRow } from '../form/fieldsFrom';
import { settingsNotShownOfItem } from '../../drafts/settingsNotShown';
import type { RowKind } from '../row/rowFields';
import { NONE, type NotShown } from '../../drafts/draftUpdate';

/* What becomes of an item that was created before, and by what that is recognized. */

/** The numbers that a transaction is recognized by. */
export type NumberField = 'external_id' | 'loan_number' | 'file_number';

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
	'The number that tells whether it exists. It has to be exactly the same, and so has the transaction type. Items without the number are created.',
);

export const createdWithin = number(
	'Created Within',
	'createdWithin',
	[1, 365],
	'How many days back to look. What was created before that, or has expired or been declined, counts as not there.',
);

/** The fields of a create, in the order of the form. */
function fieldsOf(kind: RowKind): INodeProperties[] {
	const what =
		kind === 'closing'
			? 'What to do if there is a closing with the same number and type already, e.g. from an earlier run'
			: 'What to do if there is a transaction with the same External ID and type already, e.g. from an earlier run. Items without an External ID are created.';
	return [
		choice('If It Exists', 'ifExists', MODES, what),
		...(kind === 'closing' ? [matchBy] : []),
		createdWithin,
		settingsNotShownOfItem(),
	];
}

/** Builds the fields for rows, which are usually run again. */
export function ifRowExists(kind: RowKind): INodeProperties[] {
	const [ifExists, ...others] = fieldsOf(kind);
	const notShown = others.pop()!;
	return [
		withRow(ifExists),
		...others.map((field) => ({
			...field,
			displayOptions: { show: IF_ROW, hide: { ifExists: ['another'] } },
		})),
		{ ...notShown, displayOptions: { show: { ...IF_ROW, ifExists: ['update'] } } },
	];
}

/** Builds the additional fields for a form, which creates another one unless somebody adds them. */
export const ifFormExists = (kind: RowKind): INodeProperties[] =>
	fieldsOf(kind).map((field) => ({
		...field,
		displayOptions: { show: { '/fieldsFrom': ['form'] } },
	}));

/** Offers to create another one, in a sentence that goes on, where the form has that choice. */
export const orAnother = (params: Params, and: string, when = ''): string =>
	params.label('ifExists') === 'ifExists'
		? ''
		: `, ${and} set 'If It Exists' to Create Another${when}`;

/** How many days back an item is looked for. @throws InputFailure */
export const parseDays = (params: Params, value: unknown): number =>
	wholeNumber(value ?? 365, 1, params.label('createdWithin'));

/** What becomes of an item that was created before. */
export interface IfExists {
	mode: 'return' | 'update' | 'stop';
	/** The numbers that count, the first one that the item has. */
	numbers: NumberField[];
	days: number;
	notShown: NotShown;
}

/**
 * Parses what becomes of an item that was created before.
 * @returns undefined where nobody looks
 * @throws InputFailure naming the parameter
 */
export function parseIfExists(params: Params, platform: Platform): IfExists | undefined {
	const ofForm =
		params.choice('fieldsFrom') === 'form' ? params.object('additionalFields') : undefined;
	const valueOf = (name: string) => (ofForm === undefined ? params.raw(name) : ofForm[name]);
	const choiceOf = (name: string) => params.choice(name, valueOf(name) ?? '');
	const mode = choiceOf('ifExists') ?? 'another';
	if (mode === 'another') return undefined;
	return {
		mode: mode as IfExists['mode'],
		// Business transactions have no other number.
		numbers:
			NUMBERS[platform === 'business' ? 'external_id' : (choiceOf('matchBy') ?? 'reference')],
		days: parseDays(params, valueOf('createdWithin')),
		notShown: choiceOf('settingsNotShown') === 'none' ? NONE : 'ask',
	};
}
