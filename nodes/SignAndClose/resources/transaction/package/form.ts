import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../../../messages/failures';
import { parseEach, parseTogether } from '../../../messages/inputFaults';
import type { Params } from '../../../run/parameters/params';
import { isSameId } from '../../../values/ids';
import { asObject, asText, isObject } from '../../../values/json';
import { parseNumber } from '../../../values/plainValues';
import { outputField, platform } from '../../../form/commonFields';
import { compareByName, defineChoice, defineText, type OptionTuple } from '../../../form/fields';
import { parseSelection } from '../../../form/input';
import { transactionLocator } from '../../../form/locators';
import { toOutputValue } from '../../../form/output';
import { parseTransactionTarget } from '../api';
import { FILE_KINDS } from '../files';
import { parsePattern, PLACEHOLDERS } from './fileNames';

/* What a package has in it, in what form it comes out, and what somebody has of it already. */

/** What a package can have in it. The values are the kinds of its files. */
const CHOICES: OptionTuple[] = [
	...FILE_KINDS,
	['Audit Trail', 'audit_trail', 'Who did what and when'],
	['Documents', 'document', 'The finished documents'],
	['eNote', 'enote', 'The electronic promissory note of a loan'],
	['Identity Images', 'identity_image', "The images of the signers' photo IDs"],
	['Manifest', 'manifest', 'A list of all files with their hashes, as a JSON file. It comes last.'],
	['Notarization Record', 'notarization_record', 'Who met when and where, as a JSON file'],
	[
		'Notarized Documents',
		'notarized_document',
		'What the notarization record has of the documents. Closings have each of them among the documents, too.',
	],
	['Recording', 'recording', 'The video of the meeting with the notary'],
];
const KINDS = CHOICES.sort(compareByName);

/** What people call files of a kind, e.g. "Audit trail". */
export function labelKind(kind: string): string {
	const [name] = KINDS.find(([, value]) => value === kind)!;
	return name[0] + name.slice(1).toLowerCase();
}

/** What is in the package unless somebody chooses something else. */
const USUAL = KINDS.map(([, value]) => value).filter((kind) => kind !== 'notarized_document');

const PATTERN = '{loan_number} {number} {document_name}';

export const packageProperties: INodeProperties[] = [
	platform,
	transactionLocator,
	defineChoice('Include', 'include', KINDS, 'What to download, as far as there is any', {
		type: 'multiOptions',
		default: USUAL,
	}),
	defineChoice('Return', 'returnAs', [
		['One Item per File', 'files', 'Each file is an item, e.g. to save it'],
		[
			'One Item with All Files',
			'package',
			"All files are in one item, e.g. for an email: 'data_1', 'data_2' and so on",
		],
	]),
	{
		...defineText(
			'File Names',
			'fileNames',
			PATTERN,
			`Placeholders: ${PLACEHOLDERS.map((name) => `{${name}}`).join(', ')}. What's empty is left out.`,
		),
		default: PATTERN,
		required: true,
	},
	defineChoice('If Files Are Missing', 'ifMissing', [
		['Give What Is There', 'give', "The output says in 'missing' what is missing, and why"],
		['Fail the Item', 'fail', 'The item fails and says what is missing. No file comes out of it.'],
	]),
	{
		displayName: 'Earlier Manifest',
		name: 'earlierManifest',
		type: 'json',
		default: '[]',
		description:
			"The 'manifest' of an earlier run, or its files from a sheet. They aren't downloaded again.",
	},
	outputField,
];

/** What an item says about its package. */
export type PackageForm = ReturnType<typeof parsePackageForm>;

/**
 * Parses what an item says about its package.
 * @throws InputFailure that names each field that can't be used
 */
export function parsePackageForm(params: Params) {
	const target = parseTransactionTarget(params);
	const choices = parseTogether({
		kinds: () => parseSelection(params, 'include', KINDS),
		inOneItem: () => params.getChoice('returnAs') === 'package',
		pattern: () => parsePattern(params),
		field: () => params.getRequired('binaryPropertyName'),
		failsIfMissing: () => params.getChoice('ifMissing') === 'fail',
		earlier: () => parseEarlierManifest(params, target.transactionId),
	});
	return { ...target, ...choices };
}

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

/** By what files of a transaction are told apart. */
export const buildFileKey = ({ kind, id }: { kind: string; id: string }): string => `${kind} ${id}`;

const REMEDY =
	"Point the expression to 'manifest' in the output of an earlier run, or return a list of entries with 'kind' and 'id'";

/**
 * Parses the manifest of an earlier run, which says what files somebody has already: its rows, the
 * output that has them, or the file with it. Rows of other transactions are left out, so that one sheet
 * can have them all.
 * @returns the rows by buildFileKey(); none when the field is empty
 * @throws InputFailure when it's something else, so that no file is taken for one that is there
 */
function parseEarlierManifest(params: Params, transactionId: string): Map<string, ManifestRow> {
	const label = params.label('earlierManifest');
	const value = params.getJson('earlierManifest');
	const rows = isObject(value) && 'manifest' in value ? value.manifest : value;
	if (rows === undefined || rows === null) return new Map();
	if (!Array.isArray(rows)) throw new InputFailure(label, "isn't a list of files", REMEDY);
	const entries = parseEach(rows, (row, index) => {
		const { kind, id, transaction_id: rowTransactionId } = asObject(row);
		if (asText(kind) === undefined || toOutputValue(id as string) == null)
			throw new InputFailure(label, `, entry ${index + 1}: has no 'kind' and 'id'`, REMEDY);
		if (!KINDS.some(([, candidate]) => candidate === kind))
			throw new InputFailure(label, `, entry ${index + 1}: 'kind' is '${String(kind)}'`, REMEDY);
		const isOther =
			asText(rowTransactionId) !== undefined && !isSameId(rowTransactionId, transactionId);
		return isOther || kind === 'manifest' ? [] : [toManifestRow(transactionId, asObject(row))];
	});
	// Of two rows for a file, the later one counts: a sheet grows at its end.
	return new Map(entries.flat().map((row) => [buildFileKey(row), row]));
}

function toManifestRow(transactionId: string, row: IDataObject): ManifestRow {
	const bytes = parseNumber(row.bytes);
	const getText = (name: string) => asText(row[name]) ?? null;
	return {
		transaction_id: transactionId,
		kind: String(row.kind),
		id: String(row.id),
		file_name: getText('file_name'),
		mime_type: getText('mime_type'),
		bytes: Number.isFinite(bytes) ? bytes : null,
		sha256: getText('sha256')?.toLowerCase() ?? null,
		notarial_acts: getText('notarial_acts'),
	};
}
