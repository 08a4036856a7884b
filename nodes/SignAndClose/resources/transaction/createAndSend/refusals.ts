import { ExplainedFailure, sentences } from '../../../messages/explainedFailure';
import { stateInWords } from '../../../messages/wrongState';
import type { OperationCall } from '../../../run/operation';
import type { DocumentAnswer } from '../../../transport/answers/answers';
import { asText } from '../../../values/json';
import { isPersonal, readReference } from '../../../values/reference';
import { fileOf } from '../../document/api';
import { describeDifference } from '../../drafts/difference';
import { signerName } from '../../signer/api';
import { removeSignersNotNamed } from '../existing/form';
import { wasRecalledHere } from '../ownDoings';
import type { FoundTransaction } from './compare';
import { decide } from './decisions';
import { differs, documentsNotInTheItem, sendAgainIfRecalled } from './form';
import type { Item } from './item';

/* Why an item can't be done with the transaction that is there, or can't be sent. */

/** Sentences without a final period. */
export interface Refusals {
	/** Why the item can't be done. */
	refusals: string[];
	/** Why it can't be sent. */
	sendRefusals: string[];
}

/** What messages call a transaction. */
const whereOf = ({ isSent, transaction }: FoundTransaction): string =>
	isSent ? `${transaction.id}, which is ${stateInWords(transaction) ?? 'sent'}` : transaction.id;

const namesOf = (documents: DocumentAnswer[]): string =>
	documents.map((document) => fileOf(document).name).join(', ');

/** Adds what the choice refuses. */
export function refuse(item: Item, found: FoundTransaction, { refusals, sendRefusals }: Refusals) {
	const { ifItDiffers, options, leavesDocuments } = item;
	const { isSent, tie } = found;
	const replaces = ifItDiffers === 'update' && options.removes;
	for (const difference of found.differences) {
		const { about, kind, subject } = difference;
		const decision = decide(difference, ifItDiffers, isSent);
		const isAllowed =
			kind === 'extra' &&
			((about === 'signer' && replaces) || (about === 'foreign' && leavesDocuments));
		const text =
			kind === 'unknown'
				? `Whether ${subject} has the item's content is unknown: the service doesn't show it. Look at it, and use 'Transaction: Send'`
				: describeDifference(difference, whereOf(found));
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
	{ options, leavesDocuments, enote, sendsRecalled }: Item,
	{ people, notNamed, documents, extra, transaction, enotes, updates }: FoundTransaction,
	{ refusals, sendRefusals }: Refusals,
): void {
	const where = transaction.id;
	for (const { shown, id } of people) {
		const other = notNamed.find((signer) => signer.external_id === id);
		if (updates && shown === undefined && other !== undefined && !options.removes)
			refusals.push(`'${id}' is the External ID of ${signerName(other)} in ${where}`);
	}
	const isMissing = documents.some(({ shown }) => shown === undefined);
	for (const { document, isOurs, isKnown } of extra)
		if (leavesDocuments && !isOurs && !isKnown && isMissing)
			sendRefusals.push(
				`${fileOf(document).name} is in ${where}, and a file of the item isn't: nothing tells whether they're the same`,
			);
	// Some services say of no document whether it's the eNote.
	const hidden = extra
		.map(({ document }) => document)
		.filter(({ is_enote: isEnote }) => typeof isEnote !== 'boolean');
	if (enote !== undefined && enotes.length === 0 && hidden.length > 0)
		refusals.push(
			`The service doesn't show whether ${namesOf(hidden)} is the eNote. Look at it, and use 'Transaction: Send'`,
		);
	// Business shows only the reason of a recall (docs/service/states.md#detailed-status).
	const reason = asText(transaction.recall_reason);
	const isRecalled = transaction.detailed_status === 'recalled' || reason !== undefined;
	if (isRecalled && !sendsRecalled && !wasRecalledHere(call, where))
		sendRefusals.push(
			`${where} was recalled${reason ? ` (${reason})` : ''}. To send it again, turn on '${sendAgainIfRecalled.displayName}'`,
		);
}

/** A document that something else has added isn't replaced: somebody may need it. */
export function refuseForeign(
	document: DocumentAnswer,
	isOther: boolean,
	{ transaction }: FoundTransaction,
	{ refusals }: Refusals,
): void {
	const { tracking_id: reference } = document;
	const isOurs = readReference(reference)?.maker === 'createAndSend';
	if ((isOther && !isOurs) || isPersonal(reference))
		refusals.push(
			`${fileOf(document).name} in ${transaction.id} isn't as the item says, and was added by something else. Delete it with 'Document: Delete', or rename the file`,
		);
}

/** Places to sign of somebody whose external ID isn't shown could become somebody else's. */
export function refuseHiddenIds({ people }: FoundTransaction, { refusals }: Refusals): void {
	const hidden = people.filter(
		({ shown }) => shown !== undefined && asText(shown.external_id) === undefined,
	);
	if (people.length > 1 && hidden.length > 0)
		refusals.push(
			`The service doesn't show the External ID of ${hidden.map(({ wanted }) => signerName(wanted)).join(' and ')}, so it's unknown whose the places in new documents would be`,
		);
}

/** @throws ExplainedFailure with all that stands against the plan, and all that differs beside it */
export function requireDoable(
	{ refusals, sendRefusals }: Refusals,
	{ then }: Item,
	found: FoundTransaction | undefined,
): void {
	const against = [...refusals, ...(then === 'send' ? sendRefusals : [])];
	if (found === undefined || against.length === 0) return;
	const known = found.differences
		.filter(({ kind }) => kind !== 'unknown')
		.map((one) => describeDifference(one, whereOf(found)));
	const all = [...new Set([...against, ...known])];
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
