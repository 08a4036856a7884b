import type { INodeProperties } from 'n8n-workflow';

import { flag } from '../../fields/shared/builders';

/* Fields that the forms of all versions of the trigger have. */

/** The label of the events. n8n wants these words where a list is loaded. */
export const EVENT_LABEL = 'Event Names or IDs';

export const downloadDocuments: INodeProperties = flag(
	'Download Documents',
	'downloadDocuments',
	'Whether to add the finished documents as binary fields document_1, document_2 and so on',
);

export const otherEvents: INodeProperties = {
	displayName: 'Other Events',
	name: 'otherEvents',
	type: 'string',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Event' },
	default: [],
	placeholder: 'e.g. transaction.archived',
	description: "Events of the service that aren't in the list above",
};

export const signatureRequired: INodeProperties = flag(
	'Require Signature',
	'signatureRequired',
	'Whether to reject unsigned calls. Signatures that are present are always checked.',
);
