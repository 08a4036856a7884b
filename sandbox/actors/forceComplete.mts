/**
 * Ending a transaction without its people: a tool of test environments
 * (docs/service/transactions.md#force-complete).
 */

import { performAction } from './performAction.mts';
import { published } from '../domain/refusal.mts';
import { isHybrid } from '../domain/signingMethods.mts';
import { hasSigned, isDraft, isFinished, isWithClosingTeam } from '../domain/transitions.mts';
import { FORCE_COMPLETE_MS } from '../world/config.mts';
import type { Transaction, World } from '../world/world.mts';

/** All signers sign, then the notary or somebody with paper ends it where that is needed. */
export async function completeTransaction(world: World, transaction: Transaction): Promise<void> {
	if (transaction.onPaper === true) return await performAction(world, transaction, 'signOnPaper');
	while (!transaction.signers.every(hasSigned)) await performAction(world, transaction, 'sign');
	if (transaction.status.startsWith('completed')) return;
	const last =
		isHybrid(transaction) || transaction.signers.length === 0 ? 'signOnPaper' : 'notarize';
	await performAction(world, transaction, last);
}

/** POST .../force_complete. The answer comes first, the transaction is completed a moment later. */
export function forceComplete(world: World, transaction: Transaction): void {
	if (!world.settings.switches.testEnvironment) throw published('noForceComplete');
	const isUnable =
		isDraft(transaction) ||
		isFinished(transaction) ||
		isWithClosingTeam(transaction) ||
		transaction.heldFrom !== undefined;
	if (isUnable) throw published('forceCompleteFailed');
	world.clock.later(FORCE_COMPLETE_MS, async () => await completeTransaction(world, transaction));
}
