import type { IDataObject } from 'n8n-workflow';

import type { Faults } from '../../../messages/faults';
import { filesOf } from '../../../run/itemFiles';
import type { OperationCall } from '../../../run/operation';
import type { TransactionAnswer } from '../../../transport/answers/answers';
import { digestOf } from '../../../transport/files/streams';
import type { FileContent } from '../../../transport/files/streamedJson';
import { asObjects } from '../../../values/json';
import { contentOf as contentIn, documentReference } from '../../../values/reference';
import type { WantedDocument } from '../../document/comparison';
import { checkFile, PDF } from '../../document/fileKinds';
import { allIncoming, contentOf, findIncoming } from '../../document/incomingFile';
import { documentRules } from '../../document/rules/form';
import {
	applyRule,
	parseRules,
	ruleFor,
	unmetRules,
	wishOfRule,
	type Rule,
} from '../../document/rules/rules';

/* The documents of an item. */

/** A file of the item that becomes a document. */
export interface PlannedDocument {
	/** What a person calls the file. */
	file: string;
	rule: Rule;
	/** What is sent of it, without the file; signers have the external IDs of the item. */
	fields: IDataObject;
	content: FileContent;
	/** The SHA-256 of its content, and how many files before it have the same. */
	digest: string;
	before: number;
	hint?: string;
}

/** A document as the transaction is to have it. */
export interface ItemDocument extends WantedDocument {
	planned: PlannedDocument;
}

/** The documents of an item, by the external IDs that its signers have in the transaction. */
export const documentsFor = (
	documents: readonly PlannedDocument[],
	ids: ReadonlyMap<string, string>,
): ItemDocument[] =>
	documents.map((planned) => {
		const { digest, fields, rule } = planned;
		const designations = asObjects(fields.signing_designations).map((place) => {
			const id = String(place.signer_identifier);
			return { ...place, signer_identifier: ids.get(id) ?? place.signer_identifier };
		});
		return {
			planned,
			name: String(fields.filename),
			content: contentIn(digest),
			fields: { ...fields, ...(designations.length > 0 && { signing_designations: designations }) },
			wish: wishOfRule(rule, (id) => ids.get(id)),
		};
	});

/** More than the files of an item with the same content. */
const TAILS = 0x1000;

/**
 * The reference by which a document is recognized in every run.
 * @param taken those of documents that are there: what comes in the place of one has another reference
 */
export function referenceOf(
	{ planned: { digest, before }, wish }: Pick<ItemDocument, 'planned' | 'wish'>,
	taken: ReadonlySet<unknown> = new Set(),
): string {
	for (let number = before; ; number += TAILS) {
		const tail = number.toString(16).padStart(6, '0');
		const reference = documentReference('createAndSend', digest, wish, tail);
		if (!taken.has(reference)) return reference;
	}
}

/** The files of an item that become no document, and the rules that no file is for. */
export interface LeftOut {
	/** PDFs that no rule names. */
	pdfs: string[];
	/** Other files, and those whose names a rule is for. */
	others: string[];
	fitting: string[];
	/** What is missing by the rules, in sentences without a final period. */
	unmet: string[];
}

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
): Promise<{ documents: PlannedDocument[]; leftOut: LeftOut }> {
	const { context, params, itemIndex } = call;
	const rules = faults.collect(() => parseRules(call));
	const leftOut: LeftOut = { pdfs: [], others: [], fitting: [], unmet: [] };
	// Which files no rule names is known only if all rules are.
	if (rules === undefined || (rules.length === 0 && filesOf(context, itemIndex).length === 0))
		return { documents: [], leftOut };
	const label = params.label(documentRules.name);
	const found = await faults.collectLater(async () => await allIncoming(call, label));
	const enote = ofEnote && enoteFile(ofEnote);
	leftOut.others = (found?.leftOut ?? []).filter((shown) => shown !== enote);
	leftOut.fitting = leftOut.others.filter(
		(shown) => (ruleFor(rules, shown.replace(/\.[a-z0-9]{1,5}$/i, ''))?.words.length ?? 0) > 0,
	);
	const titles = (found?.files ?? []).map(({ title }) => title);
	leftOut.unmet = unmetRules(rules, titles);
	const retrieve = body && (async () => await Promise.resolve(draftOf(body)));
	const documents: PlannedDocument[] = [];
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
		if (content === undefined || faults.all.length > 0) continue;
		const fields = { filename: title, ...placed.fields };
		const hint = placed.hint && `${title}: ${placed.hint}`;
		const digest = await digestOf(await content.open());
		const before = documents.filter((other) => other.digest === digest).length;
		documents.push({ file: shown, rule, fields, content, digest, before, hint });
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
