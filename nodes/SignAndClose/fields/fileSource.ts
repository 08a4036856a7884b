import type { IBinaryData, INodeProperties } from 'n8n-workflow';

import type { OperationCall } from '../core/operation';
import { InputFailure } from '../service/failures';
import { jsonWithFile, type FileContent, type StreamedBody } from '../service/jsonStream';
import { readHead } from '../service/streams';

/** gaps.md §2: 30 MB a file, about 42,000,000 base64 characters. */
export const MAX_FILE_BYTES = 30 * 1024 * 1024;
/** ISO 32000 readers accept the header anywhere in the first 1024 bytes. */
const HEAD_BYTES = 1024;

export interface FileKind {
	/** As in "is not a PDF". */
	noun: string;
	accepts: (head: Buffer) => boolean;
	remedy: string;
}

export const PDF: FileKind = {
	noun: 'PDF',
	accepts: (head) => head.includes('%PDF-'),
	remedy: 'Convert the file to PDF first; the service takes PDF files only',
};

export const XML: FileKind = {
	noun: 'XML file',
	accepts: (head) => /^\uFEFF?\s*</.test(head.toString('utf8')),
	remedy: 'Use the XML file of the eNote as your document system exports it',
};

/** Parameters that say where a file comes from. */
export function fileSourceProperties(kind: FileKind): INodeProperties[] {
	return [
		{
			displayName: 'Source',
			name: 'source',
			type: 'options',
			options: [
				{ name: 'Base64 Text', value: 'base64', description: 'The content of the file, encoded in base64' },
				{ name: 'Binary Field', value: 'binary', description: 'A file of the incoming item' },
				{ name: 'URL', value: 'url', description: 'An address from which the service fetches the file itself' },
			],
			default: 'binary',
			description: `Where the ${kind.noun} comes from`,
		},
		{
			displayName: 'Input Binary Field',
			name: 'binaryPropertyName',
			type: 'string',
			default: 'data',
			required: true,
			displayOptions: { show: { source: ['binary'] } },
			hint: 'The name of the input binary field containing the file to be uploaded',
		},
		{
			displayName: 'File URL',
			name: 'fileUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://files.example.com/document',
			displayOptions: { show: { source: ['url'] } },
			description: 'The service must be able to reach this address without signing in',
		},
		{
			displayName: 'File Content (Base64)',
			name: 'fileBase64',
			type: 'string',
			default: '',
			required: true,
			displayOptions: { show: { source: ['base64'] } },
			description: 'A data URL is accepted too',
		},
	];
}

/** The request body, plain or streamed, with the file in `field`. */
export type FileBody = { body: object } | { stream: StreamedBody };

/**
 * Reads the file's source and checks the content as far as it is here: kind and size, before anything is sent.
 * @param field name of the wire field that takes URL or base64 (`resource`, `file`)
 * @param fields the other fields of the body
 */
export async function readFileBody(call: OperationCall, kind: FileKind, field: string, fields: object): Promise<FileBody> {
	const { params } = call;
	switch (params.text('source')) {
		case 'url':
			return { body: { ...fields, [field]: readUrl(params.required('fileUrl'), params.label('fileUrl')) } };
		case 'base64':
			return { body: { ...fields, [field]: readBase64(params.required('fileBase64'), kind, params.label('fileBase64')) } };
		default:
			return await readBinaryBody(call, kind, field, fields);
	}
}

/** Name of the incoming file without its ending, for a document that was not named. */
export function incomingFileName(call: OperationCall): string | undefined {
	if (call.params.text('source') !== 'binary') return undefined;
	const { params } = call;
	const { fileName } = findBinary(call, params.required('binaryPropertyName'), params.label('binaryPropertyName'));
	return fileName?.replace(/\.[a-z0-9]{1,5}$/i, '').trim() || undefined;
}

function readUrl(text: string, label: string): string {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
		throw new InputFailure(label, 'is not a complete address', 'Start it with https://');
	}
	return text;
}

function readBase64(text: string, kind: FileKind, label: string): string {
	const content = text.replace(/^data:[^,]*;base64,/i, '').replace(/\s+/g, '').replace(/-/g, '+').replace(/_/g, '/');
	if (!/^[A-Za-z0-9+/]+={0,2}$/.test(content)) throw new InputFailure(label, 'is not base64', "Use 'Binary Field' or 'URL' when the content is not encoded");
	checkSize(Math.floor((content.length * 3) / 4), label);
	checkKind(Buffer.from(content.slice(0, 2048), 'base64'), kind, label);
	return content;
}

async function readBinaryBody(call: OperationCall, kind: FileKind, field: string, fields: object): Promise<FileBody> {
	const { context, params } = call;
	const label = params.label('binaryPropertyName');
	const file = findBinary(call, params.required('binaryPropertyName'), label);
	const { id } = file;
	if (id === undefined) {
		// Memory mode: n8n keeps the content itself, in base64, which is what the service takes.
		return { body: { ...fields, [field]: readBase64(file.data, kind, label) } };
	}
	const bytes = (await context.helpers.getBinaryMetadata(id)).fileSize;
	checkSize(bytes, label);
	checkKind(await readHead(await context.helpers.getBinaryStream(id, HEAD_BYTES), HEAD_BYTES), kind, label);
	const content: FileContent = { bytes, open: async () => await context.helpers.getBinaryStream(id) };
	return { stream: jsonWithFile(fields, field, content) };
}

function findBinary({ context, itemIndex }: OperationCall, name: string, label: string): IBinaryData {
	try {
		return context.helpers.assertBinaryData(itemIndex, name);
	} catch {
		// n8n's own text counts items from 0 and does not say which files there are.
		throw noSuchFile(label, name, Object.keys(context.getInputData()[itemIndex].binary ?? {}));
	}
}

function noSuchFile(label: string, name: string, present: string[]): InputFailure {
	return new InputFailure(
		label,
		`is '${name}', but the item has no such file`,
		present.length > 0 ? `Enter one of the item's files: ${present.join(', ')}` : 'Let a node before this one provide the file, e.g. by downloading it',
	);
}

function checkSize(bytes: number, label: string): void {
	if (bytes === 0) throw new InputFailure(label, 'holds an empty file', 'Check the node that provides the file');
	if (bytes > MAX_FILE_BYTES) {
		const size = (bytes / 1024 / 1024).toFixed(1);
		throw new InputFailure(label, `holds a file of ${size} MB; the service takes up to ${MAX_FILE_BYTES / 1024 / 1024} MB`, 'Split the file or reduce its size');
	}
}

function checkKind(head: Buffer, kind: FileKind, label: string): void {
	if (!kind.accepts(head)) throw new InputFailure(label, `does not hold a ${kind.noun}`, kind.remedy);
}
