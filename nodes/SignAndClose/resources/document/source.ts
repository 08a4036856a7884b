import type { IBinaryData, IDataObject, IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../../messages/explainedFailure';
import type { OperationCall } from '../../run/operation';
import { listEntries, take } from '../../transport/answers/pages';
import { plainText } from '../../transport/failure/plainText';
import { FileContent } from '../../transport/files/streamedJson';
import { readBytes } from '../../transport/files/streams';
import { SERVICE_LIMITS } from '../../transport/service/limits';
import { sameId } from '../../values/ids';
import { asObject, asText } from '../../values/json';
import { choice, text } from '../shared/fields';
import { templateLocator } from '../shared/locators';

/* Where a file comes from: an incoming file, a URL, base64 or a template. */

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
	advice: '. Prefer a URL: the service may refuse the content of a long file.',
};

/**
 * Builds the fields that say where a file comes from, for an operation or a row.
 * @param when when to show them
 */
export function fileSourceProperties(
	{ noun, advice = '', templates = false }: FileKind,
	when: IDisplayOptions = {},
): INodeProperties[] {
	const from = (source: string) => ({
		displayOptions: { ...when, show: { ...when.show, source: [source] } },
	});
	const required = { default: '', required: true };
	return [
		choice(
			'Source',
			'source',
			[
				['File From the Previous Node', 'binary', 'A binary field of the incoming item'],
				['Link (URL)', 'url', 'A URL that the service fetches the file from'],
				...(templates
					? [['Template', 'template', 'One of the service'] as [string, string, string]]
					: []),
				['Base64 Text', 'base64', 'The file, encoded in base64'],
			],
			`Where the ${noun} comes from${advice}`,
			Object.keys(when).length > 0 ? { displayOptions: when } : {},
		),
		{
			displayName: 'Input Binary Field',
			name: 'binaryPropertyName',
			type: 'string',
			...required,
			default: 'data',
			...from('binary'),
			hint: 'The name of the input binary field containing the file to be uploaded',
		},
		...(templates ? [{ ...templateLocator, ...from('template') }] : []),
		{
			...text(
				'File URL',
				'fileUrl',
				'https://files.example.com/document',
				'URL of the file. The service must be able to reach it.',
			),
			...required,
			...from('url'),
		},
		{
			...text(
				'File Content (Base64)',
				'fileBase64',
				'',
				'Content of the file, encoded in base64. Also accepts a data URL.',
			),
			...required,
			...from('base64'),
		},
	];
}

/**
 * Parses where a file comes from. Kind and size are checked before anything is sent, unless the
 * service itself fetches the file.
 * @param row a row that has the fields; by default, the operation has them
 * @returns what the request takes: a URL, base64, or a file that is streamed as base64
 * @throws InputFailure naming the parameter
 */
export async function parseFile(
	call: OperationCall,
	kind: FileKind,
	row?: IDataObject,
): Promise<string | FileContent> {
	const { params } = call;
	const valueOf = (name: string) => (row ? row[name] : params.raw(name));
	const filled = (name: string) => {
		const given = valueOf(name);
		const value =
			name === 'templateId'
				? params.locatorOf(name, given)
				: params.textOf({ [name]: given as string }, name);
		if (value !== undefined) return value;
		throw new InputFailure(params.label(name), 'is empty', "Fill it in or choose another 'Source'");
	};
	switch (params.choice('source', valueOf('source'))) {
		case 'url':
			return parseUrl(filled('fileUrl'), params.label('fileUrl'));
		case 'base64':
			return await parseBase64(filled('fileBase64'), kind, params.label('fileBase64'));
		case 'template':
			return await findTemplate(call, filled('templateId'));
		default:
			return await openBinary(call, kind, filled('binaryPropertyName'));
	}
}

/**
 * The incoming file's name without its ending; undefined when the file isn't the item's.
 * @throws InputFailure when the item has no such file
 */
