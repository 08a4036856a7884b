import type { INodeProperties } from 'n8n-workflow';

import { flag } from './fields';

/* Settings of a transaction that creating it, sending it and writing it back have in common. */

/** Whether new signers verify their e-mail address (docs/service/transactions.md#creation-fields). */
export const newSignerVerification = flag(
	'Require New Signer Verification',
	'require_new_signer_verification',
	'Whether signers who are new to the service must verify their email address',
);

/** Who adds a consent consents: off says the same as not adding it. */
export const paperNoteConsent: INodeProperties = {
	...flag(
		'Paper Note Consent',
		'paper_note_consent',
		'Whether the note is signed on paper, so no eNote is needed',
	),
	default: true,
};
