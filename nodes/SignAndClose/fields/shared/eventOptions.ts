import type { INodePropertyOptions } from 'n8n-workflow';

/**
 * Events to choose from, in the words of the editor (gaps.md §8; the first two are named by
 * interface.md §6). Value -> what it tells.
 */
const EVENTS: Record<string, string> = {
	'transaction.completed':
		'All documents are finished and can be retrieved. Where the signer pays, wait for "Transaction Released" before downloading',
	'transaction.completed_with_rejections': 'Finished, but at least one document was rejected',
	'notary.compliant': 'A notary meets the requirements',
	'notary.created': 'A notary was added',
	'notary.needs_review': 'A notary has to be reviewed',
	'notary.non_compliant': 'A notary does not meet the requirements',
	'notary.signer_ready': 'A signer waits for the notary',
	'transaction.canceled': 'The transaction was canceled',
	'transaction.created': 'A transaction was created',
	'transaction.declined': 'A signer declined',
	'transaction.deleted': 'A transaction was deleted',
	'transaction.document.processed': 'A document is ready to be sent',
	'transaction.document.upload': 'A document was added',
	'transaction.expired': 'The transaction has expired',
	'transaction.held_for_review': 'The service reviews the transaction',
	'transaction.import.failed': 'An import did not succeed',
	'transaction.import.processed': 'An import is finished',
	'transaction.meeting.created': 'The meeting with the notary has begun',
	'transaction.meeting.failed': 'The meeting with the notary was broken off',
	'transaction.meeting.requested': 'A signer asked for a notary',
	'transaction.meeting.video.processed':
		'The recording of the meeting is ready; it can lag completion',
	'transaction.notary.assigned': 'A notary was assigned',
	'transaction.partially_completed': 'One signer has finished, others have not',
	'transaction.recalled': 'The transaction was taken back to a draft',
	'transaction.received': 'A signer opened the e-mail',
	'transaction.released':
		'Documents may be downloaded. Where the signer pays, this comes after "Transaction Completed", when it is paid',
	'transaction.reviewed': 'The transaction was reviewed',
	'transaction.sent': 'The transaction was sent',
	'transaction.sent_to_closing_ops': 'The closing team prepares the closing',
	'transaction.sent_to_signer': 'The signer was invited',
	'transaction.sent_to_title_agency': 'The title agency prepares the closing',
	'transaction.signer.high_risk_detected': 'A signer was rated a high risk',
	'transaction.signer.kba_failed': 'A signer did not pass the knowledge questions',
	'transaction.signer.kba_passed': 'A signer passed the knowledge questions',
	'transaction.signer.medium_risk_detected': 'A signer was rated a medium risk',
	'transaction.underwriter.not_available': 'The underwriter is not available',
	'transaction.updated': 'A transaction was changed',
};

/** What a known event tells. */
export function describeEvent(event: string): string | undefined {
	return EVENTS[event];
}

const WILDCARDS: INodePropertyOptions[] = [
	{
		name: 'Any Event',
		value: '*',
		description: 'Every event, also those that are not in this list',
	},
	{
		name: 'Any Notary Event',
		value: 'notary.*',
		description: 'Every event about the notaries of the account',
	},
	{
		name: 'Any Transaction Event',
		value: 'transaction.*',
		description: 'Every event about transactions',
	},
];

/**
 * The events to choose from, grouped by what they begin with and sorted by name; wildcards stand
 * for events that are not known too.
 */
export function eventOptions(): INodePropertyOptions[] {
	const named = Object.entries(EVENTS).map(([value, description]) => ({
		name: eventTitle(value),
		value,
		description,
	}));
	return [...WILDCARDS, ...named].sort((a, b) => a.name.localeCompare(b.name));
}

/** An event's name as people read it. */
export function eventTitle(event: string): string {
	const words = event
		.replace(/[._]/g, ' ')
		.replace(/\bkba\b/, 'KBA')
		.split(' ');
	const small = new Set(['for', 'of', 'to', 'with']);
	return words
		.map((word, index) =>
			index > 0 && small.has(word) ? word : word.charAt(0).toUpperCase() + word.slice(1),
		)
		.join(' ');
}
