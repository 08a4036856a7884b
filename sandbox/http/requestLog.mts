/** The log of API requests, for tests and the console. */

import { createHash } from 'node:crypto';

import type { FastifyRequest } from 'fastify';

export interface LoggedRequest {
	id: number;
	at: string;
	method: string;
	/** As the client wrote it, without the query. */
	path: string;
	query: Record<string, string>;
	/** As received, the API key included. */
	headers: Record<string, string | string[] | undefined>;
	bodyBytes: number;
	/**
	 * JSON, or the fields of a form. Very long texts are replaced by their length and hash, secrets
	 * by `[secret]`.
	 */
	body: unknown;
	/** 0 until the request is answered. */
	status: number;
	operationId?: string;
	/** False when openapi.yaml does not allow it. */
	valid: boolean;
	/** What openapi.yaml does not allow. */
	problem?: string;
}

export type RequestLog = LoggedRequest[] & { clear(): void };

const MAX_REQUESTS = 5_000;
const MAX_TEXT = 200_000;
/** Never logged, never echoed (docs/service/closings.md#enote-fields). */
const SECRETS = new Set(['ssn']);

export function createRequestLog(): RequestLog {
	const list: LoggedRequest[] = [];
	// Not enumerable, so that the log still equals a plain array in tests.
	Object.defineProperty(list, 'clear', { value: () => void (list.length = 0) });
	return list as RequestLog;
}

/** Adds a request to the log. Its body follows once it is read. */
export function logRequest(log: RequestLog, request: FastifyRequest, at: string): LoggedRequest {
	const logged: LoggedRequest = {
		id: (log.at(-1)?.id ?? 0) + 1,
		at,
		method: request.method,
		path: request.url.split('?')[0],
		query: request.query as Record<string, string>,
		headers: request.headers,
		bodyBytes: Number(request.headers['content-length'] ?? 0),
		body: undefined,
		status: 0,
		valid: true,
	};
	log.push(logged);
	if (log.length > MAX_REQUESTS) log.splice(0, log.length - MAX_REQUESTS);
	return logged;
}

/** A body as the log keeps it: short, and without secrets. */
export function loggable(value: unknown, name = ''): unknown {
	if (SECRETS.has(name)) return '[secret]';
	if (Buffer.isBuffer(value))
		return `<${value.length} bytes, sha256 ${createHash('sha256').update(value).digest('hex')}>`;
	if (typeof value === 'string')
		return value.length <= MAX_TEXT
			? value
			: `<${value.length} characters, sha256 ${createHash('sha256').update(value).digest('hex')}>`;
	if (Array.isArray(value)) return value.map((entry) => loggable(entry));
	if (typeof value === 'object' && value !== null)
		return Object.fromEntries(
			Object.entries(value).map(([key, entry]) => [key, loggable(entry, key)]),
		);
	return value;
}
