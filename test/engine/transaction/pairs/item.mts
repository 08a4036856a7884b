import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Platform } from '../../../support/keptService/index.mts';
import { id, toForm } from '../../../support/closing.mts';
import { storeFile } from '../../../support/engine.mts';
import { onePage } from '../../../support/pdfFile.mts';

/** An item of Transaction: Create and Send, as a person sees it. */

export interface Person {
	email: string;
	first_name: string;
	last_name: string;
	phone_number?: string;
	external_id?: string;
}

export interface Place {
	/** Which person of the item, from 0. */
	person: number;
	type: string;
	x: number;
	y: number;
}

export interface File {
	/** Without `.pdf`. The rule of the file has it as its words. */
	name: string;
	/** Tells contents apart. */
	content: number;
	requirement: string;
	flags: string[];
	places: Place[];
	/** How the rule says its places. */
	by: 'rows' | 'json';
}

export interface Item {
	people: Person[];
	/** Under the names of the form. Empty ones say nothing. */
	fields: IDataObject;
	property?: {
		addressLine1: string;
		addressCity: string;
		addressState: string;
		addressZipCode: string;
	};
	files: File[];
	/** Something in the eNote that tells it from others. */
	enote?: string;
}

/** The choices of the form for what is there already. */
export interface Choices {
	then: 'draft' | 'plan' | 'check' | 'send';
	ifItDiffers: 'stop' | 'update' | 'keep';
	removeSignersNotNamed: boolean;
	documentsNotInTheItem: 'stop' | 'leave';
	sendAgainIfRecalled: boolean;
	settingsNotShown: 'stop' | 'none';
}

export const CHOICES: Choices = {
	then: 'draft',
	ifItDiffers: 'stop',
	removeSignersNotNamed: false,
	documentsNotInTheItem: 'stop',
	sendAgainIfRecalled: false,
	settingsNotShown: 'none',
};

/** The field that has the number by which an item is recognized. */
export const NUMBER = { business: 'external_id', realEstate: 'loan_number' } as const;

/** By what the rules call a person. */
export const identifierOf = ({ people }: Pick<Item, 'people'>, person: number): string =>
	people[person].external_id ?? `signer-${person + 1}`;

const contents = new Map<string, Buffer>();

export function pdfOf({ content }: Pick<File, 'content'>): Buffer {
	const key = String(content);
	if (!contents.has(key)) contents.set(key, onePage(`BT /F 12 Tf 72 700 Td (Paper ${key}) Tj ET`));
	return contents.get(key)!;
}

export const enoteOf = (note: string): Buffer =>
	Buffer.from(
		`<?xml version="1.0" encoding="UTF-8"?>\n<SMART_DOCUMENT MISMOVersionIdentifier="1.02" PopulatingSystemDocumentIdentifier="${note}"><HEADER><DOCUMENT_INFORMATION _Type="Note"/></HEADER></SMART_DOCUMENT>\n`,
	);

export const SIZE = { width: 180, height: 24 };

function ruleOf(item: Item, { name, requirement, flags, places, by }: File): IDataObject {
	const rows = places.map(({ person, type, x, y }) => ({
		signer_identifier: identifierOf(item, person),
		type,
		x,
		y,
		...SIZE,
	}));
	return {
		nameContains: name,
		requirement,
		flags,
		...(by === 'rows'
			? {
					whereToSign: rows.length > 0 ? 'rows' : 'nobody',
					designations: { row: rows.map((row) => ({ ...row, page: '1' })) },
				}
			: {
					whereToSign: 'json',
					designationsJson: JSON.stringify(rows.map((row) => ({ ...row, page_number: 0 }))),
				}),
	};
}

const TITLE: IDataObject = {
	recordingJurisdictionId: id('rlboston'),
	titleUnderwriterId: id('or_underwriter_atlantic'),
};

/** The parameters of the node for an item. */
export function parametersOf(
	platform: Platform,
	number: string,
	item: Item,
	choices: Partial<Choices> = {},
): IDataObject {
	const { then, ...more } = { ...CHOICES, ...choices };
	const { contacts, title_agency: agency, ...fields } = item.fields;
	return {
		resource: 'transaction',
		operation: 'createAndSend',
		platform,
		fieldsFrom: 'form',
		signers: { row: item.people },
		documentRules: { row: item.files.map((file) => ruleOf(item, file)) },
		then,
		...(platform === 'realEstate' && {
			transactionType: 'refinance',
			property: { row: item.property },
			matchBy: 'loan_number',
		}),
		...toForm({
			...more,
			...fields,
			[NUMBER[platform]]: number,
			...(platform === 'realEstate' && {
				...TITLE,
				...(agency !== undefined && { titleAgencyId: id(String(agency)) }),
				...(contacts !== undefined && { contacts: { row: contacts } }),
				...(item.enote !== undefined && {
					enote: { row: { enoteType: 'ENOTE', source: 'binary', binaryPropertyName: 'note' } },
				}),
			}),
		}),
	};
}

/** The item with its files in n8n's store. */
export async function inputOf({ files, enote }: Item, json: IDataObject = {}) {
	const binary: NonNullable<INodeExecutionData['binary']> = {};
	for (const [index, file] of files.entries())
		binary[`file${index}`] = await storeFile(pdfOf(file), `${file.name}.pdf`, 'application/pdf');
	if (enote !== undefined)
		binary.note = await storeFile(enoteOf(enote), 'enote.xml', 'application/xml');
	return { json, binary };
}
