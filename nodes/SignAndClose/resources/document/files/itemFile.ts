import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { InputFailure } from '../../../messages/failures';
import { joinSentences } from '../../../values/words';
import { Faults } from '../../../messages/inputFaults';
import type { OperationCall } from '../../../run/operation';
import {
	asFile,
	listEarlierFiles,
	listFiles,
	findFile,
	type EarlierFile,
	type ItemFile,
} from '../../../run/itemFiles';
import { decodePercentCodes, toPlainText } from '../../../values/plainText';
import { FileContent } from '../../../transport/files/requestBody';
import { asObject, asText } from '../../../values/json';
import { decodeFile, isOfKind, PDF } from './kinds';

/* Files that n8n has: those of the item by name, and any other by an expression. */

/** How many expressions a message offers. */
const MOST_OFFERED = 5;

/**
 * Finds the file that a person has named.
 * @param value a name of the item's files, or the file itself, which an expression gives
 * @throws InputFailure that says where there are files
 */
export function findIncoming(call: OperationCall, value: unknown): IBinaryData {
	const { context, itemIndex, params } = call;
	const label = params.label('binaryPropertyName');
	if (typeof value === 'object' && value !== null) {
		const [file, ...rest] = listItemFiles(value) ?? [];
		if (file !== undefined && rest.length === 0) return file;
		throw new InputFailure(
			label,
			file === undefined ? "isn't a file" : `holds ${rest.length + 1} files instead of one`,
			joinSentences('Point the expression to a file', describeFiles(call)),
		);
	}
	const name = params.getTextIn({ binaryPropertyName: value as string }, 'binaryPropertyName');
	if (name === undefined) throw new InputFailure(label, 'is empty', describeFiles(call));
	const file = findFile(context, itemIndex, name);
	if (file === undefined)
		throw listFileNames(call).names.length > 0
			? new InputFailure(
					label,
					`is '${name}', but the item has no such file`,
					describeFiles(call, name),
				)
			: new InputFailure(
					label,
					'finds none',
					describeFiles(call, name),
					'The item has no files, so ',
				);
	const { id, data } = asObject(file);
	if (typeof id === 'string' || typeof data === 'string') return file;
	throw buildNotStoredFailure(label);
}

/** The files that an expression gives: one, several, or all of an item by their names. */
function listItemFiles(value: object): IBinaryData[] | undefined {
	const single = asFile(value);
	if (single !== undefined) return [single];
	const files = Object.values(value).map(asFile);
	return files.every((file) => file !== undefined) ? files : undefined;
}

/**
 * What a person calls a file; undefined when it has no name. Only the last part of a path says it. n8n
 * names a file of a link as the link does, with percent codes.
 */
export function readFileName({ fileName }: IBinaryData): string | undefined {
	const path = decodePercentCodes(asText(fileName) ?? '');
	return toPlainText(path.split(/[/\\]/).at(-1) ?? '', 250).trim() || undefined;
}

/** The name of a file without its ending; undefined when it has none. */
export const readTitle = (file: IBinaryData): string | undefined =>
	readFileName(file)
		?.replace(/\.[a-z0-9]{1,5}$/i, '')
		.trim() || undefined;

/** A PDF among the files of an item. */
export interface IncomingPdf extends Pick<ItemFile, 'name' | 'file'> {
	/** What a person calls it: the file's name, and with it the item's name for it where two have one. */
	displayName: string;
	/** The file's name without its ending, or else the item's name for it. */
	title: string;
}

/**
 * Finds the PDFs of an item, in its order. A PDF is what begins as one. What calls itself one is among
 * them, too, and has yet to be checked (`parseFile`), so that a damaged file is told instead of left out.
 * A file that the item has under two names is there once, however n8n keeps it.
 * @param label the field that asks for all files, if it isn't Source, which also takes one by expression
 * @returns them, and what the item's other files are called
 * @throws InputFailure when there is none, or n8n hasn't stored a file
 */
export async function listIncomingPdfs(
	call: OperationCall,
	label?: string,
): Promise<{ files: IncomingPdf[]; leftOut: string[] }> {
	const itemFiles = await withoutRepeats(call.context, listFiles(call.context, call.itemIndex));
	const fileNames = itemFiles.map(({ name, file }) => readFileName(file) ?? name);
	const faults = new Faults();
	const files: IncomingPdf[] = [];
	const leftOut: string[] = [];
	for (const [index, { name, file }] of itemFiles.entries()) {
		const isAlone = fileNames.indexOf(fileNames[index]) === fileNames.lastIndexOf(fileNames[index]);
		const fileName = isAlone ? fileNames[index] : `${fileNames[index]} (${name})`;
		const isPdf =
			callsItselfPdf(file) ||
			(await faults.collectLater(
				async () => await isOfKind(await openContent(call.context, file, name), PDF),
			));
		if (isPdf === true)
			files.push({ name, file, displayName: fileName, title: readTitle(file) ?? name });
		else leftOut.push(fileName);
	}
	faults.throwIfAny();
	if (files.length > 0) return { files, leftOut };
	throw new InputFailure(
		label ?? call.params.label('source'),
		itemFiles.length === 0
			? 'finds no PDF, because the item has no files'
			: `finds no PDF among the item's files: ${leftOut.join(', ')}`,
		describeOtherFiles(call, label === undefined),
	);
}

