import { readDocument, type DocumentAnswer } from '../answers';
import type { ServiceClient } from '../client';
import { done, goalOf, notDone, saysDeleted, UNKNOWN, type Goal } from '../goals';
import { recognizeOwn, type Traces } from './before';
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

/** The goal of deleting the eNote: the service says so, or shows that no document is one. */
export function enoteDeletedGoal(
	service: ServiceClient,
	transactionId: string,
): Required<Goal<true>> {
	return {
		told: saysDeleted,
		look: async () => {
			const { documents } = await retrieveTransaction(service, transactionId, 'realEstate');
			if (documents?.some(({ is_enote: isEnote }) => isEnote === true) === true)
				return notDone({ still: 'there' });
			// A service that doesn't say of each document whether it's the eNote shows nothing.
			return documents?.every(({ is_enote: isEnote }) => isEnote === false) === true
				? done(true)
				: UNKNOWN;
		},
	};
}
