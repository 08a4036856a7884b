import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../../messages/failures';
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
	const skips = choice === 'skip' || (isDefault && findObstacle(params, fields) === undefined);
	return { skips, isDefault };
}

/** @throws InputFailure when nothing could tell the document from others */
export function checkComparable(params: Params, fields: IDataObject): void {
	const obstacle = findObstacle(params, fields);
	if (obstacle !== undefined) throw obstacle;
}

/** Why nothing could tell the document from others; undefined if something can. */
function findObstacle(params: Params, fields: IDataObject): InputFailure | undefined {
	if (isTrue(fields.pdf_bookmarked))
		return new InputFailure(
			params.label(ifExists.name),
			"can't be Skip together with 'Split at Bookmarks'",
			"The parts get names of their own, so it's unknown whether they're there. Set it to Add",
		);
	if (fields.tracking_id === undefined && fields.filename === undefined)
		return new InputFailure(
			params.label('documentName'),
			`is empty, so that '${params.label(ifExists.name)}' can't compare it`,
			"Enter the name, or a 'Tracking ID'",
		);
	return undefined;
}
