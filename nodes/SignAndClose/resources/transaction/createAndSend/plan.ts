import type { IDataObject } from 'n8n-workflow';

import { ExplainedFailure, sentences } from '../../../messages/explainedFailure';
import { explain } from '../../../messages/explanations';
import { stateInWords } from '../../../messages/wrongState';
import type { OperationCall } from '../../../run/operation';
import type { DocumentAnswer, TransactionAnswer } from '../../../transport/answers/answers';
import { asError, findFailure } from '../../../transport/failure/failure';
import { asText } from '../../../values/json';
import { isPersonal, readReference } from '../../../values/reference';
import { fileOf } from '../../document/api';
import {
	changesFor,
	describeDifference,
	wantedPeople,
	type Difference,
} from '../../drafts/comparison';
import { signerName } from '../../signer/api';
import { removeSignersNotNamed } from '../existing/form';
import { wasRecalledHere } from '../ownDoings';
import { compareItem, ownIds, type ComparedDocument, type FoundTransaction } from './compare';
import { asWanted } from './documents';
import { decide } from './decisions';
import { createAndSendFields, differs, documentsNotInTheItem, sendAgainIfRecalled } from './form';
import type { Item } from './item';
import { kept, type Plan, type PlannedStep } from './steps';
import {
	addStep,
	changeStep,
	createStep,
	deleteStep,
	endStep,
	enoteStep,
	updateStep,
} from './writes';

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
	const isSent = found?.isSent === true;
	const plan: Plan = {
		steps: [],
		differences: found?.differences ?? [],
		updates: item.ifItDiffers === 'update' && !isSent,
		refusals: [],
		sendRefusals: [],
	};
	const { steps, sendRefusals } = plan;
	if (found !== undefined) refuse(item, found, plan);
	if (found !== undefined && !isSent) refuseDraft(call, item, found, plan);
	const people = wantedPeople(item.transaction.body).map(signerName).join(' and ');
	steps.push(transactionStep(call, item, found, people));
	if (found !== undefined && plan.updates) steps.push(...changeSteps(call, item, found, plan));
	const { added, deletions } = documentSteps(item, found, plan);
	steps.push(...added, ...enoteSteps(item, found, plan));
	const gone = deletions.map(({ document }) => document);
	steps.push(...deletions.map((one) => deleteStep(item, one, gone)));
	if (found !== undefined && !isSent) refuseHiddenIds(found, plan);
	const isUntouched = steps.every(({ action }) => action === 'keep');
	const untouched = isUntouched ? found?.transaction : undefined;
	const ends = async (now: OperationCall, draft: TransactionAnswer) =>
		isUntouched ? [] : await verify(now, item, found, plan, draft);
	const send = { action: 'send', what: 'transaction', sentence: `Send it to ${people}` } as const;
	const last = {
		draft: { action: 'keep', what: '', sentence: '' },
		plan: send,
		check: { action: 'check', what: 'transaction', sentence: 'Check what is missing' },
		send,
	} as const;
	const end = { untouched, stops: sendRefusals, verify: ends };
	steps.push(endStep(item, end, last[isSent ? 'draft' : item.then]));
	return plan;
}

function transactionStep(
	call: OperationCall,
	item: Item,
	found: FoundTransaction | undefined,
	people: string,
): PlannedStep {
	const kind = item.platform === 'business' ? 'transaction' : 'closing';
	const create = createStep(call, item, `Create the ${kind} for ${people}`);
	if (found === undefined) return create;
	const { id } = found.transaction;
	const step = kept(create, 'transaction', {
		json: { transaction_id: id, existing: true },
		counted: found.isSent ? 'already sent' : 'found',
	});
	return { ...step, sentence: `${id} is there` };
}

/** By whose form messages name fields. */
const SITUATION = { operation: 'transaction/createAndSend', properties: createAndSendFields };

