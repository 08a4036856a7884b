import type { IBinaryData, IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { asError } from '../transport/failure/failure';
import { isObject } from '../values/json';

/*
 * The files of an item, and of what earlier nodes gave for it. n8n keeps them beside the JSON of an
 * item or, in workflows whose `binaryMode` is `combined`, in it: those of most nodes under `_files`,
 * those of a form in the form's own fields. There, what n8n keeps in memory is beside it all the same.
 */

const IN_JSON = '_files';

/** A file of an item. */
export interface ItemFile {
	/** What a person enters for it. */
	name: string;
	file: IBinaryData;
	/** Where it is in the item, for an expression. */
	path: string;
}

/** A file of an item that an earlier node gave. */
export interface EarlierFile {
	name: string;
	node: string;
	/** What a person enters for it. */
	expression: string;
}

/** The value if it has what makes it a file for n8n. */
export function asFile(value: unknown): IBinaryData | undefined {
	if (!isObject(value) || typeof value.mimeType !== 'string') return undefined;
	const isFile = typeof value.id === 'string' || typeof value.data === 'string';
	return isFile ? (value as unknown as IBinaryData) : undefined;
}

/** The files of an item of the input, in the order of `sortFiles()`. Each name is there once. */
export function listFiles(context: IExecuteFunctions, itemIndex: number): ItemFile[] {
	const listJsons = function* () {
		yield context.getInputData()[itemIndex].json;
		for (const { itemData } of listEarlierItems(context, itemIndex)) yield itemData.json;
	};
	return sortFiles(listUnorderedFiles(context, itemIndex), listJsons());
}

/** The files of an item of the input as n8n has them, for whom their order is nothing. */
export function listUnorderedFiles(context: IExecuteFunctions, itemIndex: number): ItemFile[] {
	return collectFiles(context.getInputData()[itemIndex], isCombined(context));
}

/**
 * Finds a file of an item by the name that a person has entered: one of its names or, where files are
 * in the JSON, a path to it as n8n's own nodes take it.
 */
export function findFile(
	context: IExecuteFunctions,
	itemIndex: number,
	name: string,
): IBinaryData | undefined {
	const match = listUnorderedFiles(context, itemIndex).find((file) => file.name === name);
	if (match !== undefined || !isCombined(context)) return match?.file;
	try {
		return context.helpers.assertBinaryData(itemIndex, name);
	} catch {
		return undefined;
	}
}

/** The files that earlier nodes gave for an item, those of the nearest node first. */
export function listEarlierFiles(context: IExecuteFunctions, itemIndex: number): EarlierFile[] {
	return [...listEarlierItems(context, itemIndex)].flatMap(({ node, itemData, access }) =>
		sortFiles(collectFiles(itemData, isCombined(context)), [itemData.json]).map(
			({ name, path }) => ({
				name,
				node,
				expression: `{{ $(${quoteForExpression(node)}).${access}${path} }}`,
			}),
		),
	);
}

/**
 * The items that earlier nodes gave for an item, that of the nearest node first. Which of a node's
 * items that was is what n8n says, or certain because there was only one.
 */
function* listEarlierItems(context: IExecuteFunctions, itemIndex: number) {
	const nodes = context.getParentNodes(context.getNode().name).reverse();
	for (const { name } of nodes) {
		const item = findEarlierItem(context, itemIndex, name);
		if (item !== undefined) yield item;
	}
}

/** The item, and where it is in what the node gave, for an expression. */
function findEarlierItem(context: IExecuteFunctions, itemIndex: number, node: string) {
	try {
		const output = context.getWorkflowDataProxy(itemIndex).$(node) as NodeOutput;
		const [item, access] = selectItem(output);
		// In a workflow with its files in the JSON, expressions get nothing but the JSON.
		const itemData = isCombined(context) ? { json: item } : item;
		return isItem(itemData) ? { node, itemData, access } : undefined;
	} catch {
		// The node hasn't run, or n8n doesn't know which of its items it was.
		return undefined;
	}
}

const isItem = (itemData: unknown): itemData is INodeExecutionData =>
	isObject(itemData) && isObject(itemData.json);

/** What n8n's expressions give of a node. */
interface NodeOutput {
	readonly item: unknown;
	all(): unknown[];
}

function selectItem(output: NodeOutput): [item: unknown, access: string] {
	try {
		return [output.item, 'item'];
	} catch (thrown) {
		const [first, ...furtherItems] = output.all();
		if (first === undefined || furtherItems.length > 0) throw asError(thrown);
		return [first, 'first()'];
	}
}

function isCombined(context: IExecuteFunctions): boolean {
	// Older n8n has neither such workflows nor this.
	const settings = (context as Partial<IExecuteFunctions>).getWorkflowSettings?.();
	return settings?.binaryMode === 'combined';
}

function collectFiles({ json, binary = {} }: INodeExecutionData, inJson: boolean): ItemFile[] {
	const beside = Object.entries(binary).map(([name, file]) => ({
		name,
		file,
		path: `.binary${formatKey(name)}`,
	}));
	if (!inJson) return beside;
	const { [IN_JSON]: jsonFiles, ...fields } = json;
	const all = [
		...listStoredFiles(fields),
		...Object.entries(isObject(jsonFiles) ? jsonFiles : {}).flatMap(([name, value]) => {
			const file = asFile(value);
			return file === undefined ? [] : [{ name, file, path: `.${IN_JSON}${formatKey(name)}` }];
		}),
		...beside,
	];
	const filesByName = new Map<string, ItemFile>();
	for (const entry of all) {
		const same = filesByName.get(entry.name);
		if (same === undefined) filesByName.set(entry.name, entry);
		else if (same.file.id !== entry.file.id)
			filesByName.set(entry.path.slice(1), { ...entry, name: entry.path.slice(1) });
	}
	return [...filesByName.values()];
}

/** Files that stand in fields of a form, which may have several each. */
function listStoredFiles(fields: IDataObject): ItemFile[] {
	return Object.entries(fields).flatMap(([name, value]) =>
		Array.isArray(value)
			? (value as unknown[]).flatMap((entry, index) => readStoredFile(entry, name, `[${index}]`))
			: readStoredFile(value, name),
	);
}

/** Other services describe their files alike. Those of n8n have an ID that begins with its store. */
function readStoredFile(value: unknown, name: string, at = ''): ItemFile[] {
	const file = asFile(value);
	const isStored = file?.id?.startsWith(`${file.data}:`) === true;
	return isStored ? [{ name: name + at, file, path: formatKey(name) + at }] : [];
}

/** A field in the notation of expressions. */
const formatKey = (name: string) =>
	/^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${quoteForExpression(name)}]`;

const quoteForExpression = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`;

