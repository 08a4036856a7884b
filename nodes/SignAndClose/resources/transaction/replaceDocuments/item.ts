import { Faults } from '../../../messages/inputFaults';
import { InputFailure } from '../../../messages/failures';
import type { OperationCall } from '../../../run/operation';
import type { TransactionAnswer } from '../../../transport/answers/shapes';
import { derivePhase } from '../../../transport/answers/transactionState';
import { normalizeId } from '../../../values/ids';
import { joinSentences } from '../../../values/words';
import { deriveTail } from '../../../values/reference';
import { describeFile, listDocuments, withoutConsentForms } from '../../document/api';
import type { Rule } from '../../document/rules/rules';
import { asEnoteCall } from '../createAndSend/form';
import {
	buildIncompleteFault,
	describeIncomplete,
	parseItemEnote,
	type PapersItem,
} from '../createAndSend/item';
import { planItemDocuments } from '../createAndSend/itemDocuments';
import { buildMark } from '../recallMark';
import { nameRow } from '../sheet/hint';
import { parseReplaceForm } from './form';

/** What an item says, read and checked. */
export interface ReplacementItem extends PapersItem, ReturnType<typeof parseReplaceForm> {
	rules: readonly Rule[];
	/** What tells the recall of this item from every other one: the same papers have the same. */
	mark: string;
}

/**
 * Reads the papers of an item.
 * @param transaction whose signers the rules name
 * @throws InputFailure with all that can't be used
 */
export async function readReplacementItem(
	call: OperationCall,
	form: ReturnType<typeof parseReplaceForm>,
	transaction: TransactionAnswer,
): Promise<ReplacementItem> {
	const faults = new Faults();
	const { then, platform, leavesFilesOut, transactionId } = form;
	const ofEnote = platform === 'realEstate' ? asEnoteCall(call) : undefined;
	const enote = ofEnote && (await parseItemEnote(ofEnote, then, faults));
	const present = withoutConsentForms(listDocuments(transaction), platform).map(
		(document) => describeFile(document).name,
	);
	// What is new gets into the draft that it's by then.
	const draft = { ...transaction, status: 'started', detailed_status: undefined };
	const { documents, leftOut, rules } = await planItemDocuments(
		call,
		{ retrieve: async () => await Promise.resolve(draft) },
		ofEnote,
		faults,
		present,
	);
	const reasons = describeIncomplete(leftOut, !leavesFilesOut);
	if (then === 'send' && reasons.length > 0) faults.note(buildIncompleteFault(call, reasons, true));
	faults.throwIfAny(describeUnchanged(transaction));
	const contents = [...documents.map(({ digest }) => digest).sort(), enote?.content];
	const mark = buildMark(deriveTail(JSON.stringify([normalizeId(transactionId), contents])));
	const incomplete = reasons.map((words) => joinSentences(...words));
	return { ...form, rules, documents, leftOut, incomplete, enote, mark };
}

const describeUnchanged = (transaction: TransactionAnswer): string =>
	derivePhase(transaction) === 'sent'
		? `Nothing was changed, and ${transaction.id} is still with its signers`
		: 'Nothing was changed';

/**
 * Claims the transaction, so that its papers come in one item: each one would be recalled and sent by
 * itself.
 * @throws InputFailure when another item of the run is for it
 */
export function claimTransaction(call: OperationCall, transactionId: string): void {
	const otherIndex = call.claimKey(normalizeId(transactionId));
	if (otherIndex === undefined) return;
	throw new InputFailure(
		call.params.label('transactionId'),
		`is ${transactionId}, which is also the transaction of ${nameRow(call, otherIndex)}`,
		'Put all of its files into one item',
	);
}
