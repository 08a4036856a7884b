/** The events of the service, and subscriptions to them (docs/service/webhooks.md#events). */

import { refuse, TEXTS } from '../refusal.mts';

/** Every event there is. */
export const EVENTS: Record<'transaction' | 'notary', string[]> = {
	transaction: (
		'created updated deleted expired recalled canceled reviewed sent received sent_to_signer ' +
		'sent_to_closing_ops sent_to_title_agency document.upload document.processed ' +
		'meeting.requested meeting.created meeting.failed meeting.video.processed notary.assigned ' +
		'signer.kba_passed signer.kba_failed signer.high_risk_detected signer.medium_risk_detected ' +
		'underwriter.not_available partially_completed completed completed_with_rejections released ' +
		'held_for_review declined import.processed import.failed'
	)
		.split(' ')
		.map((name) => `transaction.${name}`),
	notary: 'created needs_review compliant non_compliant signer_ready'
		.split(' ')
		.map((name) => `notary.${name}`),
};

const KNOWN = new Set([...EVENTS.transaction, ...EVENTS.notary, '*', 'transaction.*', 'notary.*']);

/**
 * @throws Refusal 422 for an event that does not exist (docs/service/webhooks.md#create-a-webhook)
 */
export function checkSubscriptions(names: string[]): void {
	if (names.some((name) => !KNOWN.has(name))) refuse(TEXTS.badSubscription);
}

/** Whether subscriptions, which may have wildcards, cover an event. */
export function isSubscribed(subscriptions: string[], event: string): boolean {
	return subscriptions.some(
		(name) =>
			name === '*' ||
			name === event ||
			(name.endsWith('.*') && event.startsWith(name.slice(0, -1))),
	);
}
