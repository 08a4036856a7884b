import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { OperationCall, OperationResult } from '../../run/operation';
import { readOptionalFields } from '../../run/parameters/optionalFields';
import type { Params } from '../../run/parameters/params';
import { isBlank } from '../../values/comparison';
import { asObjects, asText } from '../../values/json';
import { joinWithAnd } from '../../values/words';
import { isDraft } from '../../transport/answers/transactionState';
import type { Platform } from '../../transport/service/endpoints';
import { newSignerVerification } from '../../form/commonFields';
import { defineFlag } from '../../form/fields';
import { parseCollection } from '../../form/input';
import { joinHints } from '../../form/hints';
import { isPrepared, listSigningLinks, listUnopened } from '../signer/api';
import { parseTransactionOutput } from './output';

/* The options of what sends a transaction, and the signing links that replace its emails. */

/** Whether the output has the signing links. They're secrets, so a simplified one has them on purpose only. */
export const returnSigningLinks = defineFlag(
	'Return Signing Links',
	'returnSigningLinks',
	"Whether to add the signing link of each signer to the output, as 'signing_links'. Treat them as secrets: anyone with a link can sign.",
);

/**
 * Whether the service sends no e-mail. The signing links, which are handed out instead, let whoever
 * has them sign (docs/service/transactions.md#send).
 */
export const suppressEmail = defineFlag(
	'Suppress Email',
	'suppress_email',
	"Whether to skip the invitation email. Repeat it each time you send. Give signers their links yourself ('Return Signing Links'). Anyone with a link can sign.",
);

/** The options of sending a draft (docs/service/transactions.md#send). */
export const sendOptions: INodeProperties[] = [
	newSignerVerification,
	returnSigningLinks,
	defineFlag(
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
	const left = [returnSigningLinks.name, ...(platform === 'business' ? ['skip_closing_ops'] : [])];
	const sent = sendOptions.filter(({ name }) => !left.includes(name));
	return parseCollection(params, readOptionalFields(params), sent);
}

const NO_LINKS =
	"The service shows no signing links yet. Retrieve them later with 'Transaction: Get' with 'Raw' in 'Output'";
const SECRET = 'Anyone with a signing link can sign: give each only to its signer';
const SUPPRESSED =
	"The service sent no invitation. To get the signing links of the signers, add 'Return Signing Links'";

/**
 * Says who gets a transaction that was sent; of several items, their count says enough.
 * @returns undefined where the answer doesn't show that the service emails them
 */
export function describeRecipients(
	{ context, params }: OperationCall,
	transaction: IDataObject,
): string | undefined {
	const emails = asObjects(transaction.signers).map(({ email }) => asText(email) ?? '');
	const isSuppressed = readOptionalFields(params)[suppressEmail.name];
	const isShown = emails.length > 0 && !emails.includes('');
	if (context.getInputData().length > 1 || !isShown || !isBlank(isSuppressed)) return undefined;
	const people = joinWithAnd(emails);
	if (isPrepared(transaction)) return `Sent. It's prepared first, and then goes to ${people}`;
	return isBlank(listUnopened(transaction)) ? undefined : `Sent to ${people}`;
}

/**
 * Adds the signing links to an output, if they're wanted.
 * @param transaction the service's answer
 * @throws InputFailure when one of the switches is neither true nor false
 */
export function withSigningLinks(
	{ json, hint, ...rest }: OperationResult,
	transaction: IDataObject,
	params: Params,
): OperationResult {
	const values = readOptionalFields(params);
	const form = parseTransactionOutput(params);
	const isOn = (name: string) => params.toBoolean(name, values[name]) === true;
	if (!isOn(returnSigningLinks.name)) {
		const lacks = isOn('suppress_email') && form !== 'raw' && !isDraft(transaction);
		return { ...rest, json, hint: joinHints([hint, lacks ? SUPPRESSED : undefined]) };
	}
	const links = listSigningLinks(transaction);
	const linkHint = joinHints([hint, links.length === 0 ? NO_LINKS : SECRET]);
	return { ...rest, json: { ...json, signing_links: links }, hint: linkHint };
}
