/** The handlers of all endpoints, by their operationId in openapi.yaml. */

import { documentOperations } from './documents.mts';
import type { OperationHandler } from './handler.mts';
import { lookupOperations } from './lookups.mts';
import { notaryOperations } from './notaries.mts';
import { recordOperations } from './notarizationRecords.mts';
import { transactionOperations } from './transactions.mts';
import { webhookOperations } from './webhooks.mts';
import type { World } from '../world/world.mts';

export function createOperations(world: World): Record<string, OperationHandler> {
	return {
		...transactionOperations(world),
		...documentOperations(world),
		...lookupOperations(world),
		...notaryOperations(world),
		...recordOperations(world),
		...webhookOperations(world),
	};
}
