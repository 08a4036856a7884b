import type { IDataObject } from 'n8n-workflow';

import {
	unprepared,
	type OperationCall,
	type OperationResult,
	type Part,
} from '../../run/operation';
import { mapSeen, write, type Seen } from '../../run/outcome/goals';
import type { DocumentAnswer } from '../../transport/answers/answers';
import { inTransaction } from '../shared/toCheck';
import type { Place } from './api';
import { removedGoal, updatedGoal, type UpdatedDocument } from './goals';

/* Writes to documents that are there, as steps of an item that is several writes. */

/** A write, and how it's looked up if its answer was lost. */
export interface DocumentWrite<T> {
	execute(call: OperationCall): Promise<T>;
	lookUp(call: OperationCall): Promise<Seen<T>>;
	toCheck: NonNullable<NonNullable<Part['ifLost']>['toCheck']>;
}

/** Changes what an update sets (docs/service/documents.md#update-a-document). */
export const updateWrite = (
	placeOf: (call: OperationCall) => Place,
	changes: IDataObject,
	before: DocumentAnswer,
): DocumentWrite<UpdatedDocument> => {
	const updateOf = (call: OperationCall) => ({
		...placeOf(call),
		service: call.service,
		changes,
		replacesFile: false,
	});
	return {
		async execute(call) {
			const { documentId, platform } = placeOf(call);
			const request = { path: { documentId }, platform, body: changes };
			return await write(
				call.service,
				async () => await call.service.json('updateDocument', request),
				updatedGoal({ ...updateOf(call), before }),
			);
		},
		lookUp: async (call) => await updatedGoal(updateOf(call)).fromService(),
		toCheck: inTransaction('whether the document shows the change'),
	};
};

/** Deletes a document (docs/service/documents.md#delete-a-document). */
export const removeWrite = (placeOf: (call: OperationCall) => Place): DocumentWrite<true> => ({
	async execute(call) {
		const { platform, ...path } = placeOf(call);
		return await write(
			call.service,
			async () => await call.service.json('deleteDocument', { path, platform }),
			removedGoal(call.service, placeOf(call)),
		);
	},
	lookUp: async (call) => await removedGoal(call.service, placeOf(call)).fromService(),
	toCheck: inTransaction('whether the document is gone'),
});

/** The write as a part of an item. */
export const asPart = <T>(
	{ execute, lookUp, toCheck }: DocumentWrite<T>,
	toResult: (outcome: T) => OperationResult,
): Pick<Part, 'prepare' | 'ifLost'> => ({
	prepare: unprepared(async (call) => toResult(await execute(call))),
	ifLost: { lookUp: async (call) => mapSeen(await lookUp(call), toResult), toCheck },
});
