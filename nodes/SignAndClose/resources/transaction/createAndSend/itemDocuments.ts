import type { IDataObject } from 'n8n-workflow';

import type { Faults } from '../../../messages/inputFaults';
import { listFiles } from '../../../run/itemFiles';
import type { OperationCall } from '../../../run/operation';
import type { FileContent } from '../../../transport/files/requestBody';
import { asObjects } from '../../../values/json';
import { shortenDigest as contentIn, buildDocumentReference } from '../../../values/reference';
import { explainLeftOutPlaces, type ExplainedPlace } from '../../document/places/leftOut';
import type { LeftOutPlace } from '../../document/places/signers';
import { saysParty } from '../../document/places/formFields/fieldNames';
import { mayBeSigned } from '../../document/places/whereToSign';
import type { Platform } from '../../../transport/service/endpoints';
import type { ExpectedDocument } from './documentComparison';
import type { DocumentToPlace } from '../../document/places/pages';
import { checkFile, PDF } from '../../document/files/kinds';
import {
	listIncomingPdfs,
	openContent,
	findIncoming,
	readFileName,
	type IncomingPdf,
} from '../../document/files/itemFile';
import { documentRules } from '../../document/rules/ruleFields';
import {
	applyRule,
	findRule,
	listUnmetRules,
	describeRule,
	type Rule,
} from '../../document/rules/rules';
import { parseRules } from '../../document/rules/input';

/* The documents of an item. */

/** A file of the item that becomes a document. */
export interface PlannedDocument {
	/** What a person calls the file. */
	file: string;
	rule: Rule;
	/** What is sent of it, without the file; signers have the external IDs of the item. */
	fields: IDataObject;
	/** Places that were left out, and from each role of a place to the external ID of the item. */
	leftOut: LeftOutPlace[];
	signerIds: ReadonlyMap<string, string>;
	/** The same for parties that the names of form fields say. */
	partyIds?: ReadonlyMap<string, string>;
	content: FileContent;
	/** The SHA-256 of its content, and how many files before it have the same. */
	digest: string;
	before: number;
	hint?: string;
}

/** A document as the transaction is to have it. */
export interface ItemDocument extends ExpectedDocument {
	planned: PlannedDocument;
}

/** The documents of an item, by the external IDs that its signers have in the transaction. */
export const buildItemDocuments = (
	documents: readonly PlannedDocument[],
	ids: ReadonlyMap<string, string>,
): ItemDocument[] =>
	documents.map((planned) => {
		const {
			digest,
			fields,
			rule,
			signerIds,
			partyIds = new Map<string, string>(),
			leftOut,
		} = planned;
		const owners = [...partyIds].flatMap(([party, ownId]): Array<[string, string]> => {
			const id = ids.get(ownId) ?? ownId;
			return saysParty(id, party, id === ownId) ? [] : [[party, id]];
		});
		const designations = asObjects(fields.signing_designations).map((place) => {
			const id = String(place.signer_identifier);
			return { ...place, signer_identifier: ids.get(id) ?? place.signer_identifier };
		});
		return {
			planned,
			name: String(fields.filename),
			content: contentIn(digest),
			fields: { ...fields, ...(designations.length > 0 && { signing_designations: designations }) },
			wish: describeRule(rule, (id) => ids.get(signerIds.get(id) ?? id), leftOut, owners),
		};
	});

/** The places that the documents of an item don't have. */
export const listLeftOutPlaces = ({
	documents,
	platform,
}: {
	documents: readonly PlannedDocument[];
	platform: Platform;
}): ExplainedPlace[] =>
	documents.flatMap(({ leftOut, fields, rule }) =>
		explainLeftOutPlaces(leftOut, platform, { document: String(fields.filename), rule: rule.row }),
	);

/**
 * Whose the places of documents are, by the external IDs of the item; undefined where something else may
 * add places.
 */
export function listPlaceOwners(documents: readonly PlannedDocument[]): Set<unknown> | undefined {
	const isKnown = ({ fields, leftOut, rule }: PlannedDocument) =>
		fields.customer_can_annotate !== true &&
		fields.text_tag_syntax === undefined &&
		rule.placement.choice !== 'closingTeam' &&
		(fields.signing_designations !== undefined || leftOut.length > 0 || !mayBeSigned(fields));
	if (!documents.every(isKnown)) return undefined;
	const places = documents.flatMap(({ fields }) => asObjects(fields.signing_designations));
	return new Set(places.map(({ signer_identifier: id }) => id));
}

/** More than the files of an item with the same content. */
const TAILS = 0x1000;

/**
 * The reference by which a document is recognized in every run.
 * @param usedReferences those of documents that are there: what comes in the place of one has another reference
 */
