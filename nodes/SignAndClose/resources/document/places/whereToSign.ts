import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../../../messages/failures';
import type { Params } from '../../../run/parameters/params';
import { parsePlatform } from '../../../form/commonFields';
import {
	compareByName,
	defineChoice,
	defineCollection,
	type OptionTuple,
} from '../../../form/fields';
import { designationRows, designationsJson } from './designationFields';
import { fieldRows, fieldRowsOfRule } from './formFieldRows';
import { placeOptions, UNITS, type Measures } from './placeOptions';
import { textRows } from './textFields';

/* The choice of how the places to sign get into a document, and what it sends. */

const CHOICES: Record<string, [name: string, description: string]> = {
	rows: ['Designations Below', 'For forms whose places never move'],
	text: ['At a Text', 'For documents with a text such as "Borrower Signature" next to each place'],
	fields: [
		'Signature Fields of the PDF',
		"For forms that have their own signature fields: the places are the fields' boxes",
	],
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

/** What the form calls a choice. */
export const getChoiceName = (value: string): string => CHOICES[value][0];

/** The choice between some of these ways. */
const defineWhereToSign = (values: string[], initial: string): INodeProperties =>
	defineChoice(
		'Where to Sign',
		'whereToSign',
		values
			.map((value): OptionTuple => [getChoiceName(value), value, CHOICES[value][1]])
			.sort(compareByName),
		'How the places to sign get into the document',
		{ default: initial },
	);

/** What a choice sends with the document (docs/service/documents.md#document-fields). */
const CHOICE_FIELDS: Record<string, IDataObject | undefined> = {
	tags: { text_tag_syntax: 'standard' },
	hiddenTags: { text_tag_syntax: 'standard_hidden' },
	signer: { customer_can_annotate: true },
};

/** The choice for a new document, with the fields of each. */
export const whereOfNew: INodeProperties[] = [
	defineWhereToSign(Object.keys(CHOICES), 'text'),
	textRows,
	...fieldRows,
	designationRows,
	designationsJson,
];

const isOfUpdate = ({ name }: INodeProperties): boolean =>
	!['trustRecognized', 'ifSignerMissing', 'ifTextMissing'].includes(name);

/** The choice for a document that's there. What it doesn't have changes nothing of designations. */
export const whereOfUpdate: INodeProperties[] = [
	defineWhereToSign(['rows', 'json', 'tags', 'hiddenTags'], 'rows'),
	designationRows,
	designationsJson,
	// They're no updates.
	defineCollection('Place Options', 'placeOptions', placeOptions.filter(isOfUpdate), {
		placeholder: 'Add Option',
		displayOptions: { show: { whereToSign: ['rows', 'json'] } },
	}),
];

/** A field of a row whose choice stands in the same row. */
const moveIntoRow = (field: INodeProperties): INodeProperties => {
	const { '/whereToSign': choices = [] } = field.displayOptions?.show ?? {};
	return { ...field, displayOptions: { show: { whereToSign: choices } } };
};

/** The choice for a document that a rule names, in a row with the fields of each. A file is no template. */
export const whereOfRule: INodeProperties[] = [
	defineWhereToSign(
		Object.keys(CHOICES).filter((value) => value !== 'template'),
		'text',
	),
	textRows,
	...fieldRowsOfRule,
	designationRows,
	designationsJson,
	...placeOptions.filter(({ name }) => name !== 'fetchFile').map(moveIntoRow),
];

/** The choice for the documents of a new transaction, which have no designations of their own. */
export const whereOfFirst: INodeProperties = defineWhereToSign(
	['tags', 'hiddenTags', 'signer'],
	'tags',
);

/** What a person has chosen. */
export interface WhereToSign extends Measures {
	choice: string;
	/** Whether text that another program has recognized in scans counts as read. */
	trustsRecognized: boolean;
	/** Whether places are left out whose signers, or whose texts, aren't there. */
	leavesOut: { signers: boolean; texts: boolean };
	/** Whether the file of a URL is fetched. It always is where texts are looked for in it. */
	fetches: boolean;
}

export function parseWhereToSign(params: Params): WhereToSign {
	const {
		unit = '',
		measuredFrom = '',
		fetchFile,
		trustRecognized,
		ifSignerMissing = '',
		ifTextMissing = '',
	} = {
		...params.getObject('additionalFields'),
		...params.getObject('placeOptions'),
	};
	const choice = params.getChoice('whereToSign') ?? 'rows';
	return {
		choice,
		points: UNITS[params.getChoice('unit', unit) ?? 'points'],
		fromTop: params.getChoice('measuredFrom', measuredFrom) === 'top',
		trustsRecognized: params.toBoolean('trustRecognized', trustRecognized) === true,
		leavesOut: {
			signers: params.getChoice('ifSignerMissing', ifSignerMissing) === 'leaveOut',
			texts: params.getChoice('ifTextMissing', ifTextMissing) === 'leaveOut',
		},
		fetches:
			params.getChoice('source') === 'url' &&
			(choice === 'text' ||
				choice === 'fields' ||
				params.toBoolean('fetchFile', fetchFile) === true),
	};
}

/** The fields of the request that the choice sends, but for designations. */
export const buildChoiceFields = (value: unknown): IDataObject =>
	CHOICE_FIELDS[String(value)] ?? {};

const SIGNED_REQUIREMENTS = new Set(['notarization', 'esign', 'esign_supervised']);

/** Whether a document with these fields is signed, or nobody has said it. */
export const mayBeSigned = ({ requirement }: IDataObject): boolean =>
	requirement === undefined || SIGNED_REQUIREMENTS.has(String(requirement));

const CHOICES_WITH_PLACES = new Set(['rows', 'text', 'fields', 'json']);

/** What places something, of the choices that begin without it, or may end without it. */
const ADD_A_PLACE: Record<string, string> = {
	text: 'Add a text',
	fields: "Turn on 'By Their Names', add a form field",
};

/**
 * Says that a new document is signed and nobody has said where: the form begins with no texts.
 * @param fields of the request
 */
export const describeNoPlace = (
	params: Params,
	choice: string,
	{ requirement }: IDataObject,
): string | undefined =>
	choice in ADD_A_PLACE &&
	![undefined, 'template'].includes(params.getChoice('source')) &&
	SIGNED_REQUIREMENTS.has(String(requirement))
		? `No place to sign is set. ${ADD_A_PLACE[choice]}, or choose in 'Where to Sign' who sets the places`
		: undefined;

/**
 * Checks that the choice goes with the rest of the form.
 * @param fields of the request
 * @param isPlaced whether the document has designations
 * @throws InputFailure naming the two
 */
export function checkWhereToSign(
	params: Params,
	value: string,
	fields: IDataObject,
	isPlaced: boolean,
): void {
	const { requirement, customer_can_annotate: annotates } = fields;
	const refuseWith = (field: string, actual: string, remedy: string) => {
		throw new InputFailure(
			params.label('whereToSign'),
			`is '${getChoiceName(value)}', but '${params.label(field)}' is ${actual}`,
			remedy,
		);
	};
	const isSigned = SIGNED_REQUIREMENTS.has(String(requirement));
	const flagOn = ['notarization_required', 'esign_required'].find((name) => fields[name] === true);
	if (value === 'nobody' && (isSigned || flagOn !== undefined))
		refuseWith(
			isSigned ? 'requirement' : String(flagOn),
			isSigned ? `'${String(requirement)}'` : 'on',
			"Choose where it's signed, or a document that nobody signs",
		);
	const takesPlaces = value !== 'nobody' && (isPlaced || !CHOICES_WITH_PLACES.has(value));
	if (requirement === 'readonly' && takesPlaces)
		refuseWith('requirement', "'Read Only'", "Choose another 'Requirement', or 'Nobody Signs'");
	if (value === 'signer' && requirement === 'non_essential')
		refuseWith(
			'requirement',
			"'Non-Essential', which nobody annotates",
			"Choose another 'Requirement'",
		);
	if (value === 'signer' && annotates === false)
		refuseWith('customer_can_annotate', 'off', "Remove 'Signer Can Annotate'");
	if (value === 'closingTeam' && parsePlatform(params) === 'business')
		refuseWith('platform', 'Business', 'Only closings have a closing team');
	const source = params.getChoice('source');
	if (value === 'template' && source !== 'template')
		refuseWith('source', 'another one', "Choose the template in 'Source'");
	if (['text', 'fields'].includes(value) && source === 'template' && isPlaced)
		refuseWith(
			'source',
			'a template',
			"A template can't be read. Choose 'Template Has Them' or 'Designations Below'",
		);
}
