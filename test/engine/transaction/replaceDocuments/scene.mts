import type { IDataObject } from 'n8n-workflow';

import { id } from '../../../support/closing.mts';
import { businessFile, closingFile, withFiles, writes } from '../../../support/createAndSend.mts';
import type { RunOptions } from '../../../support/engine.mts';
import { attempt, hints, ownDocuments, run } from '../../../support/operations.mts';
import { sandbox } from '../../../support/useSandbox.mts';
import { toForm } from '../../../support/closing.mts';

/** A transaction whose papers are replaced, and runs that replace them. */

export type Files = Record<string, string>;
export type Platform = 'business' | 'realEstate';

const place = (signer: string) =>
	JSON.stringify([
		{
			signer_identifier: signer,
			type: 'signature',
			page_number: 0,
			x: 72,
			y: 96,
			width: 180,
			height: 24,
		},
	]);
/** A rule for each kind of paper; they say all flags by what they have. */
export const RULES: IDataObject[] = [
	{ nameContains: 'Deed', requirement: 'notarization', whereToSign: 'rows', needed: false },
	{
		nameContains: 'Note',
		needed: false,
		requirement: 'esign',
		whereToSign: 'json',
		designationsJson: place('borrower-1'),
	},
	{ nameContains: '*', requirement: 'readonly', whereToSign: 'nobody' },
];
export const FILES: Files = { 'Deed.pdf': '%deed', 'Note.pdf': '%note', 'Rider.pdf': '%rider' };
export const NEW_NOTE: Files = { ...FILES, 'Note.pdf': '%new note' };

let count = 0;

/** Makes a transaction of these files, and sends it unless it's to stay a draft. */
export async function makeTransaction(
	files: Files = FILES,
	{ platform = 'realEstate', then = 'send', rules = RULES, more = {} as IDataObject } = {} as {
		platform?: Platform;
		then?: string;
		rules?: IDataObject[];
		more?: IDataObject;
	},
): Promise<string> {
	const number = `54${process.pid}${++count}`;
	const build = platform === 'business' ? businessFile : closingFile;
	const key = platform === 'business' ? { external_id: number } : { loan_number: number };
	const parameters = build({ then, documentRules: { row: rules }, ...toForm({ ...key, ...more }) });
	const { json } = await run(parameters, await withFiles(files));
	sandbox.requests.length = 0;
	return String(json.transaction_id);
}

export interface Replacing {
	platform?: Platform;
	then?: 'plan' | 'draft' | 'send';
	rules?: IDataObject[];
	recalls?: boolean;
	/** Additional fields. */
	more?: IDataObject;
	enote?: IDataObject;
	options?: Partial<RunOptions>;
}

/** Parameters of Transaction: Replace Documents. */
export const replacing = (
	transactionId: string,
	{
		platform = 'realEstate',
		then = 'send',
		rules = RULES,
		recalls = true,
		more = {},
		enote = {},
	}: Replacing = {},
): IDataObject => ({
	resource: 'transaction',
	operation: 'replaceDocuments',
	platform,
	transactionId: id(transactionId),
	documentRules: { row: rules },
	enote,
	thenReplace: then,
	evenIfSent: recalls,
	additionalFields: more,
});

/** Runs it, and gives what was said, what came out, and what was written and read. */
export async function replace(transactionId: string, files: Files, replacement: Replacing = {}) {
	sandbox.requests.length = 0;
	const outcome = await attempt(replacing(transactionId, replacement), {
		...(await withFiles(files)),
		...replacement.options,
	});
	const { error, items } = outcome;
	const json = items[0]?.json ?? {};
	return {
		json,
		said: error && `${error.message}. ${error.description ?? ''}`.replaceAll(/ot_\w+/g, 'ID'),
		hints: hints(outcome).replaceAll(/ot_\w+/g, 'ID'),
		plan: ((json.plan ?? []) as IDataObject[]).map(({ sentence }) =>
			String(sentence)
				.replaceAll(/ot_\w+/g, 'ID')
				.replaceAll(/do_[\w-]+/g, 'DO'),
		),
		stops: ((json.stops ?? []) as string[]).map((text) => text.replaceAll(/ot_\w+/g, 'ID')),
		writes: writes(),
		reads: sandbox.requests.filter(({ method }) => method === 'GET').length,
	};
}

/** What the sandbox has, by name. */
export const names = (transactionId: string) =>
	ownDocuments(transactionId)
		.map(({ name }) => name)
		.sort();
