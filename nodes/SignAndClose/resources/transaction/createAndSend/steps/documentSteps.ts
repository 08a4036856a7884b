import type { IDataObject } from 'n8n-workflow';

import { defineWrite, ExistingResult, type OperationCall } from '../../../../run/operation';
import type { DocumentAnswer } from '../../../../transport/answers/shapes';
import type { FileContent } from '../../../../transport/files/requestBody';
import { normalizeId, isSameId } from '../../../../values/ids';
import { deriveTail } from '../../../../values/reference';
import { buildAdditionGoal, sendNewDocument } from '../../../document/add/addition';
import { describeFile } from '../../../document/api';
import { defineDeletionWrite, defineUpdateWrite } from '../../../document/writes';
import { joinHints, describeRefusedReference } from '../../../../form/hints';
import { parseTransactionTarget } from '../../api';
import { noteContent } from '../../executionNotes';
import { waitForDocuments } from '../../documentWait';
import type { DocumentDeletion } from '../itemComparison';
import { buildStableReference, type ItemDocument } from '../itemDocuments';
import type { PapersItem } from '../item';
import type { PlannedStep } from './plannedSteps';

/* Steps of a plan: adds, changes or deletes a document. */

/**
 * Adds a document.
 * @param replaced the one in whose place it comes, and whose position it takes
 * @param reference by which every run recognizes it
 */
export function buildAddStep(
	document: ItemDocument,
	replaced?: DocumentAnswer,
	reference = buildStableReference(document),
): PlannedStep {
	const { file, content, rule, hint } = document.planned;
	const position = document.fields.bundle_position ?? replaced?.bundle_position;
	return buildAdditionStep({
		// Another wish, or another one to be replaced, is another write of a later try.
		key: `document-${buildStableReference(document)}-${normalizeId(String(replaced?.id ?? ''))}`,
		action: replaced === undefined ? 'add' : 'replace',
		what: file,
		sentence:
			replaced === undefined
				? `Add '${file}' by rule ${rule.row}`
				: `Replace ${describeFile(replaced).name} with '${file}'`,
		fields: { ...document.fields, ...(position != null && { bundle_position: position }) },
		content,
		source: document.content,
		reference,
		output: { file, rule: rule.row },
		hint,
	});
}

/** A document that is added by a step. */
export interface StepAddition extends Pick<PlannedStep, 'key' | 'action' | 'what' | 'sentence'> {
	/** What is sent of it, without the file and the reference. */
	fields: IDataObject;
	content: FileContent;
	/** What a reference says of the content. */
	source: string;
	/** The node's own reference. */
	reference: string;
	/** What comes out beside its ID and its name. */
	output: IDataObject;
	hint?: string;
}

/** Adds a document with a reference that it has in every run. */
export function buildAdditionStep({
	fields,
	content,
	source,
	reference,
	output,
	hint,
	...step
}: StepAddition): PlannedStep {
	const buildAddition = (call: OperationCall) => ({
		...parseTransactionTarget(call.params),
		fields,
	});
	return {
		...step,
		write: defineWrite({
			parse: () => fields,
			send: async (call) =>
				await sendNewDocument(call, buildAddition(call), content, {
					isWanted: true,
					value: reference,
				}),
			goal: (call) => buildAdditionGoal({ ...call, ...buildAddition(call) }),
			result(call, { id, document_name: name }) {
				noteContent(call, id, source);
				const ids = { document_id: id, document_name: name ?? fields.filename };
				return {
					json: { document_id: id, documents: [{ ...ids, ...output }] },
					hint: joinHints([hint, describeRefusedReference(call)]),
				};
			},
		}),
	};
}

/** Changes what an update sets of a document that is there. */
export function buildUpdateStep(
	file: string,
	document: DocumentAnswer,
	changes: IDataObject,
): PlannedStep {
	const documentId = String(document.id);
	const readPlace = (call: OperationCall) => ({
		...parseTransactionTarget(call.params),
		documentId,
	});
	return {
		key: `change-${documentId}-${deriveTail(JSON.stringify(changes))}`,
		action: 'change',
		what: file,
		sentence: `Change what holds for ${describeFile(document).name}`,
		write: defineUpdateWrite(readPlace, changes, document, () => ({ json: {} })),
	};
}

/**
 * Deletes a document, once the service has read those that stay.
 * @param deletions what is deleted
 * @param documents those of the transaction, of which several may have its name
 */
export function buildDeleteStep(
	item: Pick<PapersItem, 'limitMs'>,
	{ document, reason }: DocumentDeletion,
	deletions: DocumentDeletion[],
	documents: readonly DocumentAnswer[],
): PlannedStep {
	const { name } = describeFile(document);
	const documentId = String(document.id);
	const isOnly =
		documents.filter((candidate) => describeFile(candidate).name === name).length === 1;
	return {
		key: `delete-${documentId}`,
		action: 'delete',
		what: name,
		name: `The old ${name}`,
		sentence: `Delete ${name}${isOnly ? '' : ` (${documentId})`}: ${reason}`,
		write: defineDeletionWrite(
			(call) => ({ ...parseTransactionTarget(call.params), documentId }),
			() => ({ json: {} }),
			async (call, place) => {
				const current = await waitForDocuments(call.service, place, {
					limitMs: item.limitMs,
					excludedIds: deletions.map((deletion) => String(deletion.document.id)),
				});
				const isThere = current.documents?.some(({ id }) => isSameId(id, documentId)) !== false;
				return isThere ? undefined : new ExistingResult({ json: {} });
			},
		),
	};
}
