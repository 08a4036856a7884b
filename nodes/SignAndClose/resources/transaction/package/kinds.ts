import type { Choice } from '../../shared/fields';

/** What a package can have in it. The values are the kinds of its files. */
export const KINDS: Choice[] = [
	['Attachments', 'attachment', 'Further files of the transaction'],
	['Audit Trail', 'audit_trail', 'Who did what and when'],
	['Charge Statement', 'charge_statement', 'What the transaction costs'],
	['Documents', 'document', 'The finished documents'],
	['eNote', 'enote', 'The electronic promissory note of a loan'],
	['Identity Images', 'identity_image', "The images of the signers' photo IDs"],
	['Identity Report', 'identity_report', 'How the identity of the signers was checked'],
	['Manifest', 'manifest', 'A list of all files with their hashes, as a JSON file. It comes last.'],
	['Notarization Record', 'notarization_record', 'Who met when and where, as a JSON file'],
	[
		'Notarized Documents',
		'notarized_document',
		'What the notarization record has of the documents. Closings have each of them among the documents, too.',
	],
	['Recording', 'recording', 'The video of the meeting with the notary'],
];
