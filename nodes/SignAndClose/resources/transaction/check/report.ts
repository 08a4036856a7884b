import type { IDataObject } from 'n8n-workflow';

import { joinSentences, withNumbers } from '../../../values/words';
import type { OperationCall } from '../../../run/operation';
import { findFirstText } from '../../../form/output';
import { isDraft } from '../../../transport/answers/transactionState';
import { CHECKS, type CodedFinding } from './checks';
import type { Facts } from './findings';

/* What comes out of the checks: items, and the hint below them. */

/** A finding as an item. */
export const toFinding = (
	transactionId: string,
	{ code, state, text, field, document }: CodedFinding,
): IDataObject => ({
	transaction_id: transactionId,
	code,
	state,
	text,
	field,
	document_id: findFirstText(document?.id),
});

/** What is missing, what a person should look at, and what isn't shown. */
const groupTexts = (findings: CodedFinding[]) =>
	(['missing', 'warning', 'unknown'] as const).map((expected) =>
		findings.filter(({ state }) => state === expected).map(({ text }) => text),
	);

/** Says at a glance whether something is missing; of one of several transactions with its name. */
export function describeFindings(
	{ context }: OperationCall,
	transaction: Facts['transaction'],
	findings: CodedFinding[],
): string {
	const { id, transaction_name: name } = transaction;
	const isAlone = context.getInputData().length === 1;
	const label = isAlone ? '' : `'${findFirstText(name, id)}' (${id})`;
	const [missing, warnings] = groupTexts(findings);
	const unknown = findings.filter(({ state }) => state === 'unknown');
	const subjects = new Set(unknown.map(({ code }) => CHECKS[code].about));
	const join = (texts: string[]) => (texts.length === 1 ? texts : withNumbers(texts)).join('. ');
	const isAllShown = warnings.length === 0 && subjects.size === 0;
	const verdict =
		missing.length === 0
			? `Nothing is missing${label && ` in ${label}`}${isAllShown ? '' : ' that the service shows'}`
			: `${label ? `${label} can't` : "Can't"} be sent${isDraft(transaction) ? ' yet' : ''}: ${join(missing)}`;
	return joinSentences(
		verdict,
		warnings.length > 0 && `Look at this before you send it: ${join(warnings)}`,
		subjects.size > 0 &&
			`The service doesn't show everything, so check these yourself (the output says more): ${[...subjects].join('; ')}`,
	);
}

/** All findings as one item, whose fields a sheet and an If can use. */
export function toSummary(
	{ id, transaction_name: name }: Facts['transaction'],
	findings: CodedFinding[],
): IDataObject {
	const [missing, warnings, unknown] = groupTexts(findings);
	return {
		transaction_id: id,
		transaction_name: findFirstText(name),
		ready: missing.length === 0,
		missing: missing.length,
		warnings: warnings.length,
		unknown: unknown.length,
		missing_list: missing.join('\n'),
		warning_list: warnings.join('\n'),
		unknown_list: unknown.join('\n'),
	};
}
