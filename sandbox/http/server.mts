/** The HTTP server that the API, the files and the console share: how it reads bodies. */

import multipart from '@fastify/multipart';
import fastify, { type FastifyError, type FastifyInstance } from 'fastify';

import { MAX_BODY_BYTES, MAX_FILE_BYTES } from '../world/config.mts';
import { Refusal, TEXTS } from '../domain/refusal.mts';

/** Fields of Add Document that are JSON, while a form has only text. */
const JSON_FIELDS = new Set(
	(
		'notarization_required witness_required esign_required identity_confirmation_required ' +
		'signing_requires_meeting customer_can_annotate pdf_bookmarked vaulted bundle_position ' +
		'signing_designations signing_designation_groups'
	).split(' '),
);

export async function createServer(): Promise<FastifyInstance> {
	const app = fastify({
		bodyLimit: MAX_BODY_BYTES,
		forceCloseConnections: true,
		routerOptions: { ignoreTrailingSlash: true },
	});
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
		// A POST without parameters may have an empty body and say that it is JSON.
		if (text === '') return done(null, undefined);
		try {
			done(null, JSON.parse(String(text)));
		} catch {
			done(new Refusal(400, 'The body is not JSON'));
		}
	});
	await app.register(multipart, {
		attachFieldsToBody: 'keyValues',
		limits: { fileSize: MAX_FILE_BYTES + 1, fieldSize: MAX_BODY_BYTES },
		throwFileSizeLimit: false,
		async onFile(part) {
			const bytes = await part.toBuffer();
			if (bytes.length > MAX_FILE_BYTES || part.file.truncated)
				throw new Refusal(422, TEXTS.tooBig);
			(part as unknown as { value: Buffer }).value = bytes;
		},
	});
	app.addHook('preValidation', async (request) => {
		if (request.isMultipart()) request.body = parseJsonFields(request.body);
	});
	// The API refuses any other content type. Without a parser for them, Fastify would refuse them
	// with a text of its own.
	app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) =>
		done(null, bytes.length === 0 ? undefined : bytes),
	);
	return app;
}

/** Parses the fields of a form that are JSON. */
function parseJsonFields(body: unknown): unknown {
	if (typeof body !== 'object' || body === null) return body;
	return Object.fromEntries(
		Object.entries(body).map(([name, value]) => {
			if (typeof value !== 'string' || !JSON_FIELDS.has(name)) return [name, value];
			try {
				return [name, JSON.parse(value) as unknown];
			} catch {
				return [name, value];
			}
		}),
	);
}

/**
 * The refusal for what Fastify found wrong with a request before the API saw it.
 * @returns undefined when the error is the sandbox's own
 */
export function toRefusal(
	thrown: FastifyError | Refusal,
): { status: number; text: string } | undefined {
	if (thrown instanceof Refusal) return { status: thrown.status, text: thrown.message };
	if (thrown.code === 'FST_ERR_CTP_BODY_TOO_LARGE' || thrown.code === 'FST_REQ_FILE_TOO_LARGE')
		return { status: 422, text: TEXTS.tooBig };
	if (thrown.statusCode !== undefined && thrown.statusCode < 500)
		return { status: 400, text: thrown.message };
	return undefined;
}

/**
 * Whether a request comes from a program on this machine or from the console itself, and not from a
 * page of another site.
 */
export function isLocalRequest(
	host: string | undefined,
	site: string | string[] | undefined,
): boolean {
	const name = (host ?? '').replace(/:\d+$/, '');
	return ['127.0.0.1', 'localhost', '[::1]'].includes(name) && site !== 'cross-site';
}
