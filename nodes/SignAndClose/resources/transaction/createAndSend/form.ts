import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../../../messages/failures';
import type { OperationCall } from '../../../run/operation';
import { asOptionalFields, readOptionalFields } from '../../../run/parameters/optionalFields';
import type { Params } from '../../../run/parameters/params';
import type { Platform } from '../../../transport/service/endpoints';
import { addressProperties } from '../../address/form';
import { documentRules } from '../../document/rules/ruleFields';
import { enoteFields } from '../../enote/form';
import { platform, promissoryNote } from '../../../form/commonFields';
import { defineRows, defineText } from '../../../form/fields';
import { defineHiddenSettingsChoice } from '../../draft/hiddenSettings';
import {
	createdWithin,
	lookInBranches,
	matchBy,
	NUMBER_FIELDS,
	removeSignersNotNamed,
	useDraftsMadeByHand,
	type NumberField,
} from '../ifExists/options';
import { closingMainFields, closingOptionalFields, closingTitleFields } from '../create/closing';
import { defineSubjects } from '../create/subjects';
import { withoutRow } from '../sheet/source';
import { returnSigningLinks, suppressEmail } from '../sendOptions';
import { businessFields, businessMainFields } from '../create/business';
import { buildClosingName } from '../sheet/row';
import { documentWait } from '../documentWait';
import {
	documentsNotInTheItem,
	filesWithoutRule,
	ifItDiffersChoice,
	sendAgainIfRecalled,
	thenChoice,
} from './choices';

/*
 * The form: that of a create, with the table of rules and what happens afterwards. Name and address,
 * which the other creates ask for one by one, are in fields of their own.
 */

/** The eNote of an item. */
export const enoteOfItem: INodeProperties = defineRows('eNote', 'enote', 'eNote', enoteFields, {
	typeOptions: { multipleValues: false },
});

const enote: INodeProperties = {
	...enoteOfItem,
	description: 'The electronic promissory note, unless the closing shows one already',
	displayOptions: { show: { [promissoryNote.name]: ['enote'] } },
};

const property: INodeProperties = defineRows('Property', 'property', 'Address', addressProperties, {
	typeOptions: { multipleValues: false },
	description: 'Address of the property',
});

const transactionName = defineText(
	'Transaction Name',
	'transactionName',
	'Refinance 100 Harbor Street',
	"Name shown in lists and emails. By default, a closing's is made of its type, its first signer and its street.",
);

const sharedFields = [
	transactionName,
	createdWithin,
	ifItDiffersChoice,
	documentsNotInTheItem,
	documentWait,
	lookInBranches,
	removeSignersNotNamed,
	returnSigningLinks,
	sendAgainIfRecalled,
	defineHiddenSettingsChoice(),
	useDraftsMadeByHand,
	filesWithoutRule,
];

/** What a create has, and this form has in another place or not at all. */
const FIELDS_ELSEWHERE = new Set([
	'addressLine2',
	'ifExists',
	'matchBy',
	'pdf_bookmarked',
	'sendReference',
	...sharedFields.map(({ name }) => name),
]);

/** The optional fields of this form, from those of a create. */
const defineOptionalFields = (ofCreate: INodeProperties[], ofPlatform: INodeProperties[] = []) =>
	defineSubjects([
		...ofCreate.filter(({ name }) => !FIELDS_ELSEWHERE.has(name)),
		...sharedFields,
		...ofPlatform,
	]);

const showOn =
	(value: Platform) =>
	(field: INodeProperties): INodeProperties => ({
		...field,
		displayOptions: {
			...field.displayOptions,
			show: { ...field.displayOptions?.show, platform: [value] },
		},
	});

const isFrontField = ({ name }: INodeProperties) =>
	name !== 'transactionName' && !addressProperties.some((field) => field.name === name);

/** All fields but the output. */
export const createAndSendFields: INodeProperties[] = [
	platform,
	...[
		...closingMainFields.filter(isFrontField),
		withoutRow(property),
		...closingTitleFields,
		enote,
		{
			...matchBy,
			// Not required for n8n, which shows all fields of this form when the platform is an expression,
			// and not red before it's chosen.
			default: '',
			allowArbitraryValues: true,
			description:
				'The number that tells whether the closing exists. It has to be exactly the same, and so has the type. The node continues with a draft, and returns a sent closing.',
		},
	].map(showOn('realEstate')),
	...businessMainFields.filter(isFrontField).map(showOn('business')),
	// A model has no files.
	{ ...documentRules, displayOptions: { hide: { '@tool': [true] } } },
	thenChoice,
	...defineOptionalFields(closingOptionalFields, [suppressEmail]).map(showOn('realEstate')),
	...defineOptionalFields(businessFields).map(showOn('business')),
];

/** The call of a create, as if its form had been filled in. */
export function asCreateCall(call: OperationCall): OperationCall {
	const { params } = call;
	if (params.getChoice('fieldsFrom') !== 'form') return call;
	const additional = readOptionalFields(params);
	const [address = {}] = params.getRows(property.name);
	const [{ first_name: first, last_name: last } = {} as IDataObject] = params.getRows('signers');
	const type =
		params.getChoice('platform') === 'business' ? undefined : params.getText('transactionType');
	const name =
		params.getTextIn(additional, transactionName.name) ??
		(type === undefined ? undefined : buildClosingName(type, first, last, address.addressLine1));
	const values = {
		...Object.fromEntries(addressProperties.map(({ name: part }) => [part, address[part]])),
		transactionName: name,
		...asOptionalFields({ ...additional, addressLine2: address.addressLine2 }),
	};
	return { ...call, params: params.withValues(values, new Map()) };
}

/** The call of an eNote; undefined where the item has none. */
export function asEnoteCall(call: OperationCall): OperationCall | undefined {
	const { params } = call;
	const [values] = params.getRows(enote.name);
	return values && { ...call, params: params.withValues(values, new Map()) };
}

/**
 * The numbers by which an item is recognized. Business transactions have no other number.
 * @throws InputFailure when none is chosen
 */
export function parseNumberFields(params: Params, of: Platform): NumberField[] {
	if (of === 'business') return NUMBER_FIELDS.external_id;
	const matchField = params.getChoice(matchBy.name);
	if (matchField !== undefined) return NUMBER_FIELDS[matchField];
	throw new InputFailure(
		params.label(matchBy.name),
		'is empty',
		'Choose the number that your file has: by it, the next run finds what this one has created',
	);
}
