import type { IDataObject } from 'n8n-workflow';

import { Faults } from '../../../messages/inputFaults';
import { defineWrite, ExistingResult, type OperationResult } from '../../../run/operation';
import type { DocumentAnswer } from '../../../transport/answers/shapes';
import { retrieveTransaction } from '../../../transport/answers/transaction';
import { ServiceFailure } from '../../../transport/failure/failure';
import { asText, withoutEmpty } from '../../../values/json';
import {
	buildDocumentReference,
	isPersonalReference,
	PLACE_FIELDS,
	readReference,
	matchesSettings,
	deriveDocumentTail,
	hashSettings,
} from '../../../values/reference';
import { isBlank } from '../../../values/comparison';
import { buildAdditionGoal, awaitProcessing, sendNewDocument } from '../add/addition';
import { listDocuments, describeFile, isFailed, type DocumentPlace } from '../api';
import { downloadUploaded } from '../downloads';
import { checkFile, PDF } from '../files/kinds';
import { DOCUMENT_FLAGS, readFlag, REQUIREMENT_FLAGS, showsValue } from '../comparison';
import { openContent } from '../files/itemFile';
import type { Placement } from '../places/placement';
import { explainLeftOutPlaces, type ExplainedPlace } from '../places/leftOut';
import { defineDeletionWrite } from '../writes';
import { applyRule, findRule, divide, describeRule, type Rule } from './rules';

/*
 * Replaces a document by one with the same file that has what no update sets: it's fetched, added with
 * what its rule says, and deleted. The new one carries a reference of which half says what it replaces
 * and half what its rule wants, so that whoever is stopped in the middle goes on from there.
 */

/** A document, what its rule wants, and the document that has replaced it already. */
export interface RulePlan {
	document: DocumentAnswer;
	rule?: Rule;
	copy?: DocumentAnswer;
	/** Which of the two counts from now on. */
	now: DocumentAnswer;
	position?: number;
}

/** Finds the rule of each document. What replaces another one that is still there isn't one of its own. */
export function planRules(
	{ rules, replaces }: { rules: readonly Rule[]; replaces: boolean },
	documents: DocumentAnswer[],
): RulePlan[] {
	const all = documents.map((document): RulePlan => {
		const rule = findRule(rules, describeFile(document).name);
		const copy = rule && replaces ? findCopy(document, rule, documents) : undefined;
		const position = rule?.fields.bundle_position as number | undefined;
		return { document, rule, copy, now: copy ?? document, position };
	});
	return all.filter(({ document }) => !all.some(({ copy }) => copy === document));
}

/** Finds the document that replaces another one, if an earlier try has added it. */
const findCopy = (
	{ id }: Pick<DocumentAnswer, 'id'>,
	rule: Rule,
	documents: DocumentAnswer[],
): DocumentAnswer | undefined =>
	documents.find(({ tracking_id: tracking }) => {
		const reference = readReference(tracking);
		const isCopy = reference?.maker === 'rule' && reference.tail === deriveDocumentTail(id);
		return isCopy && matchesSettings(reference, describeRule(rule));
	});

/** Names what a rule wants, and no update sets, of which nothing shows that a document has it. */
export function listLacking(document: DocumentAnswer, rule: Rule): string[] {
	const reference = readReference(document.tracking_id);
	const expectedFields = describeRule(rule);
	const expected = hashSettings(expectedFields);
	return divide(rule).ofNew.filter((field) => {
		// Answers may show no more than how many places there are.
		if (PLACE_FIELDS.has(field)) return reference?.places !== expected.places;
		const isReferenced = reference?.flags === expected.flags && isBlank(document[field]);
		return !isReferenced && !showsValue(document, field, expectedFields[field]);
	});
}

/**
 * Says why a document can't be replaced: it would lose something.
 * @param documents all of the transaction
 */
export function describeObstacle(
	{ tracking_id: tracking, signing_designations: places }: DocumentAnswer,
	rule: Rule,
	documents: readonly DocumentAnswer[],
): string | undefined {
	// One is there, or the field for it, or the flags beside which it stands when it's set
	// (docs/service/documents.md#two-forms-of-the-answer).
	const showsReferences = documents.some(
		(document) =>
			document.tracking_id !== undefined || typeof document.notarization_required === 'boolean',
	);
	if (!showsReferences)
		return "The service shows no references of documents, so the next run couldn't tell the new document from the old one";
	if (isPersonalReference(tracking)) return 'The document has a Tracking ID, which it would lose';
	if (rule.placement.isPlaced) return undefined;
	if (!Array.isArray(places))
		return "The service doesn't show whether the document has designations, which it would lose";
	return places.length > 0 ? 'The document has designations, which it would lose' : undefined;
}

