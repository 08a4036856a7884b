import type { IDataObject } from 'n8n-workflow';

import { sentences } from '../../../messages/explainedFailure';
import { explain } from '../../../messages/explanations';
import type { OperationCall } from '../../../run/operation';
import { asError, findFailure } from '../../../transport/failure/failure';
import { wantedPeople } from '../../drafts/comparison';
import { describeDifference } from '../../drafts/difference';
import { changesFor } from '../../drafts/draftUpdate';
import { signerName } from '../../signer/api';
import { ownIdOf } from '../../signer/people';
import type { Deletion, FoundTransaction } from './compare';
import { documentsFor } from './documents';
import { endStep } from './end';
import { createAndSendFields } from './form';
import type { Item } from './item';
import { refuse, refuseDraft, refuseForeign, refuseHiddenIds } from './refusals';
import type { Plan, PlannedStep } from './steps';
import { addStep, changeStep, createStep, deleteStep, enoteStep, updateStep } from './writes';

/* From the differences to what is done about them: an ordered plan, or why there is none. */

/**
 * Plans what is left of an item.
 * @param found the transaction that is there
 */
export function planItem(
	call: OperationCall,
	item: Item,
	found: FoundTransaction | undefined,
): Plan {
	const { platform, transaction, documents, enote } = item;
	const wanted = wantedPeople(transaction.body);
	const people = wanted.map(signerName).join(' and ');
	const kind = platform === 'business' ? 'transaction' : 'closing';
	const create = createStep(item, `Create the ${kind} for ${people}`);
	const plan: Plan = { steps: [create], refusals: [], sendRefusals: [] };
	if (found === undefined) {
		const ids = new Map(wanted.map(ownIdOf).map((id) => [id, id]));
		plan.steps.push(...documentsFor(documents, ids).map((one) => addStep(one)));
		if (enote !== undefined) plan.steps.push(enoteStep(enote, false));
	} else planRest(call, item, found, plan);
	plan.steps.push(endStep(item, found, plan, people));
	return plan;
}

/** Plans what is left to do with a transaction that is there, and notes what stands against it. */
function planRest(call: OperationCall, item: Item, found: FoundTransaction, plan: Plan): void {
	const { isSent, updates, transaction } = found;
	refuse(item, found, plan);
	if (!isSent) refuseDraft(call, item, found, plan);
	const there: PlannedStep = {
		...kept(plan.steps[0], 'transaction'),
		sentence: `${transaction.id} is there`,
		found: {
			json: { transaction_id: transaction.id, existing: true },
			counted: isSent ? 'already sent' : 'found',
		},
	};
	const changes = updates ? changeSteps(call, item, found, plan) : [];
	const { added, deletions } = documentSteps(found, plan);
	plan.steps = [there, ...changes, ...added, ...enoteSteps(item, found)];
	plan.steps.push(...deletions.map((one) => deleteStep(item, one, deletions)));
	const isAdding = added.some(({ action }) => action === 'add' || action === 'replace');
	if (!isSent && isAdding) refuseHiddenIds(found, plan);
}

/**
 * Something is there as it's wanted.
 * @param step what would bring it about: an earlier try may have done so, and have lost the answer
 */
const kept = (step: PlannedStep, what: string): PlannedStep => ({
	...step,
	action: 'keep',
	what,
	sentence: `${what} is there`,
	found: { json: {} },
});

/** By whose form messages name fields. */
const SITUATION = { operation: 'transaction/createAndSend', properties: createAndSendFields };

/** @returns the change of the draft, if there's something to change and nothing is lost by it */
function changeSteps(
	call: OperationCall,
	item: Item,
	found: FoundTransaction,
	plan: Plan,
): PlannedStep[] {
	const { assuranceField } = call.service.settings;
	const changes = changesFor(found, assuranceField, item.options.removes);
	if (changes === undefined) return [];
	const { id } = found.transaction;
	const texts = found.differences
		.filter(({ about, kind }) => kind !== 'unknown' && OF_TRANSACTION.has(about))
		.map((one) => describeDifference(one, id));
	try {
		return [changeStep(call, item, found, changes, `Change the draft: ${texts.join('; ')}`)];
	} catch (thrown) {
		const failure = findFailure(thrown);
		if (failure === undefined) throw asError(thrown);
		const { message, remedy } = explain(failure, SITUATION);
		plan.refusals.push(sentences(message, remedy));
		return [];
	}
}

/** What a change of the transaction itself is about. */
const OF_TRANSACTION: ReadonlySet<string> = new Set(['field', 'property', 'signer', 'person']);

/** What an update sets of a document at every service. */
const UPDATED: Record<string, string> = { Name: 'name', Requirement: 'requirement' };

/** What becomes of each document of the item, and which go once the others are there. */
function documentSteps(
	found: FoundTransaction,
	plan: Plan,
): { added: PlannedStep[]; deletions: Deletion[] } {
	const { isSent, updates, spare, extra, transaction } = found;
	// Nothing of the item explains them, or twice is once too often.
	const left = extra
		.filter(({ isOurs }) => isOurs && updates)
		.map(({ document }) => ({ document, why: 'the item no longer has it' }));
	const deletions: Deletion[] = isSent ? [] : [...spare, ...left];
	const taken = new Set(transaction.documents?.map(({ tracking_id: own }) => own));
	const added = found.documents.flatMap((one): PlannedStep[] => {
		const { wanted, shown, content, differences } = one;
		const { file } = wanted.planned;
		if (shown === undefined) {
			const failed = spare.find(({ content: own }) => own === wanted.content)?.document;
			return isSent ? [] : [addStep(wanted, failed, taken)];
		}
		const changed = differences.filter(({ kind }) => kind !== 'unknown');
		if (!updates || content === 'unknown' || changed.length === 0)
			return [kept(addStep(wanted), file)];
		if (content === 'equal' && changed.every(({ field }) => field in UPDATED)) {
			const changes = changed.map(({ field, expected }) => [UPDATED[field], expected]);
			return [updateStep(file, shown, Object.fromEntries(changes) as IDataObject)];
		}
		refuseForeign(shown, content === 'other', found, plan);
		deletions.push({ document: shown, why: 'another one takes its place' });
		return [addStep(wanted, shown, taken)];
	});
	return { added, deletions };
}

function enoteSteps({ enote }: Item, found: FoundTransaction): PlannedStep[] {
	if (enote === undefined) return [];
	const isThere = found.enotes.length > 0;
	const isReplaced =
		found.updates &&
		found.differences.some(({ about, kind }) => about === 'enote' && kind === 'different');
	const add = enoteStep(enote, isReplaced);
	if (isThere && !isReplaced) return [kept(add, 'eNote')];
	return found.isSent ? [] : [add];
}
