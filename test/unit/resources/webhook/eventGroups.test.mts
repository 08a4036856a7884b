import { describe, expect, test } from '@jest/globals';

import {
	eventsOfGroup,
	FINISHED,
	groupedOptions,
	knownGroupedOptions,
} from '../../../../nodes/SignAndClose/resources/webhook/eventGroups.ts';
import { eventOptions } from '../../../../nodes/SignAndClose/resources/webhook/eventOptions.ts';

/** The groups in which the trigger offers events. */

const GROUPS = ['documents', 'finished', 'attention', 'notaries', 'progress'];
const EVENTS = eventOptions()
	.map(({ value }) => String(value))
	.filter((value) => !value.endsWith('*'));
const events = (group: string) => eventsOfGroup(`group:${group}`)!;

describe('the groups', () => {
	test('have events of the service only, and together all but "updated", which follows any other', () => {
		const grouped = GROUPS.flatMap(events);
		expect(grouped.filter((event) => !EVENTS.includes(event))).toEqual([]);
		expect(EVENTS.filter((event) => !grouped.includes(event))).toEqual(['transaction.updated']);
	});
	test('say what needs attention', () => {
		expect(events('attention')).toEqual(
			expect.arrayContaining([
				'transaction.declined',
				'transaction.expired',
				'transaction.completed_with_rejections',
				'transaction.signer.kba_failed',
				'transaction.signer.high_risk_detected',
				'transaction.meeting.failed',
				'transaction.held_for_review',
				'transaction.transaction.automated_identity_verification_by_idv_service_failed',
			]),
		);
		expect(eventsOfGroup(FINISHED)).toEqual([
			'transaction.completed',
			'transaction.completed_with_rejections',
		]);
	});
	test('are no events, and an event is no group', () => {
		expect(eventsOfGroup('transaction.completed')).toBeUndefined();
		expect(eventsOfGroup('group:unknown')).toBeUndefined();
		expect(eventsOfGroup('group:constructor')).toBeUndefined();
	});
});

describe('the options', () => {
	test('show each group followed by its events, sorted, each value once', () => {
		const options = knownGroupedOptions();
		const names = options.map(({ name }) => name);
		expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
		expect(names.slice(0, 5)).toEqual([
			'Any Event',
			'Any Notary Event',
			'Any Transaction Event',
			'Documents: All Its Events',
			'Documents: Document Added',
		]);
		expect(names).toContain('Other: Updated');
		const values = options.map(({ value }) => value);
		expect(new Set(values).size).toBe(values.length);
		expect(values).toEqual(expect.arrayContaining([...EVENTS, FINISHED]));
		expect(options.every(({ description }) => (description ?? '').length > 10)).toBe(true);
	});
	test('are those of the service: no group of which it has no event, and unknown events as they are', () => {
		const options = groupedOptions(['transaction.archived', 'transaction.*', 'transaction.sent']);
		expect(options.map(({ name, value }) => [name, value])).toEqual([
			['Any Event', '*'],
			['Any Notary Event', 'notary.*'],
			['Any Transaction Event', 'transaction.*'],
			['Other: Archived', 'transaction.archived'],
			['Progress: All Its Events', 'group:progress'],
			['Progress: Sent', 'transaction.sent'],
		]);
	});
});
