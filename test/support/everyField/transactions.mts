import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox/index.mts';
import { borrowers, CLOSING, id, pdfItem, TITLE, toForm } from '../closing.mts';
import { done } from '../matrix/scene.mts';
import {
	BUSINESS_FIELDS,
	CHECKS,
	CLOSING_FIELDS,
	designations,
	DOCUMENT_FIELDS,
	signer,
	SIGNER_DETAILS,
} from './values.mts';

/** Transactions with every field filled in, on both platforms. */

export const PLATFORMS = ['realEstate', 'business'] as const;
type TestedPlatform = (typeof PLATFORMS)[number];

interface FullTransaction {
	/** The parameters that choose it in the node. */
	chosen: { platform: TestedPlatform; transactionId: IDataObject };
	/** A document of it, with designations. */
	documentId: IDataObject;
	/** The external ID of its first signer. */
	signer: string;
	/** Its ID as it is. */
	plainId: string;
}

/**
 * The parameters of Transaction: Create Closing.
 * @param more further rows of signers
 */
export const fullClosing = (more: IDataObject[] = []): IDataObject => ({
	...CLOSING,
	signers: borrowers(
		{ middle_name: 'Ann', identityChecks: CHECKS, details: SIGNER_DETAILS },
		signer('co'),
		...more,
	),
	...toForm({ ...TITLE, ...CLOSING_FIELDS, addressLine2: 'Unit 2' }),
});

/**
 * The parameters of Transaction: Create.
 * @param more further rows of signers
 */
export const fullBusiness = (sandbox: Sandbox, more: object[] = []): IDataObject => ({
	transactionName: 'A',
	signers: { row: [signer('s1'), ...more] },
	documents: {
		row: [
			{
				source: 'url',
				fileUrl: `${sandbox.url}/samples/deed-of-trust.pdf`,
				requirement: 'notarization',
				name: 'Deed',
				details: {
					...DOCUMENT_FIELDS,
					signing_designation_groups: undefined,
					whereToSign: 'tags',
				},
			},
		],
	},
	draft: true,
	...toForm(BUSINESS_FIELDS),
});

/** The parameters of Document: Add, whose file is the item's. */
export const fullDocument = (signerId: string): IDataObject => ({
	source: 'binary',
	binaryPropertyName: 'data',
	documentName: 'Deed',
	requirement: 'notarization',
	whereToSign: 'rows',
	designations: designations(signerId),
	additionalFields: { ifExists: 'add', ...DOCUMENT_FIELDS },
});

/** A transaction without documents of its own, each field filled in. */
export async function fullTransaction(
	sandbox: Sandbox,
	platform: TestedPlatform,
): Promise<Omit<FullTransaction, 'documentId'>> {
	const [operation, parameters] =
		platform === 'realEstate'
			? ['createClosing', fullClosing()]
			: ['create', fullBusiness(sandbox)];
	const { transaction_id: created } = await done(sandbox, {
		...parameters,
		resource: 'transaction',
		operation,
		output: 'raw',
	});
	return {
		chosen: { platform, transactionId: id(String(created)) },
		signer: platform === 'realEstate' ? 'borrower-1' : 's1',
		plainId: String(created),
	};
}

/** A draft that can be sent. */
export async function fullDraft(
	sandbox: Sandbox,
	platform: TestedPlatform,
): Promise<FullTransaction> {
	const made = await fullTransaction(sandbox, platform);
	const { document_id: documentId } = await done(
		sandbox,
		{
			...made.chosen,
			...fullDocument(made.signer),
			resource: 'document',
			operation: 'add',
			output: 'raw',
		},
		[await pdfItem()],
	);
	return { ...made, documentId: id(String(documentId)) };
}

/** A transaction that was sent to its signers. */
export async function fullSent(
	sandbox: Sandbox,
	platform: TestedPlatform,
): Promise<FullTransaction> {
	const made = await fullDraft(sandbox, platform);
	await done(sandbox, {
		...made.chosen,
		resource: 'transaction',
		operation: 'send',
		additionalFields: {},
		output: 'raw',
	});
	return made;
}

/** A completed transaction, with the parameter that chooses its notarization record. */
export async function fullCompleted(
	sandbox: Sandbox,
	platform: TestedPlatform,
): Promise<FullTransaction & { recordId: IDataObject }> {
	const made = await fullSent(sandbox, platform);
	await sandbox.act.complete(made.plainId);
	const { recordId } = sandbox.world.transactions.get(made.plainId)!;
	return { ...made, recordId: id(String(recordId)) };
}
