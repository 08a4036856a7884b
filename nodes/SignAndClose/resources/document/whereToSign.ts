import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../../messages/explainedFailure';
import type { Params } from '../../run/parameters/params';
import { parsePlatform } from '../shared/commonFields';
import { byChoice, choice, collection, flag, type Choice } from '../shared/fields';
import { designationRows, designationsJson, textRows } from './placeFields';

/* The choice of how the places to sign get into a document, and what it sends. */

const CHOICES: Record<string, [name: string, description: string]> = {
	rows: ['Designations Below', 'For forms whose places never move'],
	text: ['At a Text', 'For documents with a text such as "Borrower Signature" next to each place'],
	json: ['JSON', 'For designations from another system'],
	tags: [
		'Tags in White Text',
		'For documents with text tags in white. The service may have to enable them for your account.',
	],
	hiddenTags: [
		'Tags in Colored Text',
		'For documents with text tags in another color. The service may have to enable them for your account.',
	],
	signer: ['Signer Places Them', 'The signer chooses where to put text and marks'],
	template: ['Template Has Them', 'For templates of the service with designations'],
	nobody: ['Nobody Signs', 'For documents that are only read, or only check an identity'],
	closingTeam: [
		'Closing Team Adds Them',
		'For closings that the closing team of the service prepares',
	],
};

const nameOf = (value: string): string => CHOICES[value][0];

/** The choice between some of these ways. */
const defineWhereToSign = (values: string[], initial: string): INodeProperties =>
	choice(
		'Where to Sign',
		'whereToSign',
		values.map((value): Choice => [nameOf(value), value, CHOICES[value][1]]).sort(byChoice),
		'How the places to sign get into the document',
		{ default: initial },
	);

/** What a choice sends with the document (docs/service/documents.md#document-fields). */
const SENT: Record<string, IDataObject | undefined> = {
	tags: { text_tag_syntax: 'standard' },
	hiddenTags: { text_tag_syntax: 'standard_hidden' },
	signer: { customer_can_annotate: true },
};

const UNITS: Record<string, number> = { points: 1, inches: 72, centimeters: 72 / 2.54 };

/** How places are measured. A new document has these among its additional fields. */
export const placeOptions: INodeProperties[] = [
	{
		...flag(
			'Fetch the File to Check It',
			'fetchFile',
			"Whether the node, too, fetches a file from its URL, to check the places. Needed for 'At a Text'.",
		),
		displayOptions: { show: { '/source': ['url'], '/whereToSign': ['rows', 'text', 'json'] } },
	},
	choice(
		'Measured From',
		'measuredFrom',
		[
			['Bottom', 'bottom'],
			['Top', 'top'],
		],
		'The edge of the page that \'From Bottom or Top\' and "y" start at. From the top, they go down to the upper edge of the place.',
		{ displayOptions: { show: { '/whereToSign': ['rows', 'json'] } } },
	),
	choice(
		'Unit',
		'unit',
		[
			['Points', 'points', '72 points = 1 inch'],
			['Inches', 'inches'],
			['Centimeters', 'centimeters'],
		],
		'The unit of places, sizes and moves',
		{ displayOptions: { show: { '/whereToSign': ['rows', 'text', 'json'] } } },
	),
];

/** The choice for a new document, with the fields of each. */
export const whereOfNew: INodeProperties[] = [
	defineWhereToSign(Object.keys(CHOICES), 'rows'),
	textRows,
	designationRows,
	designationsJson,
];

/** The choice for a document that's there. What it doesn't have changes nothing of designations. */
export const whereOfUpdate: INodeProperties[] = [
	defineWhereToSign(['rows', 'json', 'tags', 'hiddenTags'], 'rows'),
	designationRows,
	designationsJson,
	// They're no updates.
	collection('Place Options', 'placeOptions', placeOptions, {
		placeholder: 'Add Option',
		displayOptions: { show: { whereToSign: ['rows', 'json'] } },
	}),
];

