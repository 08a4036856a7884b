import type { IDataObject } from 'n8n-workflow';

import { Faults } from '../../../messages/faults';
import { defineWrite, Found, type OperationResult } from '../../../run/operation';
import type { DocumentAnswer } from '../../../transport/answers/answers';
import { retrieveTransaction } from '../../../transport/answers/retrieveTransaction';
import { ServiceFailure } from '../../../transport/failure/failure';
import { digestOf } from '../../../transport/files/streams';
import { plainId } from '../../../values/ids';
import { asText, withoutEmpty } from '../../../values/json';
import {
	documentReference,
	isPersonal,
	PLACES,
	readReference,
	saysWish,
	tailOf,
	wishOf,
} from '../../../values/reference';
import { isEmpty } from '../../../values/same';
import { addedGoal, awaitProcessed, sendNewDocument } from '../adding';
import { documentsOf, downloadUploaded, fileOf, isFailed, type Place } from '../api';
import { checkFile, PDF } from '../fileKinds';
import { FLAGS, OF_REQUIREMENT, showsValue } from '../goals';
import { contentOf } from '../incomingFile';
import { removeWrite } from '../writes';
import { applyRule, ruleFor, wantedBy, wishOfRule, type Rule } from './rules';

/*
 * Replaces a document by one with the same file that has what no update sets: it's fetched, added with
 * what its rule says, and deleted. The new one carries a reference of which half says what it replaces
 * and half what its rule wants, so that whoever is stopped in the middle goes on from there.
 */

/** A document, what its rule wants, and the document that has replaced it already. */
export interface Planned {
	document: DocumentAnswer;
	rule?: Rule;
	copy?: DocumentAnswer;
	/** Which of the two counts from now on. */
	now: DocumentAnswer;
	position?: number;
}

/** Finds the rule of each document. What replaces another one that is still there isn't one of its own. */
export function planDocuments(
	{ rules, replaces }: { rules: readonly Rule[]; replaces: boolean },
	documents: DocumentAnswer[],
): Planned[] {
	const all = documents.map((document): Planned => {
		const rule = ruleFor(rules, fileOf(document).name);
		const copy = rule && replaces ? copyOf(document, rule, documents) : undefined;
		const position = rule?.fields.bundle_position as number | undefined;
		return { document, rule, copy, now: copy ?? document, position };
	});
	return all.filter(({ document }) => !all.some(({ copy }) => copy === document));
}

/** Finds the document that replaces another one, if an earlier try has added it. */
export const copyOf = (
	{ id }: Pick<DocumentAnswer, 'id'>,
	rule: Rule,
	among: DocumentAnswer[],
): DocumentAnswer | undefined =>
	among.find(({ tracking_id: own }) => {
		const says = readReference(own);
		const isOf = says?.maker === 'rule' && says.tail === tailOf(plainId(String(id)));
		return isOf && saysWish(says, wishOfRule(rule));
	});

/** Names what a rule wants, and no update sets, of which nothing shows that a document has it. */
export function lackingOf(document: DocumentAnswer, rule: Rule): string[] {
	const says = readReference(document.tracking_id);
	const wish = wishOfRule(rule);
	const wanted = wishOf(wish);
	return wantedBy(rule).ofNew.filter((field) => {
		// Answers may show no more than how many places there are.
		if (PLACES.has(field)) return says?.places !== wanted.places;
		const isSaid = says?.flags === wanted.flags && isEmpty(document[field]);
		return !isSaid && !showsValue(document, field, wish[field]);
	});
}

/**
 * Says why a document can't be replaced: it would lose something.
 * @param documents all of the transaction
 */
export function obstacleTo(
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
	if (isPersonal(tracking)) return 'The document has a Tracking ID, which it would lose';
	if (rule.placement.isPlaced) return undefined;
	if (!Array.isArray(places))
		return "The service doesn't show whether the document has designations, which it would lose";
	return places.length > 0 ? 'The document has designations, which it would lose' : undefined;
}

/** What the new document has of the old one. */
function keptOf(document: DocumentAnswer, { fields }: Rule): IDataObject {
	const { document_name: filename, requirement } = document;
	const isSame = fields.requirement === undefined || fields.requirement === requirement;
	const on = FLAGS.filter(
		(name) => (isSame || !OF_REQUIREMENT.has(name)) && showsValue(document, name, true),
	);
	return withoutEmpty({
		filename,
		requirement,
		...Object.fromEntries(on.map((name) => [name, true])),
	});
}

/**
 * The write that adds a document in place of another one. Its file is fetched, and its designations are
 * placed, before anything of the item is written.
 * @param position of the new document
 */
export const replacementWrite = (
	place: Place,
	document: DocumentAnswer,
	rule: Rule,
	position: unknown,
	result: (added: DocumentAnswer, hint?: string) => OperationResult,
) =>
	defineWrite({
		parse: () => place,
		async prepare(call) {
			const { context, service } = call;
			const { name } = fileOf(document);
			const { binary } = await downloadUploaded(context, service, place, document);
			const faults = new Faults();
			const resource = await checkFile(await contentOf(context, binary, name), PDF, name);
			const retrieve = async () =>
				await retrieveTransaction(service, place.transactionId, place.platform);
			const placed = await applyRule(call, rule, name, { resource, retrieve }, faults);
			faults.throwIfAny();
			const fields = withoutEmpty({
				...keptOf(document, rule),
				...placed.fields,
				bundle_position: position as number,
			});
			const digest = resource === undefined ? '' : await digestOf(await resource.open());
			const tail = tailOf(plainId(String(document.id)));
			const reference = documentReference('rule', digest, wishOfRule(rule), tail);
			return { fields, resource, reference, hint: placed.hint };
		},
		async send(call, _place, { fields, resource, reference, hint }) {
			const { transactionId, platform } = place;
			const now = await retrieveTransaction(call.service, transactionId, platform);
			const copy = copyOf(document, rule, documentsOf(now));
			if (copy !== undefined) return new Found(result(copy, hint));
			return await sendNewDocument(call, { ...place, fields }, resource, {
				isWanted: true,
				value: reference,
			});
		},
		goal: (call, _place, ready) => addedGoal({ ...call, ...place, fields: ready?.fields ?? {} }),
		result: (_call, added, _place, ready) => result(added, ready?.hint),
	});

/** The write that deletes the replaced document, once the service has processed the other one. */
export const replacedWrite = (place: Place, document: DocumentAnswer, rule: Rule) =>
	removeWrite(
		() => place,
		() => ({ json: {} }),
		async ({ service }) => {
			const copy = await awaitProcessed(service, place, (all) => copyOf(document, rule, all));
			const { name } = fileOf(document);
			const seconds = service.limits.lookUpMs / 1000;
			if (copy === undefined)
				throw new ServiceFailure(
					{ code: 'documentsPending', documents: [name], seconds },
					{ final: false },
				);
			if (isFailed(copy))
				throw new ServiceFailure(
					{ code: 'documentFailed', document: name, why: asText(copy.processing_error) },
					{ final: true },
				);
			return undefined;
		},
	);
