import { collection, rows, text } from '../shared/builders';

/* Fields of an eNote (docs/service/closings.md#add-an-enote). */

/** The people of a note, where its XML doesn't name them. */
export const enoteBorrowers = rows(
	'Borrowers',
	'borrowers',
	'Borrower',
	[
		text('First Name', 'first_name', 'Jane'),
		text('Middle Name', 'middle_name', 'Ann'),
		text('Last Name', 'last_name', 'Borrower'),
		{
			...text(
				'Social Security Number',
				'ssn',
				'',
				'Sent to the service. Never shown in outputs or logs.',
			),
			typeOptions: { password: true },
		},
	],
	{ description: "People who owe the note, if the XML doesn't name them" },
);

/** Where the note is kept, for an eNote that is in a vault already. */
export const enoteContainer = collection(
	'Container',
	'container',
	[
		text('Document ID', 'document_id', '8812', 'ID of the note in the vault'),
		text('Transaction ID', 'transaction_id', '5501', 'ID of the transaction in the vault'),
		text('Transaction Name', 'transaction_name', 'Loan 7001234'),
	],
	{
		displayOptions: { show: { enoteType: ['EORIGINAL_CONTAINER'] } },
		description: 'Location of the note in the vault',
	},
);
