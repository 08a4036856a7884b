import type { IDataObject } from 'n8n-workflow';

import { Faults } from '../../messages/faults';
import type { OperationCall } from '../../run/operation';
import { readDocumentDetails } from './details';
import { readDesignations } from './readDesignations';

/** The details of a document and its designations, as fields of the request. */
interface ReadPaper {
	fields: IDataObject;
	/** What to say of the designations after the run. */
	hint?: string;
}

/**
 * Reads the rarely used fields of a document, and its designations, which may be in one of its
 * groups.
 * @param values the collection that holds the details
 * @throws InputFailure with all that can't be used
 */
export function readPaper(call: OperationCall, values: IDataObject): ReadPaper {
	const faults = new Faults();
	const details = faults.read(() => readDocumentDetails(call, values));
	const placed = faults.read(() =>
		readDesignations(call.params, details?.signing_designation_groups),
	);
	faults.tell();
	return {
		fields: { ...details, signing_designations: placed?.designations },
		hint: placed?.hint,
	};
}
