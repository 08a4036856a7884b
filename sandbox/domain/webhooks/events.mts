/** The events of the service, and subscriptions to them (docs/service/webhooks.md#events). */

import { published } from '../refusal.mts';
import type { World } from '../../world/world.mts';

/** Every event there is. Two names of transactions repeat the prefix. */
export const EVENTS: Record<'transaction' | 'notary', string[]> = {
	transaction: (
		'created sent updated received completed completed_with_rejections partially_completed ' +
		'deleted recalled expired canceled released held_for_review declined reviewed sent_to_closing_ops ' +
		'sent_to_signer sent_to_title_agency document.upload document.processed import.processed ' +
		'import.failed meeting.created meeting.failed meeting.requested meeting.video.processed ' +
		'notary.assigned signer.kba_failed signer.kba_passed signer.high_risk_detected ' +
		'signer.medium_risk_detected ' +
		'transaction.automated_identity_verification_by_idv_service_failed ' +
		'transaction.automated_identity_verification_by_idv_service_passed underwriter.not_available'
	)
		.split(' ')
		.map((name) => `transaction.${name}`),
	notary: 'created needs_review compliant non_compliant signer_ready'
		.split(' ')
		.map((name) => `notary.${name}`),
};

const KNOWN = new Set([...EVENTS.transaction, ...EVENTS.notary, '*', 'transaction.*', 'notary.*']);

/** Older services don't have it (docs/service/webhooks.md#events-of-transactions). */
const CANCELED = 'transaction.canceled';

/** The events that can be subscribed to, as the service lists them. */
export function listEvents({ settings }: World): typeof EVENTS {
	const isUnlisted = (name: string) => name === CANCELED && settings.canceledEvent === 'unlisted';
	return { ...EVENTS, transaction: EVENTS.transaction.filter((name) => !isUnlisted(name)) };
}

/**
 * @throws Refusal 422 for an event that does not exist (docs/service/errors.md#errors-of-webhooks)
 */
export function checkSubscriptions({ settings }: World, names: string[]): void {
	const isRefused = (name: string) =>
		!KNOWN.has(name) || (name === CANCELED && settings.canceledEvent !== 'offered');
	if (names.some(isRefused)) throw published('badSubscription');
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
