import type { IDataObject } from 'n8n-workflow';

import { ExplainedFailure, InputFailure } from '../../messages/explainedFailure';
import { defineOperation, type OperationResult } from '../../run/operation';
import type { Params } from '../../run/parameters/params';
import { textsOf } from '../../run/parameters/textOf';
import { retrieveTransaction } from '../../transport/answers/retrieveTransaction';
import { ANY_FILE, downloadLink, typeByName } from '../../transport/download';
import { asObject, asObjects, asText } from '../../values/json';
import { outputField, platform } from '../shared/commonFields';
import { choice, type Choice } from '../shared/fields';
import { transactionLocator } from '../shared/locators';
import { parseTarget } from './api';

const KINDS: Choice[] = [
	['Attachments', 'attachments', 'Further files of the transaction'],
	['Charge Statement', 'charge_statement', 'What the transaction costs'],
	['Identity Report', 'identity_report', 'How the identity of the signers was checked'],
];

const files = choice('Files', 'files', KINDS, 'The files to download, as far as there are any', {
	type: 'multiOptions',
	default: KINDS.map(([, value]) => value),
});

/**
 * Downloads what a transaction has besides its documents and its audit trail, behind temporary links
 * (docs/service/transactions.md#answer-fields). One item for each file.
 */
export const downloadFiles = defineOperation({
	resource: 'transaction',
	value: 'downloadFiles',
	name: 'Download Files',
	action: 'Download files of transaction',
	description: 'Download attachments, charge statement and identity report, one item for each file',
	kind: 'read',
	properties: [platform, transactionLocator, files, outputField],
	async execute({ context, service, params }) {
		const { transactionId, platform } = parseTarget(params);
		const field = params.required('binaryPropertyName');
		const wanted = parseKinds(params);
		const find = async () =>
			filesOf(await retrieveTransaction(service, transactionId, platform), wanted);
		const found = await find();
		if (found.length === 0)
			throw new ExplainedFailure(
				"This transaction has none of the chosen 'Files' yet",
				"Start this workflow with the 'Sign and Close Trigger' on completed transactions. Not every transaction has these files",
			);
		const results: OperationResult[] = [];
		for (const [index, { kind, link, ...file }] of found.entries()) {
			const renew = async () => {
				const now = (await find())[index];
				const isSame = now?.kind === kind && now.name === file.name && now.date === file.date;
				return isSame ? now.link : undefined;
			};
			const name = file.name ?? `${kind.replace('_', ' ')} ${transactionId}`;
			const target = { name, mimeType: file.name === undefined ? ANY_FILE : typeByName(name) };
			const { binary, facts } = await downloadLink(context, service, link, renew, target);
			results.push({
				json: { transaction_id: transactionId, kind, date_created: file.date ?? null, ...facts },
				binary: { [field]: binary },
			});
		}
		return results;
	},
});

/** @throws InputFailure when nothing is chosen, or what there isn't */
function parseKinds(params: Params): ReadonlySet<string> {
	const label = params.label('files');
	const wanted = textsOf(label, params.raw('files'));
	const known = KINDS.map(([, value]) => value);
	if (wanted.length > 0 && wanted.every((kind) => known.includes(kind))) return new Set(wanted);
	throw new InputFailure(
		label,
		wanted.length === 0 ? 'is empty' : `is '${wanted.join(', ')}'`,
		`Choose from the list. An expression must return ${known.join(', ')} or several of them`,
	);
}

/** The files that a transaction has a link to. */
function filesOf(transaction: IDataObject, wanted: ReadonlySet<string>) {
	const { attachments, charge_statement_url: statement, identity_report: report } = transaction;
	const all: IDataObject[] = [
		...asObjects(attachments).map((one) => ({ ...one, kind: 'attachments' })),
		{ url: statement, kind: 'charge_statement' },
		{ ...asObject(report), kind: 'identity_report' },
	];
	return all.flatMap(({ kind, name, url, date_created: date }) => {
		const link = asText(url);
		if (link === undefined || !wanted.has(String(kind))) return [];
		return [{ kind: String(kind), name: asText(name), date: asText(date), link }];
	});
}
