import type { IDataObject } from 'n8n-workflow';

import type { OperationResult } from '../../../run/operation';
import type { Params } from '../../../run/parameters/params';
import { isDraft } from '../../../transport/answers/transactionState';
import { flag } from '../../shared/fields';
import { joined } from '../../shared/hints';
import { accessLinksOf } from '../../signer/api';
import { readTransactionForm } from '../output';

/* The access links of signers, which replace the emails (docs/service/transactions.md#send). */

/** Whether the output has them. They're secrets, so they're in a simplified one on purpose only. */
export const returnAccessLinks = flag(
	'Return Access Links',
	'returnAccessLinks',
	"Whether to add the access link of each signer to the output, as 'access_links'. Treat them as secrets: whoever has a link can act as its signer.",
);

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
	const form = readTransactionForm(params);
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
