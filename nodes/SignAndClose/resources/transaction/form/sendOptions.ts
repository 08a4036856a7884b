import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Params } from '../../../run/parameters/params';
import type { Platform } from '../../../transport/service/endpoints';
import { flag, parseCollection } from '../../shared/fields';
import { returnAccessLinks } from './accessLinks';

/** Whether new signers verify their e-mail address (docs/service/transactions.md#creation-fields). */
export const newSignerVerification = flag(
	'Require New Signer Verification',
	'require_new_signer_verification',
	'Whether signers who are new to the service must verify their email address',
);

/**
 * Whether the service sends no e-mail. The access links, which are handed out instead, let whoever
 * has them sign (docs/service/transactions.md#send).
 */
export const suppressEmail = flag(
	'Suppress Email',
	'suppress_email',
	"Whether to skip the invitation email. The service doesn't store this, so repeat it each time you send. You then give each signer their access link, which 'Return Access Links' adds to the output, and 'Signer: Get Many' returns as a selected field. Treat the link as a secret: whoever has it can act as the signer.",
);

/** The options of sending a draft (docs/service/transactions.md#send). */
export const sendOptions: INodeProperties[] = [
	newSignerVerification,
	returnAccessLinks,
	flag(
		'Skip Closing Team',
		'skip_closing_ops',
		'Whether to send the closing without preparation by the closing team (real estate only)',
	),
	suppressEmail,
];

/**
 * Reads these options as fields of the request; some exist on real estate only.
 * @throws InputFailure naming the field
 */
export function readSendOptions(params: Params, platform: Platform): IDataObject {
	const { skip_closing_ops: skip, ...both } = parseCollection(
		params,
		params.object('additionalFields'),
		sendOptions.filter(({ name }) => name !== returnAccessLinks.name),
	);
	return {
		...both,
		...(platform === 'realEstate' && skip !== undefined && { skip_closing_ops: skip }),
	};
}

const DEFAULT_WAIT_SECONDS = 120;

/** How long Send waits until the documents are processed (docs/service/documents.md#processing). */
export const documentWait: INodeProperties = {
	displayName: 'Wait for Documents',
	name: 'wait_for_documents',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: DEFAULT_WAIT_SECONDS,
	description:
		'How many seconds to wait until the service has processed the documents. A transaction that is sent earlier may be refused, or lose the signing tags in its PDFs. Splitting a PDF at its bookmarks takes about 300 seconds.',
};

/**
 * Reads how long to wait for the documents, in milliseconds.
 * @throws InputFailure when it isn't a number
 */
export function readDocumentWait(params: Params): number {
	const { wait_for_documents: given } = params.object('additionalFields');
	const { wait_for_documents: seconds = DEFAULT_WAIT_SECONDS } = parseCollection(
		params,
		{ wait_for_documents: given },
		[documentWait],
	);
	return Number(seconds) * 1000;
}