export function buildStableReference(
	{ planned: { digest, before }, wish }: Pick<ItemDocument, 'planned' | 'wish'>,
	usedReferences: ReadonlySet<unknown> = new Set(),
): string {
	for (let number = before; ; number += TAILS) {
		const tail = number.toString(16).padStart(6, '0');
		const reference = buildDocumentReference('createAndSend', digest, wish, tail);
		if (!usedReferences.has(reference)) return reference;
	}
}

/** The files of an item that become no document, and the rules that no file is for. */
export interface FilesLeftOut {
	/** PDFs that no rule names. */
	pdfs: string[];
	/** Other files, and those whose names a rule is for. */
	otherFiles: string[];
	fitting: string[];
	/** What is missing by the rules, in sentences without a final period. */
	unmet: string[];
}

/** Whom places name, as far as that is known. */
export type SignersOfPlaces = Pick<DocumentToPlace, 'retrieve' | 'roles'>;

/**
 * Reads the files of an item, and what the rules say of them.
 * @param signers retrieves the transaction whose signers designations name, and their roles
 * @param ofEnote the call of the eNote, whose file is no document
 * @param faults gets what can't be used
 * @param present the names of documents that are there, for which no file has to come
 */
export async function planItemDocuments(
	call: OperationCall,
	signers: SignersOfPlaces,
	ofEnote: OperationCall | undefined,
	faults: Faults,
	present: readonly string[] = [],
): Promise<{ documents: PlannedDocument[]; leftOut: FilesLeftOut; rules: readonly Rule[] }> {
	const { context, params, itemIndex } = call;
	const parsedRules = faults.collect(() => parseRules(call));
	const rules = parsedRules ?? [];
	const leftOut: FilesLeftOut = { pdfs: [], otherFiles: [], fitting: [], unmet: [] };
	// Which files no rule names is known only if all rules are.
	if (
		parsedRules === undefined ||
		(rules.length === 0 && listFiles(context, itemIndex).length === 0)
	)
		return { documents: [], leftOut, rules };
	const label = params.label(documentRules.name);
	const incoming = await faults.collectLater(async () => await listIncomingPdfs(call, label));
	const enote = ofEnote && findEnoteFile(ofEnote);
	leftOut.otherFiles = (incoming?.leftOut ?? []).filter((fileName) => fileName !== enote);
	leftOut.fitting = leftOut.otherFiles.filter(
		(fileName) =>
			(findRule(rules, fileName.replace(/\.[a-z0-9]{1,5}$/i, ''))?.words.length ?? 0) > 0,
	);
	const titles = (incoming?.files ?? []).map(({ title }) => title);
	leftOut.unmet = listUnmetRules(rules, [...titles, ...present]);
	const documents: PlannedDocument[] = [];
	for (const file of incoming?.files ?? []) {
		const rule = findRule(rules, file.title);
		if (rule === undefined) {
			leftOut.pdfs.push(file.displayName);
			continue;
		}
		const document = await planDocument(call, file, rule, signers, faults);
		if (document === undefined) continue;
		const before = documents.filter(({ digest }) => digest === document.digest).length;
		documents.push({ ...document, before });
	}
	return { documents, leftOut, rules };
}

/**
 * Reads a file as its rule has it.
 * @returns undefined when something of the item can't be used
 */
async function planDocument(
	call: OperationCall,
	{ file, displayName: fileName, title }: IncomingPdf,
	rule: Rule,
	signers: SignersOfPlaces,
	faults: Faults,
): Promise<Omit<PlannedDocument, 'before'> | undefined> {
	const content = await faults.collectLater(
		async () =>
			await checkFile(call, await openContent(call.context, file, fileName), PDF, fileName),
	);
	const document = { resource: content, ...signers };
	const { leftOut, signerIds, partyIds, ...placement } = await applyRule(
		call,
		rule,
		fileName,
		document,
		faults,
	);
	if (content === undefined || faults.all.length > 0) return undefined;
	const fields = { filename: title, ...placement.fields };
	const hint = placement.hint && `${title}: ${placement.hint}`;
	const digest = await content.readDigest();
	return { file: fileName, rule, fields, leftOut, signerIds, partyIds, content, digest, hint };
}

/** What a person calls the file of an eNote, if it's one of the item. */
function findEnoteFile(call: OperationCall): string | undefined {
	const source = call.params.getRaw('source') ?? 'binary';
	const file = source === 'binary' ? call.params.getRaw('binaryPropertyName') : undefined;
	try {
		return file === undefined
			? undefined
			: (readFileName(findIncoming(call, file)) ?? String(file));
	} catch {
		// It was told with the eNote.
		return undefined;
	}
}
