import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../../messages/failures';
import { parseEach, parseInTurn, parseTogether } from '../../messages/inputFaults';
import type { OperationCall } from '../../run/operation';
import type { Params } from '../../run/parameters/params';
import type { FileContent } from '../../transport/files/requestBody';
import { withoutEmpty } from '../../values/json';
import { ifExists } from '../document/add/ifExistsChoice';
import { ENOTE, XML } from '../document/files/kinds';
import { defineFileSource, parseFile, parseUrl } from '../document/files/source';
import { defineChoice, defineCollection, defineRows, defineText } from '../../form/fields';

/* The fields of an eNote (docs/service/closings.md#enote-fields). */

const COMPLETE = 'ENOTE';
const VAULT = 'EORIGINAL_CONTAINER';
/** Not a type of the service: an integration stands instead of one. */
const INTEGRATION = 'integration';

const type = defineChoice(
	'eNote Type',
	'enoteType',
	[
		['Complete SMART Document', COMPLETE, 'A finished eNote in SMARTDoc format 1.02, as XML'],
		['eOriginal Container', VAULT, "A note that's already in a vault, without a file"],
		['Integration', INTEGRATION, 'A note of an outside document system, as PDF'],
		['Seed XML', 'SCHEMA', 'Loan data as XML, which the service creates the eNote from'],
	],
	'What the eNote is made from',
);

/**
 * What an integration needs. Not required for n8n, which shows all fields of this form when the type
 * is an expression, and would then stop workflows that were made without these.
 */
const integration: INodeProperties[] = [
	{
		...defineText('Integration', 'integration', 'DOCUTECH', 'Name of the document system'),
		default: 'DOCUTECH',
		displayOptions: { show: { enoteType: [INTEGRATION] } },
	},
	{
		...defineText(
			'PDF URL',
			'pdfUrl',
			'https://files.example.com/note.pdf',
			'URL of the PDF of the note. The service must be able to reach it.',
		),
		displayOptions: { show: { enoteType: [INTEGRATION] } },
	},
];

const containerFields: INodeProperties[] = [
	defineText('Document ID', 'document_id', '8812', 'ID of the note in the vault'),
	defineText('Transaction ID', 'transaction_id', '5501', 'ID of the transaction in the vault'),
	defineText('Transaction Name', 'transaction_name', 'Loan 7001234'),
];

/** A closing has one eNote at most, so nothing tells one from another. */
export const ifEnoteExists: INodeProperties = {
	...ifExists,
	default: 'add',
	description:
		"What to do if the closing shows an eNote already. With 'Skip', one with another content is refused.",
};

const container = defineCollection('Container', 'container', containerFields, {
	displayOptions: { show: { enoteType: [VAULT] } },
	description: 'Location of the note in the vault. All three fields are required.',
});

const borrowerFields: INodeProperties[] = [
	defineText('First Name', 'first_name', 'Jane'),
	defineText('Middle Name', 'middle_name', 'Ann'),
	defineText('Last Name', 'last_name', 'Borrower'),
	{
		...defineText(
			'Social Security Number',
			'ssn',
			'',
			'Nine digits. Sent to the service. Never shown in outputs or logs.',
		),
		typeOptions: { password: true },
	},
];

const borrowers = defineRows('Borrowers', 'borrowers', 'Borrower', borrowerFields, {
	description: "People who owe the note, if the XML doesn't name them",
});

/** All fields of an eNote. Its type decides where it comes from. */
export const enoteFields: INodeProperties[] = [
	type,
	...defineFileSource(XML, { hide: { enoteType: [VAULT, INTEGRATION] } }),
	...integration,
	container,
	borrowers,
];

/** An eNote as the body of the request. */
export type NewEnote = IDataObject & { file?: string | FileContent };

/** The file that the service keeps as it is; of any other type it makes an eNote of its own. */
export const getKeptFile = ({ type: enoteType, file }: NewEnote): FileContent | undefined =>
	enoteType === COMPLETE && typeof file !== 'string' ? file : undefined;

/**
 * Parses an eNote as the body of the request. A file of the item is streamed while it is sent.
 * Social security numbers are removed from every text of this run, because they are secrets.
 * @throws InputFailure naming the parameter
 */
export async function parseEnote(call: OperationCall): Promise<NewEnote> {
	const { params } = call;
	const enoteType = params.getRequired('enoteType');
	const { borrowers, note, file } = await parseInTurn({
		borrowers: () => parseBorrowers(call),
		note: () =>
			enoteType === INTEGRATION
				? parseTogether({
						integration: () => params.getRequired('integration'),
						file: () => parseUrl(params.getRequired('pdfUrl'), params.label('pdfUrl')),
					})
				: { type: enoteType, ...parseContainer(params, enoteType === VAULT) },
		file: async () =>
			[INTEGRATION, VAULT].includes(enoteType)
				? undefined
				: await parseFile(call, enoteType === COMPLETE ? ENOTE : XML),
	});
	return {
		...note,
		...(borrowers.length > 0 && { borrowers }),
		...(file !== undefined && { file }),
	};
}

function parseContainer(params: Params, isRequired: boolean): IDataObject {
	const values = params.getObject('container');
	const container = parseEach(containerFields, ({ name, displayName }) => {
		const value = params.getTextIn(values, name);
		if (value === undefined && isRequired)
			throw new InputFailure(
				`${params.label('container')}: ${displayName}`,
				'is empty',
				'Fill in all fields of the container: the service finds the note in the vault by them',
			);
		return [name, value];
	}).filter(([, value]) => value !== undefined);
	return container.length === 0 ? {} : { container: Object.fromEntries(container) };
}

function parseBorrowers({ params, service }: OperationCall): IDataObject[] {
	const label = params.label('borrowers');
	return parseEach(params.getRows('borrowers'), (row, index) => {
		const borrower = Object.fromEntries(
			borrowerFields.map(({ name }) => [name, params.getTextIn(row, name)]),
		);
		const { first_name: first, last_name: last, ssn } = borrower;
		if (ssn !== undefined)
			for (const secret of [ssn, ssn.replace(/\D/g, '')]) service.keepSecret(secret);
		const place = `, entry ${index + 1}`;
		const { digits } = parseTogether({
			names() {
				if (first === undefined || last === undefined)
					throw new InputFailure(
						label,
						`${place}: first or last name is empty`,
						'Fill in both names or remove the entry',
					);
			},
			digits() {
				const digits = ssn?.replace(/[\s-]/g, '');
				if (digits === undefined || /^\d{9}$/.test(digits)) return digits;
				// It's a secret, so that the message doesn't show it.
				throw new InputFailure(
					label,
					`${place}: 'Social Security Number' doesn't have nine digits`,
					'Enter all nine digits, as text that keeps leading zeros',
				);
			},
		});
		return withoutEmpty({ ...borrower, ssn: digits });
	});
}
