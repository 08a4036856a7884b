import { defineWrite, type OperationCall } from '../../../../run/operation';
import type { TransactionAnswer } from '../../../../transport/answers/shapes';
import { retrieveTransaction } from '../../../../transport/answers/transaction';
import { isNotFound, ServiceFailure } from '../../../../transport/failure/failure';
import { toBody } from '../../../../transport/files/requestBody';
import { isSameId } from '../../../../values/ids';
import { asText } from '../../../../values/json';
import { deriveTail } from '../../../../values/reference';
import {
	planDraftUpdate,
	sendDraftUpdate,
	buildDraftUpdateGoal,
	type DraftChange,
} from '../../../draft/draftUpdate';
import { describeChange, describeLenderNeeds } from '../../../../form/hints';
import { buildCreateGoal, sendClosing, sendNewTransaction } from '../../ifExists/creation';
import { noteConsent } from '../../executionNotes';
import type { ItemComparison } from '../itemComparison';
import { asCreateCall } from '../form';
import type { ClosingItem } from '../item';
import type { PlannedStep } from './plannedSteps';

/* Steps of a plan: creates the transaction, or changes its draft. */

/** Creates the transaction. */
export function buildCreateStep(
	item: Pick<ClosingItem, 'platform' | 'transaction' | 'key' | 'then'>,
	sentence: string,
): PlannedStep {
	const { platform, transaction } = item;
	return {
		key: 'create',
		action: 'create',
		what: 'transaction',
		name: 'Transaction',
		sentence,
		write: defineWrite({
			parse: () => transaction,
			send: async (call, parsed) =>
				await sendNewTransaction(asCreateCall(call), parsed, async (reference) =>
					platform === 'realEstate'
						? await sendClosing(call.service, parsed, reference)
						: await call.service.json('createTransaction', {
								platform,
								...toBody({ ...parsed.body, ...reference }),
							}),
				),
			goal: (call, parsed) => buildCreateGoal({ ...call, ...parsed }),
			async result(call, made) {
				// Other items may find it by another number.
				call.claimKey(made.id);
				noteConsent(call, made, transaction.body);
				await requireOwnTransaction(call, item, made);
				// The check says what is missing.
				const hint =
					platform === 'realEstate' && item.then !== 'check'
						? describeLenderNeeds(transaction.body, made, transaction.hasEnote === true)
						: undefined;
				return { json: { transaction_id: made.id, existing: false }, counted: 'created', hint };
			},
		}),
	};
}

/**
 * Makes sure that the ID of a create's answer leads to what was created, so that no document gets into
 * another transaction. An answer that shows the item's number does. If it shows that it doesn't, the
 * transaction is looked up by its reference.
 * @throws ServiceFailure with `flags.unknownOutcome` when the service shows nothing or another one
 */
async function requireOwnTransaction(
	{ service }: OperationCall,
	{ platform, key }: Pick<ClosingItem, 'platform' | 'key'>,
	made: TransactionAnswer,
): Promise<void> {
	if (asText(made[key.field]) === key.value) return;
	try {
		const retrieved = await retrieveTransaction(service, made.id, platform, true);
		if (
			(asText(retrieved[key.field]) ?? key.value) === key.value &&
			isSameId(retrieved.id, made.id)
		)
			return;
	} catch (thrown) {
		// Anything else says nothing against it.
		if (!isNotFound(thrown)) return;
	}
	throw new ServiceFailure({ code: 'notShown', details: [] }, { unknownOutcome: true });
}

/**
 * Changes the draft to what the item says.
 * @throws ServiceFailure when something can't be written back
 */
export function buildChangeStep(
	{ service: { settings }, params }: OperationCall,
	{ platform, options: { notShown } }: ClosingItem,
	{ transaction }: ItemComparison,
	changes: Omit<DraftChange, 'notShown'>,
	sentence: string,
): PlannedStep {
	const update = planDraftUpdate(settings, transaction, platform, { ...changes, notShown });
	return {
		key: `change-${deriveTail(JSON.stringify(changes.fields))}`,
		action: 'change',
		what: 'transaction',
		name: 'Change',
		sentence,
		write: defineWrite({
			parse: () => update,
			send: async ({ service }) => await sendDraftUpdate(service, update),
			goal: ({ service }) => buildDraftUpdateGoal(service, update),
			result(call, outcome) {
				noteConsent(call, transaction, update.request.body);
				return { json: {}, hint: describeChange(params, outcome) };
			},
		}),
	};
}
