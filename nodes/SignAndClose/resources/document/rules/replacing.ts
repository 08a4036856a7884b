import type { IDataObject } from 'n8n-workflow';

import { Faults } from '../../../messages/faults';
import type { OperationCall } from '../../../run/operation';
import { write, type Seen } from '../../../run/outcome/goals';
import type { DocumentAnswer } from '../../../transport/answers/answers';
import { retrieveTransaction } from '../../../transport/answers/retrieveTransaction';
import { plainId } from '../../../values/ids';
import { asText, withoutEmpty } from '../../../values/json';
import { isOwnReference, referenceFor } from '../../../values/reference';
import { goalOfNew, sendNewDocument } from '../adding';
import { documentsOf, downloadUploaded, fileOf, type Place } from '../api';
import { checkFile, PDF } from '../fileKinds';
import { removedGoal, showsValue } from '../goals';
import { contentOf } from '../incomingFile';
import { applyRule, type Rule } from './rules';
import { wantedBy } from './wanted';

/*
 * Replaces a document by one with the same file that has what no update sets: it's fetched, added with
 * what its rule says, and deleted. The new one carries a reference of which half says what it replaces
 * and half what its rule wants, so that whoever is stopped in the middle goes on from there.
 */

/** How much of a reference says what the document replaces. */
const FIRST_HALF = 23;

const PLACES = ['whereToSign', 'texts', 'designations', 'designationsJson', 'placeOptions'];

/** The half of a reference that says what a rule wants. */
function wishOf(rule: Rule): string {
	const { ofNew } = wantedBy(rule);
	const places = PLACES.map((name) => JSON.stringify(rule.params.raw(name)) ?? '');
	return referenceFor(...ofNew, ...places).slice(FIRST_HALF);
}

/** The reference of the document that replaces another one. */
const referenceOfCopy = (id: unknown, rule: Rule): string =>
	referenceFor(plainId(String(id))).slice(0, FIRST_HALF) + wishOf(rule);

/** Finds the document that replaces another one, if an earlier try has added it. */
export const copyOf = (
	{ id }: Pick<DocumentAnswer, 'id'>,
	rule: Rule,
	among: DocumentAnswer[],
): DocumentAnswer | undefined => {
	const reference = referenceOfCopy(id, rule);
	return among.find(({ tracking_id: own }) => own === reference);
};

/** Whether a document was added with what its rule wants, in place of another one. */
export const isCopyFor = ({ tracking_id: own }: DocumentAnswer, rule: Rule): boolean =>
	isOwnReference(own) && own!.slice(FIRST_HALF) === wishOf(rule);

/** Says why a document can't be replaced: it would lose something. */
export function obstacleTo(document: DocumentAnswer, rule: Rule): string | undefined {
	const { tracking_id: tracking, signing_designations: places } = document;
	if (asText(tracking) !== undefined && !isOwnReference(tracking))
		return 'The document has a Tracking ID, which it would lose';
	if (rule.where.isPlaced) return undefined;
	if (!Array.isArray(places))
		return "The service doesn't show whether the document has designations, which it would lose";
	return places.length > 0 ? 'The document has designations, which it would lose' : undefined;
}

/** Flags that a requirement brings along. */
const OF_REQUIREMENT = [
	'esign_required',
	'identity_confirmation_required',
	'notarization_required',
];
const FLAGS = [...OF_REQUIREMENT, 'customer_can_annotate', 'vaulted', 'witness_required'];

/** What the new document has of the old one. */
function keptOf(document: DocumentAnswer, { fields }: Rule): IDataObject {
	const { document_name: filename, requirement } = document;
	const isSame = fields.requirement === undefined || fields.requirement === requirement;
	const on = FLAGS.filter(
		(name) => (isSame || !OF_REQUIREMENT.includes(name)) && showsValue(document, name, true),
	);
	return withoutEmpty({
		filename,
		requirement,
		...Object.fromEntries(on.map((name) => [name, true])),
	});
}

/** A document that was added in place of another one. */
export interface Replacement {
	document: DocumentAnswer;
	hint?: string;
}

/**
 * Fetches the file of a document, and places its designations.
 * @param position of the new document
 * @returns adds the new one, unless it's there
 * @throws InputFailure when the rule doesn't fit the file
 */
export async function prepareReplacement(
	call: OperationCall,
	place: Place,
	document: DocumentAnswer,
	rule: Rule,
	position: unknown,
): Promise<(call: OperationCall) => Promise<Replacement>> {
	const { context, service } = call;
	const retrieve = async () =>
		await retrieveTransaction(service, place.transactionId, place.platform);
	const { name } = fileOf(document);
	const { binary } = await downloadUploaded(context, service, place, document);
	const faults = new Faults();
	const resource = await checkFile(await contentOf(context, binary, name), PDF, name);
	const placed = await applyRule(call, rule, name, { resource, retrieve }, faults);
	faults.throwIfAny();
	const fields = withoutEmpty({
		...keptOf(document, rule),
		...placed.fields,
		bundle_position: position as number,
	});
	return async (own) => ({
		document:
			copyOf(document, rule, documentsOf(await retrieve())) ??
			(await sendNewDocument(own, { ...place, fields }, resource, {
				isWanted: true,
				own: referenceOfCopy(document.id, rule),
			})),
		hint: placed.hint,
	});
}

/** Looks for a document that was added in place of another one. */
export async function findReplacement(
	call: OperationCall,
	place: Place,
): Promise<Seen<DocumentAnswer>> {
	return await goalOfNew(call, { ...place, fields: {} }).fromService();
}

/** Deletes a document whose replacement is there. */
export async function deleteReplaced({ service }: OperationCall, place: Place): Promise<void> {
	const { documentId, platform } = place;
	await write(
		service,
		async () => await service.json('deleteDocument', { path: { documentId }, platform }),
		removedGoal(service, place),
	);
}
