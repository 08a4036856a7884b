import { createHash } from 'crypto';
import type { IBinaryData, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Words } from '../../../messages/failures';
import type { OperationCall } from '../../../run/operation';
import type { TransactionAnswer } from '../../../transport/answers/shapes';
import { retrieveTransaction } from '../../../transport/answers/transaction';
import { hasEnded, listRecordIds } from '../../../transport/answers/transactionState';
import type { ServiceClient } from '../../../transport/client';
import { saveToStore, type Received } from '../../../transport/fileDownload/download';
import { toSafeFileName, withoutEnding } from '../../../transport/files/fileNames';
import { ANY_FILE } from '../../../transport/files/fileFormats';
import {
	findFiles,
	type LinkedFile,
	type LinkedFiles,
} from '../../../transport/fileDownload/linkedFiles';
import { asText } from '../../../values/json';
import { listDocuments, describeFile, isNotarized } from '../../document/api';
import { describeFinalFile } from '../../document/downloads';
import { retrieveRecord } from '../../notarizationRecord/api';
import {
	listImageFiles,
	listNotarizedFiles,
	RECORDING_LATE,
	getRecordingFile,
	type RecordFile,
} from '../../notarizationRecord/files';
import { getAuditTrailFile, listOtherFiles } from '../files';
import { labelKind, type PackageForm } from './form';
import { describeMissingFile, describeLack, listLabels, type MissingFile } from './missingFiles';
import { JSON_ENDING, type Nameable } from './fileNames';

/* Which files belong to a package, whether or not they are there yet. */

/** Downloads a file, with a name without the ending of its format. Undefined when there is none after all. */
export type Fetch = (name: string) => Promise<Received<IBinaryData> | undefined>;

/** A file that belongs to a package, and what it means if there is none. */
export interface PackageFile extends MissingFile, Omit<Nameable, 'row'> {
	/** The notarial acts that the service shows for it. */
	acts: string | null;
	/** Looks for it. Undefined while there is none. */
	find(): Fetch | Promise<Fetch | undefined>;
}

/** Kinds that stand in notarization records. */
const OF_RECORD = ['notarized_document', 'notarization_record', 'recording', 'identity_image'];

/** What each notarization leaves behind (docs/service/notarization.md#notarization-record). */
const OF_NOTARIZATION = OF_RECORD.filter((kind) => kind !== 'identity_image');

/**
 * Finds out what belongs to the package of a transaction.
 * @returns `unlisted`: what can't be looked up, and what has to exist and isn't shown
 * @throws ServiceFailure when the transaction can't be retrieved
 */
export async function findContents(call: OperationCall, form: PackageForm) {
	const { service } = call;
	const { transactionId, platform, kinds, earlier } = form;
	const answers: TransactionAnswer[] = [];
	const list = await findFiles(service, async () => {
		const now = await retrieveTransaction(service, transactionId, platform);
		answers.push(now);
		const documents = ['document', 'enote'].some((kind) => kinds.has(kind))
			? listDocuments(now).map((document) => describeFinalFile(service, platform, now, document))
			: [];
		const all: LinkedFile[] = [...documents, getAuditTrail(service, now), ...listOtherFiles(now)];
		return all.filter(({ kind }) => kinds.has(kind));
	});
	const [transaction] = answers;
	const files = toPackageFiles(call, list, transaction);
	const unlisted: MissingFile[] = [];
	const ofRecord = OF_RECORD.filter((kind) => kinds.has(kind));
	for (const id of ofRecord.length > 0 ? listRecordIds(transaction) : [])
		try {
			files.push(...(await findRecordFiles(call, form, id, transaction)));
		} catch (thrown) {
			const lack = describeMissingFile(call, thrown);
			unlisted.push(...ofRecord.map((kind) => ({ kind, id, label: labelKind(kind), lack })));
		}
	const present = [...files, ...unlisted, ...earlier.values()].map(({ kind }) => kind);
	const unshown = listUnshown(transaction).filter(
		({ kind }) => kinds.has(kind) && !present.includes(kind),
	);
	return { transaction, files, unlisted: [...unlisted, ...unshown] };
}

/** The files of a notarization record, and the record itself as the service answers it. */
async function findRecordFiles(
	call: OperationCall,
	{ platform, kinds }: PackageForm,
	recordId: string,
	transaction: TransactionAnswer,
): Promise<PackageFile[]> {
	const { context, service } = call;
	const answers: IDataObject[] = [];
	const list = await findFiles(service, async () => {
		const now = await retrieveRecord(service, recordId, platform);
		answers.push(now);
		const all = [...listNotarizedFiles(now), getRecordingFile(now), ...listImageFiles(now)];
		return all.filter(({ kind }) => kinds.has(kind));
	});
	const files = toPackageFiles(call, list, transaction);
	const kind = 'notarization_record';
	if (!kinds.has(kind)) return files;
	const json = service.hide(withoutLinks(answers[0]));
	files.push({
		kind,
		id: String(json.id),
		label: labelKind(kind),
		ending: JSON_ENDING,
		acts: null,
		lack: describeLack(transaction),
		find: () => async (name) => await saveJson(context, json, name),
	});
	return files;
}

