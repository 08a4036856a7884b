import type { IDataObject } from 'n8n-workflow';

import { Faults, parseTogether } from '../../../messages/inputFaults';
import type { OperationCall } from '../../../run/operation';
import { parsePlatform } from '../../../form/commonFields';
import { buildRetriever } from '../api';
import { PDF } from '../files/kinds';
import { findReadable } from '../files/bytes';
import { parseFields } from '../form';
import { readIncomingFileName, parseFile } from '../files/source';
import { placeDesignations } from '../places/placement';
import { parseWhereToSign } from '../places/whereToSign';
import { parseIfExists } from './ifExistsChoice';

/* Parses a document to add. */

/** A document to add, and what keeps it from being added. */
export type ParsedDocument = Awaited<ReturnType<typeof parseNewDocument>>;

/**
 * Parses a document, and places its designations.
 * @param retrieve retrieves the transaction
 */
export async function parseNewDocument(call: OperationCall, retrieve = buildRetriever(call)) {
	const { params } = call;
	const faults = new Faults();
	const place = faults.collect(() =>
		parseTogether({
			transactionId: () => params.getRequiredLocator('transactionId'),
			platform: () => parsePlatform(params),
		}),
	);
	const resource = await faults.collectLater(async () => await parseFile(call, PDF));
	const entered = faults.collect(() => parseNewFields(call)) ?? {};
	const options = params.getObject('additionalFields');
	const waits = faults.collect(() =>
		params.toBoolean('waitUntilProcessed', options.waitUntilProcessed),
	);
	const { skips, isDefault } = parseIfExists(params, options.ifExists, entered);
	const whereToSign = faults.collect(() => parseWhereToSign(params));
	const file = findReadable(call, resource, entered, whereToSign?.fetches === true);
	const looks = skips && faults.all.length === 0;
	// What can't be placed is no fault of a document that's there.
	const placing = looks ? new Faults() : faults;
	const retrieveSigners = place && retrieve;
	const unplaced = { fields: entered, resource: file ?? resource, retrieveSigners };
	const placement = await placeDesignations(call, unplaced, placing);
	const fields = { ...placement.fields, ...entered };
	const existing = { skips, isDefault, looks };
	const parsed = { place, resource, file, fields, waits, retrieve };
	return { ...parsed, ...existing, placement, placing, faults };
}

/** Parses a document to add, without its file and its designations. */
function parseNewFields(call: OperationCall): IDataObject {
	return parseFields(call, 'additionalFields', {
		filename: () => call.params.getText('documentName') ?? readIncomingFileName(call),
		requirement: () => call.params.getRequired('requirement'),
	});
}
