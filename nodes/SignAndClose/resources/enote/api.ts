import { lookUpOf, type OperationCall } from '../../run/operation';
import { done, notDone, saysDeleted, UNKNOWN, write, type Goal } from '../../run/outcome/goals';
import { lookUntilFound, type LookUp } from '../../run/outcome/lookUp';
import { toDocument, type DocumentAnswer } from '../../transport/answers/answers';
import { retrieveTransaction } from '../../transport/answers/retrieveTransaction';
import type { ServiceClient } from '../../transport/client';
import { toBody } from '../../transport/files/streamedJson';
import { documentsOf, isEnote } from '../document/api';

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
 * Finds the eNote of a closing.
 * @returns undefined when the closing shows none
 * @throws ServiceFailure when it doesn't show its documents
 */
export async function findEnote(
	service: ServiceClient,
	transactionId: string,
): Promise<DocumentAnswer | undefined> {
	return documentsOf(await retrieveTransaction(service, transactionId, 'realEstate')).find(isEnote);
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
