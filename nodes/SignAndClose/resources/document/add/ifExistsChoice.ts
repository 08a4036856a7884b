import type { IDataObject } from 'n8n-workflow';

import { defineChoice } from '../../../form/fields';
import type { Params } from '../../../run/parameters/params';
import { isTrue } from '../comparison';

/* The choice of what becomes of a file that the transaction has already. */

/** What to do with what exists. */
export const ifExists = defineChoice(
	'If It Exists',
	'ifExists',
	[
		['Add', 'add', 'Add it without looking'],
		['Skip', 'skip', 'Return the existing one instead'],
	],
	"What to do if the transaction had it before this execution, by Tracking ID or content. Left out, that's Skip, unless it's split at bookmarks or the key can't read the transaction.",
	{ default: 'skip' },
);

/** Whether what exists is skipped because somebody has chosen it. */
export const mustSkipExisting = (params: Params, value: unknown): boolean =>
	params.getChoice(ifExists.name, value ?? '') === 'skip';

/** Whether what exists is skipped, and whether that's only the default: then it's added where nothing can be compared. */
export function parseIfExists(params: Params, value: unknown, fields: IDataObject) {
	const choice = params.getChoice(ifExists.name, value ?? '');
	const isDefault = choice === undefined;
	return { skips: choice === 'skip' || (isDefault && isComparable(fields)), isDefault };
}

/** Whether something can tell the document from others. */
const isComparable = (fields: IDataObject): boolean =>
	!isTrue(fields.pdf_bookmarked) &&
	(fields.tracking_id !== undefined || fields.filename !== undefined);
