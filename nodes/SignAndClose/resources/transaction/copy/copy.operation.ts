import { ExplainedFailure } from '../../../messages/failures';
import { defineOperation, type OperationCall } from '../../../run/operation';
import type { TransactionAnswer } from '../../../transport/answers/shapes';
import { retrieveTransaction } from '../../../transport/answers/transaction';
import { asError, findFailure, saysNotFound } from '../../../transport/failure/failure';
import { parseTransactionOutput, transactionOutputFields } from '../output';
import { planCopiedDocuments, type CopiedDocuments } from './documents';
import { claimOld, findCopy, findCopyOfDeleted, requireCopyable } from './existing';
import {
	transactionCopyFields,
	deleteOld,
	newExternalId,
	parseCopy,
	takesUnproven,
	type CopyChoices,
} from './form';
import {
	buildLostPlaces,
	groupNotCopied,
	REASONS,
	WHOLE_DOCUMENT,
	type NotCopied,
} from './notCopied';
import { buildCopyParts } from './parts';
import type { CopyState } from './plan';
import { listUnplacedCopies } from '../check/unplaced';
import { buildCopyRequest } from './request';

/**
 * Copies a transaction that has ended into a new draft (docs/service/states.md#canceled): it can't be
 * revived. Run again, it finds the copy, and adds only what is missing.
 */
export const copyTransaction = defineOperation({
	resource: 'transaction',
	value: 'copy',
	name: 'Copy',
	action: 'Copy transaction',
	description:
		'Start over: make a new draft of a transaction that has expired or was declined or canceled. The output lists what is not copied.',
	kind: 'write',
	passesFiles: true,
	effect:
		"Creates a draft. Nobody is told of it. With 'Delete the Old One', the old transaction is gone for good, with everything its signers have filled in",
	properties: [...transactionCopyFields, ...transactionOutputFields],
	check: parseTransactionOutput,
	async divide(call) {
		const choices = parseCopy(call);
		claimOld(call, choices);
		const { state, notCopied } = await lookAtBoth(call, choices);
		if (choices.deletesOld) requireNothingLost(choices, notCopied);
		return buildCopyParts(call, choices, state, groupNotCopied(notCopied));
	},
});

/** Reads the old transaction and its copy, as far as they're there. */
async function lookAtBoth(
	call: OperationCall,
	choices: CopyChoices,
): Promise<{ state: CopyState; notCopied: NotCopied[] }> {
	let old: TransactionAnswer;
	try {
		old = await retrieveTransaction(call.service, choices.transactionId, choices.platform);
	} catch (thrown) {
		const isDeleted = choices.deletesOld && saysNotFound(thrown);
		const copy = isDeleted ? await findCopyOfDeleted(call, choices) : undefined;
		if (copy === undefined) throw isDeleted ? explainMissing(thrown, choices) : asError(thrown);
		return {
			state: { copy, documents: NO_DOCUMENTS },
			notCopied: listUnplacedCopies(copy).map(buildLostPlaces),
		};
	}
	requireCopyable(call, old, choices);
	const { transaction, notCopied } = await buildCopyRequest(call, old, choices);
	const copy = await findCopy(call, old, transaction, choices);
	const documents = await planCopiedDocuments(call, old, copy, choices);
	return {
		state: { old, transaction, copy, documents },
		notCopied: [...notCopied, ...documents.notCopied],
	};
}

/** A copy with the External ID of one that had ended isn't found by the ID of that, once it's deleted. */
function explainMissing(
	thrown: unknown,
	{ platform, transactionId, externalId }: CopyChoices,
): Error {
	if (platform !== 'business' || externalId !== undefined) return asError(thrown);
	return new ExplainedFailure(
		`${transactionId} isn't at the service, and no copy of it is found`,
		`If an earlier run has copied and deleted it, the copy has its External ID: enter that in '${newExternalId.displayName}', and the copy is found. Otherwise, check 'Transaction'`,
		{ ...findFailure(thrown)?.flags, final: true },
	);
}

const NO_DOCUMENTS: CopiedDocuments = { additions: [], present: [], notCopied: [] };

/** @throws ExplainedFailure when the deletion would lose a document that the copy doesn't have */
function requireNothingLost({ transactionId }: CopyChoices, notCopied: NotCopied[]): void {
	const lostDocuments = notCopied.filter(
		({ field, reason }) => field === WHOLE_DOCUMENT && reason !== 'ownForm',
	);
	if (lostDocuments.length === 0) return;
	throw new ExplainedFailure(
		`${lostDocuments.map(({ subject }) => subject).join(', ')} would be lost with ${transactionId}`,
		`Nothing was created or deleted. Not copied: ${lostDocuments.map(({ subject, reason }) => `${subject} (${REASONS[reason]})`).join(', ')}. Give the item files of the same names, turn on '${takesUnproven.displayName}', or turn off '${deleteOld.displayName}'`,
		{ final: true },
	);
}
