import type { IDataObject, ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { isExpression } from '../../run/parameters/stored';
import { asObject, asObjects, asText } from '../../values/json';
import {
	readParameter,
	fetchChosenTransaction,
	buildSearchResults,
	defineSearch,
	withReason,
} from '../../form/dropdowns';
import { formatSignerName, requireSigners } from './api';
import { buildExternalId } from './people';
import { ROLE_NAMES } from './roles';

/** Lists the signers of the chosen transaction. */
export const searchSigners = defineSearch(async (context, connect) =>
	requireSigners(await fetchChosenTransaction(context, connect)).map((signer) => ({
		name: formatSignerName(signer),
		value: asText(signer.signer_id) ?? asText(signer.external_id) ?? asText(signer.email),
	})),
);

/** Who can complete a designation beside the signers. */
const OFFICIALS = [
	{ name: 'Notary', value: 'notary' },
	{ name: 'Witness 1', value: 'witness1' },
	{ name: 'Witness 2', value: 'witness2' },
];

/** The roles that signers of a transaction may have that isn't there yet. */
const ROLES = ROLE_NAMES.map((role) => ({ name: `Role: ${role}`, value: role }));

/** How many signers are offered of a transaction that isn't there yet. */
const EXPECTED_COUNT = 3;

/**
 * The signers of a transaction that isn't there yet: those whom the node creates it with, or as many
 * as it may have, with the external IDs that the node gives them. So somebody who builds a workflow can
 * choose them before a first run has created a real closing. What the node names already, e.g. in an
 * imported workflow, is offered as well, and so are officials and roles.
 */
function listExpectedSigners(context: ILoadOptionsFunctions): INodePropertyOptions[] {
	const formRows = asObjects(asObject(context.getCurrentNodeParameter('signers')).row);
	const signers =
		formRows.length > 0 ? formRows : Array.from({ length: EXPECTED_COUNT }, () => ({}));
	const expected = signers.flatMap(
		({ external_id: id, role, first_name, last_name }: IDataObject, index) => {
			const entered = asText(id) ?? asText(role);
			const value = isExpression(entered) ? undefined : (entered ?? buildExternalId(index + 1));
			const names = [first_name, last_name].filter((name) => !isExpression(name)).map(asText);
			const name = names.filter(Boolean).join(' ') || `Signer ${index + 1}`;
			return value === undefined ? [] : [{ name: `${name} · ${value}`, value }];
		},
	);
	const knownValues = new Set([...expected, ...OFFICIALS, ...ROLES].map(({ value }) => value));
	const otherValues = [...new Set(collectEnteredIds(context.getCurrentNodeParameters()))].filter(
		(value) => !isExpression(value) && !knownValues.has(value),
	);
	const expectedValues = new Set(expected.map(({ value }) => value));
	return [
		...expected,
		...otherValues.map((value) => ({ name: value, value })),
		...OFFICIALS,
		...ROLES.filter(({ value }) => !expectedValues.has(value)),
	];
}

/** The external IDs that designations name, wherever they stand. */
function collectEnteredIds(values: unknown): string[] {
	if (typeof values !== 'object' || values === null) return [];
	return Object.entries(values).flatMap(([name, value]) => {
		const externalId = name === 'signer_identifier' ? asText(value) : undefined;
		return externalId === undefined ? collectEnteredIds(value) : [externalId];
	});
}

/**
 * Lists who can complete a designation: signers with an external ID, the notary, witnesses
 * (docs/service/documents.md#signer-identifier).
 * @throws NodeOperationError with the remedy in its message
 */
export async function getSigners(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await withReason(this, async (connect) => {
		// Without a run, an expression has no data yet.
		const isExpected =
			// n8n can't extract what the form doesn't have, as that of a new transaction.
			this.getCurrentNodeParameter('transactionId') === undefined ||
			(readParameter(this, 'transactionId') === undefined &&
				this.getCurrentNodeParameter('transactionId', { extractValue: true }) !== '');
		if (isExpected) return listExpectedSigners(this);
		const choices = requireSigners(await fetchChosenTransaction(this, connect)).map((signer) => ({
			name: formatSignerName(signer),
			value: asText(signer.external_id),
		}));
		return [...buildSearchResults(choices, undefined), ...OFFICIALS];
	});
}
