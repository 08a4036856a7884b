import { ExplainedFailure } from '../../../messages/failures';
import { joinSentences, withNumbers } from '../../../values/words';
import { describeState } from '../../../messages/transactionTexts';
import type { OperationCall } from '../../../run/operation';
import type { DocumentAnswer } from '../../../transport/answers/shapes';
import type { Platform } from '../../../transport/service/endpoints';
import { asText } from '../../../values/json';
import { isPersonalReference, readReference } from '../../../values/reference';
import { describeFile } from '../../document/api';
import { describeDifference } from '../../draft/difference';
import { listExpectedSigners } from '../../draft/signerComparison';
import { formatSignerName } from '../../signer/api';
import { getExternalId } from '../../signer/people';
import { SIGNS_NOTHING } from '../check/documentChecks';
import { removeSignersNotNamed } from '../ifExists/options';
import { wasRecalledHere } from '../executionNotes';
import type { ItemComparison } from './itemComparison';
import { decide } from './decisions';
import {
	ifItDiffersChoice,
	documentsNotInTheItem,
	filesWithoutRule,
	sendAgainIfRecalled,
} from './choices';
import type { ClosingItem } from './item';
import { listPlaceOwners } from './itemDocuments';

/* Why an item can't be done with the transaction that is there, or can't be sent. */

/** Sentences without a final period. */
export interface Refusals {
	/** Why the item can't be done. */
	refusals: string[];
	/** Why it can't be sent. */
	sendRefusals: string[];
}

/** What messages call a transaction. */
const describeTransactionState = ({ isSent, transaction }: ItemComparison): string =>
	isSent ? `${transaction.id}, which is ${describeState(transaction) ?? 'sent'}` : transaction.id;

/** The noun for a transaction of a platform. */
export const nameTransaction = (platform: Platform): string =>
	platform === 'business' ? 'transaction' : 'closing';

/** Says of files that no rule names what to do. The next run finds the draft by the item's number. */
export const describeNotNamed = (files: string[], platform: Platform, isSent: boolean): string =>
	joinSentences(
		`${files.join(', ')} ${files.length === 1 ? "wasn't" : "weren't"} added to the ${nameTransaction(platform)}, because no rule fits`,
		isSent
			? "If needed there, add a rule in 'Document Rules' and use 'Transaction: Replace Documents' with the file"
			: "If needed there, add a rule in 'Document Rules' and run again: the same draft gets the file",
		`If not, set '${filesWithoutRule.displayName}' to Leave Out`,
	);

const listFileNames = (documents: DocumentAnswer[]): string =>
	documents.map((document) => describeFile(document).name).join(', ');

