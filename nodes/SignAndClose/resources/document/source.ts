import type { IBinaryData, IDataObject, IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../../messages/explainedFailure';
import type { OperationCall } from '../../run/operation';
import { plainText } from '../../transport/failure/plainText';
import { FileContent } from '../../transport/files/streamedJson';
import { readBytes } from '../../transport/files/streams';
import { asObject } from '../../values/json';
import { templateLocator } from '../shared/locators';
import { readTemplate } from './template';

/* Where a file comes from: an incoming file, a URL, base64 or a template. */

/**
 * The biggest file that any service is said to take, in MB. 30 MB are certain, the service judges
 * what lies between (docs/service/api.md#limits).
 */
const MOST_MEGABYTES = 50;
/** Readers of PDF accept the header anywhere in the first 1024 bytes. */
const HEAD_BYTES = 1024;

/** A kind of file, and how it is recognized. */
interface FileKind {
	noun: string;
	accepts: (head: Buffer) => boolean;
	remedy: string;
	/** What to think of when choosing where the file comes from. */
	advice?: string;
	/** Whether a template of the service can be used instead. */
	templates?: boolean;
}

/** The only kind of file that documents can be (docs/service/documents.md#add-a-document). */
export const PDF: FileKind = {
	noun: 'PDF',
	accepts: (head) => head.includes('%PDF-'),
	remedy: 'Convert the file to PDF first: the service accepts only PDF files',
	templates: true,
};

/** The kind of file of an eNote (docs/service/closings.md#enote). */
export const XML: FileKind = {
	noun: 'XML file',
	accepts: (head) => /^\uFEFF?\s*</.test(head.toString('utf8')),
	remedy: 'Use the XML file of the eNote as your document system exports it',
	// Published is a limit of 5,000 characters, which few notes keep in base64.
	advice: 'Prefer a URL: the service may refuse the content of a long file',
};

/**
 * Builds the fields that say where a file comes from, for an operation or a row.
 * @param show when to show them
 * @param hide when not to
 */
export function fileSourceProperties(
	kind: FileKind,
	show: IDisplayOptions['show'] = {},
	hide: IDisplayOptions['hide'] = {},
): INodeProperties[] {
	const hidden = Object.keys(hide).length > 0 && { hide };
	const when = (source: string): IDisplayOptions => ({
		show: { ...show, source: [source] },
		...hidden,
	});
	const templates = { name: 'Template', value: 'template', description: 'One of the service' };
	return [
		{
			displayName: 'Source',
			name: 'source',
			type: 'options',
			options: [
				{
					name: 'File From the Previous Node',
					value: 'binary',
					description: 'A binary field of the incoming item',
				},
				{
					name: 'Link (URL)',
					value: 'url',
					description: 'A URL that the service fetches the file from',
				},
				...(kind.templates ? [templates] : []),
				{ name: 'Base64 Text', value: 'base64', description: 'The file, encoded in base64' },
			],
			default: 'binary',
			...((Object.keys(show).length > 0 || hidden) && {
				displayOptions: { ...(Object.keys(show).length > 0 && { show }), ...hidden },
			}),
			description: `Where the ${kind.noun} comes from${kind.advice === undefined ? '' : `. ${kind.advice}.`}`,
		},
		{
			displayName: 'Input Binary Field',
			name: 'binaryPropertyName',
			type: 'string',
			default: 'data',
			required: true,
			displayOptions: when('binary'),
			hint: 'The name of the input binary field containing the file to be uploaded',
		},
		...(kind.templates ? [{ ...templateLocator, displayOptions: when('template') }] : []),
		{
			displayName: 'File URL',
			name: 'fileUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://files.example.com/document',
			displayOptions: when('url'),
			description: 'URL of the file. The service must be able to reach it.',
		},
		{
			displayName: 'File Content (Base64)',
			name: 'fileBase64',
			type: 'string',
			default: '',
			required: true,
			displayOptions: when('base64'),
			description: 'Content of the file, encoded in base64. Also accepts a data URL.',
		},
	];
}

/** The values of these fields, of an operation or of one row. */
interface SourceValues {
	source?: unknown;
	binaryPropertyName?: unknown;
	templateId?: unknown;
	fileUrl?: unknown;
	fileBase64?: unknown;
}

/** The values of the operation's own fields. */
function sourceOf({ params }: OperationCall): SourceValues {
	return Object.fromEntries(
		['source', 'binaryPropertyName', 'templateId', 'fileUrl', 'fileBase64'].map((name) => [
			name,
			params.raw(name),
		]),
	);
}

/**
 * Reads where a file comes from. Kind and size are checked before anything is sent, unless the
 * service itself fetches the file.
 * @param values the fields' values, by default those of the operation
 * @returns what the request takes: a URL, base64, or a file that is streamed as base64
 * @throws InputFailure naming the parameter
 */
export async function readFile(
	call: OperationCall,
	kind: FileKind,
	values: SourceValues = sourceOf(call),
): Promise<string | FileContent> {
	const { params } = call;
	const text = (name: keyof SourceValues) => {
		const value = params.textOf({ [name]: values[name] as string }, name);
		if (value === undefined)
			throw new InputFailure(
				params.label(name),
				'is empty',
				"Fill it in or choose another 'Source'",
			);
		return value;
	};
	switch (params.choice('source', values.source)) {
		case 'url':
			return readUrl(text('fileUrl'), params.label('fileUrl'));
		case 'base64':
			return await readBase64(text('fileBase64'), kind, params.label('fileBase64'));
		case 'template':
			return await readTemplate(
				call.service,
				params.locatorOf('templateId', values.templateId),
				params.label('templateId'),
			);
		default:
			return await readBinary(call, kind, text('binaryPropertyName'));
	}
}

/**
 * The incoming file's name without its ending; undefined when the file isn't the item's.
 * @throws InputFailure when the item has no such file
 */
export function incomingFileName(
	call: OperationCall,
	values: SourceValues = sourceOf(call),
): string | undefined {
	if (values.source !== 'binary') return undefined;
	const { fileName } = findBinary(
		call,
		call.params.textOf(values as IDataObject, 'binaryPropertyName') ?? '',
		call.params.label('binaryPropertyName'),
	);
	return (
		// Only the last part of a path says what the file is called.
		plainText(fileName?.split(/[/\\]/).at(-1) ?? '', 250)
			.replace(/\.[a-z0-9]{1,5}$/i, '')
			.trim() || undefined
	);
}

/** @throws InputFailure when the text isn't a complete http or https address */
export function readUrl(text: string, label: string): string {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
		throw new InputFailure(label, "isn't a complete address", 'Start it with https://');
	}
	return text;
}

