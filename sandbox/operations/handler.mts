/** What the handler of an operation gets, and what it returns. */

import type { FastifyReply } from 'fastify';

import type { Layout } from '../http/pathLayouts.mts';
import type { Fields, Key } from '../world/world.mts';

/** A request that is authenticated and that openapi.yaml allows. */
export interface OperationRequest {
	key: Key;
	params: Record<string, string>;
	query: Record<string, string>;
	body: Fields;
	layout: Layout;
	realEstateVersion: 1 | 2;
	/** For handlers that send a file instead of returning a body. */
	reply: FastifyReply;
}

/** Returns the body of the answer, undefined for an empty one. */
export type OperationHandler = (request: OperationRequest) => unknown;
