import type { IDataObject, IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../../messages/explainedFailure';
import type { OperationCall } from '../../run/operation';
import { listEntries, take } from '../../transport/answers/pages';
import type { FileContent } from '../../transport/files/streamedJson';
import { sameId } from '../../values/ids';
import { asText } from '../../values/json';
import { byChoice, choice, text, type Choice } from '../shared/fields';
import { templateLocator } from '../shared/locators';
import { checkFile, decodeFile, type FileKind } from './fileKinds';
import { contentOf, findIncoming, titleOfFile } from './incomingFile';

/* Where a file comes from: an incoming file, a URL, base64 or a template. */

const TEMPLATE: Choice = ['Template', 'template', 'A template stored in the service'];

const allOf = (noun: string): Choice => [
	'All Files of the Item',
	'allFiles',
	`Each ${noun} of the item, as one document of its own`,
];

/**
 * Builds the fields that say where a file comes from, for an operation or a row.
 * @param when when to show them
 */
export function fileSourceProperties(
	{ noun, advice = '', templates = false, several = false }: FileKind,
	when: IDisplayOptions = {},
): INodeProperties[] {
	const from = (source: string) => ({
		displayOptions: { ...when, show: { ...when.show, source: [source] } },
	});
	const required = { default: '', required: true };
	const choices: Choice[] = [
		['Base64 Text', 'base64', 'The file, encoded in base64'],
		['File of the Item', 'binary', 'One of the item, or of an earlier node by an expression'],
		['Link (URL)', 'url', 'A URL that the service fetches the file from'],
		...(several ? [allOf(noun)] : []),
		...(templates ? [TEMPLATE] : []),
	];
	return [
		choice('Source', 'source', choices.sort(byChoice), `Where the ${noun} comes from${advice}`, {
			default: 'binary',
			...(Object.keys(when).length > 0 && { displayOptions: when }),
		}),
		{
			displayName: 'Input Binary Field',
			name: 'binaryPropertyName',
			type: 'string',
			...required,
			default: 'data',
			...from('binary'),
			hint: "The name of one of the item's files, or an expression for one of an earlier node: {{ $('On form submission').item.binary.Deed }}",
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
		case 'base64': {
			const label = params.label('fileBase64');
			return await checkFile(await decodeFile(filled('fileBase64'), label), kind, label);
		}
		case 'template':
			return await findTemplate(call, filled('templateId'));
		default: {
			const label = params.label('binaryPropertyName');
			const file = findIncoming(call, valueOf('binaryPropertyName'));
			return await checkFile(await contentOf(call.context, file, label), kind, label);
		}
	}
}

/**
 * The incoming file's name without its ending; undefined when the file isn't the item's.
 * @throws InputFailure when the item has no such file
 */
export function incomingFileName(call: OperationCall, row?: IDataObject): string | undefined {
	const valueOf = (name: string) => (row ? row[name] : call.params.raw(name));
	if (valueOf('source') !== 'binary') return undefined;
	return titleOfFile(findIncoming(call, valueOf('binaryPropertyName')));
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
