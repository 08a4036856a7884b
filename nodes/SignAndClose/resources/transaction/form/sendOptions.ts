import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { OperationResult } from '../../../run/operation';
import type { Params } from '../../../run/parameters/params';
import { isDraft } from '../../../transport/answers/transactionState';
import type { Platform } from '../../../transport/service/endpoints';
import { flag, parseCollection } from '../../shared/fields';
import { joined } from '../../shared/hints';
import { accessLinksOf } from '../../signer/api';
import { parseTransactionForm } from '../output';

/* The options of what sends a transaction, and the access links that replace its emails. */

/** Whether the output has the access links. They're secrets, so a simplified one has them on purpose only. */
export const returnAccessLinks = flag(
	'Return Access Links',
	'returnAccessLinks',
	"Whether to add the access link of each signer to the output, as 'access_links'. Treat them as secrets: whoever has a link can act as its signer.",
);

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
 * Parses these options as fields of the request; some exist on real estate only.
 * @throws InputFailure naming the field
 */
export function parseSendOptions(params: Params, platform: Platform): IDataObject {
	const left = [returnAccessLinks.name, ...(platform === 'business' ? ['skip_closing_ops'] : [])];
	const sent = sendOptions.filter(({ name }) => !left.includes(name));
	return parseCollection(params, params.object('additionalFields'), sent);
}

const NO_LINKS =
	"The service shows no access links yet. Retrieve them later with 'Transaction: Get' with 'Raw' in 'Output'";
const SECRET = 'Whoever has an access link can act as its signer: give it to nobody else';
const SUPPRESSED =
	"The service sent no invitation. To get the access links of the signers, add 'Return Access Links'";

/**
 * Adds the access links to an output, if they're wanted.
 * @param transaction the service's answer
 * @throws InputFailure when one of the switches is neither true nor false
 */
export function withAccessLinks(
	{ json, hint, ...rest }: OperationResult,
	transaction: IDataObject,
	params: Params,
): OperationResult {
	const values = params.object('additionalFields');
	const form = parseTransactionForm(params);
	const isOn = (name: string) => params.toBoolean(name, values[name]) === true;
	if (!isOn(returnAccessLinks.name)) {
		const lacks = isOn('suppress_email') && form !== 'raw' && !isDraft(transaction);
		return { ...rest, json, hint: joined([hint, lacks ? SUPPRESSED : undefined]) };
	}
	const links = accessLinksOf(transaction);
	return {
		...rest,
		json: { ...json, access_links: links },
		hint: joined([hint, links.length === 0 ? NO_LINKS : SECRET]),
	};
}
