import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../../messages/explainedFailure';
import { Faults, readEach, readTogether } from '../../messages/faults';
import type { OperationCall } from '../../run/operation';
import type { FileContent } from '../../transport/files/streamedJson';
import { withoutEmpty } from '../../values/json';
import { fileSourceProperties, parseFile, parseUrl, XML } from '../document/source';
import { collection, rows, text } from '../shared/builders';
import { socialSecurityNumber } from '../shared/checks';
import { PERSON, rowTitle, withLook } from '../shared/rowLook';

/* The fields of an eNote (docs/service/closings.md#enote-fields). */

const VAULT = 'EORIGINAL_CONTAINER';
/** Not a type of the service: an integration stands instead of one. */
const INTEGRATION = 'integration';

const type: INodeProperties = {
	displayName: 'eNote Type',
	name: 'enoteType',
	type: 'options',
	options: [
		{
			name: 'Complete SMART Document',
			value: 'ENOTE',
			description: 'A finished eNote in SMARTDoc format 1.02, as XML',
		},
		{
			name: 'eOriginal Container',
			value: VAULT,
			description: "A note that's already in a vault, without a file",
		},
		{
			name: 'Integration',
			value: INTEGRATION,
			description: 'A note of an outside document system, as PDF',
		},
		{
			name: 'Seed XML',
			value: 'SCHEMA',
			description: 'Loan data as XML, which the service creates the eNote from',
		},
	],
	default: 'ENOTE',
	description: 'What the eNote is made from',
};

/**
 * What an integration needs. Not required for n8n, which shows all fields of this form when the type
 * is an expression, and would then stop workflows that were made without these.
 */
const integration: INodeProperties[] = [
	{
		...text('Integration', 'integration', 'DOCUTECH', 'Name of the document system'),
		default: 'DOCUTECH',
		displayOptions: { show: { enoteType: [INTEGRATION] } },
	},
	{
		...text(
			'PDF URL',
			'pdfUrl',
			'https://files.example.com/note.pdf',
			'URL of the PDF of the note. The service must be able to reach it.',
		),
		displayOptions: { show: { enoteType: [INTEGRATION] } },
	},
];

const containerFields: INodeProperties[] = [
	text('Document ID', 'document_id', '8812', 'ID of the note in the vault'),
	text('Transaction ID', 'transaction_id', '5501', 'ID of the transaction in the vault'),
	text('Transaction Name', 'transaction_name', 'Loan 7001234'),
];

const container = collection('Container', 'container', containerFields, {
	displayOptions: { show: { enoteType: [VAULT] } },
	description: 'Location of the note in the vault. All three fields are required.',
});

const borrowerFields: INodeProperties[] = [
	text('First Name', 'first_name', 'Jane'),
	text('Middle Name', 'middle_name', 'Ann'),
	text('Last Name', 'last_name', 'Borrower'),
	{
		...text(
			'Social Security Number',
			'ssn',
			'',
			'Nine digits. Sent to the service. Never shown in outputs or logs.',
		),
		typeOptions: { password: true },
	},
];

const borrowers = withLook(
	rows('Borrowers', 'borrowers', 'Borrower', borrowerFields, {
		description: "People who owe the note, if the XML doesn't name them",
	}),
	rowTitle(PERSON),
);

/** All fields of an eNote. Its type decides where it comes from. */
export const enoteFields: INodeProperties[] = [
	type,
	...fileSourceProperties(XML, { hide: { enoteType: [VAULT, INTEGRATION] } }),
	...integration,
	container,
	borrowers,
];

/**
 * Reads an eNote as the body of the request. A file of the item is streamed while it is sent.
 * Social security numbers are removed from every text of this run, because they are secrets.
 * @throws InputFailure naming the parameter
 */
export async function readEnote(
	call: OperationCall,
): Promise<IDataObject & { file?: string | FileContent }> {
	const { params } = call;
	const enoteType = params.required('enoteType');
	const faults = new Faults();
	const people = faults.read(() => readBorrowers(call)) ?? [];
	const named = people.length > 0 ? { borrowers: people } : {};
	if (enoteType === INTEGRATION) {
		const integrated = faults.read(() =>
			readTogether({
				integration: () => params.required('integration'),
				file: () => parseUrl(params.required('pdfUrl'), params.label('pdfUrl')),
			}),
		);
		faults.tell();
		return { ...named, ...integrated };
	}
	const vault = faults.read(() => readContainer(call, enoteType === VAULT)) ?? {};
	const file =
		enoteType === VAULT
			? undefined
			: await faults.readLater(async () => await parseFile(call, XML));
	faults.tell();
	return {
		type: enoteType,
		...named,
		...(Object.keys(vault).length > 0 && { container: vault }),
		...(file !== undefined && { file }),
	};
}

function readContainer({ params }: OperationCall, required: boolean): IDataObject {
	const given = params.object('container');
	const read = readEach(containerFields, ({ name, displayName }) => {
		const value = params.textOf(given, name);
		if (value === undefined && required)
			throw new InputFailure(
				`${params.label('container')}: ${displayName}`,
				'is empty',
				'Fill in all fields of the container: the service finds the note in the vault by them',
			);
		return [name, value];
	});
	return withoutEmpty(Object.fromEntries(read) as IDataObject);
}

function readBorrowers({ params, service }: OperationCall): IDataObject[] {
	return readEach(params.rows('borrowers'), (row, index) => {
		const {
			first_name: first,
			middle_name: middle,
			last_name: last,
			ssn,
		} = Object.fromEntries(borrowerFields.map(({ name }) => [name, params.textOf(row, name)]));
		if (ssn !== undefined)
			for (const written of [ssn, ssn.replace(/\D/g, '')]) service.keepSecret(written);
		const label = `, row ${index + 1}`;
		const { number } = readTogether({
			names() {
				if (first === undefined || last === undefined)
					throw new InputFailure(
						params.label('borrowers'),
						`${label}: first or last name is empty`,
						'Fill in both names or remove the row',
					);
			},
			number: () =>
				ssn === undefined ? undefined : socialSecurityNumber(ssn, params.label('borrowers'), label),
		});
		return withoutEmpty({ first_name: first, middle_name: middle, last_name: last, ssn: number });
	});
}
