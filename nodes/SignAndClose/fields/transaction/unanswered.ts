import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Params } from '../../core/params';
import { flag, readCollection } from '../shared/builders';

/*
 * What a change of a closing may lose. Its PUT may reset what isn't sent, and some fields can't be
 * sent back, because no answer shows them (docs/service/transactions.md#update-a-draft). The person
 * is told before the change.
 */

/** Names what the service never shows, before the closing is written. */
export const unansweredNotice: INodeProperties = {
	displayName:
		"This sends the whole closing back to the service. The service never shows 'Paper Note Consent', and may not show 'Identity Checks': set them again here if the closing has them, or they may be reset.",
	name: 'unansweredNotice',
	type: 'notice',
	default: '',
	displayOptions: { show: { platform: ['realEstate'] } },
};

/** The fields that have to be set again, where an operation has no other place for them. */
export const unansweredFields: INodeProperties[] = [
	flag(
		'Paper Note Consent',
		'paper_note_consent',
		'Whether the lender closes without an eNote. Set it again if the closing has it (real estate only).',
	),
];

/**
 * Reads these fields as fields of the request.
 * @throws InputFailure naming the field
 */
export function readUnanswered(params: Params): IDataObject {
	const { paper_note_consent: consent } = params.object('additionalFields');
	return readCollection(params, { paper_note_consent: consent }, unansweredFields);
}
