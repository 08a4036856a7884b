import type { INodeProperties } from 'n8n-workflow';

import { parseTogether } from '../../../messages/faults';
import type { Params } from '../../../run/parameters/params';
import { choice, parseChosen, text } from '../../shared/fields';
import { parseEarlier, type EarlierManifest } from './earlier';
import { KINDS } from './kinds';
import { parsePattern, PLACEHOLDERS } from './names';

/* What a package has in it, and in what form it comes out. */

/** What is in the package unless somebody chooses something else. */
const USUAL = KINDS.map(([, value]) => value).filter((kind) => kind !== 'notarized_document');

const PATTERN = '{loan_number} {number} {document_name}';

export const packageFields: INodeProperties[] = [
	choice('Include', 'include', KINDS, 'What to download, as far as there is any', {
		type: 'multiOptions',
		default: USUAL,
	}),
	choice('Return', 'returnAs', [
		['One Item per File', 'files', 'Each file is an item, e.g. to save it'],
		[
			'One Item with All Files',
			'package',
			"All files are in one item, e.g. for an email: 'data_1', 'data_2' and so on",
		],
	]),
	{
		...text(
			'File Names',
			'fileNames',
			PATTERN,
			`Placeholders: ${PLACEHOLDERS.map((name) => `{${name}}`).join(', ')}. What's empty is left out.`,
		),
		default: PATTERN,
		required: true,
	},
	choice('If Files Are Missing', 'ifMissing', [
		['Give What Is There', 'give', "The output says in 'missing' what is missing, and why"],
		['Fail the Item', 'fail', 'The item fails and says what is missing. No file comes out of it.'],
	]),
	{
		displayName: 'Earlier Manifest',
		name: 'earlierManifest',
		type: 'json',
		default: '',
		description:
			"The 'manifest' of an earlier run, or its files from a sheet. They aren't downloaded again.",
	},
];

/** What somebody wants of a package. */
export interface Wanted {
	kinds: ReadonlySet<string>;
	inOneItem: boolean;
	pattern: string;
	/** The output binary field. */
	field: string;
	failsIfMissing: boolean;
	earlier: EarlierManifest;
}

/**
 * Parses what is wanted.
 * @throws InputFailure that names each field that can't be used
 */
export function parseWanted(params: Params, transactionId: string): Wanted {
	return parseTogether({
		kinds: () => parseChosen(params, 'include', KINDS),
		inOneItem: () => params.choice('returnAs') === 'package',
		pattern: () => parsePattern(params),
		field: () => params.required('binaryPropertyName'),
		failsIfMissing: () => params.choice('ifMissing') === 'fail',
		earlier: () => parseEarlier(params, transactionId),
	});
}
