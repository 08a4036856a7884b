import type { INodeProperties } from 'n8n-workflow';

import { defineCollection } from '../../../form/fields';

/* The optional fields of a new transaction, in collections by subject (run/parameters/optionalFields.ts). */

interface Subject {
	displayName: string;
	name: string;
	placeholder: string;
	/** The names of its fields. */
	fields: string[];
}

const SUBJECTS: Subject[] = [
	{
		displayName: 'Numbers and Running Again',
		name: 'numbers',
		placeholder: 'Add Number or Option',
		fields: [
			'external_id',
			'file_number',
			'loan_number',
			'sendReference',
			'ifExists',
			'matchBy',
			'createdWithin',
			'lookInBranches',
			'removeSignersNotNamed',
			'settingsNotShown',
			'useDraftsMadeByHand',
			'ifItDiffers',
			'documentsNotInTheItem',
			'sendAgainIfRecalled',
		],
	},
	{
		displayName: 'Invitation',
		name: 'invitation',
		placeholder: 'Add Message, Contact or Recipient',
		fields: [
			'cc_recipient_emails',
			'contacts',
			'message_signature',
			'message_subject',
			'message_to_signer',
			'redirect_message',
			'redirect_url',
			'returnSigningLinks',
			'suppress_email',
		],
	},
	{
		displayName: 'Meeting and Times',
		name: 'meeting',
		placeholder: 'Add Notary, Time or Check',
		fields: [
			'activation_time',
			'authentication_requirement',
			'expiration_time',
			'expiry',
			'notary_id',
			'notary_instructions',
			'notary_meeting_time',
			'require_new_signer_verification',
			'require_secondary_photo_id',
		],
	},
];

/** Builds the collections: one for each subject, and one for all other fields. */
export function defineSubjects(fields: INodeProperties[]): INodeProperties[] {
	const names = SUBJECTS.flatMap((subject) => subject.fields);
	return [
		...SUBJECTS.map(({ displayName, name, placeholder, fields: ofSubject }) => {
			const isOfSubject = (field: INodeProperties) => ofSubject.includes(field.name);
			return defineCollection(displayName, name, fields.filter(isOfSubject), { placeholder });
		}),
		defineCollection(
			'Additional Fields',
			'additionalFields',
			fields.filter(({ name }) => !names.includes(name)),
		),
	];
}
