import type { INodePropertyOptions } from 'n8n-workflow';

import { InputFailure } from '../../messages/failures';
import { getOwnValue } from '../../values/json';
import { buildOptions } from '../../form/fields';
import { toTitle } from '../../form/titles';

/*
 * The events of the service (docs/service/webhooks.md#events): the one table of them, the lists to
 * choose from, and what they say of a transaction.
 */

/**
 * An event: its name in the editor, what the name doesn't say, and how far it has brought a transaction.
 * Without a stage, it says nothing about that.
 */
type EventEntry = [name: string, description?: string, stage?: number];

/** Events that people think of together. A group can be selected as a whole. */
interface EventGroup {
	name: string;
	description: string;
	events: Record<string, EventEntry>;
	/** Events of other groups that are in this one as well. */
	also?: readonly string[];
}

/** What the names of the events of an identity check begin with. */
export const IDENTITY_EVENT =
	'transaction.transaction.automated_identity_verification_by_idv_service';

/** All events by their groups, whose keys are in stored values. A new event is added here, and only here. */
const GROUPS: Record<string, EventGroup> = {
	finished: {
		name: 'Finished',
		description: 'Completed, with or without rejections',
		events: {
			'transaction.completed': [
				'Completed',
				'All documents are finished and ready to download. If the signer pays, wait for "Documents Released".',
				5,
			],
			'transaction.completed_with_rejections': [
				'Completed with Rejections',
				'All documents are finished, and at least one was rejected',
				5,
			],
		},
	},
	documents: {
		name: 'Documents',
		description:
			'Documents were uploaded, processed, imported or released, or a recording is ready',
		events: {
			'transaction.document.upload': ['Document Uploaded'],
			'transaction.document.processed': ['Document Processed', 'A document is ready to be sent'],
			'transaction.import.processed': ['Import Finished'],
			'transaction.import.failed': ['Import Failed'],
			'transaction.released': [
				'Documents Released',
				'Documents are ready to download. If the signer pays, this follows "Completed" once payment is made.',
			],
			'transaction.meeting.video.processed': [
				'Recording Ready',
				'The recording of the meeting is ready, sometimes after the transaction is completed',
			],
		},
	},
	attention: {
		name: 'Needs Attention',
		description:
			'Declined, expired, canceled, held for review, completed with rejections, or a check or meeting without success',
		events: {
			'transaction.declined': ['Declined'],
			'transaction.expired': ['Expired', '', 6],
			'transaction.canceled': ['Canceled', "Older services don't have this event", 6],
			'transaction.signer.kba_failed': [
				'Knowledge Questions Failed',
				'A signer has failed twice, and is locked for 24 hours',
			],
			'transaction.signer.high_risk_detected': ['Signer Rated High Risk'],
			'transaction.meeting.failed': ['Meeting Ended Early'],
			'transaction.held_for_review': ['Held for Review', 'The service reviews the transaction'],
			[`${IDENTITY_EVENT}_failed`]: [
				'Identity Check Failed',
				"A signer didn't pass an identity check",
			],
			'transaction.underwriter.not_available': ['Title Underwriter Unavailable'],
		},
		also: ['transaction.completed_with_rejections'],
	},
	notaries: {
		name: 'Notaries',
		description: 'A notary was added, reviewed or assigned, or a signer waits for one',
		events: {
			'notary.created': ['Notary Added'],
			'notary.needs_review': ['Notary Needs Review'],
			'notary.compliant': ['Notary Compliant'],
			'notary.non_compliant': ['Notary Not Compliant'],
			'notary.signer_ready': ['Signer Waits for Notary'],
			'transaction.notary.assigned': ['Notary Assigned'],
		},
	},
	progress: {
		name: 'Progress',
		description: 'Every step of a transaction that goes well',
		events: {
			'transaction.created': ['Created', '', 0],
			'transaction.sent_to_closing_ops': [
				'Sent to Closing Team',
				'The closing team prepares the closing',
				1,
			],
			'transaction.sent_to_title_agency': [
				'Sent to Title Agency',
				'The title agency prepares the closing',
				1,
			],
			'transaction.sent': ['Sent', '', 2],
			'transaction.sent_to_signer': ['Sent to Signer', 'The signer was invited', 2],
			'transaction.received': ['Opened', 'A signer opened the email', 3],
			'transaction.signer.kba_passed': ['Knowledge Questions Passed'],
			[`${IDENTITY_EVENT}_passed`]: ['Identity Check Passed', 'A signer passed an identity check'],
			'transaction.signer.medium_risk_detected': ['Signer Rated Medium Risk'],
			'transaction.meeting.requested': ['Meeting Requested', 'A signer asked for a notary'],
			'transaction.meeting.created': ['Meeting Started'],
			'transaction.partially_completed': [
				'Partially Completed',
				'One signer has finished, others have not',
				4,
			],
			'transaction.reviewed': ['Reviewed'],
			'transaction.recalled': ['Recalled', 'The transaction was recalled to a draft', 0],
			'transaction.deleted': ['Deleted'],
		},
	},
};

