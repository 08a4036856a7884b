import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../../../messages/failures';
import type {
	AnyWrite,
	OperationCall,
	OperationResult,
	RunSummary,
	WriteParts,
} from '../../../run/operation';
import type { Params } from '../../../run/parameters/params';
import { parseNumber } from '../../../values/plainValues';
import { PDF, type UploadKind } from '../files/kinds';
import { documentDetails, defineDocumentName, parseDocumentDetails } from '../form';
import { listIncomingPdfs, type IncomingPdf } from '../files/itemFile';

/* All PDFs of an item, each of which becomes a document as one alone does. */

/** The kind of file that one document or several are made of. */
export const PDFS: UploadKind = { ...PDF, several: true };

/** The name of a new document. Several have those of their files. */
export const newDocumentName: INodeProperties = {
	...defineDocumentName('documentName', 'Deed of Trust'),
	displayOptions: { hide: { source: ['allFiles'] } },
};

/** What several documents have differently. */
const CHANGES_FOR_SEVERAL: Record<string, (field: INodeProperties) => Partial<INodeProperties>> = {
	bundle_position: ({ description }) => ({
		description: `${description}. With 'All Files of the Item', that of the first one, which the others follow.`,
	}),
	tracking_id: () => ({ displayOptions: { hide: { '/source': ['allFiles'] } } }),
};

/** The rarely used fields of one document or several. */
export const newDocumentDetails: INodeProperties[] = documentDetails.map((field) => ({
	...field,
	...CHANGES_FOR_SEVERAL[field.name]?.(field),
}));

/**
 * Divides an item into its PDFs.
 * @param write adds one of them, as if it were the item's only one
 * @returns undefined unless all files are wanted
 * @throws InputFailure when the item has no PDF
 */
export async function divideByFiles(
	call: OperationCall,
	write: AnyWrite,
): Promise<WriteParts | undefined> {
	const { params } = call;
	if (params.getChoice('source') !== 'allFiles') return undefined;
	const { files, leftOut } = await listIncomingPdfs(call);
	return {
		parts: files.map((file, index) => ({
			key: file.name,
			name: file.displayName,
			params: buildParams(params, file, index),
			write,
			complete: ({ json, ...result }): OperationResult => ({
				...result,
				json: { ...json, file: file.name },
				note: leftOut,
			}),
		})),
		resumeAdvice: toGoOn(params),
		details: () => ({ transaction_id: params.getRequiredLocator('transactionId') }),
	};
}

/** The parts of a file that is split have other names, so that they can't be skipped. */
const toGoOn = (params: Params): string =>
	String(params.getObject('additionalFields').pdf_bookmarked) === 'true'
		? 'If you run the workflow again, leave out the files that are done'
		: "To add only the others by a new run of the workflow, set 'If It Exists' to Skip";

/** The parameters of one of the files: those of a document with this file alone. */
function buildParams(params: Params, { name, file, title }: IncomingPdf, index: number): Params {
	const additionalFields = params.getObject('additionalFields');
	const position = parseNumber(additionalFields.bundle_position) + index;
	return params.withValues(
		{
			source: 'binary',
			binaryPropertyName: file as unknown as IDataObject,
			documentName: title,
			additionalFields: {
				...additionalFields,
				...(Number.isInteger(position) && { bundle_position: position }),
			},
		},
		new Map([['binaryPropertyName', name]]),
	);
}

/** A reference that several documents have finds none of them. */
export function refuseReference(call: OperationCall): void {
	const { params } = call;
	if (parseDocumentDetails(call, params.getObject('additionalFields')).tracking_id === undefined)
		return;
	throw new InputFailure(
		params.label('tracking_id'),
		"can't be used with 'All Files of the Item', because it would be that of several documents",
		'Remove it: the node gives each document a reference of its own',
	);
}

/** Says what is left out of all items. */
export function describeLeftOut(notes: readonly string[][]): RunSummary {
	const names = [...new Set(notes.flat())];
	if (names.length === 0) return {};
	const reason = names.length === 1 ? "it isn't a PDF" : "they aren't PDFs";
	return { ofItems: [`Left out, because ${reason}: ${names.join(', ')}`] };
}
