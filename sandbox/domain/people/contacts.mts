/** The contacts of a closing (docs/service/closings.md#contacts). */

import type { Fields, World } from '../../world/world.mts';

/**
 * Contacts with the times of their answers. A contact has no id: the email is its key, so one that
 * is sent again keeps the time of its creation.
 */
export function dateContacts(world: World, old: Fields[], sent: Fields[]): Fields[] {
	const now = world.clock.stamp();
	return sent.map((contact) => {
		const known = old.find(({ email }) => email === contact.email);
		return { ...contact, date_created: known?.date_created ?? now, date_updated: now };
	});
}
