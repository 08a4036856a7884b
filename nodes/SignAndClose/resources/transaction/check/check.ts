import type { IDataObject } from 'n8n-workflow';

import { ExplainedFailure, sentences } from '../../../messages/explainedFailure';
import { plainText } from '../../../transport/failure/plainText';
import { firstText } from '../../shared/output';
import { CHECKS, type Check, type Code } from './codes';
import type { Facts, Found, State } from './finding';

/* Runs all checks, and says what they find. */

interface Finding extends Found {
	code: Code;
	field: string;
}

/** What all checks find, at least one thing each. */
export function findingsOf(facts: Facts): Finding[] {
	return Object.entries<Check>(CHECKS).flatMap(([code, { fields, realEstate, rule }]) => {
		const isAsked =
			(realEstate !== true || facts.platform === 'realEstate') &&
			(code !== 'enote_names' || facts.enote !== undefined);
		if (!isAsked) return [];
		// Names and reasons are somebody else's words.
		return rule(facts).map((found) => ({
			...found,
			text: plainText(found.text),
			code: code as Code,
			field: fields.join(', '),
		}));
	});
}

/** A finding as an item. */
export const toFinding = (
	transactionId: string,
	{ code, state, text, field, document }: Finding,
): IDataObject => ({
	transaction_id: transactionId,
	code,
	state,
	text,
	field,
	document_id: firstText(document?.id),
});

/** All findings as one item, whose fields a sheet and an If can use. */
export function toSummary(
	{ id, transaction_name: name }: Facts['transaction'],
	findings: Finding[],
): IDataObject {
	const textsOf = (wanted: State) =>
		findings.filter(({ state }) => state === wanted).map(({ text }) => text);
	const [missing, warnings, unknown] = (['missing', 'warning', 'unknown'] as const).map(textsOf);
	return {
		transaction_id: id,
		transaction_name: firstText(name),
		ready: missing.length === 0,
		missing: missing.length,
		warnings: warnings.length,
		unknown: unknown.length,
		missing_list: missing.join('\n'),
		warning_list: warnings.join('\n'),
		unknown_list: unknown.join('\n'),
	};
}

/**
 * Makes sure that nothing is missing in a draft that is about to be sent. Send waits for documents
 * that are pending.
 * @throws ExplainedFailure with all that is missing
 */
export function requireComplete(facts: Facts): void {
	const missing = findingsOf(facts).filter(
		({ code, state }) => state === 'missing' && code !== 'document_pending',
	);
	if (missing.length === 0) return;
	throw new ExplainedFailure(
		`The transaction can't go out yet: ${missing.length === 1 ? '1 thing is' : `${missing.length} things are`} missing`,
		sentences('Nothing was sent', ...missing.map(({ text }, index) => `(${index + 1}) ${text}`)),
		{ final: true },
	);
}
