import { readDocument, type DocumentAnswer } from '../answers';
import type { ServiceClient } from '../client';
import { done, goalOf, notDone, saysDeleted, UNKNOWN, type Goal } from '../goals';
import { sameId } from '../values/ids';
import { documentsBefore, recognizeOwn, type Before, type Traces } from './before';
import { retrieveTransaction } from './transactions';

/* The goals of writes on a closing's eNote (docs/service/closings.md#enote). */

/**
 * The goal of adding an eNote: there is one that wasn't there before.
 * @param call this machine's time when the write was sent, what this run made before, and what was
 *   there before
 */
export function enoteAddedGoal(
	service: ServiceClient,
	transactionId: string,
	traces: Traces,
): Required<Goal<DocumentAnswer>> {
	return goalOf(
		(answer) => {
			const document = readDocument(answer);
			return document === undefined || document.is_enote === false ? UNKNOWN : done(document);
		},
		async () => {
			const isOwn = await recognizeOwn(service, traces);
			const { documents } = await retrieveTransaction(service, transactionId, 'realEstate');
			return documents?.find((document) => document.is_enote === true && isOwn(document));
		},
	);
}

/**
 * What there is of a closing before its eNote is deleted: the eNote, where the service says which
 * document that is, else all of its documents.
 */
export async function enotesBefore(
	service: ServiceClient,
	transactionId: string,
): Promise<Before | undefined> {
	const closing = await retrieveTransaction(service, transactionId, 'realEstate', true);
	const enotes = closing.documents?.filter(({ is_enote: isEnote }) => isEnote === true) ?? [];
	return documentsBefore(enotes.length > 0 ? { ...closing, documents: enotes } : closing);
}

/**
 * The goal of deleting the eNote: the service says so, or shows that no document is one. Where it
 * doesn't say of each document whether it's the eNote, the eNote from before is gone.
 * @param before from enotesBefore(); undefined when that isn't known
 */
export function enoteDeletedGoal(
	service: ServiceClient,
	transactionId: string,
	before: Before | undefined,
): Required<Goal<true>> {
	return {
		told: saysDeleted,
		look: async (answered = false) => {
			const { documents } = await retrieveTransaction(service, transactionId, 'realEstate');
			if (documents === undefined || documents === null) return UNKNOWN;
			if (documents.some(({ is_enote: isEnote }) => isEnote === true))
				return notDone({ still: 'there' });
			if (documents.every(({ is_enote: isEnote }) => isEnote === false)) return done(true);
			const gone = before?.ids.filter((id) => !documents.some((other) => sameId(other.id, id)));
			// After a lost answer, somebody else may have deleted another document.
			const isSure = gone?.length === before?.ids.length || answered;
			return gone?.length === 1 && isSure ? done(true) : UNKNOWN;
		},
	};
}
