import type { IDataObject } from 'n8n-workflow';

import { Faults, readTogether } from '../../messages/faults';
import type { OperationCall } from '../../run/operation';
import { withoutEmpty } from '../../values/json';
import { readPlace } from './place';
import { readPaper } from './readPaper';
import { PDF, readFile } from './source';

/* Reads the changes of a document (docs/service/documents.md#update-a-document). */

/**
 * Reads everything that may be sent.
 * @throws InputFailure naming the parameters, all faults at once
 */
export async function readUpdate(call: OperationCall) {
	const faults = new Faults();
	const place = faults.read(() => readPlace(call.params));
	const resource = await faults.readLater(async () =>
		call.params.boolean('replaceFile') ? await readFile(call, PDF) : undefined,
	);
	const read = faults.read(() => readChanges(call));
	faults.tell();
	return { place: place!, resource, ...read! };
}

/**
 * Reads everything but the file.
 * @throws InputFailure naming the parameters, all faults at once
 */
export function readChanges(call: OperationCall): { changes: IDataObject; hint?: string } {
	const values = call.params.object('updateFields');
	const { placed, ...named } = readTogether({
		name: () => call.params.textOf(values, 'name'),
		requirement: () => call.params.textOf(values, 'requirement'),
		placed: () => readPaper(call, values),
	});
	return { changes: withoutEmpty({ ...named, ...placed.fields }), hint: placed.hint };
}
