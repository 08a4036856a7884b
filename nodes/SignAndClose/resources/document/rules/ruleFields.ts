import type { INodeProperties } from 'n8n-workflow';

import {
	sortByDisplayName,
	defineChoice,
	defineFlag,
	defineRows,
	defineText,
} from '../../../form/fields';
import { documentDetails, requirement } from '../form';
import { whereOfRule } from '../places/whereToSign';

/* The table of rules for documents: which document a row is for, and what becomes of that one. */

const getDetail = (name: string): INodeProperties =>
	documentDetails.find((field) => field.name === name)!;

/** The flags of a document, which a row turns on. */
export const RULE_FLAGS = sortByDisplayName(
	documentDetails.filter(({ type }) => type === 'boolean'),
).filter(({ name }) => name !== 'pdf_bookmarked');

const flags = defineChoice(
	'Flags',
	'flags',
	RULE_FLAGS.map(({ displayName, name, description = '' }) => [
		displayName,
		name,
		description.replace(/^Whether (.)/, (_all, first: string) => first.toUpperCase()),
	]),
	'What else holds for the document',
	{ type: 'multiOptions', default: [] },
);

const nameContains = defineText(
	'Name Contains',
	'nameContains',
	'Deed of Trust',
	"Whole words of the document's name, next to each other: Note isn't in Notice. Capital letters, spaces and punctuation don't count. | stands between alternatives. * fits every name.",
);

/** Whether a document of this rule has to be there. */
export const needed: INodeProperties = {
	...defineFlag(
		'Needed',
		'needed',
		'Whether something is missing if no document has such a name. A rule for every name (*) is never needed.',
	),
	default: true,
};

/** A text, because n8n gives a row the default of each field that it lacks, and of a number that's one. */
export const position: INodeProperties = defineText(
	'Position',
	'position',
	'0',
	getDetail('bundle_position').description,
);

/** What every row shows; the others are added by its button. */
const FIRST_FIELDS = [
	'nameContains',
	'requirement',
	'whereToSign',
	'texts',
	'fieldsByName',
	'formFields',
	'designations',
	'designationsJson',
];

/** The rules. Signers are named by their external IDs, which they have before a transaction has them. */
export const documentRules: INodeProperties = defineRows(
	'Document Rules',
	'documentRules',
	'Rule',
	[nameContains, needed, requirement, flags, ...whereOfRule, position],
	{
		description:
			'What becomes of which document. The first rule whose words are in its name counts. Documents that no rule names are listed in the output.',
	},
	FIRST_FIELDS,
);
