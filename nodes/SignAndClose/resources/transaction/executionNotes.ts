import type { IDataObject } from 'n8n-workflow';

import type { OperationCall } from '../../run/operation';
import { normalizeId } from '../../values/ids';

/* What an execution has done itself, for its later steps and tries: no answer may show that. */

type Execution = Pick<OperationCall, 'execution'>;

const RECALLED = 'signAndCloseRecalled';
const CONTENTS = 'signAndCloseContents';
const CONSENTS = 'signAndCloseConsents';

const listRecalled = ({ execution }: Execution): string[] =>
	(execution[RECALLED] ??= []) as string[];

const listConsents = ({ execution }: Execution): string[] =>
	(execution[CONSENTS] ??= []) as string[];

/** Notes that this execution has recalled a transaction: it's its own to send again. */
export const noteRecall = (call: Execution, transactionId: string): void =>
	void listRecalled(call).push(normalizeId(transactionId));

/** Whether this execution has recalled a transaction. */
export const wasRecalledHere = (call: Execution, transactionId: string): boolean =>
	listRecalled(call).includes(normalizeId(transactionId));

/**
 * Notes that this execution has consented to a note on paper, if it has.
 * @param fields of a request that was done
 */
export function noteConsent(call: Execution, { id }: IDataObject, fields: IDataObject): void {
	if (fields.paper_note_consent === true) listConsents(call).push(normalizeId(String(id)));
}

/** Whether this execution has consented to a note on paper. */
export const hasConsentedHere = (call: Execution, transactionId: string): boolean =>
	listConsents(call).includes(normalizeId(transactionId));

const readContents = ({ execution }: Execution): Record<string, string> =>
	(execution[CONTENTS] ??= {}) as Record<string, string>;

/** Notes what a document or eNote was made of that this execution has added. */
export function noteContent(call: Execution, documentId: unknown, content: string): void {
	readContents(call)[normalizeId(String(documentId))] = content;
}

/** What a document was made of, if this execution has added it. */
export const findNotedContent = (call: Execution, documentId: unknown): string | undefined =>
	readContents(call)[normalizeId(String(documentId))];