/**
 * Leaves out what is another one of the files under a second name: the same in n8n's store, or with the
 * same file name and the same content. Only what has the same name and size is read. What can't be read
 * differs from all others, and what is wrong with it is told later.
 */
async function withoutRepeats(context: IExecuteFunctions, files: ItemFile[]): Promise<ItemFile[]> {
	const ids = new Set<string>();
	const stored = files.filter(
		({ file: { id } }) => id === undefined || (!ids.has(id) && ids.add(id)),
	);
	const open = async ({ file, name }: ItemFile) => await openContent(context, file, name);
	const repeats = await findRepeats(stored, [
		async ({ file }) => await Promise.resolve(readFileName(file)),
		async (entry) => (await open(entry)).bytes,
		async (entry) => await (await open(entry)).readDigest(),
	]);
	return stored.filter((entry) => !repeats.includes(entry));
}

/** @param keys are read one after the other, of files that don't differ before */
async function findRepeats(
	files: ItemFile[],
	[readKey, ...keys]: Array<(entry: ItemFile) => Promise<unknown>>,
): Promise<ItemFile[]> {
	if (files.length < 2 || readKey === undefined) return files.slice(1);
	const groups = new Map<unknown, ItemFile[]>();
	for (const entry of files) {
		const key = await readKey(entry).catch(() => entry);
		groups.set(key, [...(groups.get(key) ?? []), entry]);
	}
	const repeats: ItemFile[] = [];
	for (const group of groups.values()) repeats.push(...(await findRepeats(group, keys)));
	return repeats;
}

const callsItselfPdf = (file: IBinaryData): boolean =>
	/^application\/pdf\b/i.test(file.mimeType) || /\.pdf$/i.test(readFileName(file) ?? '');

/**
 * Opens a file that n8n has in its store or, as base64, in memory.
 * @throws InputFailure when it hasn't
 */
export async function openContent(
	{ helpers }: IExecuteFunctions,
	{ id, data }: IBinaryData,
	label: string,
): Promise<FileContent> {
	if (id === undefined) return await decodeFile(data, label);
	const { fileSize: bytes } = await helpers.getBinaryMetadata(id).catch(() => {
		throw buildNotStoredFailure(label);
	});
	return new FileContent(bytes, async () => await helpers.getBinaryStream(id));
}

const buildNotStoredFailure = (label: string) =>
	new InputFailure(
		label,
		"isn't a file that n8n has stored",
		'Check the node that outputs the file',
	);

/**
 * Says which files there are.
 * @param name of the one that is missing
 */
function describeFiles(call: OperationCall, name?: string): string {
	const { names, otherFiles } = listFileNames(call);
	const same = otherFiles.find((file) => file.name === name);
	const fileList = names.join(', ');
	if (same !== undefined)
		return joinSentences(
			fileList && `The item has: ${fileList}`,
			`'${same.node}' has it: enter the expression ${same.expression}`,
		);
	if (names.length + otherFiles.length === 0) return NO_FILES;
	return joinSentences(
		fileList && `The item has: ${fileList}. Enter one of these names`,
		otherFiles.length > 0 && `${fileList ? 'Or enter' : 'Enter'} ${joinExpressions(otherFiles)}`,
	);
}

/**
 * Says where there are files beside the item's own.
 * @param takesOne whether the form takes one of them by an expression
 */
function describeOtherFiles(call: OperationCall, takesOne: boolean): string {
	const { otherFiles } = listFileNames(call);
	if (otherFiles.length === 0) return NO_FILES;
	const nodes = [...new Set(otherFiles.map(({ node }) => `'${node}'`))].join(' or ');
	return takesOne
		? `Choose 'File of the Item', and enter ${joinExpressions(otherFiles)}`
		: `Bring the files of ${nodes} into the item, e.g. by a Merge node that combines by position`;
}

/** The names of an item's files, and the files of earlier nodes that it hasn't. */
function listFileNames({ context, itemIndex }: OperationCall) {
	const names = listFiles(context, itemIndex).map(({ name }) => name);
	const otherFiles = listEarlierFiles(context, itemIndex).filter(
		({ name }) => !names.includes(name),
	);
	return { names, otherFiles };
}

const NO_FILES =
	"Put a node before this one that brings the file, e.g. a form with an upload, or n8n's Read/Write Files from Disk";

const joinExpressions = (files: EarlierFile[]): string =>
	`an expression for one of an earlier node: ${files
		.slice(0, MOST_OFFERED)
		.map(({ expression }) => expression)
		.join(', ')}`;
