/** The organizations that the keys of the sandbox belong to. */

import { ORGANIZATIONS } from '../world/config.mts';

interface Organization {
	id: string;
	name: string;
	email: string;
	/** Where its logo is, or null when it has none. */
	logo_s3_link: string | null;
}

const LISTED: Organization[] = [
	{
		id: ORGANIZATIONS.parent,
		name: 'Harbor Lending',
		email: 'office@harbor-lending.example',
		logo_s3_link: 'https://storage.example/logos/harbor-lending.png',
	},
	{
		id: ORGANIZATIONS.child,
		name: 'Harbor Lending, North Branch',
		email: 'north@harbor-lending.example',
		logo_s3_link: null,
	},
];

/** An organization by its id, or undefined when there is none. */
export function findOrganization(id: string): Organization | undefined {
	return LISTED.find((entry) => entry.id === id);
}
