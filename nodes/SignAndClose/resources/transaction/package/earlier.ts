import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../../messages/explainedFailure';
import { parseEach } from '../../../messages/faults';
import type { Params } from '../../../run/parameters/params';
import { sameId } from '../../../values/ids';
import { asObject, asText, isObject } from '../../../values/json';
import { numberIn } from '../../../values/shown';
import { given } from '../../shared/output';
import { KINDS } from './kinds';

/* The manifest of an earlier run: which files somebody has already. */

/** What a manifest says about a file. */
export interface ManifestRow extends IDataObject {
	transaction_id: string;
	kind: string;
	id: string;
	file_name: string | null;
	mime_type: string | null;
	/** Its size. */
	bytes: number | null;
	sha256: string | null;
	notarial_acts: string | null;
}

/** The files of an earlier manifest, by kind and ID. */
export type EarlierManifest = ReadonlyMap<string, ManifestRow>;

/** By what files of a transaction are told apart. */
export const keyOf = ({ kind, id }: { kind: string; id: string }): string => `${kind} ${id}`;

const REMEDY =
	"Point the expression to 'manifest' in the output of an earlier run, or return a list of entries with 'kind' and 'id'";

/**
 * Parses the manifest of an earlier run: its rows, the output that has them, or the file with it. Rows
 * of other transactions are left out, so that one sheet can have them all.
 * @returns none when the field is empty
 * @throws InputFailure when it's something else, so that no file is taken for one that is there
 */
export function parseEarlier(params: Params, transactionId: string): EarlierManifest {
	const label = params.label('earlierManifest');
	const value = params.json('earlierManifest');
	const rows = isObject(value) && 'manifest' in value ? value.manifest : value;
	if (rows === undefined || rows === null) return new Map();
	if (!Array.isArray(rows)) throw new InputFailure(label, "isn't a list of files", REMEDY);
	const known = KINDS.map(([, one]) => one);
	const read = parseEach(rows, (row, index) => {
		const { kind, id, transaction_id: of } = asObject(row);
		if (asText(kind) === undefined || given(id as string) == null)
			throw new InputFailure(label, `, entry ${index + 1}: has no 'kind' and 'id'`, REMEDY);
		if (!known.includes(kind as string))
			throw new InputFailure(label, `, entry ${index + 1}: 'kind' is '${String(kind)}'`, REMEDY);
		const isOther = asText(of) !== undefined && !sameId(of, transactionId);
		return isOther || kind === 'manifest' ? [] : [toRow(transactionId, asObject(row))];
	});
	// Of two rows for a file, the later one counts: a sheet grows at its end.
	return new Map(read.flat().map((row) => [keyOf(row), row]));
}

function toRow(transactionId: string, row: IDataObject): ManifestRow {
	const bytes = numberIn(row.bytes);
	const text = (name: string) => asText(row[name]) ?? null;
	return {
		transaction_id: transactionId,
		kind: String(row.kind),
		id: String(row.id),
		file_name: text('file_name'),
		mime_type: text('mime_type'),
		bytes: Number.isFinite(bytes) ? bytes : null,
		sha256: text('sha256')?.toLowerCase() ?? null,
		notarial_acts: text('notarial_acts'),
	};
}
