import type { INodePropertyOptions } from 'n8n-workflow';

import { eventOption, eventOptions, isWildcard } from './eventOptions';

/*
 * Groups of events, as people think of them. Each can be selected as a whole, and its events one by
 * one. The events are those of docs/service/webhooks.md#events.
 */

interface Group {
	name: string;
	/** Says which events are in it, for the editor. */
	description: string;
	events: readonly string[];
}

const IDENTITY = 'transaction.transaction.automated_identity_verification_by_idv_service';

/** The groups by the last part of their stored values. */
const GROUPS: Record<string, Group> = {
	documents: {
		name: 'Documents',
		description:
			'Added, processed, imported, released for download (where the signer pays, this comes after the payment), recording of the meeting ready',
		events: [
			'transaction.document.upload',
			'transaction.document.processed',
			'transaction.import.processed',
			'transaction.import.failed',
			'transaction.released',
			'transaction.meeting.video.processed',
		],
	},
	finished: {
		name: 'Finished',
		description: 'Completed, with or without rejections',
		events: ['transaction.completed', 'transaction.completed_with_rejections'],
	},
	attention: {
		name: 'Needs Attention',
		description:
			"Declined, expired, completed with rejections, held for review, meeting ended early, knowledge questions or automated identity check not passed, high risk, underwriter isn't available",
		events: [
			'transaction.declined',
			'transaction.expired',
			'transaction.completed_with_rejections',
			'transaction.signer.kba_failed',
			'transaction.signer.high_risk_detected',
			'transaction.meeting.failed',
			'transaction.held_for_review',
			`${IDENTITY}_failed`,
			'transaction.underwriter.not_available',
		],
	},
	notaries: {
		name: 'Notaries',
		description:
			'Notary added, assigned, has to be reviewed, meets the requirements or not, a signer waits',
		events: [
			'notary.created',
			'notary.needs_review',
			'notary.compliant',
			'notary.non_compliant',
			'notary.signer_ready',
			'transaction.notary.assigned',
		],
	},
	progress: {
		name: 'Progress',
		description:
			'Created, sent, opened, partially completed, recalled, deleted, reviewed, meeting requested or begun, identity checks passed, medium risk',
		events: [
			'transaction.created',
			'transaction.sent_to_closing_ops',
			'transaction.sent_to_title_agency',
			'transaction.sent',
			'transaction.sent_to_signer',
			'transaction.received',
			'transaction.signer.kba_passed',
			`${IDENTITY}_passed`,
			'transaction.signer.medium_risk_detected',
			'transaction.meeting.requested',
			'transaction.meeting.created',
			'transaction.partially_completed',
			'transaction.reviewed',
			'transaction.recalled',
			'transaction.deleted',
		],
	},
};

/** What the stored values of groups begin with. No event of the service has a colon in its name. */
const PREFIX = 'group:';

/** The stored value of the group that is selected by default. */
export const FINISHED = `${PREFIX}finished`;

/**
 * Returns the events of a selected group.
 * @returns undefined when the selected value isn't a group
 */
export function eventsOfGroup(selected: string): readonly string[] | undefined {
	if (!selected.startsWith(PREFIX)) return undefined;
	const key = selected.slice(PREFIX.length);
	return Object.hasOwn(GROUPS, key) ? GROUPS[key].events : undefined;
}

/**
 * Builds the options for the groups and for the events that a service offers, sorted by title, so
 * that the events of a group follow it. A group of which the service has no event is left out.
 */
export function groupedOptions(offered: readonly string[]): INodePropertyOptions[] {
	const names = [...new Set(offered.filter((event) => !isWildcard(event)))];
	const groups = Object.entries(GROUPS)
		.filter(([, { events }]) => events.some((event) => names.includes(event)))
		.map(([key, { name, description }]) => ({
			name: `${name}: All Its Events`,
			value: PREFIX + key,
			description,
		}));
	const events = names.map((value) => eventOption(value, `${groupNameOf(value)}: `));
	const wildcards = eventOptions().filter(({ value }) => isWildcard(String(value)));
	return [...wildcards, ...groups, ...events].sort((a, b) => a.name.localeCompare(b.name));
}

/** Builds the options for all groups and events that we know. */
export function knownGroupedOptions(): INodePropertyOptions[] {
	return groupedOptions(eventOptions().map(({ value }) => String(value)));
}

/** An event may be in two groups; its title names the first one of the list. */
function groupNameOf(event: string): string {
	const group = Object.values(GROUPS).find(({ events }) => events.includes(event));
	return group?.name ?? 'Other';
}
