import { ExplainedFailure, InputFailure } from '../../../messages/failures';
import { describeState } from '../../../messages/transactionTexts';
import type { OperationCall } from '../../../run/operation';
import type { TransactionAnswer } from '../../../transport/answers/shapes';
import { retrieveTransaction } from '../../../transport/answers/transaction';
import { derivePhase, hasEndedUnfinished } from '../../../transport/answers/transactionState';
import { toMilliseconds } from '../../../values/times';
import { normalizeId } from '../../../values/ids';
import { hasSigned } from '../../signer/api';
import { claimNumber } from '../ifExists/claims';
import type { NewTransaction } from '../ifExists/creation';
import { findExistingTransaction, MOST_RETRIEVED, searchList } from '../ifExists/lookup';
import { nameRow } from '../sheet/hint';
import { deleteOld, type CopyChoices } from './form';
import { findCopyKey } from './plan';
import { deriveCopyReference } from './request';

/* The old transaction, whether it may be copied, and the copy that an earlier run has made of it. */

/** @throws InputFailure when another item of the run copies the same transaction */
export function claimOld(call: OperationCall, { transactionId, platform }: CopyChoices): void {
	const otherIndex = call.claimKey(JSON.stringify(['copy', platform, normalizeId(transactionId)]));
	if (otherIndex === undefined) return;
	throw new InputFailure(
		call.params.label('transactionId'),
		`is ${transactionId}, which ${nameRow(call, otherIndex)} copies, too`,
		'Leave one of the two out',
	);
}

/**
 * Makes sure that a transaction may be copied: one that is under way isn't done twice.
 * @throws ExplainedFailure, InputFailure
 */
export function requireCopyable(
	{ params }: OperationCall,
	old: TransactionAnswer,
	{ deletesOld, externalId }: CopyChoices,
): void {
	const isEnded = hasEndedUnfinished(old);
	const refuse = (message: string, remedy: string) => {
		throw new ExplainedFailure(message, `Nothing was created. ${remedy}`, { final: true });
	};
	const state = describeState(old) ?? 'in no state that is known';
	if (!isEnded && derivePhase(old) === 'finished')
		refuse(
			`${old.id} is ${state}, so there's nothing to start over`,
			"For what is still to be signed, use 'Transaction: Create and Send'",
		);
	if (!isEnded && hasSigned(old))
		refuse(
			`Somebody has signed ${old.id}, and it hasn't ended`,
			"Copy it once it has expired, or was declined or canceled. For other papers until then, use 'Transaction: Create and Send'",
		);
	if (!isEnded && !deletesOld)
		refuse(
			`${old.id} hasn't ended: it's ${state}`,
			`Change it with 'Transaction: Update', 'Transaction: Replace Documents' or 'Transaction: Correct Signer'. To start over all the same, turn on '${deleteOld.displayName}'`,
		);
	if (deletesOld && hasSigned(old))
		refuse(
			`Somebody has signed in ${old.id}, so the service doesn't delete it`,
			`Copy it with '${deleteOld.displayName}' off`,
		);
	if (!isEnded && externalId !== undefined && externalId === old.external_id)
		throw new InputFailure(
			params.label('external_id'),
			`is ${externalId}, which ${old.id} has until it's deleted`,
			'Nothing was created. Enter another one, or leave it empty',
		);
}

const DAY_MS = 86_400_000;

/**
 * Finds the copy that an earlier run has made. It's younger than the old transaction, and hasn't ended.
 * @throws as findExistingTransaction() and claimNumber()
 */
export async function findCopy(
	call: OperationCall,
	old: TransactionAnswer,
	transaction: NewTransaction,
	{ days }: CopyChoices,
): Promise<TransactionAnswer | undefined> {
	const key = findCopyKey(transaction);
	if (transaction.body.external_id !== undefined) claimNumber(call, transaction, key);
	const createdAt = toMilliseconds(old.date_created) ?? 0;
	const [today, day] = [Date.now(), createdAt].map((time) => Math.floor(time / DAY_MS));
	const existing = await findExistingTransaction(call, transaction, key, {
		days: Math.min(days, Math.max(0, today - day)),
		since: old.date_created ?? undefined,
		looksInBranches: false,
		usesHandMade: true,
		removes: false,
		notShown: 'ask',
	});
	return existing?.transaction;
}

/** Finds the copy of a transaction that was deleted after it, by its reference alone. */
export async function findCopyOfDeleted(
	call: OperationCall,
	{ transactionId, platform, externalId, days }: CopyChoices,
): Promise<TransactionAnswer | undefined> {
	const value = externalId ?? deriveCopyReference(transactionId);
	const { matching, hidden } = await searchList(
		call,
		{ platform, body: {} },
		{ field: 'external_id', value },
		{ days, looksInBranches: true },
	);
	for (const id of [...matching, ...hidden.slice(0, MOST_RETRIEVED)]) {
		const copy = await retrieveTransaction(call.service, id, platform);
		if (copy.external_id === value && !hasEndedUnfinished(copy)) return copy;
	}
	return undefined;
}
