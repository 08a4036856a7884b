import type { INodeProperties } from 'n8n-workflow';

import type { OperationCall } from '../../../run/operation';
import { wholeNumber } from '../../shared/checks';
import { choice, number, type Choice } from '../../shared/fields';
import { parseSettingsNotShown, settingsNotShownOfItem } from '../form/settingsNotShown';
import { withRow, withoutRow } from '../row/rowProperties';
import type { NotShown } from '../update/draftUpdate';

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
const NUMBERS: Record<string, NumberField[]> = {
	reference: ['external_id', 'loan_number'],
	external_id: ['external_id'],
	loan_number: ['loan_number'],
	file_number: ['file_number'],
};

const matchBy = choice(
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

const createdWithin = number(
	'Created Within',
	'createdWithin',
	[1, 365],
	'How many days back to look. What was created before that, or has expired or been declined, counts as not there.',
);

/** Builds the fields of a create. */
export function ifExists(kind: 'closing' | 'transaction'): INodeProperties[] {
	const what =
		kind === 'closing'
			? 'What to do if there is a closing with the same number and type already, e.g. from an earlier run'
			: 'What to do if there is a transaction with the same External ID and type already, e.g. from an earlier run. An item without an External ID is created.';
	const looks = { displayOptions: { hide: { ifExists: ['another'] } } };
	const field = choice('If It Exists', 'ifExists', MODES, what);
	return [
		withRow(field),
		withoutRow({ ...field, default: 'another' }),
		...(kind === 'closing' ? [{ ...matchBy, ...looks }] : []),
		{ ...createdWithin, ...looks },
		settingsNotShownOfItem({ ifExists: ['update'] }),
	];
}

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
export function parseIfExists({ params, service }: OperationCall): IfExists | undefined {
	const mode = params.choice('ifExists') ?? 'another';
	if (mode === 'another') return undefined;
	return {
		mode: mode as IfExists['mode'],
		numbers: NUMBERS[params.choice('matchBy') ?? 'external_id'],
		days: wholeNumber(params.raw('createdWithin') ?? 365, 1, params.label('createdWithin')),
		notShown: parseSettingsNotShown(params, service.settings.assuranceField),
	};
}
