import type { World } from '../state/world.mts';
import { documentOperations } from './documents.mts';
import type { OperationHandler } from './request.mts';
import { placeOperations } from './lookups.mts';
import { recordOperations } from './notarizationRecords.mts';
import { transactionOperations } from './transactions.mts';
import { webhookOperations } from './webhooks.mts';

/** One function an operationId of openapi.yaml; the request is judged before it gets here. */
export function createOperations(world: World): Record<string, OperationHandler> {
	return {
		...transactionOperations(world),
		...documentOperations(world),
		...placeOperations(world),
		...recordOperations(world),
		...webhookOperations(world),
	};
}
