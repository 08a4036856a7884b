/** What the handler of an operation gets, and what it returns. */

import type { FastifyReply } from 'fastify';

import type { LinkVersion } from '../http/signedLinks.mts';
import type { Fields, Key } from '../world/world.mts';

/** A request that is authenticated and that openapi.yaml allows. */
export interface OperationRequest {
	key: Key;
	params: Record<string, string>;
	query: Record<string, string>;
	body: Fields;
	realEstateVersion: 1 | 2;
	/** For handlers that send a file instead of returning a body. */
	reply: FastifyReply;
}

/** The kind of links that a request asks for, in its query or its body. */
export function linkVersion({ query, body }: OperationRequest): LinkVersion {
	return (query.document_url_version ?? body.document_url_version) === 'v2' ? 'v2' : 'v1';
}

/** Returns the body of the answer, undefined for an empty one. */
export type OperationHandler = (request: OperationRequest) => unknown;
