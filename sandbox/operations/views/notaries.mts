/** How notaries look in answers (docs/service/notarization.md#list-notaries). */

import type { Compliance, Notary } from '../../world/world.mts';

/**
 * The statuses, and the four fixed texts about them. Two of the texts are published
 * (docs/service/notarization.md#notary-statuses), the others are ours. The event of a notary who is
 * `not_compliant` says `non_compliant`.
 */
const STATUSES: Record<Compliance, { status: string; status_description: string }> = {
	created: {
		status: 'not_compliant',
		status_description: 'Notary is missing required documentation.',
	},
	needs_review: {
		status: 'needs_review',
		status_description: 'Notary documentation is being reviewed.',
	},
	compliant: { status: 'compliant', status_description: 'Notary is clear to take meetings.' },
	non_compliant: {
		status: 'not_compliant',
		status_description: 'Notary documentation is not valid.',
	},
};

export function notaryView({ id, name, email, state, compliance }: Notary): object {
	const names = name.split(' ');
	return {
		id,
		first_name: names[0],
		middle_name: names.slice(1, -1).join(' '),
		last_name: names.at(-1),
		email,
		us_state_abbr: state,
		...STATUSES[compliance],
	};
}
