/** The one door to all actions: `sandbox.act` and the console's buttons both come in here. */

import type { ActionHandler, ActionName, ActionOptions } from './actionNames.mts';
import { ActionNotPossible } from './actionNames.mts';
import { whyNot } from './availability.mts';
import { CLOSING_TEAM_ACTIONS } from './closingTeamActions.mts';
import { NOTARY_ACTIONS } from './notaryActions.mts';
import { SERVICE_ACTIONS } from './serviceActions.mts';
import { SIGNER_ACTIONS } from './signerActions.mts';
import { Refusal } from '../domain/refusal.mts';
import type { Transaction, World } from '../world/world.mts';

const HANDLERS: Record<ActionName, ActionHandler> = {
	...SIGNER_ACTIONS,
	...NOTARY_ACTIONS,
	...CLOSING_TEAM_ACTIONS,
	...SERVICE_ACTIONS,
};

/** @throws ActionNotPossible with the reason */
export async function performAction(
	world: World,
	transaction: Transaction,
	name: ActionName,
	options: ActionOptions = {},
): Promise<void> {
	const reason = whyNot(world, transaction, name);
	if (reason !== undefined) throw new ActionNotPossible(reason);
	try {
		await HANDLERS[name](world, transaction, options);
	} catch (thrown) {
		// Some actions go through the same rules as a client's request.
		throw thrown instanceof Refusal ? new ActionNotPossible(thrown.message) : thrown;
	}
}
