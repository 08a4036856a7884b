/** Reads the content of a document from wherever the client says it is. */

import { MAX_FILE_BYTES } from '../../world/config.mts';
import { Refusal, refuse, TEXTS } from '../refusal.mts';
import { templateBytes } from '../../data/templates.mts';

const FETCH_TIMEOUT_MS = 10_000;
/** About 30 MB (docs/service/api.md#limits). */
const MAX_BASE64_CHARACTERS = 42_000_000;

/**
 * A resource is the bytes of a multipart part, base64, the permalink or the id of a template, or a
 * URL that the service fetches (docs/service/documents.md#resource).
 * @param authorization the `authorization_header` that the client gave for the URL
 */
export async function readResource(resource: unknown, authorization?: string): Promise<Buffer> {
	if (Buffer.isBuffer(resource)) return checkSize(resource);
	const text = String(resource);
	const template = templateBytes(text);
	if (template !== undefined) return await template;
	return /^https?:\/\//i.test(text) ? await fetchResource(text, authorization) : readBase64(text);
}

function readBase64(text: string): Buffer {
	if (text.length > MAX_BASE64_CHARACTERS) refuse(TEXTS.tooBig);
	const bare = text.replace(/\s+/g, '');
	// One pattern for the whole text would overflow the stack at 40 million characters.
	const padding = bare.indexOf('=');
	const padded = padding === -1 || (padding >= bare.length - 2 && bare.endsWith('='));
	if (bare === '' || bare.length % 4 !== 0 || !padded || /[^A-Za-z0-9+/=]/.test(bare))
		refuse('resource is neither a URL nor base64');
	return checkSize(Buffer.from(bare, 'base64'));
}

async function fetchResource(url: string, authorization?: string): Promise<Buffer> {
	const headers: Record<string, string> = {};
	if (authorization !== undefined) {
		const [name, ...value] = authorization.split(':');
		headers[name.trim()] = value.join(':').trim();
	}
	try {
		const answer = await fetch(url, { headers, signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
		if (!answer.ok) refuse(`resource could not be fetched: status ${answer.status}`);
		return checkSize(Buffer.from(await answer.arrayBuffer()));
	} catch (thrown) {
		if (thrown instanceof Refusal) throw thrown;
		return refuse('resource could not be fetched');
	}
}

function checkSize(bytes: Buffer): Buffer {
	if (bytes.length > MAX_FILE_BYTES) refuse(TEXTS.tooBig);
	return bytes;
}
