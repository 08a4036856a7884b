import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../../messages/failures';
import type { Params } from '../../../run/parameters/params';
import { DistinctNames } from '../../../transport/files/fileNames';
import { toOutputValue } from '../../../form/output';

/* How the files of a package are named. */

/** The ending of files that the node writes itself. */
export const JSON_ENDING = '.json';

/** Placeholders for what the transaction shows. */
const OF_TRANSACTION = ['external_id', 'file_number', 'loan_number', 'transaction_name'];

/** What a pattern may hold, in braces. */
export const PLACEHOLDERS = [
	'document_id',
	'document_name',
	'id',
	'kind',
	'number',
	'transaction_id',
	...OF_TRANSACTION,
].sort();

const PLACEHOLDER = /\{([^{}]*)\}/g;

/**
 * Parses the pattern for names.
 * @throws InputFailure when it has a placeholder that there isn't
 */
export function parsePattern(params: Params): string {
	const pattern = params.getRequired('fileNames');
	const unknown = [...pattern.matchAll(PLACEHOLDER)]
		.filter(([, name]) => !PLACEHOLDERS.includes(name))
		.map(([whole]) => whole);
	const isOpen = /[{}]/.test(pattern.replace(PLACEHOLDER, ''));
	if (unknown.length === 0 && !isOpen) return pattern;
	throw new InputFailure(
		params.label('fileNames'),
		unknown.length === 0
			? 'has a brace without its counterpart'
			: `has ${unknown.join(', ')}, which isn't a placeholder`,
		`Use ${PLACEHOLDERS.map((name) => `{${name}}`).join(', ')}`,
	);
}

/** A file, as far as its name depends on it. */
export interface Nameable {
	kind: string;
	id: string;
	/** What people call it. */
	label: string;
	/** The ending of its name, if it has one that no format gives it. */
	ending: string;
	/** What an earlier manifest says about it. It keeps that name. */
	row?: { file_name: string | null };
}

/**
 * Names files, each in a way that depends on nothing but the transaction, so that the next run gives
 * it the same name.
 * @returns the names of the files and of the manifest, without the endings of formats that are recognized
 */
export function nameFiles<T extends Nameable>(
	pattern: string,
	transaction: IDataObject,
	files: readonly T[],
): { files: ReadonlyMap<T, string>; manifest: string } {
	const names = new DistinctNames();
	for (const { row } of files) if (row?.file_name != null) names.keep(row.file_name);
	const make = (file: Nameable, number: number) =>
		names.make(fillPattern(pattern, transaction, file, number), file.ending);
	const id = String(transaction.id);
	return {
		files: new Map(
			files.map((file, index) => [file, file.row?.file_name ?? make(file, index + 1)]),
		),
		// Its number doesn't change with that of the files.
		manifest: make({ kind: 'manifest', id, label: 'Manifest', ending: JSON_ENDING }, 0),
	};
}

/** Puts the values of a file into a pattern. */
function fillPattern(
	pattern: string,
	transaction: IDataObject,
	{ kind, id, label }: Nameable,
	number: number,
): string {
	const values: IDataObject = {
		kind,
		id,
		document_id: kind === 'document' || kind === 'enote' ? id : null,
		document_name: label,
		number: String(number).padStart(2, '0'),
		transaction_id: transaction.id,
		...Object.fromEntries(OF_TRANSACTION.map((name) => [name, toOutputValue(transaction[name])])),
	};
	return pattern.replace(PLACEHOLDER, (_all, name: string) => String(values[name] ?? ''));
}
