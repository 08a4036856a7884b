import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { InputFailure, sentences } from '../../messages/explainedFailure';
import type { OperationCall } from '../../run/operation';
import { asFile, earlierFiles, filesOf, findFile } from '../../run/itemFiles';
import { plainText } from '../../transport/failure/plainText';
import { FileContent } from '../../transport/files/streamedJson';
import { asObject, asText } from '../../values/json';
import { decodeFile } from './fileKinds';

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
		const [file, ...others] = filesIn(value) ?? [];
		if (file !== undefined && others.length === 0) return file;
		throw new InputFailure(
			label,
			file === undefined ? "isn't a file" : `holds ${others.length + 1} files instead of one`,
			sentences('Point the expression to a file', whereFilesAre(call)),
		);
	}
	const name = params.textOf({ binaryPropertyName: value as string }, 'binaryPropertyName');
	if (name === undefined) throw new InputFailure(label, 'is empty', whereFilesAre(call));
	const file = findFile(context, itemIndex, name);
	if (file === undefined)
		throw new InputFailure(
			label,
			`is '${name}', but the item has no such file`,
			whereFilesAre(call, name),
		);
	const { id, data } = asObject(file);
	if (typeof id === 'string' || typeof data === 'string') return file;
	throw notStored(label);
}

/** The files that an expression gives: one, several, or all of an item by their names. */
function filesIn(value: object): IBinaryData[] | undefined {
	const own = asFile(value);
	if (own !== undefined) return [own];
	const files = Object.values(value).map(asFile);
	return files.every((file) => file !== undefined) ? files : undefined;
}

/** The name of a file without its ending; undefined when it has none. */
export function titleOfFile({ fileName }: IBinaryData): string | undefined {
	return (
		// Only the last part of a path says what the file is called.
		plainText(asText(fileName)?.split(/[/\\]/).at(-1) ?? '', 250)
			.replace(/\.[a-z0-9]{1,5}$/i, '')
			.trim() || undefined
	);
}

/**
 * Opens a file that n8n has in its store or, as base64, in memory.
 * @throws InputFailure when it hasn't
 */
export async function contentOf(
	{ helpers }: IExecuteFunctions,
	{ id, data }: IBinaryData,
	label: string,
): Promise<FileContent> {
	if (id === undefined) return await decodeFile(data, label);
	const { fileSize: bytes } = await helpers.getBinaryMetadata(id).catch(() => {
		throw notStored(label);
	});
	return new FileContent(bytes, async () => await helpers.getBinaryStream(id));
}

const notStored = (label: string) =>
	new InputFailure(
		label,
		"isn't a file that n8n has stored",
		'Check the node that outputs the file',
	);

/**
 * Says which files there are.
 * @param name of the one that is missing
 */
function whereFilesAre({ context, itemIndex }: OperationCall, name?: string): string {
	const own = filesOf(context, itemIndex).map((file) => file.name);
	const others = earlierFiles(context, itemIndex);
	const same = others.find((file) => file.name === name);
	if (same !== undefined)
		return sentences(
			own.length > 0 && `The item has: ${own.join(', ')}`,
			`'${same.node}' has it: enter the expression ${same.expression}`,
		);
	const expressions = others
		.filter((file) => !own.includes(file.name))
		.map(({ expression }) => expression);
	if (own.length + expressions.length === 0)
		return 'Add a node before this one that outputs the file, e.g. by downloading it';
	return sentences(
		own.length > 0 && `Enter one of the item's files: ${own.join(', ')}`,
		expressions.length > 0 &&
			`${own.length > 0 ? 'Or enter' : 'Enter'} an expression for one of an earlier node: ${expressions.slice(0, MOST_OFFERED).join(', ')}`,
	);
}
