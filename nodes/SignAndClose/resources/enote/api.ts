import { InputFailure } from '../../messages/explainedFailure';
import type { OperationCall } from '../../run/operation';
import { done, notDone, orLater, saysDeleted, UNKNOWN, type Goal } from '../../run/outcome/goals';
import { toDocument, type DocumentAnswer } from '../../transport/answers/answers';
import { retrieveTransaction } from '../../transport/answers/retrieveTransaction';
import type { ServiceClient } from '../../transport/client';
import { toBody, type FileContent } from '../../transport/files/streamedJson';
import { isOwnReference } from '../../values/reference';
import { documentsOf, isEnote, withoutConsentForms } from '../document/api';
import { contentIn, contentShown } from '../document/content';
import { called, ifExists, uncompared, type Existing } from '../document/ifExists';
import { incomingFileName } from '../document/source';
import { inTransaction } from '../shared/toCheck';
import { keptFile, type NewEnote } from './form';

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
export function enoteAddedGoal(
	call: OperationCall,
	transactionId: string,
	file: FileContent | undefined,
): Goal<DocumentAnswer> {
	const place = { transactionId, platform: 'realEstate' } as const;
	return {
		fromAnswer: (answer) => {
			const document = toDocument(answer);
			return document === undefined || document.is_enote === false ? UNKNOWN : done(document);
		},
		async look({ answered }) {
			if (file === undefined && !answered) return UNKNOWN;
			const closing = await retrieveTransaction(call.service, transactionId, 'realEstate', true);
			const [enote, ...others] = documentsOf(closing).filter(isEnote);
			if (enote === undefined)
				return documentsOf(closing).every(saysWhether) ? notDone({ still: 'missing' }) : undefined;
			if (others.length > 0) return UNKNOWN;
			if (answered) return done(enote);
			const shown = file && (await contentShown(call, place, enote));
			return file !== undefined && shown === (await contentIn(file)) ? done(enote) : UNKNOWN;
		},
		canTell: file !== undefined,
		toCheck: inTransaction(transactionId, 'whether the closing has the new eNote'),
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
): Promise<Existing> {
	const { service, params } = call;
	const label = params.label(ifExists.name);
	const platform = 'realEstate';
	const documents = documentsOf(await retrieveTransaction(service, transactionId, platform));
	const document = documents.find(isEnote);
	if (document === undefined) {
		const possible = withoutConsentForms(documents, platform).filter(
			(other) => !saysWhether(other) && !isOwnReference(other.tracking_id),
		);
		if (possible.length === 0) return {};
		throw new InputFailure(
			label,
			`can't be Skip: the service doesn't say whether the eNote is among ${called(possible)}`,
			'Check the closing at the service. If it has no eNote, set it to Add',
		);
	}
	// What stands in a vault or comes from an integration has no file to compare.
	if (enote.type === undefined || enote.file === undefined) return { document };
	const file = keptFile(enote);
	const shown = file && (await contentShown(call, { transactionId, platform }, document));
	if (file === undefined || shown === undefined) return { document, hint: uncompared(document) };
	if (shown === (await contentIn(file))) return { document };
	throw new InputFailure(
		label,
		`can't be Skip: the closing has another eNote than the file ${incomingFileName(call) ?? 'of this item'}: ${called([document])}`,
		"If the new one is right, use 'eNote: Delete' first",
	);
}

/**
 * The goal of deleting the eNote: the service says so, or shows that no document is one. That none has
 * the name of an eNote counts only after a success.
 */
export function enoteDeletedGoal(service: ServiceClient, transactionId: string): Goal<true> {
	return {
		fromAnswer: saysDeleted,
		look: async (how) => {
			const documents = documentsOf(
				await retrieveTransaction(service, transactionId, 'realEstate'),
			);
			if (documents.some(isEnote)) return notDone({ still: 'there' });
			const isGone = how.answered || documents.every(saysWhether);
			return isGone ? done(true) : orLater(UNKNOWN, how);
		},
		toCheck: inTransaction(transactionId, 'whether the eNote is gone'),
	};
}

/** Whether an answer says of a document whether it's the eNote; some leave that to its name. */
const saysWhether = ({ is_enote: enote }: DocumentAnswer) => typeof enote === 'boolean';