/** Adds what the choice refuses. */
export function refuseDifferences(
	item: ClosingItem,
	comparison: ItemComparison,
	{ refusals, sendRefusals }: Refusals,
) {
	const { ifItDiffers, options, leavesDocuments } = item;
	const { isSent, tie } = comparison;
	const replaces = ifItDiffers === 'update' && options.removes;
	for (const difference of comparison.differences) {
		const { about, kind, subject } = difference;
		const decision = decide(difference, ifItDiffers, isSent);
		const isAllowed =
			kind === 'extra' &&
			((about === 'signer' && replaces) || (about === 'foreign' && leavesDocuments));
		const text =
			kind === 'unknown'
				? `Whether ${subject} has the item's content is unknown: the service doesn't show it. Look at it, and use 'Transaction: Send'`
				: describeDifference(difference, describeTransactionState(comparison));
		// The property alone doesn't make other people the item's.
		const isForOthers = tie === 'property' && about === 'signer' && kind === 'missing';
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

/** Adds what else stands against a draft. */
export function refuseDraft(
	call: OperationCall,
	{ options, leavesDocuments, enote, sendsRecalled }: ClosingItem,
	{ people, notNamed, documents, extra, transaction, enotes, updates }: ItemComparison,
	{ refusals, sendRefusals }: Refusals,
): void {
	const transactionId = transaction.id;
	for (const { actual: match, id } of people) {
		const namesake = notNamed.find((signer) => signer.external_id === id);
		if (updates && match === undefined && namesake !== undefined && !options.removes)
			refusals.push(
				`'${id}' is the External ID of ${formatSignerName(namesake)} in ${transactionId}`,
			);
	}
	const isMissing = documents.some(({ actual: match }) => match === undefined);
	for (const { document, isOurs, isKnown } of extra)
		if (leavesDocuments && !isOurs && !isKnown && isMissing)
			sendRefusals.push(
				`${describeFile(document).name} is in ${transactionId}, and a file of the item isn't: nothing tells whether they're the same`,
			);
	// Some services say of no document whether it's the eNote.
	const unclear = extra
		.map(({ document }) => document)
		.filter(({ is_enote: isEnote }) => typeof isEnote !== 'boolean');
	if (enote !== undefined && enotes.length === 0 && unclear.length > 0)
		refusals.push(
			`The service doesn't show whether ${listFileNames(unclear)} is the eNote. Look at it, and use 'Transaction: Send'`,
		);
	// Business shows only the reason of a recall (docs/service/states.md#detailed-status).
	const reason = asText(transaction.recall_reason);
	const isRecalled = transaction.detailed_status === 'recalled' || reason !== undefined;
	if (isRecalled && !sendsRecalled && !wasRecalledHere(call, transactionId))
		sendRefusals.push(
			`${transactionId} was recalled${reason ? ` (${reason})` : ''}. To send it again, turn on '${sendAgainIfRecalled.displayName}'`,
		);
}

/** A document that something else has added isn't replaced: somebody may need it. */
export function refuseForeign(
	document: DocumentAnswer,
	isOther: boolean,
	{ transaction }: ItemComparison,
	{ refusals }: Refusals,
): void {
	const { tracking_id: reference } = document;
	const isOurs = readReference(reference)?.maker === 'createAndSend';
	if ((isOther && !isOurs) || isPersonalReference(reference))
		refusals.push(
			`${describeFile(document).name} in ${transaction.id} isn't as the item says, and was added by something else. Delete it with 'Document: Delete', or rename the file`,
		);
}

/** Places to sign of somebody whose external ID isn't shown could become somebody else's. */
export function refuseHiddenIds({ people }: ItemComparison, { refusals }: Refusals): void {
	const withoutId = people.filter(
		({ actual: match }) => match !== undefined && asText(match.external_id) === undefined,
	);
	if (people.length > 1 && withoutId.length > 0)
		refusals.push(
			`The service doesn't show the External ID of ${withoutId.map(({ expected }) => formatSignerName(expected)).join(' and ')}, so it's unknown whose the places in new documents would be`,
		);
}

/**
 * Says which signers have no place, where the documents of the item are all that there are.
 * @returns sentences without a final period; none when something else may add places
 */
export function listUnplaced(
	{ documents, transaction, enote }: ClosingItem,
	comparison: ItemComparison | undefined,
): string[] {
	const owners = listPlaceOwners(documents);
	const isElsewhere = enote !== undefined || (comparison?.extra ?? []).length > 0;
	const isLeftOut = documents.some(({ leftOut }) => leftOut.length > 0);
	if (owners === undefined || (owners.size === 0 && !isLeftOut) || isElsewhere) return [];
	const signers = listExpectedSigners(transaction.body);
	return signers
		.filter(
			(signer, index) =>
				!SIGNS_NOTHING.has(signer.signing_requirement) && !owners.has(getExternalId(signer, index)),
		)
		.map((signer) => `${formatSignerName(signer)} has nothing to sign`);
}

/** @throws ExplainedFailure with all that stands against the plan, and all that differs beside it */
export function requireFeasible(
	{ refusals, sendRefusals }: Refusals,
	{ then, ifItDiffers, platform }: ClosingItem,
	comparison: ItemComparison | undefined,
): void {
	const reasons = [...refusals, ...(then === 'send' ? sendRefusals : [])];
	if (reasons.length === 0) return;
	if (comparison === undefined)
		throw new ExplainedFailure(
			reasons.join('. '),
			"Nothing was created. Add a place in 'Document Rules', or remove the signer",
			{ final: true },
		);
	const knownDifferences = comparison.differences
		.filter(({ kind }) => kind !== 'unknown')
		.map((difference) => describeDifference(difference, describeTransactionState(comparison)));
	const all = [...new Set([...reasons, ...knownDifferences])];
	const remedy =
		ifItDiffers === 'update'
			? 'Correct the item or the draft'
			: `If the item is right, set '${ifItDiffersChoice.displayName}' to Update It and run again: the draft becomes what the item says. If the draft is right, correct the item`;
	const hints = `See '${removeSignersNotNamed.displayName}' and '${documentsNotInTheItem.displayName}'`;
	throw new ExplainedFailure(
		all.length > 1
			? `${comparison.transaction.id} isn't what the item says: ${all.length} differences`
			: knownDifferences.includes(all[0])
				? `This ${nameTransaction(platform)} exists already, and differs from the item: ${all[0]}`
				: all[0],
		joinSentences(
			'Nothing was changed',
			...(all.length === 1 ? [] : withNumbers(all)),
			!comparison.isSent && remedy,
			sendRefusals.length > 0 && hints,
		),
		{ final: true },
	);
}