async function readBase64(text: string, kind: FileKind, label: string): Promise<FileContent> {
	const prefix = /^data:[^,]{0,200};base64,/i.exec(text.slice(0, 250))?.[0] ?? '';
	const letters = text.slice(prefix.length);
	const file = await FileContent.ofBase64(letters);
	if (file === undefined)
		throw new InputFailure(
			label,
			"isn't base64",
			"Use 'File From the Previous Node' or 'Link (URL)' when the content isn't encoded",
		);
	checkSize(file.bytes, label);
	checkKind(await readBytes(await file.open(), HEAD_BYTES), kind, label);
	return file;
}

async function readBinary(
	call: OperationCall,
	kind: FileKind,
	name: string,
): Promise<string | FileContent> {
	const { context, params } = call;
	const label = params.label('binaryPropertyName');
	const file = findBinary(call, name, label);
	const { id } = file;
	// When n8n keeps files in memory, the data is in base64, which is what the service takes.
	if (id === undefined) return await readBase64(file.data, kind, label);
	const { fileSize: bytes } = await context.helpers.getBinaryMetadata(id).catch(() => {
		throw noFile(label, name);
	});
	checkSize(bytes, label);
	checkKind(
		await readBytes(await context.helpers.getBinaryStream(id, HEAD_BYTES), HEAD_BYTES),
		kind,
		label,
	);
	return new FileContent(bytes, async () => await context.helpers.getBinaryStream(id));
}

function findBinary(
	{ context, itemIndex }: OperationCall,
	name: string,
	label: string,
): IBinaryData {
	const files = context.getInputData()[itemIndex].binary ?? {};
	// n8n's own message doesn't say which files there are, and it takes what objects inherit for one.
	if (!Object.hasOwn(files, name)) throw noSuchFile(label, name, Object.keys(files));
	const file: unknown = context.helpers.assertBinaryData(itemIndex, name);
	const { id, data } = asObject(file);
	if (typeof id === 'string' || typeof data === 'string') return file as IBinaryData;
	throw noFile(label, name);
}

function noFile(label: string, name: string): InputFailure {
	const what = `is '${name}', which isn't a file that n8n has stored`;
	return new InputFailure(label, what, 'Check the node that outputs the file');
}

function noSuchFile(label: string, name: string, present: string[]): InputFailure {
	return new InputFailure(
		label,
		`is '${name}', but the item has no such file`,
		present.length > 0
			? `Enter one of the item's files: ${present.join(', ')}`
			: 'Add a node before this one that outputs the file, e.g. by downloading it',
	);
}

function checkSize(bytes: number, label: string): void {
	if (bytes === 0)
		throw new InputFailure(label, 'is an empty file', 'Check the node that outputs the file');
	const megabytes = bytes / 1024 / 1024;
	if (megabytes > MOST_MEGABYTES)
		throw new InputFailure(
			label,
			`holds a file of ${megabytes.toFixed(1)} MB, more than the ${MOST_MEGABYTES} MB that a service accepts at most`,
			'Split the file or reduce its size',
		);
}

function checkKind(head: Buffer, kind: FileKind, label: string): void {
	if (!kind.accepts(head)) throw new InputFailure(label, `isn't a valid ${kind.noun}`, kind.remedy);
}
