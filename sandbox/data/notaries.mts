/** The notaries that the account has when the sandbox starts. */

import { ORGANIZATIONS } from '../world/config.mts';
import type { Notary } from '../world/world.mts';

export const NOTARIES: Notary[] = [
	{
		id: 'us_nora_notary',
		organization: ORGANIZATIONS.parent,
		name: 'Nora Notary',
		email: 'nora@notaries.example',
		state: 'MA',
		county: 'Suffolk County',
		registration: '7712093',
		compliance: 'compliant',
	},
	{
		id: 'us_oscar_oath',
		organization: ORGANIZATIONS.parent,
		name: 'Oscar Oath',
		email: 'oscar@notaries.example',
		state: 'TX',
		county: 'Travis County',
		registration: '1300442',
		compliance: 'compliant',
	},
];