/** @returns the change of the draft, if there's something to change and nothing is lost by it */
function changeSteps(
	call: OperationCall,
	item: Item,
	found: FoundTransaction,
	plan: Plan,
): PlannedStep[] {
	const { compared, transaction } = found;
	const { assuranceField } = call.service.settings;
	const changes = changesFor(compared, transaction, assuranceField, item.wish.removes);
	if (changes === undefined) return [];
	const texts = compared.differences
		.filter(({ kind }) => kind !== 'unknown')
		.map((one) => describeDifference(one, transaction.id));
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

/** What becomes of each document of the item, and which go once the others are there. */
function documentSteps(
	item: Item,
	found: FoundTransaction | undefined,
	plan: Plan,
): { added: PlannedStep[]; deletions: Array<{ document: DocumentAnswer; why: string }> } {
	if (found === undefined) {
		const ids = ownIds(item);
		const added = item.documents.map((one) => addStep(item, one, asWanted(one, ids), undefined));
		return { added, deletions: [] };
	}
	const deletions = planDeletions(found, plan);
	const taken = new Set(found.transaction.documents?.map(({ tracking_id: own }) => own));
	const added = found.documents.flatMap((one): PlannedStep[] => {
		const { planned, wanted, shown, content, differences } = one;
		const add = addStep(item, planned, wanted, undefined);
		if (shown === undefined) {
			const failed = found.spare.find(({ content: own }) => own === wanted.content)?.document;
			return found.isSent ? [] : [addStep(item, planned, wanted, failed, taken)];
		}
		const changed = differences.filter(({ kind }) => kind !== 'unknown');
		const isAsWanted = content === 'equal' && changed.length === 0;
		if (!plan.updates || content === 'unknown' || isAsWanted) return [kept(add, planned.file)];
		if (content === 'equal' && changed.every(({ field }) => field in UPDATED)) {
			const changes = changed.map(({ field, expected }) => [UPDATED[field], expected]);
			return [updateStep(item, planned, shown, Object.fromEntries(changes) as IDataObject)];
		}
		refuseForeign(shown, content, found, plan);
		deletions.push({ document: shown, why: 'another one takes its place' });
		return [addStep(item, planned, wanted, shown, taken)];
	});
	return { added, deletions };
}

function enoteSteps(
	{ enote }: Item,
	found: FoundTransaction | undefined,
	plan: Plan,
): PlannedStep[] {
	if (enote === undefined) return [];
	const isThere = (found?.enotes.length ?? 0) > 0;
	const isReplaced = isThere && plan.updates && found?.enoteContent === 'other';
	const add = enoteStep(enote, isReplaced);
	if (isThere && !isReplaced) return [kept(add, 'eNote')];
	return found?.isSent === true ? [] : [add];
}

/** What the choice refuses. */
function refuse(item: Item, found: FoundTransaction, { refusals, sendRefusals }: Plan): void {
	const { ifItDiffers, wish, leavesDocuments } = item;
	const { isSent, differences, extra, existing } = found;
	const { tie } = existing;
	const where = whereOf(found);
	for (const difference of differences) {
		const { about, kind, subject } = difference;
		const isOurs = extra.some((one) => one.isOurs && one.difference === difference);
		const decision = decide(difference, ifItDiffers, { isSent, isOurs });
		const isAllowed =
			kind === 'extra' &&
			((about === 'signer' && ifItDiffers === 'update' && wish.removes) ||
				(about === 'document' && !isOurs && leavesDocuments));
		const text =
			kind === 'unknown'
				? `Whether ${subject} has the item's content is unknown: the service doesn't show it. Look at it, and use 'Transaction: Send'`
				: describeDifference(difference, where);
		// The property alone doesn't make other people the item's.
		const isForOthers = tie === 'property' && about === 'signer' && kind === 'missing';
		const replaces = ifItDiffers === 'update' && wish.removes;
		if (isForOthers && !replaces)
			refusals.push(
				`${text}. To replace the signers, turn on '${removeSignersNotNamed.displayName}'`,
			);
		else if (decision === 'stops') refusals.push(text);
		else if (decision === 'stopsSend' && !isAllowed) sendRefusals.push(text);
	}
	if (isSent && ifItDiffers === 'update' && refusals.length > 0)
		refusals.push("To change it, take it back with 'Transaction: Recall' first");
}

/** What else stands against a draft. */
function refuseDraft(call: OperationCall, item: Item, found: FoundTransaction, plan: Plan): void {
	const { wish, leavesDocuments, enote } = item;
	const { compared, documents, extra, transaction, enotes } = found;
	const { updates, refusals, sendRefusals } = plan;
	const where = transaction.id;
	for (const { wanted, shown: same } of compared.people) {
		const id = compared.ids.get(asText(wanted.external_id) ?? '');
		const other = compared.notNamed.find(({ external_id: own }) => own === id);
		if (updates && same === undefined && other !== undefined && !wish.removes)
			refusals.push(`'${id}' is the External ID of ${signerName(other)} in ${where}`);
	}
	const isMissing = documents.some(({ shown }) => shown === undefined);
	for (const { document, isOurs, isKnown } of extra)
		if (leavesDocuments && !isOurs && !isKnown && isMissing)
			sendRefusals.push(
				`${fileOf(document).name} is in ${where}, and a file of the item isn't: nothing tells whether they're the same`,
			);
	// Some services say of no document whether it's the eNote.
	const hidden = extra.filter(({ document }) => typeof document.is_enote !== 'boolean');
	if (enote !== undefined && enotes.length === 0 && hidden.length > 0)
		refusals.push(
			`The service doesn't show whether ${hidden.map(({ document }) => fileOf(document).name).join(', ')} is the eNote. Look at it, and use 'Transaction: Send'`,
		);
	if (isRecalled(transaction) && !item.sendsRecalled && !wasRecalledHere(call, where))
		sendRefusals.push(
			`${where} was recalled${asText(transaction.recall_reason) ? ` (${transaction.recall_reason})` : ''}. To send it again, turn on '${sendAgainIfRecalled.displayName}'`,
		);
}

/** The documents that go because nothing of the item explains them, or twice is once too often. */
const planDeletions = (
	found: FoundTransaction | undefined,
	{ updates }: Plan,
): Array<{ document: DocumentAnswer; why: string }> =>
	found === undefined || found.isSent
		? []
		: [
				...found.spare,
				...found.extra
					.filter(({ isOurs }) => isOurs && updates)
					.map(({ document }) => ({ document, why: 'the item no longer has it' })),
			];

/** Business shows only the reason of a recall (docs/service/states.md#detailed-status). */
const isRecalled = ({
	detailed_status: state,
	recall_reason: reason,
}: FoundTransaction['transaction']) => state === 'recalled' || asText(reason) !== undefined;

/** What an update sets of a document at every service. */
const UPDATED: Record<string, string> = { Name: 'name', Requirement: 'requirement' };

/** A document that something else has added isn't replaced: somebody may need it. */
function refuseForeign(
	document: DocumentAnswer,
	content: ComparedDocument['content'] | undefined,
	{ transaction }: FoundTransaction,
	{ refusals }: Plan,
): void {
	const { tracking_id: reference } = document;
	const isOurs = readReference(reference)?.maker === 'createAndSend';
	if ((content === 'other' && !isOurs) || isPersonal(reference))
		refusals.push(
			`${fileOf(document).name} in ${transaction.id} isn't as the item says, and was added by something else. Delete it with 'Document: Delete', or rename the file`,
		);
}

/** Places to sign of somebody whose external ID isn't shown could become somebody else's. */
function refuseHiddenIds(
	{ compared: { people } }: FoundTransaction,
	{ steps, refusals }: Plan,
): void {
	const hidden = people.filter(
		({ shown }) => shown !== undefined && asText(shown.external_id) === undefined,
	);
	const isAdding = steps.some(
		({ key, action }) => key.startsWith('document-') && action !== 'keep',
	);
	if (people.length > 1 && hidden.length > 0 && isAdding)
		refusals.push(
			`The service doesn't show the External ID of ${hidden.map(({ wanted }) => signerName(wanted)).join(' and ')}, so it's unknown whose the places in new documents would be`,
		);
}

/**
 * Compares a draft with its item once more before it's sent: somebody may have changed it meanwhile.
 * @returns what stands against sending it
 * @throws ExplainedFailure with it, if it's to be sent
 */
async function verify(
	call: OperationCall,
	item: Item,
	found: FoundTransaction | undefined,
	plan: Plan,
	draft: TransactionAnswer,
): Promise<string[]> {
	const existing = { transaction: draft, tie: found?.existing.tie ?? 'people' };
	const now = await compareItem(call, item, existing, found?.contents);
	const last: Plan = { ...NOTHING, refusals: [], sendRefusals: [] };
	refuse({ ...item, ifItDiffers: 'stop' }, { ...now, isSent: true }, last);
	refuse({ ...item, ifItDiffers: 'keep' }, { ...now, differences: extrasOf(now) }, last);
	const edited = now.differences.filter((one) => isEdited(one, plan, found));
	last.refusals.push(...edited.map((one) => describeDifference(one, draft.id)));
	const stops = [...new Set([...last.refusals, ...last.sendRefusals])];
	if (item.then === 'send' && stops.length > 0)
		throw new ExplainedFailure(
			'The draft was changed while the item was under way',
			sentences('Nothing was sent', ...stops, 'Run the workflow again'),
			{ final: true },
		);
	return stops;
}

/**
 * Whether somebody has brought about a difference since the plan was made. What this run has written
 * the service may show in a form of its own, which was told then; an address has none.
 */
function isEdited(
	difference: Difference,
	plan: Plan,
	found: FoundTransaction | undefined,
): boolean {
	const { about, kind, subject, field, actual } = difference;
	const isKnown = plan.differences.some(
		(one) =>
			one.subject === subject &&
			one.field === field &&
			JSON.stringify(one.actual) === JSON.stringify(actual),
	);
	if (isKnown || kind === 'unknown' || kind === 'extra') return false;
	if (about === 'person' && field === 'Email') return true;
	const isWritten = plan.steps.some(
		({ action, what }) => what === 'transaction' && (action === 'create' || action === 'change'),
	);
	if (about === 'field' || about === 'person') return !isWritten;
	return (
		about === 'wish' &&
		found?.documents.some(
			({ planned, wanted, shown }) =>
				wanted.name === subject &&
				shown !== undefined &&
				plan.steps.some(({ action, what }) => action === 'keep' && what === planned.file),
		) === true
	);
}

/** What is there and isn't wanted, and what nobody can tell. */
const extrasOf = ({ differences }: FoundTransaction): Difference[] =>
	differences.filter(({ kind }) => kind === 'extra' || kind === 'unknown');

const NOTHING = { steps: [], differences: [], updates: false };

/** @throws ExplainedFailure with all that stands against the plan, and all that differs beside it */
export function requireDoable(
	{ refusals, sendRefusals, differences }: Plan,
	item: Item,
	found: FoundTransaction | undefined,
): void {
	const against = [...refusals, ...(item.then === 'send' ? sendRefusals : [])];
	if (found === undefined || against.length === 0) return;
	const known = differences.filter(({ kind }) => kind !== 'unknown');
	const all = [
		...new Set([...against, ...known.map((one) => describeDifference(one, whereOf(found)))]),
	];
	const remedy = `Correct the item or the draft, or set '${differs.displayName}' to Update It`;
	const others = `See '${removeSignersNotNamed.displayName}' and '${documentsNotInTheItem.displayName}'`;
	throw new ExplainedFailure(
		all.length === 1
			? all[0]
			: `${found.transaction.id} isn't what the item says: ${all.length} differences`,
		sentences(
			'Nothing was written',
			...(all.length === 1 ? [] : all.map((text, index) => `(${index + 1}) ${text}`)),
			!found.isSent && remedy,
			sendRefusals.length > 0 && others,
		),
		{ final: true },
	);
}

/** What messages call a transaction. */
const whereOf = ({ isSent, transaction }: FoundTransaction): string =>
	isSent ? `${transaction.id}, which is ${stateInWords(transaction) ?? 'sent'}` : transaction.id;
