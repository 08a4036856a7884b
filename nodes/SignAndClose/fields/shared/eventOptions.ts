import type { INodePropertyOptions } from 'n8n-workflow';

import { InputFailure } from '../../core/explainedFailure';
import { ownValue } from '../../service/values/json';

/*
 * Events to choose from (docs/service/webhooks.md#events), each with its description in the editor.
 */
const EVENTS: Record<string, string> = {
	'transaction.completed':
		'All documents are finished and ready to download. If the signer pays, wait for "Transaction Released".',
	'transaction.completed_with_rejections':
		'All documents are finished, and at least one was rejected',
	'notary.compliant': 'A notary meets the requirements',
	'notary.created': 'A notary was added',
	'notary.needs_review': 'A notary has to be reviewed',
	'notary.non_compliant': "A notary doesn't meet the requirements",
	'notary.signer_ready': 'A signer waits for the notary',
	'transaction.created': 'A transaction was created',
	'transaction.declined': 'A signer declined',
	'transaction.deleted': 'A transaction was deleted',
	'transaction.document.processed': 'A document is ready to be sent',
	'transaction.document.upload': 'A document was added',
	'transaction.expired': 'The transaction has expired',
	'transaction.held_for_review': 'The service reviews the transaction',
	'transaction.import.failed': "An import didn't succeed",
	'transaction.import.processed': 'An import is finished',
	'transaction.meeting.created': 'The meeting with the notary has begun',
	'transaction.meeting.failed': 'The meeting with the notary ended early',
	'transaction.meeting.requested': 'A signer asked for a notary',
	'transaction.meeting.video.processed':
		'The recording of the meeting is ready, sometimes after the transaction is completed',
	'transaction.notary.assigned': 'A notary was assigned',
	'transaction.partially_completed': 'One signer has finished, others have not',
	'transaction.recalled': 'The transaction was recalled to a draft',
	'transaction.received': 'A signer opened the email',
	'transaction.released':
		'Documents are ready to download. If the signer pays, this follows "Transaction Completed" once payment is made.',
	'transaction.reviewed': 'The transaction was reviewed',
	'transaction.sent': 'The transaction was sent',
	'transaction.sent_to_closing_ops': 'The closing team prepares the closing',
	'transaction.sent_to_signer': 'The signer was invited',
	'transaction.sent_to_title_agency': 'The title agency prepares the closing',
	'transaction.signer.high_risk_detected': 'The service rated a signer as high risk',
	'transaction.signer.kba_failed': "A signer didn't pass the knowledge questions",
	'transaction.signer.kba_passed': 'A signer passed the knowledge questions',
	'transaction.signer.medium_risk_detected': 'The service rated a signer as medium risk',
	'transaction.transaction.automated_identity_verification_by_idv_service_failed':
		"The automated check of a signer's identity didn't succeed",
	'transaction.transaction.automated_identity_verification_by_idv_service_passed':
		"The automated check confirmed a signer's identity",
	'transaction.underwriter.not_available': "The underwriter isn't available",
	'transaction.updated': 'A transaction was changed',
};

/** Returns the description of an event; undefined when we don't know the event. */
export function describeEvent(event: string): string | undefined {
	return ownValue(EVENTS, event);
}

const WILDCARDS: INodePropertyOptions[] = [
	{
		name: 'Any Event',
		value: '*',
		description: "Every event, including events that aren't in this list",
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

/** Whether a name stands for several events (docs/service/webhooks.md#wildcards). */
export function isWildcard(event: string): boolean {
	return event === '*' || event.endsWith('.*');
}

/**
 * Builds the options for all events that we know, grouped by the first part of their names and
 * sorted by title. The wildcards also cover events that we don't know.
 */
export function eventOptions(): INodePropertyOptions[] {
	return offeredOptions(Object.keys(EVENTS));
}

/**
 * Builds the options for the events that a service offers, sorted by title. It may leave out the
 * wildcards (docs/service/webhooks.md#list-events-to-subscribe-to).
 */
export function offeredOptions(offered: readonly string[]): INodePropertyOptions[] {
	const named = offered
		.filter((value) => !WILDCARDS.some((wildcard) => wildcard.value === value))
		.map((value) => ({
			name: eventTitle(value),
			value,
			description: describeEvent(value) ?? value,
		}));
	return [...WILDCARDS, ...named].sort((a, b) => a.name.localeCompare(b.name));
}

/** Creates the failure for a choice of events that is empty. */
export function noEvent(label: string): InputFailure {
	return new InputFailure(label, 'is empty', 'Choose at least one event');
}

/** Turns an event's name into a title. A prefix that the name repeats is in it once. */
export function eventTitle(event: string): string {
	const words = event
		.replace(/^(\w+\.)\1/, '$1')
		.replace(/[._]/g, ' ')
		.replace(/\b(idv|kba)\b/, (short) => short.toUpperCase())
		.split(' ');
	const small = new Set(['by', 'for', 'of', 'to', 'with']);
	return words
		.map((word, index) =>
			index > 0 && small.has(word) ? word : word.charAt(0).toUpperCase() + word.slice(1),
		)
		.join(' ');
}
