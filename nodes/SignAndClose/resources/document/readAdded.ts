import type { IDataObject } from 'n8n-workflow';

import { Faults, readTogether } from '../../messages/faults';
import type { OperationCall } from '../../run/operation';
import { withoutEmpty } from '../../values/json';
import { readPaper } from './readPaper';
import { incomingFileName, PDF, readFile } from './source';

/* Reads a new document (docs/service/documents.md#add-a-document). */

/**
 * Reads everything that is sent.
 * @throws InputFailure naming the parameters, all faults at once
 */
export async function readAdded(call: OperationCall) {
	const faults = new Faults();
	const transactionId = faults.read(() => call.params.requiredLocator('transactionId'));
	const resource = await faults.readLater(async () => await readFile(call, PDF));
	const read = faults.read(() => readAddedFields(call));
	faults.tell();
	return { transactionId: transactionId!, resource: resource!, ...read! };
}

/**
 * Reads everything but the file.
 * @throws InputFailure naming the parameters, all faults at once
 */
export function readAddedFields(call: OperationCall): { fields: IDataObject; hint?: string } {
	const { params } = call;
	const { placed, ...named } = readTogether({
		filename: () => params.text('documentName') ?? incomingFileName(call),
		requirement: () => params.required('requirement'),
		placed: () => readPaper(call, params.object('additionalFields')),
	});
	return {
		fields: withoutEmpty({ ...named, ...placed.fields }),
		hint: placed.hint,
	};
}
