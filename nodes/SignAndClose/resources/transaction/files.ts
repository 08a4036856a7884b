import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../transport/client';
import { asError, isNotFound } from '../../transport/failure/failure';
import { ANY_FILE, guessTypeByName } from '../../transport/files/fileFormats';
import type { LinkedFile } from '../../transport/fileDownload/linkedFiles';
import { asObjects, asText } from '../../values/json';
import type { OptionTuple } from '../../form/fields';

/*
 * What a transaction has besides its documents, behind temporary links
 * (docs/service/transactions.md#answer-fields).
 */

/** The kinds of these files, as choices of a form. */
export const FILE_KINDS: OptionTuple[] = [
	['Attachments', 'attachment', 'Further files of the transaction'],
	['Charge Statement', 'charge_statement', 'What the transaction costs'],
	['Identity Report', 'identity_report', 'How the identity of the signers was checked'],
];

/** A file that stands beside the documents. */
interface OtherFile extends LinkedFile {
	/** The time that outputs show. */
	date: string | undefined;
}

/**
 * The attachments, the charge statement and the identity report, as far as the transaction shows
 * them. An attachment has no ID: its name and its time tell it apart.
 */
export function listOtherFiles(transaction: IDataObject): OtherFile[] {
	const { attachments, charge_statement_url: statement, identity_report: report } = transaction;
	const transactionId = String(transaction.id);
	const build = (kind: string, file: IDataObject): OtherFile => {
		const [title, date] = [asText(file.name), asText(file.date_created)];
		const name = title ?? `${kind.replace('_', ' ')} ${transactionId}`;
		const attachmentId = [title, date].filter(Boolean).join(' ') || kind;
		return {
			kind,
			id: kind === 'attachment' ? attachmentId : transactionId,
			name,
			mimeType: title === undefined ? ANY_FILE : guessTypeByName(name),
			link: () => asText(file.url),
			date,
		};
	};
	const statements = asText(statement) === undefined ? [] : [{ url: statement }];
	const reports = asObjects([report]).filter((entry) => Object.keys(entry).length > 0);
	return [
		...asObjects(attachments).map((file) => build('attachment', file)),
		...statements.map((file) => build('charge_statement', file)),
		...reports.map((file) => build('identity_report', file)),
	];
}

/**
 * The audit trail: the PDF behind the transaction's temporary link, or for a transaction without a
 * link the PDF of its own endpoint (docs/service/documents.md#audit-trail).
 */
export function getAuditTrailFile(service: ServiceClient, transaction: IDataObject): LinkedFile {
	const transactionId = String(transaction.id);
	return {
		kind: 'audit_trail',
		id: transactionId,
		name: `Audit trail ${transactionId}`,
		mimeType: 'application/pdf',
		link: () => asText(transaction.audit_trail_url),
		async open() {
			try {
				return await service.stream('getAuditTrail', { path: { transactionId } });
			} catch (thrown) {
				if (isNotFound(thrown)) return undefined;
				throw asError(thrown);
			}
		},
	};
}
