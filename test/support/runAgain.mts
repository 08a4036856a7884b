import type { IDataObject } from 'n8n-workflow';

import { businessFile, closingFile, withFiles, writes } from './createAndSend.mts';
import type { RunOptions } from './engine.mts';
import { attempt, hints, ownDocuments } from './operations.mts';
import { sandbox } from './useSandbox.mts';
import { toForm } from './closing.mts';

/** An item of Transaction: Create and Send that is run again with other values. */

/** The number by which the items of a test are found; each test has its own. */
let loan = '';
let count = 0;
export function newLoan(): string {
	sandbox.requests.length = 0;
	return (loan = `81${process.pid}${++count}`);
}

export const JANE = {
	email: 'jane@example.com',
	first_name: 'Jane',
	last_name: 'Borrower',
	phone_number: '617 555 0123',
};
export const JOHN = { ...JANE, email: 'john@example.com', first_name: 'John' };
export const deed = { nameContains: 'Deed', requirement: 'notarization', whereToSign: 'rows' };
export const note = (signer = 'signer-1', x = 72): IDataObject => ({
	nameContains: 'Note',
	requirement: 'esign',
	whereToSign: 'json',
	designationsJson: `[{"signer_identifier":"${signer}","type":"signature","page_number":0,"x":${x},"y":96,"width":180,"height":24}]`,
});
export const any = { nameContains: '*', requirement: 'readonly', whereToSign: 'rows' };
export const FILES = { 'Deed.pdf': '%deed', 'Note.pdf': '%note' };
export const RIDER = { ...FILES, 'Rider.pdf': '%rider' };

export interface Item {
	platform?: 'business';
	signers?: IDataObject[];
	rules?: IDataObject[];
	files?: Record<string, string>;
	/** Additional fields. */
	more?: IDataObject;
	then?: string;
	line1?: string;
	line2?: string;
	/** Of the run. */
	options?: Partial<RunOptions>;
}

function parametersOf({ signers = [JANE], rules = [deed, note()], ...item }: Item): IDataObject {
	const parameters = {
		signers: { row: signers },
		documentRules: { row: rules },
		then: item.then ?? 'check',
	};
	if (item.platform === 'business')
		return businessFile({
			...parameters,
			...toForm({ external_id: `case-${loan}`, ...item.more }),
		});
	const property = {
		addressLine1: item.line1 ?? '100 Harbor Street',
		...(item.line2 !== undefined && { addressLine2: item.line2 }),
		addressCity: 'Boston',
		addressState: 'MA',
		addressZipCode: '02110',
	};
	return closingFile({
		...parameters,
		property: { row: property },
		...toForm({ loan_number: loan, ...item.more }),
	});
}
export const UPDATE = { ifItDiffers: 'update', settingsNotShown: 'none' };
/** What the sandbox holds with the number of the test. */
export const allKept = () =>
	[...sandbox.world.transactions.values()].filter(({ fields }) =>
		[fields.loan_number, fields.external_id].some((one) => [loan, `case-${loan}`].includes(one)),
	);
export const kept = () => allKept().at(-1)!;
export const documents = () => ownDocuments(kept().id);
export const document = (name: string) => documents().find((one) => one.name === name)!;
export const names = () =>
	documents()
		.map(({ name }) => name)
		.sort();
export const emails = () => kept().signers.map(({ email }) => email);

/** Runs an item and gives what was said, with a word for the ID, and what was written. */
export async function play(item: Item, more: IDataObject = {}) {
	sandbox.requests.length = 0;
	const parameters = parametersOf({ ...item, more: { ...item.more, ...more } });
	const files = await withFiles(item.files ?? FILES);
	const outcome = await attempt(parameters, { ...files, ...item.options });
	const { error, items } = outcome;
	const said = error && `${error.message}. ${error.description ?? ''}`;
	return {
		said: said?.replaceAll(/ot_\w+/g, 'ID').replaceAll(/do_[\w-]+/g, 'DO'),
		json: items[0]?.json,
		hints: hints(outcome),
		outcome,
		writes: writes(),
	};
}
export const send = async (item: Item, more: IDataObject = {}) =>
	await play({ ...item, then: 'send' }, more);
export const SENT = ['POST /transactions/ID/place_order'];