/** A field of a row whose choice stands in the same row. */
const inRow = (field: INodeProperties): INodeProperties => {
	const { '/whereToSign': choices = [] } = field.displayOptions?.show ?? {};
	return { ...field, displayOptions: { show: { whereToSign: choices } } };
};

/** The choice for a document that a rule names, in a row with the fields of each. A file is no template. */
export const whereOfRule: INodeProperties[] = [
	defineWhereToSign(
		Object.keys(CHOICES).filter((value) => value !== 'template'),
		'rows',
	),
	textRows,
	designationRows,
	designationsJson,
	...placeOptions.filter(({ name }) => name !== 'fetchFile').map(inRow),
];

/** The choice for the documents of a new transaction, which have no designations of their own. */
export const whereOfFirst: INodeProperties = defineWhereToSign(
	['tags', 'hiddenTags', 'signer'],
	'tags',
);

/** What a person has chosen. */
export interface Where {
	choice: string;
	/** How places are measured: in units of so many points, from the bottom or from the top. */
	points: number;
	fromTop: boolean;
	/** Whether the file of a URL is fetched. */
	fetches: boolean;
}

export function parseWhere(params: Params): Where {
	const {
		unit = '',
		measuredFrom = '',
		fetchFile,
	} = {
		...params.object('additionalFields'),
		...params.object('placeOptions'),
	};
	return {
		choice: params.choice('whereToSign') ?? 'rows',
		points: UNITS[params.choice('unit', unit) ?? 'points'],
		fromTop: params.choice('measuredFrom', measuredFrom) === 'top',
		fetches: params.choice('source') === 'url' && params.toBoolean('fetchFile', fetchFile) === true,
	};
}

/** The fields of the request that the choice sends, but for designations. */
export const sentFor = (value: unknown): IDataObject => SENT[String(value)] ?? {};

const SIGNED = new Set(['notarization', 'esign', 'esign_supervised']);
const PLACED = new Set(['rows', 'text', 'json']);

/**
 * Checks that the choice goes with the rest of the form.
 * @param fields of the request
 * @param isPlaced whether the document has designations
 * @throws InputFailure naming the two
 */
export function checkWhere(
	params: Params,
	value: string,
	fields: IDataObject,
	isPlaced: boolean,
): void {
	const { requirement, customer_can_annotate: annotates } = fields;
	const beside = (field: string, shown: string, remedy: string) => {
		throw new InputFailure(
			params.label('whereToSign'),
			`is '${nameOf(value)}', but '${params.label(field)}' is ${shown}`,
			remedy,
		);
	};
	const isSigned = SIGNED.has(String(requirement));
	const flagOn = ['notarization_required', 'esign_required'].find((name) => fields[name] === true);
	if (value === 'nobody' && (isSigned || flagOn !== undefined))
		beside(
			isSigned ? 'requirement' : String(flagOn),
			isSigned ? `'${String(requirement)}'` : 'on',
			"Choose where it's signed, or a document that nobody signs",
		);
	const takesPlaces = value !== 'nobody' && (isPlaced || !PLACED.has(value));
	if (requirement === 'readonly' && takesPlaces)
		beside('requirement', "'readonly'", "Choose another 'Requirement', or 'Nobody Signs'");
	if (value === 'signer' && requirement === 'non_essential')
		beside(
			'requirement',
			"'non_essential', which nobody annotates",
			"Choose another 'Requirement'",
		);
	if (value === 'signer' && annotates === false)
		beside('customer_can_annotate', 'off', "Remove 'Signer Can Annotate'");
	if (value === 'closingTeam' && parsePlatform(params) === 'business')
		beside('platform', 'Business', 'Only closings have a closing team');
	const source = params.choice('source');
	if (value === 'template' && source !== 'template')
		beside('source', 'another one', "Choose the template in 'Source'");
	if (value === 'text' && source === 'template')
		beside(
			'source',
			'a template',
			"A template can't be read. Choose 'Template Has Them' or 'Designations Below'",
		);
}
