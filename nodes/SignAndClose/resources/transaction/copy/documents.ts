import type { IDataObject } from 'n8n-workflow';

import type { OperationCall } from '../../../run/operation';
import type { DocumentAnswer, TransactionAnswer } from '../../../transport/answers/shapes';
import {
	findRecordId,
	hasCompletedSigner,
	isDraft,
} from '../../../transport/answers/transactionState';
import { isBlank } from '../../../values/comparison';
import { asObjects, asText } from '../../../values/json';
import {
	buildDocumentReference,
	deriveDocumentTail,
	isPersonalReference,
	readReference,
	shortenDigest,
} from '../../../values/reference';
import { toTitle } from '../../../form/titles';
import { hasCompleted } from '../../signer/api';
import { describeFile, isEnote, listDocuments, withoutConsentForms } from '../../document/api';
import { DOCUMENT_FLAGS, readFlag } from '../../document/comparison';
import { isSameName } from '../../document/content';
import { copyFields } from '../../document/rules/replacement';
import { WHERE_TO_SIGN } from '../createAndSend/documentComparison';
import type { StepAddition } from '../createAndSend/steps/documentSteps';
import { findContent, type CopiedContent } from './content';
import type { CopyChoices } from './form';
import { buildLostPlaces, WHOLE_DOCUMENT, type NotCopied, type NotCopiedReason } from './notCopied';
import { copyPlaces, hasPlacesToSign } from './places';
import { isUnplacedCopy } from '../check/unplaced';

/* The documents of a copy. */

/** What becomes of the documents of the old transaction. */
export interface CopiedDocuments {
	/** Those that are added, in their order. */
	additions: StepAddition[];
	/** Those that the copy has: what their steps are known by. */
	present: Array<{ key: string; name: string }>;
	notCopied: NotCopied[];
}

/** How far the signers have come, as far as answers show it. */
const readProgress = (transaction: TransactionAnswer) => ({
	isSigned:
		hasCompletedSigner(transaction) ||
		findRecordId(transaction) !== undefined ||
		asObjects(transaction.signers).some(hasCompleted),
	isBegun: asObjects(transaction.signers).some(
		({ signing_status: status }) => !['', 'incomplete'].includes(asText(status) ?? ''),
	),
});

/**
 * Plans the documents of a copy.
 * @param copy what is there of it
 * @throws as findContent()
 */
export async function planCopiedDocuments(
	call: OperationCall,
	old: TransactionAnswer,
	copy: TransactionAnswer | undefined,
	{ platform, takesUnproven }: CopyChoices,
): Promise<CopiedDocuments> {
	const plan: CopiedDocuments = { additions: [], present: [], notCopied: [] };
	const documents = [...listDocuments(old)].sort(
		(left, right) => (left.bundle_position ?? 0) - (right.bundle_position ?? 0),
	);
	const ownDocuments = withoutConsentForms(documents, platform);
	const isOpen = copy === undefined || isDraft(copy);
	const remaining = copy === undefined ? [] : [...listDocuments(copy)];
	const readsTags = !isBlank(old.default_text_tag_syntax);
	const source = { transactionId: old.id, platform, ...readProgress(old), takesUnproven };
	for (const document of documents) {
		const { name } = describeFile(document);
		const refuse = (reason: NotCopiedReason) =>
			void plan.notCopied.push({ subject: name, field: WHOLE_DOCUMENT, reason });
		const match = remaining.findIndex((candidate) => matchesDocument(candidate, document));
		if (!ownDocuments.includes(document)) refuse('ownForm');
		else if (isEnote(document)) refuse('enote');
		else if (match >= 0) {
			plan.present.push({ key: buildKey(document), name });
			const [copied] = remaining.splice(match, 1);
			const isLost =
				isUnplacedCopy(copied) ||
				(hasPlacesToSign(document) === true && hasPlacesToSign(copied) === false);
			if (isOpen && isLost) plan.notCopied.push(buildLostPlaces(copied));
		} else if (!isOpen) refuse('sent');
		else {
			const content = await findContent(call, source, document);
			if (typeof content === 'string') refuse(content);
			else await addCopy(plan, document, content, readsTags);
		}
	}
	return plan;
}

const buildKey = (document: DocumentAnswer): string =>
	`document-${deriveDocumentTail(document.id)}`;

/** Whether a document of the copy stands for one of the old transaction. */
function matchesDocument(candidate: DocumentAnswer, document: DocumentAnswer): boolean {
	const reference = readReference(candidate.tracking_id);
	if (reference?.maker === 'copy' || reference?.maker === 'unplacedCopy')
		return reference.tail === deriveDocumentTail(document.id);
	// Whatever else has added it, it's the same paper.
	if (!isSameName(candidate.document_name, document.document_name)) return false;
	if (reference !== undefined) {
		const content = readReference(document.tracking_id)?.content;
		return content === undefined || content === reference.content;
	}
	const [tracking, oldTracking] = [candidate.tracking_id, document.tracking_id];
	return (
		!isPersonalReference(tracking) || !isPersonalReference(oldTracking) || tracking === oldTracking
	);
}

/** Adds the copy of a document to a plan. */
async function addCopy(
	{ additions, notCopied }: CopiedDocuments,
	document: DocumentAnswer,
	{ content, from, isProven }: CopiedContent,
	readsTags: boolean,
): Promise<void> {
	const { name } = describeFile(document);
	const describe = (field: string, reason: NotCopiedReason): NotCopied => ({
		subject: name,
		field,
		reason,
	});
	const fields: IDataObject = {
		filename: name,
		...copyFields(document),
		...(isPersonalReference(document.tracking_id) && { tracking_id: document.tracking_id }),
		...(document.bundle_position != null && { bundle_position: document.bundle_position }),
	};
	const isOtherFile = from === 'item' && !isProven;
	const places = copyPlaces(document, isOtherFile, readsTags);
	if (places === 'hiddenPlaces') notCopied.push(buildLostPlaces(document));
	else if (typeof places === 'string') notCopied.push(describe(WHERE_TO_SIGN, places));
	else Object.assign(fields, places);
	notCopied.push(...listHiddenFlags(document).map((field) => describe(field, 'hidden')));
	const isUnplaced = places === 'hiddenPlaces' || places === 'otherFile';
	const digest = await content.readDigest();
	const tail = deriveDocumentTail(document.id);
	additions.push({
		key: buildKey(document),
		action: 'add',
		what: name,
		sentence: from === 'item' ? `Add ${name} with the item's file` : `Copy ${name}`,
		fields,
		content,
		source: shortenDigest(digest),
		reference: buildDocumentReference(isUnplaced ? 'unplacedCopy' : 'copy', digest, fields, tail),
		output: { old_document_id: document.id, file_from: from, proven: isProven },
	});
}

/** The flags that no answer shows of a document. */
const listHiddenFlags = (document: DocumentAnswer): string[] =>
	[...DOCUMENT_FLAGS, 'signing_requires_meeting']
		.filter((name) => readFlag(document, name) === undefined)
		.map(toTitle);
