import type { INodeProperties } from 'n8n-workflow';

import { defineChoice, defineFlag } from '../../../form/fields';

/* How places are measured. */

/** How many points a unit has. */
export const UNITS: Record<string, number> = { points: 1, inches: 72, centimeters: 72 / 2.54 };

/** In units of so many points, from the bottom or from the top. */
export interface Measures {
	points: number;
	fromTop: boolean;
}

/** The fields. A new document has these among its additional fields. */
export const placeOptions: INodeProperties[] = [
	{
		...defineFlag(
			'Fetch the File to Check It',
			'fetchFile',
			'Whether the node, too, fetches a file from its URL, to check the places',
		),
		displayOptions: { show: { '/source': ['url'], '/whereToSign': ['rows', 'json'] } },
	},
	defineChoice(
		"If the Signer Isn't There",
		'ifSignerMissing',
		[
			['Stop', 'stop', 'Send nothing'],
			['Leave Out', 'leaveOut', 'Add the document without the place, and say so in the output'],
		],
		'What to do with a place of a role, such as Co-Borrower, or of signer-1, signer-2 and so on, that no signer has. For another external ID that no signer has, the item always stops.',
		{ displayOptions: { show: { '/whereToSign': ['rows', 'text', 'fields', 'json'] } } },
	),
	defineChoice(
		"If the Text Isn't There",
		'ifTextMissing',
		[
			['Stop', 'stop', 'Send nothing'],
			['Leave Out', 'leaveOut', 'Add the document without the place, and say so in the output'],
		],
		"What to do if a text stands nowhere on pages that can all be read. If it's the signer's only place in the document, the item always stops.",
		{ displayOptions: { show: { '/whereToSign': ['text'] } } },
	),
	defineChoice(
		'Measured From',
		'measuredFrom',
		[
			['Bottom', 'bottom'],
			['Top', 'top'],
		],
		'The edge of the page that \'From Bottom or Top\' and "y" start at. From the top, they go down to the upper edge of the place.',
		{ displayOptions: { show: { '/whereToSign': ['rows', 'json'] } } },
	),
	{
		...defineFlag(
			'Trust Recognized Text',
			'trustRecognized',
			"Whether to look for texts in scans, too, where another program has recognized them. What it has misread, isn't found.",
		),
		displayOptions: { show: { '/whereToSign': ['text'] } },
	},
	defineChoice(
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
