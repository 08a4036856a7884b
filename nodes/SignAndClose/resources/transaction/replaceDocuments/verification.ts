import type { IDataObject } from 'n8n-workflow';

import type { OperationCall } from '../../../run/operation';
import type { DocumentAnswer, TransactionAnswer } from '../../../transport/answers/shapes';
import { isBlank, isSame } from '../../../values/comparison';
import { isSameId } from '../../../values/ids';
import { asObjects } from '../../../values/json';
import { describeFile } from '../../document/api';
import { formatSignerName } from '../../signer/api';
import { comparePapers, type PapersComparison } from './comparison';
import type { ReplacementItem } from './item';

/* Whether a draft still is what the plan has made of it, before it's sent. */

const SIGNER_FIELDS = ['email', 'first_name', 'last_name', 'external_id', 'phone', 'phone_number'];
const DOCUMENT_FIELDS = ['document_name', 'requirement', 'signing_designations'];

/** Whether a person has changed something, as far as both answers show it. */
const isEdited = (before: IDataObject, now: IDataObject, fields: string[]): boolean =>
	fields.some(
		(field) =>
			!isBlank(before[field]) &&
			!isBlank(now[field]) &&
			!isSame(now[field], before[field]) &&
			!isSame(before[field], now[field]),
	);

/**
 * Compares a draft with its item once more: somebody may have changed it meanwhile.
 * @param before what was known when the plan was made
 * @returns what stands against sending it, in sentences without a final period
 */
export async function verifyPapers(
	call: OperationCall,
	item: ReplacementItem,
	before: PapersComparison,
	draft: TransactionAnswer,
): Promise<string[]> {
	const now = await comparePapers(call, item, draft, before.contents);
	const { id } = draft;
	const texts = now.papers.flatMap(({ expected, current, former }) => {
		const { file } = expected.planned;
		if (current === undefined) return [`'${file}' isn't in ${id}`];
		return former === undefined
			? []
			: [`The document that '${file}' replaces is still in ${id}: ${describeFile(former).name}`];
	});
	const outdated = now.outdated.map(({ document }) => document);
	for (const document of [...now.twins, ...outdated, ...now.failed])
		texts.push(`${describeFile(document).name} is twice in ${id}. Run the workflow again`);
	return [
		...texts,
		...listEditedDocuments(before, now, id),
		...listEditedSigners(before, now, id),
		...now.differences
			.filter(({ about }) => about === 'enote')
			.map(() => `${id} doesn't have the eNote of the item`),
	];
}

/** Names the documents that no file is for and that somebody has added, changed or deleted. */
function listEditedDocuments(
	before: PapersComparison,
	now: PapersComparison,
	id: string,
): string[] {
	const listKept = ({ left, papers }: PapersComparison): DocumentAnswer[] => [
		...left,
		...papers.flatMap(({ current }) => (current === undefined ? [] : [current])),
	];
	const [former, current] = [before, now].map(listKept);
	const findSame = (all: DocumentAnswer[], { id: documentId }: DocumentAnswer) =>
		all.find((candidate) => isSameId(candidate.id, String(documentId)));
	const edited = former.flatMap((document) => {
		const match = findSame(current, document);
		const { name } = describeFile(document);
		if (match === undefined) return [`${name} was deleted from ${id}`];
		return isEdited(document, match, DOCUMENT_FIELDS) ? [`${name} was changed in ${id}`] : [];
	});
	const newDocuments = now.left.filter((document) => findSame(former, document) === undefined);
	return [
		...edited,
		...newDocuments.map((document) => `${describeFile(document).name} was added to ${id}`),
	];
}

/** Names the signers that somebody has added, changed or removed. */
function listEditedSigners(before: PapersComparison, now: PapersComparison, id: string): string[] {
	const [former, current] = [before, now].map(({ transaction: { signers } }) => asObjects(signers));
	const findSame = (all: IDataObject[], { signer_id: signerId, email }: IDataObject) =>
		all.find((signer) =>
			isBlank(signerId) ? signer.email === email : isSameId(signer.signer_id, String(signerId)),
		);
	const edited = former.flatMap((signer) => {
		const match = findSame(current, signer);
		if (match === undefined) return [`${formatSignerName(signer)} was removed from ${id}`];
		return isEdited(signer, match, SIGNER_FIELDS)
			? [`${formatSignerName(signer)} was changed in ${id}`]
			: [];
	});
	const newSigners = current.filter((signer) => findSame(former, signer) === undefined);
	return [
		...edited,
		...newSigners.map((signer) => `${formatSignerName(signer)} was added to ${id}`),
	];
}
