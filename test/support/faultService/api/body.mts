import type { IncomingMessage } from 'node:http';

import type { Json } from '../types.mts';
import { isObject, refuse } from './call.mts';

/** 42,000,000 characters of base64 and what stands around them. */
const MOST_BYTES = 80 * 1024 * 1024;

/** Reads the whole body, or nothing if the client hangs up before. */
export async function readBytes(
	request: IncomingMessage,
	onSize: (bytes: number) => void,
): Promise<Buffer | undefined> {
	const chunks: Buffer[] = [];
	let size = 0;
	try {
		for await (const chunk of request) {
			size += chunk.length;
			onSize(size);
			if (size <= MOST_BYTES) chunks.push(chunk);
		}
	} catch {
		return undefined;
	}
	return request.complete ? Buffer.concat(chunks) : undefined;
}

/** The fields of a body: JSON, or a form with a file in it (docs/service/documents.md#resource). */
export function parseBody(bytes: Buffer, type: string): Json {
	if (bytes.length === 0) return {};
	if (/^multipart\/form-data/i.test(type)) return parseForm(bytes, type);
	if (!/^application\/json\b/i.test(type)) refuse(400, 'Content-Type must be application/json');
	let value: unknown;
	try {
		value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
	} catch {
		refuse(400, 'Invalid JSON');
	}
	if (value === null) return {};
	if (!isObject(value)) refuse(400, 'Invalid JSON - expected Object');
	return value;
}

function parseForm(bytes: Buffer, type: string): Json {
	const boundary = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type);
	if (!boundary) refuse(400, 'Invalid multipart body');
	const mark = Buffer.from(`--${boundary[1] ?? boundary[2]}`);
	const fields: Json = {};
	let start = bytes.indexOf(mark);
	while (start >= 0) {
		start += mark.length;
		const end = bytes.indexOf(mark, start);
		if (end < 0) break;
		readPart(bytes.subarray(start + 2, end - 2), fields);
		start = end;
	}
	if (start < 0 || bytes.toString('latin1', start, start + 2) !== '--')
		refuse(400, 'Invalid multipart body');
	return fields;
}

function readPart(part: Buffer, fields: Json): void {
	const split = part.indexOf('\r\n\r\n');
	const head = part.toString('utf8', 0, split);
	const content = part.subarray(split + 4);
	const name = /\bname="([^"]*)"/.exec(head)?.[1];
	const file = /\bfilename="([^"]*)"/.exec(head)?.[1];
	if (split < 0 || !name) refuse(400, 'Invalid multipart body');
	if (file !== undefined) {
		fields[name] = Buffer.from(content);
		fields.filename ??= file;
	} else fields[name] = structured(content.toString('utf8'));
}

/** Arrays and objects come as JSON in a form; everything else is text. */
function structured(text: string): unknown {
	if (!/^\s*[[{]/.test(text)) return text;
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}