/*
 * The order of the files of an item. That of its keys says nothing: n8n's form, for one, adds files
 * in the order in which they were stored, which is another one on a busy machine.
 */

/** A file and the item's name for it. */
interface NamedFile {
	name: string;
	file?: { fileName?: string };
}

/**
 * Puts the files of an item in an order that depends on nothing but their names and the form they
 * came from: in that of the form's fields, several of one field by the names of the files, and all
 * others by the item's names for them; with numbers as numbers.
 * @param files with names of which each is there once
 * @param jsons the JSON of the item and of those it came from, the nearest one first. The first one
 *   that has a field of one of the files tells the form's order. Others aren't read.
 */
export function sortFiles<File extends NamedFile>(
	files: readonly File[],
	jsons: Iterable<unknown>,
): File[] {
	if (files.length < 2) return [...files];
	const places = findPlaces(files, jsons);
	const getPlace = ({ name }: File) => places.get(name) ?? Infinity;
	// The places of two files that no field has are equal, and their difference isn't a number.
	// n8n numbers the files of a field as it has stored them, so the number says nothing.
	const getTitle = ({ name, file }: File) => (places.has(name) && file?.fileName) || '';
	return [...files].sort(
		(left, right) =>
			getPlace(left) - getPlace(right) ||
			compareNames(getTitle(left), getTitle(right)) ||
			compareNames(left.name, right.name),
	);
}

/** The place of the field that led to a file, by the item's name for the file. */
function findPlaces(files: readonly NamedFile[], jsons: Iterable<unknown>): Map<string, number> {
	for (const json of jsons) {
		const fields = Object.entries(isObject(json) ? json : {});
		const places = new Map(
			fields.flatMap(([field, value], place) =>
				listFileNames(field, value).map((name): [string, number] => [name, place]),
			),
		);
		if (files.some(({ name }) => places.has(name))) return places;
	}
	return new Map();
}

/**
 * What n8n's form leaves of a file in its JSON: what describes it, or the file itself in workflows
 * that have their files in the JSON.
 */
const isFromForm = (value: unknown): boolean =>
	isObject(value) && (('filename' in value && 'mimetype' in value) || 'mimeType' in value);

/**
 * The names that the files of a field can have: that of the field, without what isn't a letter or
 * digit for n8n's form, and a number for each one of several. None where its value is no file.
 */
function listFileNames(field: string, value: unknown): string[] {
	const several = Array.isArray(value) ? value : [];
	const values = Array.isArray(value) ? value : [value];
	if (values.length === 0 || !values.every(isFromForm)) return [];
	const name = field.replace(/\W/g, '_');
	const numbers = [...several.keys()];
	return [
		field,
		name,
		...numbers.flatMap((number) => [`${field}[${number}]`, `${name}_${number}`]),
	];
}

/** Compares by code, so that no language of a machine makes a difference. */
function compareNames(left: string, right: string): number {
	const [parts, otherParts] = [left, right].map((name) => name.toLowerCase().split(/(\d+)/));
	for (let index = 0; index < Math.max(parts.length, otherParts.length); index++) {
		const order = comparePart(parts[index] ?? '', otherParts[index] ?? '');
		if (order !== 0) return order;
	}
	return compare(left, right);
}

/** Compares digits as a number of any length, and everything else as it is. */
function comparePart(left: string, right: string): number {
	if (!/^\d/.test(left) || !/^\d/.test(right)) return compare(left, right);
	const [digits, otherDigits] = [left, right].map((text) => text.replace(/^0+/, ''));
	return digits.length - otherDigits.length || compare(digits, otherDigits);
}

const compare = (left: string, right: string): number => (left < right ? -1 : Number(left > right));
