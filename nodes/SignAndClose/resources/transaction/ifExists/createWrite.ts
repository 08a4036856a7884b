import type { IDataObject } from 'n8n-workflow';

import { describeState } from '../../../messages/transactionTexts';
import { defineWrite, ExistingResult, type OperationCall } from '../../../run/operation';
import {
	reportDone,
	mapGoal,
	reportNotDone,
	UNCERTAIN,
	type Goal,
	type StepMemory,
} from '../../../run/goals';
import { retrieveTransaction } from '../../../transport/answers/transaction';
import { isDraft } from '../../../transport/answers/transactionState';
import { compareTransaction } from '../../draft/draftComparison';
import type { ItemDifference } from '../../draft/difference';
import { buildDraftChange } from '../../draft/draftChange';
import {
	planDraftUpdate,
	sendDraftUpdate,
	buildDraftUpdateGoal,
	type ChangedTransaction,
	type DraftUpdate,
} from '../../draft/draftUpdate';
import { describeChange } from '../../../form/hints';
import { describeTransactionCheck } from '../../../form/lostAnswers';
import {
	buildCreateGoal,
	buildCreatedResult,
	sendNewTransaction,
	type NewTransaction,
} from './creation';
import { buildFoundResult, buildUpdatedResult, listKnownDifferences } from './existingResult';
import { findNumberKey, type ExistingTransaction } from './lookup';
import { noteConsent } from '../executionNotes';
import {
	parseIfTransactionExists,
	removeSignersNotNamed,
	type IfTransactionExists,
	type NumberKey,
} from './options';
import { buildRefusal, isMadeByNode } from './identity';
import { describeNextRun, findClaimed } from './claims';

/* Creates that can be run again: one that exists is returned, updated or refused instead. */

/** How an item is created: by a create, or by an update of what exists, which differs in something. */
interface CreateWay {
	update?: DraftUpdate;
	differences?: ItemDifference[];
	counted?: string;
}

/**
 * The write of an operation that creates a transaction unless it exists.
 * @param parse parses the item
 * @param send sends it with further fields, and returns the parsed answer
 */
export const defineCreateWrite = <T extends NewTransaction>(
	parse: (call: OperationCall) => Promise<T>,
	send: (call: OperationCall, parsed: T, reference: IDataObject) => Promise<unknown>,
) =>
	defineWrite<T, ChangedTransaction, CreateWay>({
		parse,
		prepare: chooseWay,
		async send(call, parsed, { update }) {
			if (update === undefined)
				return await sendNewTransaction(
					call,
					parsed,
					async (reference) => await send(call, parsed, reference),
				);
			return await sendDraftUpdate(call.service, update);
		},
		goal(call, parsed, way) {
			if (way?.update !== undefined) return buildDraftUpdateGoal(call.service, way.update);
			const id = readUpdatedId(call.steps);
			if (id !== undefined) return buildItemGoal(call, parsed, id);
			const goal = buildCreateGoal({ ...call, ...parsed });
			return mapGoal(goal, (transaction): ChangedTransaction => ({ transaction, differing: [] }));
		},
		result: (call, { transaction, ...outcome }, parsed, way) => {
			const again = describeNextRun(call, parsed);
			if (readUpdatedId(call.steps) === undefined)
				return { ...buildCreatedResult(call, transaction, parsed, way?.counted), ...again };
			noteConsent(call, transaction, way?.update?.request.body ?? {});
			const change = describeChange(call.params, outcome);
			return {
				...buildUpdatedResult(call, transaction, parsed, change, way?.differences),
				...again,
			};
		},
	});

/**
 * Looks how an item is created.
 * @returns what is there, where it stays as it is
 * @throws InputFailure when it's refused because another one exists, or is in the same run
 * @throws ServiceFailure `existingUnknown` when nobody can tell whether it exists
 */
async function chooseWay(
	call: OperationCall,
	parsed: NewTransaction,
): Promise<CreateWay | ExistingResult> {
	const ifExists = parseIfTransactionExists(call.params, parsed.platform);
	if (ifExists === undefined) return {};
	const key = findNumberKey(parsed, ifExists.numbers);
	if (key === undefined) return { counted: 'created without a number, so again in every run' };
	const existing = await findClaimed(call, parsed, key, ifExists);
	if (existing !== undefined) return useExisting(call, parsed, ifExists, key, existing);
	call.steps.add(CREATING);
	return { counted: 'created' };
}

/** The goal of an update that an earlier try has sent: the transaction is as the item says. */
const buildItemGoal = (
	call: OperationCall,
	parsed: NewTransaction,
	id: string,
): Goal<ChangedTransaction> => ({
	fromAnswer: () => UNCERTAIN,
	async look({ isLate }) {
		const transaction = await retrieveTransaction(call.service, id, parsed.platform);
		const knownDifferences = listKnownDifferences(
			compareTransaction(call, parsed, transaction).differences,
		);
		if (knownDifferences.length === 0) return reportDone({ transaction, differing: [] });
		return isLate
			? reportNotDone({ unchanged: knownDifferences.map(({ field }) => field) })
			: undefined;
	},
	toCheck: describeTransactionCheck(id, 'whether the transaction shows the change'),
});

/** Noted before a create leaves. Before an update leaves, the ID of the transaction is. */
const CREATING = 'creating';

/** The transaction that the item was about to update last. */
function readUpdatedId(steps: StepMemory): string | undefined {
	const last = steps.all().at(-1);
	return last === CREATING ? undefined : last;
}

/** @returns the update of a transaction that exists, or the transaction, if it stays as it is */
function useExisting(
	call: OperationCall,
	parsed: NewTransaction,
	{ mode, removes, notShown }: IfTransactionExists,
	key: NumberKey,
	{ transaction, tie }: ExistingTransaction,
): CreateWay | ExistingResult {
	const { settings } = call.service;
	const { id } = transaction;
	const refuse = buildRefusal(call, key, mode === 'stop' ? 'created' : 'changed');
	if (mode === 'stop')
		refuse(
			`as in ${id}, which exists already`,
			"Leave the item out, or choose something else in 'If It Exists'",
		);
	const comparison = compareTransaction(call, parsed, transaction);
	const isOwn = isMadeByNode(transaction, parsed);
	const changes =
		mode === 'update'
			? buildDraftChange(comparison, settings.assuranceField, removes, isOwn)
			: undefined;
	if (changes === undefined)
		return new ExistingResult(
			buildFoundResult(call, transaction, parsed, comparison.differences, mode),
		);
	if (!isDraft(transaction))
		refuse(
			`as in ${id}, which is no draft (${describeState(transaction) ?? 'it shows no state'})`,
			"Take it back with 'Transaction: Recall' first, leave the item out, or set 'If It Exists' to Return It",
		);
	if (tie === 'property' && !removes)
		refuse(
			`as in ${id}, which is for the same property and has other signers`,
			`To replace them, turn on '${removeSignersNotNamed.displayName}'`,
		);
	const update = planDraftUpdate(settings, transaction, parsed.platform, { ...changes, notShown });
	call.steps.add(id);
	return { update, differences: listKnownDifferences(comparison.differences) };
}
