import { InputFailure } from '../../messages/explainedFailure';
import { lookUpOf, type OperationCall } from '../../run/operation';
import { done, notDone, saysDeleted, UNKNOWN, write, type Goal } from '../../run/outcome/goals';
import { lookUntilFound, type LookUp } from '../../run/outcome/lookUp';
import { toDocument, type DocumentAnswer } from '../../transport/answers/answers';
import { retrieveTransaction } from '../../transport/answers/retrieveTransaction';
import type { ServiceClient } from '../../transport/client';
import { toBody } from '../../transport/files/streamedJson';
import { isOwnReference } from '../../values/reference';
import { documentsOf, isEnote, withoutConsentForms } from '../document/api';
import { contentIn, contentShown } from '../document/content';
import { called, ifExists, uncompared, type Existing } from '../document/ifExists';
import { incomingFileName } from '../document/source';
import { keptFile, type NewEnote } from './form';

/* Writes on a closing's eNote, and their goals (docs/service/closings.md#enote). */

/**
 * Adds an eNote (docs/service/closings.md#add-an-enote).
 * @param enote the body of the request, whose file is streamed
 */
export async function sendEnote(
	call: OperationCall,
	transactionId: string,
	enote: object,
): Promise<DocumentAnswer> {
	const { service } = call;
	const request = { path: { transactionId }, platform: 'realEstate' as const, ...toBody(enote) };
	return await write(
		service,
		async () => await service.json('addEnote', request),
		enoteAddedGoal(service, transactionId, lookUpOf(call)),
	);
}

/**
 * The goal of adding an eNote: the service answers it, or has taken it and shows one. After a lost
 * answer, nobody knows whose eNote the closing has.
 */
export function enoteAddedGoal(
	service: ServiceClient,
	transactionId: string,
	lookUp: LookUp,
): Required<Goal<DocumentAnswer>> {
	return {
		fromAnswer: (answer) => {
			const document = toDocument(answer);
			return document === undefined || document.is_enote === false ? UNKNOWN : done(document);
		},
		fromService: async (answered = false) =>
			await lookUntilFound(
				service,
				async () => {
					const closing = await retrieveTransaction(service, transactionId, 'realEstate', true);
					const [enote, ...others] = documentsOf(closing).filter(isEnote);
					if (enote === undefined)
						return documentsOf(closing).every(saysWhether)
							? notDone({ still: 'missing' })
							: undefined;
					return answered && others.length === 0 ? done(enote) : UNKNOWN;
				},
				lookUp,
			),
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
	const place = { transactionId, documentId: String(document.id), platform } as const;
	const file = keptFile(enote);
	const shown = file && (await contentShown(call, place, document));
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
export function enoteDeletedGoal(
	service: ServiceClient,
	transactionId: string,
): Required<Goal<true>> {
	return {
		fromAnswer: saysDeleted,
		fromService: async (answered = false) => {
			const documents = documentsOf(
				await retrieveTransaction(service, transactionId, 'realEstate'),
			);
			if (documents.some(isEnote)) return notDone({ still: 'there' });
			return answered || documents.every(saysWhether) ? done(true) : UNKNOWN;
		},
	};
}

/** Whether an answer says of a document whether it's the eNote; some leave that to its name. */
const saysWhether = ({ is_enote: enote }: DocumentAnswer) => typeof enote === 'boolean';
