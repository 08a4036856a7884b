/** The operations on the notaries of the account (docs/service/notarization.md#list-notaries). */

import { findNotary, findTransaction } from './findRequested.mts';
import type { OperationHandler } from './handler.mts';
import { notaryView } from './views/notaries.mts';
import { canSee } from '../domain/access.mts';
import { addNotary, eligibleNotaries } from '../domain/notaries.mts';
import { published } from '../domain/refusal.mts';
import { isState } from '../data/states.mts';
import type { Platform, World } from '../world/world.mts';

export function notaryOperations(world: World): Record<string, OperationHandler> {
	const list: OperationHandler = ({ key, query }) => {
		const organization = query.organization_id ?? key.organization;
		return world.notaries
			.filter(
				(notary) =>
					notary.organization === organization &&
					canSee(world, key, notary.organization) &&
					(query.us_state_abbr === undefined || notary.state === query.us_state_abbr.toUpperCase()),
			)
			.map(notaryView);
	};
	const add: OperationHandler = ({ key, body }) => {
		const { email, first_name, middle_name, last_name, us_state_abbr: state } = body;
		const isComplete = [email, first_name, last_name, state].every(
			(value) => typeof value === 'string' && value !== '',
		);
		const isKnown = world.notaries.some((notary) => notary.email === email);
		if (!isComplete || isKnown || !isState(state)) throw published('notaryRefused');
		return notaryView(
			addNotary(world, {
				organization: key.organization,
				name: [first_name, middle_name, last_name].filter(Boolean).join(' '),
				email,
				state: state.toUpperCase(),
			}),
		);
	};
	const get: OperationHandler = (request) => notaryView(findNotary(world, request));
	const remove: OperationHandler = (request) => {
		world.notaries.splice(world.notaries.indexOf(findNotary(world, request)), 1);
		return request.reply.status(204).send();
	};
	const listEligible =
		(platform?: Platform): OperationHandler =>
		(request) =>
			eligibleNotaries(world, findTransaction(world, request, platform)).map(notaryView);
	return {
		listNotaries: list,
		createNotary: add,
		getNotary: get,
		deleteNotary: remove,
		listClosingNotaries: list,
		createClosingNotary: add,
		getClosingNotary: get,
		deleteClosingNotary: remove,
		listEligibleNotaries: listEligible(),
		listClosingEligibleNotaries: listEligible('realEstate'),
	};
}
