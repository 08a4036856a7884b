import { createHash } from 'crypto';
import type { IBinaryData, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Words } from '../../../messages/explainedFailure';
import type { OperationCall } from '../../../run/operation';
import type { TransactionAnswer } from '../../../transport/answers/answers';
import { retrieveTransaction } from '../../../transport/answers/retrieveTransaction';
import { hasEnded, recordIdsOf } from '../../../transport/answers/transactionState';
import type { ServiceClient } from '../../../transport/client';
import { inStore, type Received } from '../../../transport/download';
import { safeFileName, withoutEnding } from '../../../transport/files/fileNames';
import { ANY_FILE } from '../../../transport/files/formats';
import { findFiles, type LinkedFile, type LinkedFiles } from '../../../transport/linkedFiles';
import { asText } from '../../../values/json';
import { documentsOf, fileOf, finalFile, isNotarized } from '../../document/api';
import { retrieveRecord } from '../../notarizationRecord/api';
import {
	imageFiles,
	notarizedFiles,
	RECORDING_LATE,
	recordingFile,
	type RecordFile,
} from '../../notarizationRecord/files';
import { auditTrailFile, otherFiles } from '../files';
import { labelKind, type PackageForm } from './form';
import { describeFailure, describeLack, listLabels, type Missing } from './missing';
import { JSON_ENDING, type Nameable } from './names';

/* Which files belong to a package, whether or not they are there yet. */

/** Downloads a file, with a name without the ending of its format. Undefined when there is none after all. */
export type Fetch = (name: string) => Promise<Received<IBinaryData> | undefined>;

/** A file that belongs to a package, and what it means if there is none. */
export interface PackageFile extends Missing, Omit<Nameable, 'row'> {
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
			? documentsOf(now).map((document) => finalFile(service, platform, now, document))
			: [];
		const all: LinkedFile[] = [...documents, getAuditTrail(service, now), ...otherFiles(now)];
		return all.filter(({ kind }) => kinds.has(kind));
	});
	const [transaction] = answers;
	const files = toPackageFiles(call, list, transaction);
	const unlisted: Missing[] = [];
	const ofRecord = OF_RECORD.filter((kind) => kinds.has(kind));
	for (const id of ofRecord.length > 0 ? recordIdsOf(transaction) : [])
		try {
			files.push(...(await findRecordFiles(call, form, id, transaction)));
		} catch (thrown) {
			const lack = describeFailure(call, thrown);
			unlisted.push(...ofRecord.map((kind) => ({ kind, id, label: labelKind(kind), lack })));
		}
	const seen = [...files, ...unlisted, ...earlier.values()].map(({ kind }) => kind);
	const late = listUnshown(transaction).filter(
		({ kind }) => kinds.has(kind) && !seen.includes(kind),
	);
	return { transaction, files, unlisted: [...unlisted, ...late] };
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
		const all = [...notarizedFiles(now), recordingFile(now), ...imageFiles(now)];
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
function listUnshown(transaction: TransactionAnswer): Missing[] {
	const documents = transaction.documents ?? [];
	const late = (kind: string, ...words: Words) => ({
		kind,
		id: transaction.id,
		label: labelKind(kind),
		lack: describeLack(transaction, words),
	});
	if (documents.length === 0) return [late('document', 'The service shows no documents', LATER)];
	const { transaction_type: type, detailed_status: detailed } = transaction;
	const isOnPaper = [type, detailed].some((word) => ON_PAPER.test(String(word)));
	const notarized = documents.filter(
		(document) => isNotarized(document) && asText(document.rejection_reason) === undefined,
	);
	if (isOnPaper || notarized.length === 0) return [];
	const names = listLabels(notarized.map((document) => ({ label: fileOf(document).name })));
	const message =
		recordIdsOf(transaction).length === 0
			? `The service shows no notarization record, although ${names} needed a notary`
			: `The notarization record lists no documents, although ${names} needed a notary`;
	return OF_NOTARIZATION.map((kind) => late(kind, message, `${LATER}. ${RECORD_LATER}`));
}

const LATER = 'Run the node again in a few minutes';
const RECORD_LATER =
	"If it isn't there by then, start this workflow with the 'Sign and Close Trigger' on 'Recording Ready'";

/** What is signed on paper leaves no record (docs/service/closings.md#transaction-types, docs/service/states.md#detailed-status). */
const ON_PAPER = /^(wet_sign|hybrid_|converted_to_wet_sign)/;

/** The audit trail, once it says everything: until the transaction has ended, more comes to it. */
function getAuditTrail(service: ServiceClient, transaction: TransactionAnswer): LinkedFile {
	const trail = auditTrailFile(service, transaction);
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
					? { why: 'not_ready', words: RECORDING_LATE }
					: describeLack(transaction),
			async find() {
				const link = await file.link();
				if (link === undefined && file.open === undefined) return undefined;
				return async (as) => await files.receive(file, link, inStore(context), as);
			},
		};
	});
}

/** Kinds of files that have names of their own. */
const NAMED = new Set(['attachment', 'document', 'enote']);

function buildLabel(
	kind: string,
	name: string,
	{ signer, side, document_name }: IDataObject,
): string {
	if (kind === 'identity_image')
		return `Signer ${String(signer)} ${String(side).replaceAll('_', ' ')}`;
	if (kind === 'notarized_document') return document_name === null ? 'Notarized document' : name;
	return NAMED.has(kind) ? name : labelKind(kind);
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
	const fileName = safeFileName(name, JSON_ENDING);
	const kept = await helpers.prepareBinaryData(bytes, fileName, JSON_TYPE);
	const sha256 = createHash('sha256').update(bytes).digest('hex');
	return {
		kept,
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
