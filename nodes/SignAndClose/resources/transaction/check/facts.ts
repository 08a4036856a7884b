import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { explain } from '../../../messages/explanations';
import type { OperationCall } from '../../../run/operation';
import type { TransactionAnswer } from '../../../transport/answers/shapes';
import { fetchList } from '../../../transport/answers/lists';
import { asError, findFailure } from '../../../transport/failure/failure';
import { getStatusMeaning } from '../../../transport/http/statuses';
import type { Platform } from '../../../transport/service/endpoints';
import { asText } from '../../../values/json';
import { isBlank } from '../../../values/comparison';
import { buildAddressQuery } from '../../address/form';
import { fetchJurisdictions } from '../../address/api';
import { checkFile, XML } from '../../document/files/kinds';
import { withFileBytes } from '../../document/files/bytes';
import { decodeXml } from '../../document/files/judgement';
import { openContent, findIncoming } from '../../document/files/itemFile';
import { defineText } from '../../../form/fields';
import type { TransactionTarget } from '../api';
import { hasConsentedHere } from '../executionNotes';
import { parseBorrowers } from './borrowers';
import { needsAnyNotary } from './notaryChecks';
import type { CheckAnswer, Facts } from './findings';

/* Gathers what is checked: questions to the service beside the transaction, and the eNote's file. */

/** The eNote, if the item has its file. A model has no files. */
export const enoteFileField: INodeProperties = {
	...defineText(
		'eNote File',
		'binaryPropertyName',
		'data',
		"The input binary field with the eNote's XML, to compare the names in it with the signers",
	),
	displayOptions: { show: { platform: ['realEstate'] }, hide: { '@tool': [true] } },
};

/**
 * Reads the people whom the eNote names.
 * @returns undefined when there's no file to read
 * @throws InputFailure when the item lacks the file, or it isn't XML
 */
export async function readEnote(call: OperationCall): Promise<Facts['enote']> {
	const { context, params } = call;
	const value = params.getRaw(enoteFileField.name);
	if (isBlank(value)) return undefined;
	const label = params.label(enoteFileField.name);
	const content = await openContent(context, findIncoming(call, value), label);
	return await withFileBytes(call, await checkFile(call, content, XML, label), async (bytes) => ({
		borrowers: parseBorrowers(decodeXml(bytes)),
	}));
}

/** The facts that the transaction alone shows. */
export const buildFacts = (
	{ service }: Pick<OperationCall, 'service'>,
	transaction: TransactionAnswer,
	platform: Platform,
): Facts => ({
	transaction,
	platform,
	assuranceField: service.settings.assuranceField,
	now: Date.now(),
});

/** All facts. A question that the service doesn't answer leaves something unknown, and fails nothing. */
export async function collectFacts(
	call: OperationCall,
	transaction: TransactionAnswer,
	{ transactionId, platform }: TransactionTarget,
): Promise<Facts> {
	const { service } = call;
	const facts = buildFacts(call, transaction, platform);
	const ofTransaction = { path: { transactionId }, platform };
	const [notaries, jurisdictions] = await Promise.all([
		needsAnyNotary(facts) === false
			? undefined
			: ask(async () => (await fetchList(service, 'listEligibleNotaries', ofTransaction)).entries),
		facts.platform === 'realEstate' ? askJurisdictions(call, transaction) : undefined,
	]);
	call.context.getExecutionCancelSignal()?.throwIfAborted();
	const hasPaperNote = hasConsentedHere(call, transactionId);
	return { ...facts, notaries, jurisdictions, hasPaperNote };
}

/** Asks for the jurisdictions of a closing, if its answer shows where and what it is. */
async function askJurisdictions(
	{ service }: OperationCall,
	{ street_address: address, transaction_type: type }: TransactionAnswer,
): Promise<CheckAnswer | undefined> {
	const { line1, line2, city, state, postal, zip_code: zip } = address ?? {};
	if (!line1 || !city || !state || !type) return undefined;
	const zipCode = asText(postal) ?? asText(zip);
	const property = { line1, line2: asText(line2), city, state, postal: zipCode };
	const query = buildAddressQuery(type, property, service.settings.organizationId);
	return await ask(async () => await fetchJurisdictions(service, query));
}

/**
 * Asks the service.
 * @throws what says that the service takes requests later: then a later try gets its answer
 */
async function ask(retrieve: () => Promise<IDataObject[]>): Promise<CheckAnswer> {
	try {
		return { entries: await retrieve() };
	} catch (thrown) {
		const failure = findFailure(thrown);
		if (failure === undefined || getStatusMeaning(failure.flags.httpStatus) === 'limited')
			throw asError(thrown);
		return { reason: explain(failure).message };
	}
}