export function incomingFileName(call: OperationCall, row?: IDataObject): string | undefined {
	const { params } = call;
	if ((row ? row.source : params.raw('source')) !== 'binary') return undefined;
	const name = row ? params.textOf(row, 'binaryPropertyName') : params.text('binaryPropertyName');
	const { fileName } = findBinary(call, name ?? '');
	return (
		// Only the last part of a path says what the file is called.
		plainText(fileName?.split(/[/\\]/).at(-1) ?? '', 250)
			.replace(/\.[a-z0-9]{1,5}$/i, '')
			.trim() || undefined
	);
}

/** @throws InputFailure when the text isn't a complete http or https address */
export function parseUrl(text: string, label: string): string {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url?.protocol === 'https:' || url?.protocol === 'http:') return text;
	throw new InputFailure(label, "isn't a complete address", 'Start it with https://');
}

/**
 * Finds a template, by ID or permalink. Its permalink, which is a short text or a URL, is what
 * `resource` of a document takes (docs/service/documents.md#resource).
 * @throws InputFailure when the service has no such template
 */
async function findTemplate({ params, service }: OperationCall, given: string): Promise<string> {
	if (URL.canParse(given)) return given;
	const [template] = await take(
		listEntries(service, 'listTemplates'),
		1,
		({ id, permalink }) => permalink === given || sameId(id, given),
	);
	const permalink = asText(template?.permalink);
	if (permalink !== undefined) return permalink;
	throw new InputFailure(
		params.label('templateId'),
		`${given} was not found`,
		'Choose one from the list, or enter its ID or permalink',
	);
}

async function parseBase64(text: string, kind: FileKind, label: string): Promise<FileContent> {
	const prefix = /^data:[^,]{0,200};base64,/i.exec(text.slice(0, 250))?.[0] ?? '';
	const file = await FileContent.ofBase64(text.slice(prefix.length));
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

async function openBinary(
	call: OperationCall,
	kind: FileKind,
	name: string,
): Promise<string | FileContent> {
	const { helpers } = call.context;
	const label = call.params.label('binaryPropertyName');
	const file = findBinary(call, name);
	const { id } = file;
	// When n8n keeps files in memory, the data is in base64, which is what the service takes.
	if (id === undefined) return await parseBase64(file.data, kind, label);
	const { fileSize: bytes } = await helpers.getBinaryMetadata(id).catch(() => {
		throw notStored(label, name);
	});
	checkSize(bytes, label);
	checkKind(
		await readBytes(await helpers.getBinaryStream(id, HEAD_BYTES), HEAD_BYTES),
		kind,
		label,
	);
	return new FileContent(bytes, async () => await helpers.getBinaryStream(id));
}

function findBinary({ context, itemIndex, params }: OperationCall, name: string): IBinaryData {
	const label = params.label('binaryPropertyName');
	const files = context.getInputData()[itemIndex].binary ?? {};
	// n8n's own message doesn't say which files there are, and it takes what objects inherit for one.
	if (!Object.hasOwn(files, name))
		throw new InputFailure(
			label,
			`is '${name}', but the item has no such file`,
			Object.keys(files).length > 0
				? `Enter one of the item's files: ${Object.keys(files).join(', ')}`
				: 'Add a node before this one that outputs the file, e.g. by downloading it',
		);
	const file: unknown = context.helpers.assertBinaryData(itemIndex, name);
	const { id, data } = asObject(file);
	if (typeof id === 'string' || typeof data === 'string') return file as IBinaryData;
	throw notStored(label, name);
}

const notStored = (label: string, name: string) =>
	new InputFailure(
		label,
		`is '${name}', which isn't a file that n8n has stored`,
		'Check the node that outputs the file',
	);

function checkSize(bytes: number, label: string): void {
	if (bytes === 0)
		throw new InputFailure(label, 'is an empty file', 'Check the node that outputs the file');
	const megabytes = bytes / 1024 / 1024;
	if (megabytes > SERVICE_LIMITS.megabytes)
		throw new InputFailure(
			label,
			`holds a file of ${megabytes.toFixed(1)} MB, more than the ${SERVICE_LIMITS.megabytes} MB that a service accepts at most`,
			'Split the file or reduce its size',
		);
}

function checkKind(head: Buffer, kind: FileKind, label: string): void {
	if (!kind.accepts(head)) throw new InputFailure(label, `isn't a valid ${kind.noun}`, kind.remedy);
}
