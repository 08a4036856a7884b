import type { INodeProperties } from 'n8n-workflow';

import {
	defineChoice,
	defineCollection,
	defineNumber,
	defineRows,
	defineText,
} from '../../../form/fields';
import {
	assignmentFields,
	definePoints,
	designationDetails,
	sizeFields,
} from './designationFields';

/* The fields of designations at texts of the document. */

/** The fields of a row of texts. */
export const textFields: INodeProperties[] = [
	defineText(
		'Text',
		'text',
		'Borrower Signature',
		"A text of the document, on one line or two, with its capital letters. Spaces don't matter.",
	),
	...assignmentFields,
	defineChoice(
		'Where',
		'where',
		[
			['Above It', 'above', 'For a caption below the line'],
			['Below It', 'below'],
			['On It', 'on'],
			['Right of It', 'right', 'For a caption before the line'],
		],
		"Where the place is, next to the text. Above, below or on it, it begins at the text's left edge.",
	),
	definePoints(
		'Move Right',
		'moveRight',
		[-10_000, 0],
		'How far to move the place to the right, or with a minus to the left',
	),
	definePoints(
		'Move Up',
		'moveUp',
		[-10_000, 0],
		'How far to move the place up, or with a minus down',
	),
	...sizeFields,
	defineChoice(
		'Occurrence',
		'occurrence',
		[
			['Every One', 'every', 'Each of them gets a place'],
			['First', 'first', 'The first one, from the first page on'],
			['Last', 'last', 'The last one'],
			['Nth', 'nth', "The one with the 'Number'"],
			['The Only One', 'only', 'Refused if the text stands there more than once'],
		],
		'Which one is meant if the text stands there more than once',
		{ default: 'only' },
	),
	defineNumber(
		'Number',
		'nth',
		[1, 2],
		"Which one is meant if 'Occurrence' is Nth; the first is 1",
	),
	{
		...defineText(
			'Pages',
			'pages',
			'2-5',
			'The pages to look at: "all", "last", one page, from-to, or several of them such as "2, 4-6"',
		),
		default: 'all',
	},
	defineText(
		'Ignore Pictures On',
		'ignorePicturesOn',
		'1',
		"Pages with a large picture that you've looked at, and that doesn't have the text in it, such as the logo of a cover",
	),
	defineText(
		'Not Inside',
		'notInside',
		'Borrower Signature Date',
		"A longer text that has this one, or 'Next Text', in it and isn't meant",
	),
	defineText(
		'Next Text',
		'nextText',
		'Date',
		'A second text that belongs to the first. The place goes to it: to the next one on the line, or else below in the same block.',
	),
	defineChoice(
		'Next Text Is',
		'nextSide',
		[
			['Below It', 'below', 'Below the text, in the same block'],
			['Right or Below', 'either', "On the line of the text or, if it isn't there, below it"],
			['Right of It', 'right', 'On the line of the text'],
		],
		"Where 'Next Text' stands, seen from the text",
		{ default: 'either' },
	),
	defineCollection('Details', 'details', designationDetails),
];

export const textRows = defineRows(
	'Texts',
	'texts',
	'Text',
	textFields,
	{
		displayOptions: { show: { whereToSign: ['text'] } },
		placeholder: 'Add Text (Where to Sign)',
		description:
			"Texts of the document next to which it's signed. If a text isn't found for certain, nothing is sent. Only for drafts.",
	},
	['text', 'signer_identifier', 'type', 'where'],
);
