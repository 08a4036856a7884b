import type { INodePropertyOptions } from 'n8n-workflow';

import { InputFailure } from '../../messages/explainedFailure';
import { ownValue } from '../../values/json';
import { titleOf } from '../shared/fields';

/*
 * Events to choose from (docs/service/webhooks.md#events), each with its name and its description in
 * the editor.
 */
const EVENTS: Record<string, [name: string, description: string]> = {
	'transaction.completed': [
		'Completed',
		'All documents are finished and ready to download. If the signer pays, wait for "Documents Released".',
	],
	'transaction.completed_with_rejections': [
		'Completed With Rejections',
		'All documents are finished, and at least one was rejected',
	],
	'notary.compliant': ['Notary Meets the Requirements', 'A notary meets the requirements'],
	'notary.created': ['Notary Added', 'A notary was added'],
	'notary.needs_review': ['Notary Needs Review', 'A notary has to be reviewed'],
	'notary.non_compliant': [
		"Notary Doesn't Meet the Requirements",
		"A notary doesn't meet the requirements",
	],
	'notary.signer_ready': ['Signer Waits for the Notary', 'A signer waits for the notary'],
	'transaction.created': ['Created', 'A transaction was created'],
	'transaction.declined': ['Declined', 'A signer declined'],
	'transaction.deleted': ['Deleted', 'A transaction was deleted'],
	'transaction.document.processed': ['Document Processed', 'A document is ready to be sent'],
	'transaction.document.upload': ['Document Added', 'A document was added'],
	'transaction.expired': ['Expired', 'The transaction has expired'],
	'transaction.held_for_review': ['Held for Review', 'The service reviews the transaction'],
	'transaction.import.failed': ["Import Didn't Succeed", "An import didn't succeed"],
	'transaction.import.processed': ['Import Finished', 'An import is finished'],
	'transaction.meeting.created': ['Meeting Begun', 'The meeting with the notary has begun'],
	'transaction.meeting.failed': ['Meeting Ended Early', 'The meeting with the notary ended early'],
	'transaction.meeting.requested': ['Meeting Requested', 'A signer asked for a notary'],
	'transaction.meeting.video.processed': [
		'Recording Ready',
		'The recording of the meeting is ready, sometimes after the transaction is completed',
	],
	'transaction.notary.assigned': ['Notary Assigned', 'A notary was assigned'],
	'transaction.partially_completed': [
		'Partially Completed',
		'One signer has finished, others have not',
	],
	'transaction.recalled': ['Recalled', 'The transaction was recalled to a draft'],
	'transaction.received': ['Opened', 'A signer opened the email'],
	'transaction.released': [
		'Documents Released',
		'Documents are ready to download. If the signer pays, this follows "Completed" once payment is made.',
	],
	'transaction.reviewed': ['Reviewed', 'The transaction was reviewed'],
	'transaction.sent': ['Sent', 'The transaction was sent'],
	'transaction.sent_to_closing_ops': [
		'Sent to the Closing Team',
		'The closing team prepares the closing',
	],
	'transaction.sent_to_signer': ['Sent to the Signer', 'The signer was invited'],
	'transaction.sent_to_title_agency': [
		'Sent to the Title Agency',
		'The title agency prepares the closing',
	],
	'transaction.signer.high_risk_detected': [
		'Signer Rated High Risk',
		'The service rated a signer as high risk',
	],
	'transaction.signer.kba_failed': [
		'Knowledge Questions Not Passed',
		"A signer didn't pass the knowledge questions",
	],
	'transaction.signer.kba_passed': [
		'Knowledge Questions Passed',
		'A signer passed the knowledge questions',
	],
	'transaction.signer.medium_risk_detected': [
		'Signer Rated Medium Risk',
		'The service rated a signer as medium risk',
	],
	'transaction.transaction.automated_identity_verification_by_idv_service_failed': [
		'Identity Check Not Passed',
		"The automated check of a signer's identity didn't succeed",
	],
	'transaction.transaction.automated_identity_verification_by_idv_service_passed': [
		'Identity Check Passed',
		"The automated check confirmed a signer's identity",
	],
	'transaction.underwriter.not_available': [
		'Underwriter Unavailable',
		"The underwriter isn't available",
	],
	'transaction.updated': ['Updated', 'A transaction was changed'],
};

/** Returns the description of an event; undefined when we don't know the event. */
export function describeEvent(event: string): string | undefined {
	return ownValue(EVENTS, event)?.[1];
}

/** The option of an event: a short name for people, and below it the service's own. */
export function eventOption(event: string, prefix = ''): INodePropertyOptions & { value: string } {
	const description = describeEvent(event);
	return {
		name: prefix + eventName(event),
		value: event,
		description: description === undefined ? event : `${event}: ${description}`,
	};
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
		.map((value) => eventOption(value));
	return [...WILDCARDS, ...named].sort((a, b) => a.name.localeCompare(b.name));
}

/** Creates the failure for a choice of events that is empty. */
export function noEvent(label: string): InputFailure {
	return new InputFailure(label, 'is empty', 'Choose at least one event');
}

/** Returns the short name of an event. One that we don't know is called what the service calls it. */
function eventName(event: string): string {
	const known = ownValue(EVENTS, event)?.[0];
	return known ?? titleOf(event.replace(/^transaction\./, '').replace(/\./g, '_'));
}
