import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox/index.mts';
import { ADD_DOCUMENT, completedClosing, createClosing, id, pdfItem, toForm } from '../closing.mts';
import { credentialFor, runNode, type RunOptions } from '../engine.mts';

/**
 * What the matrix needs to know of an operation: how to get three items with different parameters,
 * which request is the operation's own, and how an item is broken. Everything else of the matrix is
 * the same for all (test/support/matrix/suite.mts).
 */
export interface Scene {
	parameters: IDataObject;
	/** Three items whose parameters differ; expressions of `parameters` read them. */
	items: INodeExecutionData[];
	/** The method and path of the operation's own request; NO_REQUEST if there's none. */
	request: { method: string; path: RegExp };
	/**
	 * What tells in an output item which input it came from: equal to `expected` of the same index,
	 * which is an array where an input gives several.
	 */
	mark: (json: IDataObject) => unknown;
	expected: unknown[];
	/** What makes an item fail at the service or before. */
	broken: IDataObject;
	/**
	 * For operations that list: parameters that list everything, the marks of more than two pages of
	 * entries in order, and the size of a page (2).
	 */
	pages?: { parameters: IDataObject; expected: unknown[]; size?: number };
}

export interface Fixture {
	/** Writes are counted: none may be made twice. */
	kind: 'read' | 'write';
	/** How many output items of the same mark an input item gives. */
	outputs?: number;
	/** How many writes an input item is, each of its own output; by default, one. */
	writes?: number;
	/** Asks the service nothing. What it answers is no matter then. */
	offline?: true;
	/** Lists with limit and offset: two pages and more are tested. */
	lists?: true;
	/** Has a file in its output, in this field. */
	binary?: string;
	/** The documented interface has no such endpoint: the answer must say so plainly. */
	undocumented?: boolean;
	/** The service doesn't show who has done it, if it's done, so a lost answer stays in doubt. */
	traceless?: true;
	/**
	 * What the service refuses is told in the output, and fails nothing. Gives what a person reads of
	 * it.
	 */
	shownRefusal?: (items: IDataObject[]) => { message: string; description: string };
	/** Limits of the package without which the tests would wait long. */
	limits?: RunOptions['limits'];
	build(sandbox: Sandbox): Promise<Scene>;
	/**
	 * Runs the operation with every field filled in, on each platform, where the scene sends less
	 * (test/contract/node.test.mts holds what is sent against the list of fields).
	 */
	everyField?(sandbox: Sandbox, run: Run): Promise<void>;
}

/**
 * Runs the fixture's operation, not simplified.
 * @returns the JSON of the first output item
 */
export type Run = (parameters: IDataObject, items?: INodeExecutionData[]) => Promise<IDataObject>;

export const NO_REQUEST: Scene['request'] = { method: 'GET', path: /^$/ };
export const NAMES = ['First', 'Second', 'Third'];
export const locator = (field: string) => id(`={{ $json.${field} }}`);
export const credential = (sandbox: Sandbox) => credentialFor(sandbox.url);
export const ids = (values: unknown[]): INodeExecutionData[] =>
	values.map((value) => ({ json: { id: value } as IDataObject }));
/** Three items that ask for one, two and one entries of a list. */
export const LIMITS = [1, 2, 1];
export const limited = (all: unknown[]) => LIMITS.map((limit) => all.slice(0, limit));
export const LIMITED = { returnAll: false, limit: '={{ $json.limit }}' };

export async function each<T>(make: (name: string, index: number) => Promise<T>): Promise<T[]> {
	const made: T[] = [];
	for (const [index, name] of NAMES.entries()) made.push(await make(name, index));
	return made;
}

/** Runs the node for something that has to work. */
export async function done(
	sandbox: Sandbox,
	parameters: IDataObject,
	items?: INodeExecutionData[],
): Promise<IDataObject> {
	const outcome = await runNode({ credential: credential(sandbox), parameters, items });
	if (outcome.error) throw outcome.error;
	return outcome.items[0].json;
}

/** What simplified closings show, so that it is set in the editor's preview. */
const SHOWN: IDataObject = {
	loan_number: '7001234',
	file_number: 'F-7',
	external_id: 'case-7',
	expiration_time: '2099-12-31T17:00:00Z',
};

/**
 * A closing that can be sent.
 * @param more further additional fields
 */
export async function draftClosing(
	sandbox: Sandbox,
	more: IDataObject = {},
): Promise<{ transactionId: string; documentId: string }> {
	const transactionId = await createClosing(credential(sandbox), {
		...toForm({ paper_note_consent: true, ...SHOWN, ...more }),
	});
	const { document_id: documentId } = await done(
		sandbox,
		{ ...ADD_DOCUMENT, transactionId: id(transactionId) },
		[await pdfItem()],
	);
	return { transactionId, documentId: String(documentId) };
}

export async function sentClosing(sandbox: Sandbox, more: IDataObject = {}): Promise<string> {
	const { transactionId } = await draftClosing(sandbox, more);
	await done(sandbox, {
		resource: 'transaction',
		operation: 'send',
		platform: 'realEstate',
		transactionId: id(transactionId),
		additionalFields: {},
	});
	return transactionId;
}

export async function finishedClosing(
	sandbox: Sandbox,
): Promise<{ transactionId: string; documentId: string; recordId: string }> {
	const transactionId = await completedClosing(sandbox, credential(sandbox), SHOWN);
	const { documents, recordId } = sandbox.world.transactions.get(transactionId)!;
	return { transactionId, documentId: documents[0].id, recordId: recordId! };
}
