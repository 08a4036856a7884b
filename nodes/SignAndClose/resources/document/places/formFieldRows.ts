import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Faults } from '../../../messages/inputFaults';
import type { Params } from '../../../run/parameters/params';
import { asObject, isObject } from '../../../values/json';
import { parseNumber } from '../../../values/plainValues';
import { parseCollection } from '../../../form/input';
import { defineCollection, defineFlag, defineRows, defineText } from '../../../form/fields';
import { formFieldLocator } from '../../../form/locators';
import { assignmentFields, designationDetails } from './designationFields';
import { describeFaults, parseAssignment, type UnplacedDesignation } from './designations';

/* The form of places at the fields of a PDF's own form. */

/** A designation at fields of the file. Each has its own box. */
export interface FieldDesignation extends Omit<UnplacedDesignation, 'box'> {
	/** Their names, with * for any letters; empty for one that was told. */
	pattern: string;
	/** Which one of them is meant, from 1; undefined for each. */
	number?: number;
}

const fieldFields: INodeProperties[] = [
	formFieldLocator,
	...assignmentFields,
	defineText(
		'Number',
		'number',
		'2',
		'Which one is meant if several fields have the name; the first is 1. By default, each of them gets a place.',
	),
	defineCollection('Details', 'details', designationDetails),
];

const whenChosen = { show: { whereToSign: ['fields'] } };

const isByName: INodeProperties = {
	...defineFlag(
		'By Their Names',
		'fieldsByName',
		'Whether fields whose names say who signs and what, such as "Borrower 2 Signature", get their places by that. The entries below come first.',
	),
	default: true,
	displayOptions: whenChosen,
};

const defineFieldRows = (fields: INodeProperties[]): INodeProperties[] => [
	isByName,
	defineRows(
		'Form Fields',
		'formFields',
		'Form Field',
		fields,
		{
			displayOptions: whenChosen,
			placeholder: 'Add Form Field (Where to Sign)',
			description:
				"Fields of the PDF's own form at which it's signed, each with its own place and size. Only for drafts.",
		},
		['fieldName', 'signer_identifier', 'type'],
	),
];

export const fieldRows = defineFieldRows(fieldFields);

/** The same for a rule, whose files are known only when the node runs. */
export const fieldRowsOfRule = defineFieldRows([
	defineText(
		formFieldLocator.displayName,
		formFieldLocator.name,
		'Borrower*Signature',
		formFieldLocator.description,
	),
	...fieldFields.slice(1),
]);

/** Parses the rows. Faults get what can't be used, each with its row. */
export function parseFieldDesignations(params: Params, faults: Faults): FieldDesignation[] {
	const rows = faults.collect(() => params.getRows('formFields')) ?? [];
	return rows.flatMap((row, index) => {
		const entry = describeFaults(faults, params.label('formFields'), index + 1, fieldFields);
		return faults.collect(() => parseField(params, row, entry)) ?? [];
	});
}

function parseField(
	params: Params,
	row: IDataObject,
	faults: ReturnType<typeof describeFaults>,
): FieldDesignation {
	const { noteFault, nameField } = faults;
	const { fieldName: locator } = row;
	const fieldName = isObject(locator) ? locator.value : locator;
	const pattern = params.getTextIn({ fieldName }, 'fieldName') ?? '';
	if (pattern === '')
		noteFault(
			`${nameField('fieldName')} is missing`,
			"Enter the name of a field: 'Document: Get Places' lists them",
		);
	const entered = params.getTextIn(row, 'number');
	const number = entered === undefined ? undefined : parseNumber(entered);
	if (number !== undefined && !(Number.isInteger(number) && number >= 1))
		noteFault(
			`${nameField('number')} isn't a whole number from 1 on`,
			'Enter e.g. 2, or leave it empty',
		);
	const { signer_identifier: signer, type } = row;
	const details = parseCollection(params, asObject(row.details), designationDetails);
	return {
		...faults,
		designation: parseAssignment({ signer_identifier: signer, type, ...details }, faults),
		pattern,
		number,
	};
}

/** Whether the fields that no row names get their places by their names. */
export const parseIsByName = (params: Params): boolean =>
	params.toBoolean('fieldsByName', params.getRaw('fieldsByName')) !== false;
