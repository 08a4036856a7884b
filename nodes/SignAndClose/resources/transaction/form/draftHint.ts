import type { IDataObject } from 'n8n-workflow';

import { asBoolean } from '../../../values/booleans';
import { asObjects, asText } from '../../../values/json';
import { joined } from '../../shared/hints';

/*
 * What a new closing still needs. The service tells it one by one, and only when the closing is sent
 * (docs/service/transactions.md#send).
 */

const NEXT =
	"This closing is a draft: add its documents with 'Document: Add', then use 'Transaction: Send'";
const AGENCY = "a title agency ('Title Agency', or a contact with the role Title Agent)";
const NOTE = "the eNote ('eNote: Add') or 'Paper Note Consent'";

/**
 * Says what to do next with a new closing, and what it lacks if a lender sends it. Nobody knows
 * beforehand which kind of organization a key belongs to.
 * @param body the closing as it was sent
 */
export function draftHint(body: IDataObject): string {
	const hasAgency =
		asText(body.title_agency_id) !== undefined ||
		asObjects(body.contacts).some(({ role }) => role === 'title_agent');
	const lacks = [
		...(hasAgency ? [] : [AGENCY]),
		...(asBoolean(body.paper_note_consent) === true ? [] : [NOTE]),
	];
	return joined([
		NEXT,
		lacks.length === 0
			? undefined
			: `A lender can send it only with ${lacks.join(', and with ')}. For this draft, use 'Transaction: Update'`,
	])!;
}
