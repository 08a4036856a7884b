import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../../messages/explainedFailure';
import { Faults } from '../../../messages/faults';
import { filesOf } from '../../../run/itemFiles';
import type { OperationCall } from '../../../run/operation';
import type { DocumentAnswer, TransactionAnswer } from '../../../transport/answers/answers';
import { digestOf } from '../../../transport/files/streams';
import type { FileContent } from '../../../transport/files/streamedJson';
import { plainId } from '../../../values/ids';
import { asObjects, asText } from '../../../values/json';
import { isOwnReference, referenceFor } from '../../../values/reference';
import { documentsOf } from '../../document/api';
import { checkTransaction } from '../../document/checks';
import { tellingOf } from '../../document/designations';
import { checkFile, PDF } from '../../document/fileKinds';
import { allIncoming, contentOf, findIncoming } from '../../document/incomingFile';
import { documentRules } from '../../document/rules/form';
import { applyRule, parseRules, ruleFor } from '../../document/rules/rules';
import { ifDiffers, type IfDiffers } from './form';

/* The documents of an item, and what an earlier run has added of them. */

/** A file of the item that becomes a document. */
export interface PlannedDocument {
	/** What a person calls the file. */
	file: string;
	/** Number of its rule. */
	rule: number;
	/** What is sent of it, without the file. */
	fields: IDataObject;
	content: FileContent;
	/** The SHA-256 of its content, and how many files before it have the same. */
	digest: string;
	before: number;
	hint?: string;
}

/** The reference by which a document is recognized in every run. */
export const referenceOf = (transactionId: string, { digest, before }: PlannedDocument): string =>
	referenceFor(plainId(transactionId), digest, String(before));

/**
 * Reads the files of an item, and what the rules say of them.
 * @param body the transaction as it's created, whose signers designations name
 * @param ofEnote the call of the eNote, whose file is no document
 * @param faults gets what can't be used
 */
export async function planDocuments(
	call: OperationCall,
	body: IDataObject | undefined,
	ofEnote: OperationCall | undefined,
	faults: Faults,
): Promise<{ documents: PlannedDocument[]; leftOut: { pdfs: string[]; others: string[] } }> {
	const { context, params, itemIndex } = call;
	const rules = faults.collect(() => parseRules(call));
	const leftOut: { pdfs: string[]; others: string[] } = { pdfs: [], others: [] };
	// Which files no rule names is known only if all rules are.
	if (rules === undefined || (rules.length === 0 && filesOf(context, itemIndex).length === 0))
		return { documents: [], leftOut };
	const label = params.label(documentRules.name);
	const found = await faults.collectLater(async () => await allIncoming(call, label));
	const enote = ofEnote && enoteFile(ofEnote);
	leftOut.others = (found?.leftOut ?? []).filter((shown) => shown !== enote);
	const retrieve = body && (async () => await Promise.resolve(draftOf(body)));
	const read: Array<Omit<PlannedDocument, 'digest' | 'before'>> = [];
	for (const { file, shown, title } of found?.files ?? []) {
		const rule = ruleFor(rules, title);
		if (rule === undefined) {
			leftOut.pdfs.push(shown);
			continue;
		}
		const content = await faults.collectLater(
			async () => await checkFile(await contentOf(context, file, shown), PDF, shown),
		);
		const placed = await applyRule(call, rule, shown, { resource: content, retrieve }, faults);
		if (content === undefined) continue;
		const fields = { filename: title, ...placed.fields };
		const hint = placed.hint && `${title}: ${placed.hint}`;
		read.push({ file: shown, rule: rule.row, fields, content, hint });
	}
	if (faults.all.length > 0) return { documents: [], leftOut };
	const documents: PlannedDocument[] = [];
	for (const each of read) {
		const digest = await digestOf(await each.content.open());
		const before = documents.filter((other) => other.digest === digest).length;
		documents.push({ ...each, digest, before });
	}
	return { documents, leftOut };
}

/** The transaction as it will be shown. */
function draftOf({ signers, signer }: IDataObject): TransactionAnswer {
	const all = signers === undefined ? [signer] : asObjects(signers);
	return { id: '', status: 'draft', signers: asObjects(all) };
}

/** What a person calls the file of an eNote, if it's one of the item. */
function enoteFile(call: OperationCall): string | undefined {
	const source = call.params.raw('source') ?? 'binary';
	const file = source === 'binary' ? call.params.raw('binaryPropertyName') : undefined;
	try {
		return file === undefined ? undefined : (findIncoming(call, file).fileName ?? String(file));
	} catch {
		// It was told with the eNote.
		return undefined;
	}
}

/** What a draft has of the documents of an item. */
export interface Earlier {
	/** The documents that are there, by their references. */
	there: Record<string, string>;
	/** The documents in place of which others are added, by the references of these. */
	replaced: Record<string, string[]>;
}

/**
 * Compares the documents of an item with those of a draft.
 * @throws InputFailure with each one that has a file's name and isn't the file, if that isn't wanted,
 *   and with the designations of signers whom the draft doesn't have
 */
export function compareDocuments(
	{ params }: OperationCall,
	draft: TransactionAnswer,
	planned: PlannedDocument[],
	wish: IfDiffers,
): Earlier {
	const shown = documentsOf(draft);
	const faults = new Faults();
	const earlier: Earlier = { there: {}, replaced: {} };
	const references = planned.map((document) => referenceOf(draft.id, document));
	const isOurs = ({ tracking_id: own }: DocumentAnswer) => references.includes(asText(own) ?? '');
	const showsReferences = shown.some(({ tracking_id: own }) => isOwnReference(own));
	for (const [index, document] of planned.entries()) {
		const same = shown.find(({ tracking_id: own }) => own === references[index]);
		if (same !== undefined) {
			earlier.there[references[index]] = String(same.id);
			continue;
		}
		checkSigners(document, draft, faults, params);
		const named = shown.filter(
			(other) => other.document_name === document.fields.filename && !isOurs(other),
		);
		if (named.length === 0) continue;
		// Without a reference, it may be the file itself.
		const isKnown = showsReferences || named.every(({ tracking_id: own }) => asText(own));
		if (wish === 'replace') earlier.replaced[references[index]] = named.map(({ id }) => String(id));
		else if (wish === 'stop' || !isKnown)
			faults.note(
				new InputFailure(
					params.label(documentRules.name),
					`, entry ${document.rule}: '${document.file}' has the name of ${named.map(({ id }) => String(id)).join(', ')} in ${draft.id}, ${isKnown ? 'and other content' : 'and the service shows no reference that tells whether it has the same content'}`,
					`Nothing was added. Delete the document if it's wrong, rename the file, or set '${ifDiffers.displayName}' to Replace${isKnown ? ' or Keep Both' : ''}`,
				),
			);
	}
	faults.throwIfAny();
	return earlier;
}

function checkSigners(
	{ file, rule, fields }: PlannedDocument,
	draft: TransactionAnswer,
	faults: Faults,
	params: OperationCall['params'],
): void {
	const designations = asObjects(fields.signing_designations);
	const entries = designations.map((designation) => ({ row: rule, designation }));
	const own = new Faults();
	const telling = tellingOf(own, params.label(documentRules.name));
	const complain = (row: number, what: string, remedy: string) =>
		telling.complain(row, `'${file}': ${what}`, remedy);
	checkTransaction(entries, draft, { ...telling, complain }, own, params);
	for (const fault of own.all) faults.note(fault);
}
