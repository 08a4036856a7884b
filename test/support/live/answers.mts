import type { IDataObject } from 'n8n-workflow';

import { TRIGGER_ANSWER } from '../../../nodes/SignAndClose/resources/webhook/deliveries.ts';

/** Answers as live services shape them (docs/service/documents.md, docs/service/webhooks.md). */

/** A webhook (docs/service/webhooks.md#webhook-answer). */
export const liveWebhook = (more: IDataObject = {}): IDataObject => ({
	id: 'wh1a2b3c4',
	url: 'https://files.example.com/events',
	enabled: true,
	subscriptions: ['transaction.completed'],
	header: '',
	headers: [],
	request_id_header_name: 'X-Request-Id',
	request_id_header_value_template: null,
	oauth: { enabled: false, token_url: null, client_id: null },
	...more,
});

/** An event record of a trigger's webhook (docs/service/webhooks.md#event-records). */
export const liveRecord = (
	event: string,
	payload: unknown,
	{
		code = 200,
		delivered = '2026-11-21T10:00:05.000000Z',
	}: { code?: unknown; delivered?: string } = {},
): IDataObject => ({
	event,
	response: { code, body: JSON.stringify({ message: TRIGGER_ANSWER }), headers: {} } as IDataObject,
	delivered,
	payload: payload as IDataObject,
});

/** The data of the events that tell the signing status (docs/service/webhooks.md#signing-status-payload). */
export const signingStatus = (more: IDataObject = {}): IDataObject => ({
	transaction_id: 'ot_od4kenk',
	transaction_detailed_status: 'partially_complete',
	date_occurred: '2026-11-21T10:00:00.000000Z',
	signers: [
		{
			signer_id: 'oc_q7dj34n',
			external_id: 'borrower-1',
			first_name: 'Jane',
			middle_name: null,
			last_name: 'Borrower',
			signing_status: 'complete',
		},
	],
	...more,
});

/** What both forms of a document have. */
const COMMON: IDataObject = {
	id: 'do_5f0c2a1e',
	allowed_actions: ['NOTARIZATION_REQUIRED'],
	bundle_position: 1,
	completion_state: 'incomplete',
	date_created: '2026-11-21T10:00:00.000000Z',
	date_updated: '2026-11-21T10:00:01.000000Z',
	document_name: 'Deed of Trust',
	processing_state: 'done',
	requirement: 'notarization',
	signing_designation_groups: [],
	signing_designations: [],
};

/** A document on real estate, and in Get Document on business (docs/service/documents.md#two-forms-of-the-answer). */
export const liveDocument = (more: IDataObject = {}): IDataObject => ({
	...COMMON,
	permissions: ['NOTARIZATION_REQUIRED'],
	final_document_url: null,
	is_enote: false,
	processing_error: null,
	rejection_anecdote: null,
	rejection_reason: null,
	signing_type: 'NOTARIZATION',
	tracking_id: null,
	...more,
});

/** A document in other answers of business (docs/service/documents.md#two-forms-of-the-answer). */
export const liveBusinessDocument = (more: IDataObject = {}): IDataObject => ({
	...COMMON,
	esign_required: false,
	identity_confirmation_required: false,
	notarization_required: true,
	vaulted: false,
	...more,
});

/** A closing with documents (docs/service/transactions.md#answer-fields). */
export const liveClosing = (documents: IDataObject[], more: IDataObject = {}): IDataObject => ({
	id: 'ot_od4kenk',
	organization_id: 'orod4kenk',
	status: 'started',
	detailed_status: 'draft',
	transaction_name: '100 Harbor Street',
	signers: [{ signer_id: 'oc_q7dj34n', email: 'jane@example.com', link_expired: true }],
	documents,
	...more,
});
