import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../messages/explainedFailure';
import { Faults, readEach, readTogether } from '../../messages/faults';
import type { OperationCall } from '../../run/operation';
import type { Params } from '../../run/parameters/params';
import { withoutEmpty } from '../../values/json';
import { readCollection } from '../shared/builders';
import { wholeNumber } from '../shared/checks';
import { readPlatform } from '../shared/platform';
import type { Place } from './api';
import { parseDesignations } from './designations';
import { documentDetails } from './form';
import { incomingFileName, parseFile, PDF } from './source';

/* Parses what is filled in for a document (docs/service/documents.md#document-fields). */

/**
 * Parses which document of which transaction an item works on.
 * @throws InputFailure when one of them is empty
 */
export function parsePlace(params: Params): Place {
	return readTogether({
		transactionId: () => params.requiredLocator('transactionId'),
		documentId: () => params.requiredLocator('documentId'),
		platform: () => readPlatform(params),
	});
}

/**
 * Parses a document to add, with its file.
 * @throws InputFailure naming the parameters, all faults at once
 */
export async function parseNewDocument(call: OperationCall) {
	const faults = new Faults();
	const transactionId = faults.read(() => call.params.requiredLocator('transactionId'));
	const resource = await faults.readLater(async () => await parseFile(call, PDF));
	const fields = faults.read(() => parseNewFields(call));
	faults.tell();
	return { transactionId: transactionId!, resource: resource!, fields: fields! };
}

/** Parses a document to add, without its file. */
export function parseNewFields(call: OperationCall): IDataObject {
	return parseFields(call, 'additionalFields', {
		filename: () => call.params.text('documentName') ?? incomingFileName(call),
		requirement: () => call.params.required('requirement'),
	});
}

/**
 * Parses the changes of a document, with a new file if there is one
 * (docs/service/documents.md#update-a-document).
 * @throws InputFailure naming the parameters, all faults at once
 */
export async function parseUpdate(call: OperationCall) {
	const faults = new Faults();
	const place = faults.read(() => parsePlace(call.params));
	const resource = await faults.readLater(async () =>
		call.params.boolean('replaceFile') ? await parseFile(call, PDF) : undefined,
	);
	const changes = faults.read(() => parseChanges(call));
	faults.tell();
	return { place: place!, resource, changes: changes! };
}

/** Parses the changes of a document, without its file. */
export function parseChanges(call: OperationCall): IDataObject {
	const { params } = call;
	const textOf = (name: string) => () => params.textOf(params.object('updateFields'), name);
	return parseFields(call, 'updateFields', {
		name: textOf('name'),
		requirement: textOf('requirement'),
	});
}

/**
 * Parses the fields of an operation: those beside its collection, the details in it, and the
 * designations, which may be in one of its groups.
 */
function parseFields(
	call: OperationCall,
	collection: string,
	beside: Record<string, () => unknown>,
): IDataObject {
	const faults = new Faults();
	const fields = faults.read(() => readTogether(beside)) as IDataObject;
	const details = faults.read(() => parseDetails(call, call.params.object(collection)));
	const designations = faults.read(() =>
		parseDesignations(call.params, details?.signing_designation_groups),
	);
	faults.tell();
	return withoutEmpty({ ...fields, ...details, signing_designations: designations });
}

/**
 * Parses the rarely used fields of one document. The authorization header is removed from every text
 * of this run, because it is a secret.
 * @throws InputFailure naming the field
 */
export function parseDetails(
	{ params, service }: Pick<OperationCall, 'params' | 'service'>,
	values: IDataObject,
): IDataObject {
	const fields = readCollection(params, values, documentDetails, {
		signing_designation_groups: (value) => {
			const groups = readEach(params.rows('signing_designation_groups', value), (row, index) =>
				parseGroup(params, row, index + 1),
			);
			return groups.length === 0 ? {} : { signing_designation_groups: groups };
		},
	});
	readTogether({
		position() {
			if (fields.bundle_position !== undefined)
				wholeNumber(fields.bundle_position, 0, params.label('bundle_position'));
		},
		requirements() {
			if (fields.notarization_required === true && fields.identity_confirmation_required === true)
				throw new InputFailure(
					params.label('notarization_required'),
					"is on together with 'Identity Confirmation Required'",
					'Turn one of the two off: the service takes only one of them for a document',
				);
		},
	});
	if (typeof fields.authorization_header === 'string') {
		fields.authorization_header = fields.authorization_header.replace(/^([^:]+):\s*/, '$1:');
		const value = fields.authorization_header.replace(/^[^:]+:/, '');
		service.keepSecret(value);
		// After "Bearer" or "Basic", the secret alone may come back.
		service.keepSecret(value.replace(/^[\w-]+\s+/, ''));
	}
	return fields;
}

/** Parses a group of designations (docs/service/documents.md#designation-groups). */
function parseGroup(params: Params, row: IDataObject, number: number): IDataObject {
	const place = (field: string) => `, row ${number}: '${field}'`;
	const label = params.label('signing_designation_groups');
	const name = params.textOf(row, 'name') ?? '';
	if (!/^[\w()-]{1,64}$/.test(name))
		throw new InputFailure(
			label,
			`${place('Name')} is ${name === '' ? 'empty' : `'${name}'`}`,
			'Use up to 64 letters, digits, hyphens, underscores and parentheses, without spaces',
		);
	const least = wholeNumber(row.min_required ?? 1, 0, label, place('At Least'));
	const most = wholeNumber(row.max_required ?? 1, least, label, place('At Most'));
	return { name, min_required: least, max_required: most };
}