const EVENTS: Record<string, EventEntry> = {
	...Object.assign({}, ...Object.values(GROUPS).map(({ events }) => events)),
	// In no group, because it follows almost every other event.
	'transaction.updated': ['Updated'],
};

/**
 * Events that older services don't have. They refuse a whole webhook for one, so it's subscribed to only
 * where the service lists it (docs/service/webhooks.md#events-of-transactions).
 */
export const NEWER_EVENTS: readonly string[] = ['transaction.canceled'];

const WILDCARDS = buildOptions([
	['Any Event', '*', "Every event, including events that aren't in this list"],
	['Any Notary Event', 'notary.*', 'Every event about the notaries of the account'],
	['Any Transaction Event', 'transaction.*', 'Every event about transactions'],
]);

/** What the stored values of groups begin with. No event of the service has a colon in its name. */
const GROUP_PREFIX = 'group:';

/** The stored value of the group that is selected by default. */
export const FINISHED_GROUP = `${GROUP_PREFIX}finished`;

/**
 * Returns the events of a selected group.
 * @returns undefined when the selected value isn't a group
 */
export function listEventsOfGroup(selected: string): string[] | undefined {
	const key = selected.startsWith(GROUP_PREFIX) ? selected.slice(GROUP_PREFIX.length) : '';
	const group = getOwnValue(GROUPS, key);
	return group && [...Object.keys(group.events), ...(group.also ?? [])];
}

/** Returns what an event means; undefined when we don't know the event. */
export function describeEvent(event: string): string | undefined {
	const [name, description] = getOwnValue(EVENTS, event) ?? [];
	return description || name;
}

/**
 * Builds the options for events, sorted by name, with the wildcards, which a service may not list
 * (docs/service/webhooks.md#list-events-to-subscribe-to) and which cover events that we don't know.
 * @param offered the events that the service offers; otherwise those that we know
 */
export function buildEventOptions(offered = Object.keys(EVENTS)): INodePropertyOptions[] {
	return sortOptions(listSingleEvents(offered).map((event) => buildEventOption(event)));
}

/**
 * Builds the same options with groups: each is followed by its events. A group of which the service has
 * no event is left out.
 */
export function buildGroupedOptions(offered = Object.keys(EVENTS)): INodePropertyOptions[] {
	const events = listSingleEvents(offered);
	const groups = Object.entries(GROUPS).flatMap(([key, { name, description }]) =>
		listEventsOfGroup(GROUP_PREFIX + key)!.some((event) => events.includes(event))
			? [{ name: `${name}: All Its Events`, value: GROUP_PREFIX + key, description }]
			: [],
	);
	// An event may be in two groups; its title names the one that it is listed in.
	const findGroupName = (event: string) =>
		Object.values(GROUPS).find((group) => Object.hasOwn(group.events, event))?.name ?? 'Other';
	return sortOptions([
		...groups,
		...events.map((event) => buildEventOption(event, `${findGroupName(event)}: `)),
	]);
}

/**
 * Builds the expression for the line below the trigger's name on the canvas: what is selected, as the
 * list names it. An event that we don't know is called what the service calls it.
 */
export function buildEventsSubtitle(): string {
	const groups = Object.entries(GROUPS).map(([key, { name }]) => [GROUP_PREFIX + key, name]);
	const events = Object.entries(EVENTS).map(([event, [name]]) => [event, name]);
	const wildcards = WILDCARDS.map(({ value, name }) => [value, name]);
	const names = JSON.stringify(Object.fromEntries([...groups, ...events, ...wildcards]));
	return `={{ [$parameter["events"]].flat().map((event) => (${names})[event] ?? event).join(", ") }}`;
}

const listSingleEvents = (offered: readonly string[]) => [
	...new Set(offered.filter((event) => event !== '*' && !event.endsWith('.*'))),
];

const sortOptions = (options: INodePropertyOptions[]) =>
	[...WILDCARDS, ...options].sort((a, b) => a.name.localeCompare(b.name));

/** The option of an event: a short name for people, and below it the service's own. */
function buildEventOption(event: string, prefix = ''): INodePropertyOptions {
	const description = getOwnValue(EVENTS, event)?.[1];
	return {
		name: prefix + findEventName(event),
		value: event,
		description: description ? `${event}: ${description}` : event,
	};
}

/** Returns the short name of an event. One that we don't know is called what the service calls it. */
const findEventName = (event: string): string =>
	getOwnValue(EVENTS, event)?.[0] ??
	toTitle(event.replace(/^transaction\./, '').replace(/\./g, '_'));

/** Creates the failure for a choice of events that is empty. */
export const createEventFailure = (label: string) =>
	new InputFailure(label, 'is empty', 'Choose at least one event');

/** How far an event has brought a transaction; undefined when it says nothing about that. */
export const findStage = (event: string): number | undefined => getOwnValue(EVENTS, event)?.[2];
