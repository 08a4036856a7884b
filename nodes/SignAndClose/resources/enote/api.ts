import { InputFailure } from '../../messages/failures';
import type { OperationCall } from '../../run/operation';
import {
	reportDone,
	reportNotDone,
	keepOpenIfLost,
	saysDeleted,
	UNCERTAIN,
	type Goal,
} from '../../run/goals';
import { toDocument, type DocumentAnswer } from '../../transport/answers/shapes';
import { retrieveTransaction } from '../../transport/answers/transaction';
import type { ServiceClient } from '../../transport/client';
import { toBody, type FileContent } from '../../transport/files/requestBody';
import { isOwnReference } from '../../values/reference';
import { listDocuments, isEnote, withoutConsentForms } from '../document/api';
import { computeContent, readContent } from '../document/content';
import { nameDocuments, describeUncompared, type ExistingDocument } from '../document/add/ifExists';
import { ifExists } from '../document/add/ifExistsChoice';
import { readIncomingFileName } from '../document/files/source';
import { describeTransactionCheck } from '../../form/lostAnswers';
import { getKeptFile, type NewEnote } from './form';

/* Writes on a closing's eNote, and their goals (docs/service/closings.md#enote). */

/**
 * Sends an eNote (docs/service/closings.md#add-an-enote).
 * @param enote the body of the request, whose file is streamed
 * @returns the parsed answer
 */
export const sendEnote = async (
	service: ServiceClient,
	transactionId: string,
	enote: object,
): Promise<unknown> =>
	await service.json('addEnote', {
		path: { transactionId },
		platform: 'realEstate',
		...toBody(enote),
	});

/**
 * The goal of adding an eNote: the service answers it, or has taken it and shows one. After a lost
 * answer, one with the content of the file is it. Whose another one is, nobody knows.
 * @param file the eNote's; undefined where the service gets it from elsewhere
 */
export function defineEnoteAddition(
	call: OperationCall,
	transactionId: string,
	file: FileContent | undefined,
): Goal<DocumentAnswer> {
	const place = { transactionId, platform: 'realEstate' } as const;
	return {
		fromAnswer: (answer) => {
			const document = toDocument(answer);
			return document === undefined || document.is_enote === false
				? UNCERTAIN
				: reportDone(document);
		},
		async look({ isAnswered }) {
			if (file === undefined && !isAnswered) return UNCERTAIN;
			const closing = await retrieveTransaction(call.service, transactionId, 'realEstate', true);
			const [enote, ...duplicates] = listDocuments(closing).filter(isEnote);
			if (enote === undefined)
				return listDocuments(closing).every(saysWhether)
					? reportNotDone({ still: 'missing' })
					: undefined;
			if (duplicates.length > 0) return UNCERTAIN;
			if (isAnswered) return reportDone(enote);
			const content = file && (await readContent(call, place, enote));
			return file !== undefined && content === (await computeContent(file))
				? reportDone(enote)
				: UNCERTAIN;
		},
		canTell: file !== undefined,
		toCheck: describeTransactionCheck(transactionId, 'whether the closing has the new eNote'),
	};
}

/**
 * Finds the eNote that doesn't need to be added.
 * @param wanted the body of the request
 * @throws InputFailure when the closing has another one, or doesn't say which document is one
 * @throws ServiceFailure when it doesn't show its documents
 */
export async function findEnote(
	call: OperationCall,
	transactionId: string,
	enote: NewEnote,
): Promise<ExistingDocument> {
	const { service, params } = call;
	const label = params.label(ifExists.name);
	const platform = 'realEstate';
	const documents = listDocuments(await retrieveTransaction(service, transactionId, platform));
	const document = documents.find(isEnote);
	if (document === undefined) {
		const possible = withoutConsentForms(documents, platform).filter(
			(candidate) => !saysWhether(candidate) && !isOwnReference(candidate.tracking_id),
		);
		if (possible.length === 0) return {};
		throw new InputFailure(
			label,
			`can't be Skip: the service doesn't say whether the eNote is among ${nameDocuments(possible)}`,
			'Check the closing at the service. If it has no eNote, set it to Add',
		);
	}
	// What stands in a vault or comes from an integration has no file to compare.
	if (enote.type === undefined || enote.file === undefined) return { document };
	const file = getKeptFile(enote);
	const content = file && (await readContent(call, { transactionId, platform }, document));
	if (file === undefined || content === undefined)
		return { document, hint: describeUncompared(document) };
	if (content === (await computeContent(file))) return { document };
	throw new InputFailure(
		label,
		`can't be Skip: the closing has another eNote than the file ${readIncomingFileName(call) ?? 'of this item'}: ${nameDocuments([document])}`,
		"If the new one is right, use 'eNote: Delete' first",
	);
}

/**
 * The goal of deleting the eNote: the service says so, or shows that no document is one. That none has
 * the name of an eNote counts only after a success.
 */
export function defineEnoteDeletion(service: ServiceClient, transactionId: string): Goal<true> {
	return {
		fromAnswer: saysDeleted,
		look: async (state) => {
			const documents = listDocuments(
				await retrieveTransaction(service, transactionId, 'realEstate'),
			);
			if (documents.some(isEnote)) return reportNotDone({ still: 'there' });
			const isGone = state.isAnswered || documents.every(saysWhether);
			return isGone ? reportDone(true) : keepOpenIfLost(UNCERTAIN, state);
		},
		toCheck: describeTransactionCheck(transactionId, 'whether the eNote is gone'),
	};
}

/** Whether an answer says of a document whether it's the eNote; some leave that to its name. */
const saysWhether = ({ is_enote: enote }: DocumentAnswer) => typeof enote === 'boolean';
