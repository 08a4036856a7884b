import { ExplainedFailure } from '../../../messages/failures';
import { joinSentences, joinWithAnd, joinWithOr, withNumbers } from '../../../values/words';
import type { OperationCall } from '../../../run/operation';
import { describeNewStart, describeState } from '../../../messages/transactionTexts';
import {
	derivePhase,
	hasCompletedSigner,
	hasEndedUnfinished,
} from '../../../transport/answers/transactionState';
import type { DocumentAnswer, TransactionAnswer } from '../../../transport/answers/shapes';
import { asObjects, asText } from '../../../values/json';
import { describeFile } from '../../document/api';
import { formatSignerName, hasCompleted } from '../../signer/api';
import type { Refusals } from '../createAndSend/refusals';
import { wasRecalledHere } from '../executionNotes';
import {
	describeOtherRequirement,
	describeTeamPlaces,
	describeUnknownFlags,
	isPlacedByRule,
} from './carriedFields';
import type { PapersComparison } from './comparison';
import { listLacks } from './expectedDraft';
import { LABELS } from './form';
import type { ReplacementItem } from './item';
import { findFormer, haveSameWords, isTiedByHand, listPossible, type Paper } from './matching';

/* Why the papers of a transaction can't be replaced, or can't be sent then. */

/** What else can be done for the new papers. */
function describeOtherWay(transaction: TransactionAnswer): string {
	const isEnded = hasEndedUnfinished(transaction);
	if (isEnded || derivePhase(transaction) === 'finished') return describeNewStart(transaction);
	return "Send the new papers with 'Transaction: Create and Send' in another one, or start over with 'Transaction: Copy' once this one has ended";
}
const MEETING: ReadonlySet<unknown> = new Set(['attempted', 'meeting_in_progress']);

const listNames = (documents: DocumentAnswer[]): string =>
	joinWithAnd(documents.map((document) => describeFile(document).name));

/**
 * Says why the documents of a transaction can no longer be replaced
 * (docs/service/transactions.md#recall), as a sentence without a final period.
 * @returns undefined if nothing shows that they can't
 */
export function describeFinality(transaction: TransactionAnswer): string | undefined {
	const { id, status, detailed_status: detailed } = transaction;
	const otherWay = describeOtherWay(transaction);
	const signed = asObjects(transaction.signers).filter(hasCompleted);
	if (signed.length > 0)
		return `${joinWithAnd(signed.map(formatSignerName))} ${signed.length === 1 ? 'has' : 'have'} signed ${id} already. ${otherWay}`;
	if (derivePhase(transaction) === 'finished' || hasEndedUnfinished(transaction))
		return `${id} has ended: it's ${describeState(transaction)}. ${otherWay}`;
	if (hasCompletedSigner(transaction)) return `A signer has signed ${id} already. ${otherWay}`;
	return MEETING.has(status) || MEETING.has(detailed)
		? `A meeting with the notary was attempted for ${id}, so it can't be recalled. ${otherWay}`
		: undefined;
}

/** Adds what stands against replacing, and against sending. */
export function refusePapers(
	call: OperationCall,
	item: ReplacementItem,
	comparison: PapersComparison,
	{ refusals, sendRefusals }: Refusals,
): void {
	const { transaction, isSent, papers, left, differences, untracked } = comparison;
	const { id } = transaction;
	const finality = describeFinality(transaction);
	if (finality !== undefined) refusals.push(finality);
	else if (isSent && !item.recalls)
		refusals.push(`${id} is with its signers. To take it back from them, turn on ${LABELS.recall}`);
	for (const paper of papers) refusePaper(item, paper, comparison, { refusals, sendRefusals });
	for (const document of untracked) sendRefusals.push(describeUntracked(document));
	for (const document of left) {
		const several = [document, ...left.filter((candidate) => findFormer(candidate, [document]))];
		if (several.length > 1)
			sendRefusals.push(
				`${listNames([document])} is there ${several.length} times (${several.map(({ id: documentId }) => documentId).join(', ')}), and no file tells which one holds. Delete the others with 'Document: Delete'`,
			);
	}
	if (left.length > 0 && !item.leavesDocuments)
		sendRefusals.push(
			`No file of the item replaces ${listNames(left)}. If they stay as they are, set ${LABELS.documents} to Leave Them`,
		);
	if (differences.some(({ about, kind }) => about === 'enote' && kind === 'unknown'))
		sendRefusals.push(
			`The service doesn't show whether the eNote of ${id} is that of the item. Delete it with 'eNote: Delete', and run this again`,
		);
	// What is refused anyway would only be told in other words.
	if (refusals.length === 0) sendRefusals.push(...listLacks(call, item, comparison));
	refuseRecalled(call, item, comparison, sendRefusals);
}

/** Says that a document lacks the Tracking ID of another one, as a sentence without a final period. */
export const describeUntracked = (document: DocumentAnswer): string =>
	`${listNames([document])} (${String(document.id)}) has replaced a document with a Tracking ID, and a run that was cut off hasn't set it again. Set it with 'Document: Update'`;

