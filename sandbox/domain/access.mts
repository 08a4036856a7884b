/** Whose transactions and webhooks a key reaches (docs/service/api.md#keys-and-organizations). */

import { published } from './refusal.mts';
import type { Key, World } from '../world/world.mts';

/**
 * A key of the parent sees what belongs to the parent and to all children. A child's key sees what
 * belongs to the child.
 */
export function canSee(
	world: World,
	{ organization }: Pick<Key, 'organization'>,
	owner: string,
): boolean {
	return organization === owner || organization === world.parent;
}

/**
 * The organization that a new transaction belongs to. A body may name a child of the key's
 * organization.
 * @throws Refusal 404 for any other organization
 */
export function organizationFor(world: World, key: Key, wanted: unknown): string {
	const organization = String(wanted ?? key.organization);
	if (
		organization === key.organization ||
		(key.organization === world.parent && organization === world.child)
	)
		return organization;
	throw published('noOrganization');
}
