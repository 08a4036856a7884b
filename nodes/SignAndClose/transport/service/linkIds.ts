import { decodePercentCodes } from '../../values/plainText';

/* Reads the IDs in links of the service. */

/** The part of a link's path that precedes an ID, by the name of the ID. */
export const LINK_PARTS: Record<string, string> = {
	transactionId: 'transactions',
	documentId: 'documents',
	recordId: 'notarization_records',
	webhookId: 'webhooks',
};

/**
 * Reads the ID in a link of the service, e.g. one that a person pasted.
 * @param name the ID's name, e.g. transactionId
 * @returns the decoded ID; undefined when the text isn't such a link
 */
export function readIdInLink(name: string, text: string): string | undefined {
	const part = LINK_PARTS[name];
	if (part === undefined || !/^https?:\/\//i.test(text)) return undefined;
	const id = new RegExp(`/${part}/([^/?#]+)`).exec(text)?.[1];
	return id === undefined ? undefined : decodePercentCodes(id);
}