/** Adds what stands against a file of the item. */
function refusePaper(
	{ rules, replacesByHand, addsFiles, takesFlagsOfRule, letsTeamPlace, platform }: ReplacementItem,
	paper: Paper,
	comparison: PapersComparison,
	{ refusals, sendRefusals }: Refusals,
): void {
	const { expected, current, former } = paper;
	const { file } = expected.planned;
	const possible = listPossible(paper, comparison, rules);
	if (possible.length > 0)
		refusals.push(
			`Nothing tells whether '${file}' replaces ${joinWithOr(possible.map((document) => describeFile(document).name))}. If so, rename it like that. If not, add a rule for it before rule ${expected.planned.rule.row}`,
		);
	if (current !== undefined) {
		const requirement = describeOtherRequirement(expected, current);
		if (requirement !== undefined) sendRefusals.push(requirement);
		const namesakes = comparison.left.filter((document) =>
			haveSameWords(describeFile(document).name, describeFile(current).name),
		);
		if (namesakes.length > 0)
			sendRefusals.push(
				`${listNames([current])} is there twice, and only one has the content of '${file}'. Delete the other one (${String(namesakes[0].id)}) with 'Document: Delete'`,
			);
	} else if (former === undefined) {
		if (!addsFiles && possible.length === 0)
			sendRefusals.push(
				`'${file}' replaces no document. To add it, set ${LABELS.files} to Add Them`,
			);
	} else {
		if (isTiedByHand(paper) && !replacesByHand)
			refusals.push(
				`'${file}' has the name of ${describeFile(former).name}, which something else has added. To replace it, turn on ${LABELS.byHand}`,
			);
		const requirement = describeOtherRequirement(expected, former);
		if (requirement !== undefined) refusals.push(requirement);
		const flags = describeUnknownFlags(expected, former, platform);
		if (flags !== undefined && !takesFlagsOfRule) sendRefusals.push(flags);
		const places = describeLostPlaces(paper, letsTeamPlace, platform);
		if (places !== undefined) refusals.push(places);
		sendRefusals.push(...describeMovedTexts(paper));
	}
}

/** Says that the new document would lack places to sign, as a sentence without a final period. */
function describeLostPlaces(
	{ expected, former, placesProblem }: Paper,
	letsTeamPlace: boolean,
	platform: ReplacementItem['platform'],
): string | undefined {
	if (platform === 'realEstate')
		return letsTeamPlace ? undefined : describeTeamPlaces(expected, former!);
	if (isPlacedByRule(expected)) return undefined;
	const { name } = describeFile(former!);
	const remedy = `Place them in rule ${expected.planned.rule.row}`;
	if (placesProblem !== undefined)
		return `The places to sign of ${name} can't be carried over: ${placesProblem}. ${remedy}`;
	return Array.isArray(former!.signing_designations)
		? undefined
		: `The service doesn't show whether ${name} has places to sign. ${remedy}`;
}

/** Says that entered places may be at wrong lines, as sentences without a final period. */
const describeMovedTexts = ({ expected, former, placesProblem }: Paper): string[] =>
	placesProblem === undefined || !isPlacedByRule(expected)
		? []
		: [
				`Rule ${expected.planned.rule.row} has the places to sign of ${describeFile(former!).name} where they were, but ${placesProblem}. Choose 'At a Text' in the rule, or set 'Then' to Keep as Draft to look at them first`,
			];

/** Somebody who has recalled it may have had a reason not to send it. */
function refuseRecalled(
	call: OperationCall,
	{ sendsRecalled }: ReplacementItem,
	{ transaction, isSent, recalled }: PapersComparison,
	sendRefusals: string[],
): void {
	// The reason of an earlier recall stays once it's sent again.
	if (isSent) return;
	const reason = asText(transaction.recall_reason);
	const isRecalled = transaction.detailed_status === 'recalled' || reason !== undefined;
	if (!isRecalled || recalled === 'here' || sendsRecalled) return;
	if (wasRecalledHere(call, transaction.id)) return;
	sendRefusals.push(
		recalled === 'elsewhere'
			? `${transaction.id} stands recalled for other papers than these. To send it with these, turn on ${LABELS.recalled}`
			: `${transaction.id} was recalled${reason === undefined ? '' : ` (${reason})`}. To send it again, turn on ${LABELS.recalled}`,
	);
}

/** @throws ExplainedFailure with all that stands against the plan */
export function requireReplaceable(
	{ refusals, sendRefusals }: Refusals,
	{ then }: ReplacementItem,
	{ transaction }: PapersComparison,
	stands: string | undefined,
): void {
	const reasons = [...refusals, ...(then === 'send' ? sendRefusals : [])];
	if (reasons.length === 0) return;
	throw new ExplainedFailure(
		`The documents of ${transaction.id} can't be replaced like this`,
		joinSentences(
			'Nothing was changed',
			stands,
			...(reasons.length === 1 ? reasons : withNumbers(reasons)),
		),
		{ final: true },
	);
}
