import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../../../messages/failures';
import type { OperationCall } from '../../../run/operation';
import { streamEntries, takeEntries } from '../../../transport/answers/pages';

import { isSameId } from '../../../values/ids';
import { asText } from '../../../values/json';
import { compareByName, defineChoice, defineText, type OptionTuple } from '../../../form/fields';
import { templateLocator } from '../../../form/locators';
import type { DocumentResource } from './bytes';
import { checkFile, decodeFile, type UploadKind } from './kinds';
import { openContent, findIncoming, readFileName, readTitle } from './itemFile';

/* Where a file comes from: an incoming file, a URL, base64 or a template. */

function listSources({ noun, templates, several, fetcher }: UploadKind): OptionTuple[] {
	const choices: OptionTuple[] = [
		['Base64 Text', 'base64', 'The file, encoded in base64'],
		['File of the Item', 'binary', 'One of the item, or of an earlier node by an expression'],
		['Link (URL)', 'url', `${fetcher} fetches the file from its URL`],
	];
	if (several)
		choices.push([
			'All Files of the Item',
			'allFiles',
			`Each ${noun} of the item, as one document of its own`,
		]);
	if (templates) choices.push(['Template', 'template', 'A template stored in the service']);
	return choices.sort(compareByName);
}

/**
 * Builds the fields that say where a file comes from, for an operation or a row.
 * @param when when to show them
 */
export function defineFileSource(kind: UploadKind, when: IDisplayOptions = {}): INodeProperties[] {
	const { noun, advice = '', templates, fetcher } = kind;
	const showFor = (source: string, field: INodeProperties, required = true): INodeProperties => ({
		...field,
		...(required && { required }),
		displayOptions: { ...when, show: { ...when.show, source: [source] } },
	});
	return [
		defineChoice('Source', 'source', listSources(kind), `Where the ${noun} comes from${advice}`, {
			default: 'binary',
			...(Object.keys(when).length > 0 && { displayOptions: when }),
		}),
		showFor('binary', {
			displayName: 'Input Binary Field',
			name: 'binaryPropertyName',
			type: 'string',
			default: 'data',
			hint: "The name of one of the item's files, or an expression for one of an earlier node: {{ $('On form submission').item.binary.Deed }}",
		}),
		...(templates ? [showFor('template', templateLocator, false)] : []),
		showFor(
			'url',
			defineText(
				'File URL',
				'fileUrl',
				'https://files.example.com/document',
				`URL of the file. ${fetcher} must be able to reach it.`,
			),
		),
		showFor(
			'base64',
			defineText(
				'File Content (Base64)',
				'fileBase64',
				'',
				'Content of the file, encoded in base64. Also accepts a data URL.',
			),
		),
	];
}

/**
 * Parses where a file comes from. Kind and size are checked before anything is sent, unless the
 * service itself fetches the file.
 * @returns what the request takes: a URL, base64, or a file that is streamed as base64
 * @throws InputFailure naming the parameter
 */
export async function parseFile(call: OperationCall, kind: UploadKind): Promise<DocumentResource> {
	const { params } = call;
	const requireValue = (name: string) => {
		const value = name === 'templateId' ? params.getLocator(name) : params.getText(name);
		if (value !== undefined) return value;
		throw params.createEmptyFailure([name], "Fill it in or choose another 'Source'");
	};
	switch (params.getChoice('source')) {
		case 'url':
			return parseUrl(requireValue('fileUrl'), params.label('fileUrl'));
		case 'base64': {
			const label = params.label('fileBase64');
			const file = await decodeFile(requireValue('fileBase64'), label);
			return await checkFile(call, file, kind, label);
		}
		case 'template':
			return await findTemplate(call, requireValue('templateId'));
		default: {
			const label = params.label('binaryPropertyName');
			const file = findIncoming(call, params.getRaw('binaryPropertyName'));
			return await checkFile(
				call,
				await openContent(call.context, file, label),
				kind,
				label,
				readFileName(file),
			);
		}
	}
}

/**
 * The incoming file's name without its ending; undefined when the file isn't the item's.
 * @throws InputFailure when the item has no such file
 */
export function readIncomingFileName(call: OperationCall): string | undefined {
	const { params } = call;
	return params.getRaw('source') === 'binary'
		? readTitle(findIncoming(call, params.getRaw('binaryPropertyName')))
		: undefined;
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
async function findTemplate(
	{ params, service }: OperationCall,
	templateId: string,
): Promise<string> {
	if (URL.canParse(templateId)) return templateId;
	const [template] = await takeEntries(
		streamEntries(service, 'listTemplates'),
		1,
		({ id, permalink }) => permalink === templateId || isSameId(id, templateId),
	);
	const permalink = asText(template?.permalink);
	if (permalink !== undefined) return permalink;
	throw new InputFailure(
		params.label('templateId'),
		`${templateId} was not found`,
		'Choose one from the list, or enter its ID or permalink',
	);
}
