import type { IBinaryData, IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { asError } from '../transport/failure/failure';
import { isObject } from '../values/json';
import { inOrder } from './fileOrder';

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

/** The files of an item of the input, in the order of `fileOrder.ts`. Each name is there once. */
export function filesOf(context: IExecuteFunctions, itemIndex: number): ItemFile[] {
	const jsons = function* () {
		yield context.getInputData()[itemIndex].json;
		for (const { given } of earlierItems(context, itemIndex)) yield given.json;
	};
	return inOrder(unorderedFiles(context, itemIndex), jsons());
}

/** The files of an item of the input as n8n has them, for whom their order is nothing. */
export function unorderedFiles(context: IExecuteFunctions, itemIndex: number): ItemFile[] {
	return filesIn(context.getInputData()[itemIndex], isCombined(context));
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
	const own = unorderedFiles(context, itemIndex).find((file) => file.name === name);
	if (own !== undefined || !isCombined(context)) return own?.file;
	try {
		return context.helpers.assertBinaryData(itemIndex, name);
	} catch {
		return undefined;
	}
}

/** The files that earlier nodes gave for an item, those of the nearest node first. */
export function earlierFiles(context: IExecuteFunctions, itemIndex: number): EarlierFile[] {
	return [...earlierItems(context, itemIndex)].flatMap(({ node, given, access }) =>
		inOrder(filesIn(given, isCombined(context)), [given.json]).map(({ name, path }) => ({
			name,
			node,
			expression: `{{ $(${quoted(node)}).${access}${path} }}`,
		})),
	);
}

/** An item that an earlier node gave. */
interface EarlierItem {
	node: string;
	given: INodeExecutionData;
	/** Where it is in what the node gave, for an expression. */
	access: string;
}

/**
 * The items that earlier nodes gave for an item, that of the nearest node first. Which of a node's
 * items that was is what n8n says, or certain because there was only one.
 */
function* earlierItems(context: IExecuteFunctions, itemIndex: number): Generator<EarlierItem> {
	const nodes = context.getParentNodes(context.getNode().name).reverse();
	for (const { name } of nodes) {
		const item = earlierItem(context, itemIndex, name);
		if (item !== undefined) yield item;
	}
}

function earlierItem(
	context: IExecuteFunctions,
	itemIndex: number,
	node: string,
): EarlierItem | undefined {
	try {
		const output = context.getWorkflowDataProxy(itemIndex).$(node) as NodeOutput;
		const [item, access] = itemFor(output);
		// In a workflow with its files in the JSON, expressions get nothing but the JSON.
		const given = isCombined(context) ? { json: item } : item;
		return isItem(given) ? { node, given, access } : undefined;
	} catch {
		// The node hasn't run, or n8n doesn't know which of its items it was.
		return undefined;
	}
}

const isItem = (given: unknown): given is INodeExecutionData =>
	isObject(given) && isObject(given.json);

/** What n8n's expressions give of a node. */
interface NodeOutput {
	readonly item: unknown;
	all(): unknown[];
}

function itemFor(output: NodeOutput): [item: unknown, access: string] {
	try {
		return [output.item, 'item'];
	} catch (thrown) {
		const [first, ...others] = output.all();
		if (first === undefined || others.length > 0) throw asError(thrown);
		return [first, 'first()'];
	}
}

function isCombined(context: IExecuteFunctions): boolean {
	// Older n8n has neither such workflows nor this.
	const settings = (context as Partial<IExecuteFunctions>).getWorkflowSettings?.();
	return settings?.binaryMode === 'combined';
}

function filesIn({ json, binary = {} }: INodeExecutionData, inJson: boolean): ItemFile[] {
	const beside = Object.entries(binary).map(([name, file]) => ({
		name,
		file,
		path: `.binary${keyOf(name)}`,
	}));
	if (!inJson) return beside;
	const { [IN_JSON]: own, ...fields } = json;
	const all = [
		...storedIn(fields),
		...Object.entries(isObject(own) ? own : {}).flatMap(([name, value]) => {
			const file = asFile(value);
			return file === undefined ? [] : [{ name, file, path: `.${IN_JSON}${keyOf(name)}` }];
		}),
		...beside,
	];
	const known = new Map<string, ItemFile>();
	for (const each of all) {
		const same = known.get(each.name);
		if (same === undefined) known.set(each.name, each);
		else if (same.file.id !== each.file.id)
			known.set(each.path.slice(1), { ...each, name: each.path.slice(1) });
	}
	return [...known.values()];
}

/** Files that stand in fields of a form, which may have several each. */
function storedIn(fields: IDataObject): ItemFile[] {
	return Object.entries(fields).flatMap(([name, value]) =>
		Array.isArray(value)
			? (value as unknown[]).flatMap((each, index) => stored(each, name, `[${index}]`))
			: stored(value, name),
	);
}

/** Other services describe their files alike. Those of n8n have an ID that begins with its store. */
function stored(value: unknown, name: string, at = ''): ItemFile[] {
	const file = asFile(value);
	const isStored = file?.id?.startsWith(`${file.data}:`) === true;
	return isStored ? [{ name: name + at, file, path: keyOf(name) + at }] : [];
}

/** A field in the notation of expressions. */
const keyOf = (name: string) =>
	/^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${quoted(name)}]`;

const quoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`;