/**
 * What a new document has of the one in whose place it comes, as far as answers show it. A requirement
 * brings its own flag along.
 * @param newRequirement the one that it gets instead, with which other flags come
 */
export function copyFields(document: DocumentAnswer, newRequirement?: unknown): IDataObject {
	const { document_name: filename, requirement } = document;
	const isSame = newRequirement === undefined || newRequirement === requirement;
	const flags = DOCUMENT_FLAGS.filter(
		(name) =>
			(isSame ? name !== `${String(requirement)}_required` : !REQUIREMENT_FLAGS.has(name)) &&
			readFlag(document, name) === true,
	);
	return withoutEmpty({
		filename,
		requirement,
		...Object.fromEntries(flags.map((name) => [name, true])),
	});
}

/**
 * The write that adds a document in place of another one. Its file is fetched, and its designations are
 * placed, before anything of the item is written.
 * @param position of the new document
 */
export const defineReplacement = (
	place: DocumentPlace,
	document: DocumentAnswer,
	rule: Rule,
	position: unknown,
	result: (copy: DocumentAnswer, hint?: string, leftOut?: ExplainedPlace[]) => OperationResult,
) =>
	defineWrite({
		parse: () => place,
		async prepare(call) {
			const { context, service } = call;
			const { name } = describeFile(document);
			const { binary } = await downloadUploaded(context, service, place, document);
			const faults = new Faults();
			const resource = await checkFile(call, await openContent(context, binary, name), PDF, name);
			const retrieve = async () =>
				await retrieveTransaction(service, place.transactionId, place.platform);
			const placement = await applyRule(call, rule, name, { resource, retrieve }, faults);
			faults.throwIfAny();
			const fields = withoutEmpty({
				...copyFields(document, rule.fields.requirement),
				...placement.fields,
				bundle_position: position as number,
			});
			const digest = resource === undefined ? '' : await resource.readDigest();
			const tail = deriveDocumentTail(document.id);
			const reference = buildDocumentReference('rule', digest, describeRule(rule), tail);
			return { fields, resource, reference, ...describePlacement(placement, place, name, rule) };
		},
		async send(call, _place, { fields, resource, reference, hint, leftOut }) {
			const { transactionId, platform } = place;
			const now = await retrieveTransaction(call.service, transactionId, platform);
			const copy = findCopy(document, rule, listDocuments(now));
			if (copy !== undefined) return new ExistingResult(result(copy, hint, leftOut));
			return await sendNewDocument(call, { ...place, fields }, resource, {
				isWanted: true,
				value: reference,
			});
		},
		goal: (call, _place, ready) =>
			buildAdditionGoal({ ...call, ...place, fields: ready?.fields ?? {} }),
		result: (_call, copy, _place, ready) => result(copy, ready?.hint, ready?.leftOut),
	});

/** What a person should know of the places of a document. */
function describePlacement(
	{ hint, leftOut: places }: Placement,
	{ platform }: DocumentPlace,
	document: string,
	{ row }: Rule,
) {
	return { hint, leftOut: explainLeftOutPlaces(places, platform, { document, rule: row }) };
}

/** The write that deletes the replaced document, once the service has processed the other one. */
export const defineRemoval = (place: DocumentPlace, document: DocumentAnswer, rule: Rule) =>
	defineDeletionWrite(
		() => place,
		() => ({ json: {} }),
		async ({ service }) => {
			const copy = await awaitProcessing(service, place, (all) => findCopy(document, rule, all));
			const { name } = describeFile(document);
			const seconds = service.limits.lookUpMs / 1000;
			if (copy === undefined)
				throw new ServiceFailure(
					{ code: 'documentsPending', documents: [name], seconds },
					{ final: false },
				);
			if (isFailed(copy))
				throw new ServiceFailure(
					{ code: 'documentFailed', document: name, explanation: asText(copy.processing_error) },
					{ final: true },
				);
			return undefined;
		},
	);