/**
 * What has to exist, for transactions of which the service shows none of it: a transaction has
 * documents, and a notarization leaves a record with a recording.
 */
function listUnshown(transaction: TransactionAnswer): MissingFile[] {
	const documents = transaction.documents ?? [];
	const buildMissing = (kind: string, ...words: Words) => ({
		kind,
		id: transaction.id,
		label: labelKind(kind),
		lack: describeLack(transaction, words),
	});
	if (documents.length === 0)
		return [buildMissing('document', 'The service shows no documents', LATER)];
	const { transaction_type: type, detailed_status: detailed } = transaction;
	const isOnPaper = [type, detailed].some((word) => ON_PAPER.test(String(word)));
	const notarized = documents.filter(
		(document) => isNotarized(document) && asText(document.rejection_reason) === undefined,
	);
	if (isOnPaper || notarized.length === 0) return [];
	const names = listLabels(notarized.map((document) => ({ label: describeFile(document).name })));
	const message =
		listRecordIds(transaction).length === 0
			? `The service shows no notarization record, although ${names} needed a notary`
			: `The notarization record lists no documents, although ${names} needed a notary`;
	return OF_NOTARIZATION.map((kind) => buildMissing(kind, message, `${LATER}. ${RECORD_LATER}`));
}

const LATER = 'Run the node again in a few minutes';
const RECORD_LATER =
	"If it isn't there by then, start this workflow with the 'Sign and Close Trigger' on 'Recording Ready'";

/** What is signed on paper leaves no record (docs/service/closings.md#transaction-types, docs/service/states.md#detailed-status). */
const ON_PAPER = /^(wet_sign|hybrid_|converted_to_wet_sign)/;

/** The audit trail, once it says everything: until the transaction has ended, more comes to it. */
function getAuditTrail(service: ServiceClient, transaction: TransactionAnswer): LinkedFile {
	const trail = getAuditTrailFile(service, transaction);
	if (hasEnded(transaction) !== false) return trail;
	return { ...trail, link: () => undefined, open: undefined };
}

function toPackageFiles(
	{ context }: OperationCall,
	files: LinkedFiles<LinkedFile & Partial<RecordFile>>,
	transaction: TransactionAnswer,
): PackageFile[] {
	return files.list.map((file) => {
		const { kind, id, name, mimeType, output = {} } = file;
		// What isn't recognized keeps the ending that it has.
		const [ending = ''] = (mimeType === ANY_FILE && /\.[a-z0-9]{1,10}$/i.exec(name)) || [];
		return {
			kind,
			id,
			label: buildLabel(kind, withoutEnding(name.slice(0, name.length - ending.length)), output),
			ending,
			acts: describeActs(output.notarial_acts),
			lack:
				kind === 'recording'
					? { why: 'not_ready', explanation: RECORDING_LATE }
					: describeLack(transaction),
			async find() {
				const link = await file.link();
				if (link === undefined && file.open === undefined) return undefined;
				return async (fileName) => await files.receive(file, link, saveToStore(context), fileName);
			},
		};
	});
}

/** Kinds of files that have names of their own. */
const NAMED_KINDS = new Set(['attachment', 'document', 'enote']);

function buildLabel(
	kind: string,
	name: string,
	{ signer, side, document_name }: IDataObject,
): string {
	if (kind === 'identity_image')
		return `Signer ${String(signer)} ${String(side).replaceAll('_', ' ')}`;
	if (kind === 'notarized_document') return document_name === null ? 'Notarized document' : name;
	return NAMED_KINDS.has(kind) ? name : labelKind(kind);
}

/** Notarial acts as one text. What they are isn't documented (docs/service/notarization.md#notarial-acts). */
function describeActs(acts: unknown): string | null {
	if (acts === undefined || acts === null) return null;
	const list: unknown[] = Array.isArray(acts) ? acts : [acts];
	return list.map((act) => (typeof act === 'string' ? act : JSON.stringify(act))).join(', ');
}

const JSON_TYPE = 'application/json';

/** Saves JSON as a file. Its bytes depend on nothing but the value. */
export async function saveJson(
	{ helpers }: IExecuteFunctions,
	value: IDataObject,
	name: string,
): Promise<Received<IBinaryData>> {
	const bytes = Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
	const fileName = toSafeFileName(name, JSON_ENDING);
	const binary = await helpers.prepareBinaryData(bytes, fileName, JSON_TYPE);
	const sha256 = createHash('sha256').update(bytes).digest('hex');
	return {
		result: binary,
		facts: { file_name: fileName, mime_type: JSON_TYPE, bytes: bytes.length, sha256 },
	};
}

const LINK = /^\s*https?:/i;

/** A copy without links: they are new in each answer, and lead nowhere some minutes later. */
function withoutLinks(value: IDataObject): IDataObject {
	const text = JSON.stringify(value, (_name, field: unknown) =>
		typeof field === 'string' && LINK.test(field) ? undefined : field,
	);
	return JSON.parse(text) as IDataObject;
}
