import type { IDataObject } from 'n8n-workflow';

import type { Words } from '../../../messages/explainedFailure';
import type { Situation } from '../../../messages/situation';
import type { OperationCall } from '../../../run/operation';
import type { TransactionAnswer } from '../../../transport/answers/answers';
import { retrieveTransaction } from '../../../transport/answers/retrieveTransaction';
import { hasEnded, recordIdsOf } from '../../../transport/answers/transactionState';
import type { Keep, Received } from '../../../transport/download';
import { withoutEnding } from '../../../transport/files/fileNames';
import { ANY_FILE } from '../../../transport/files/formats';
import { findFiles, type LinkedFile, type LinkedFiles } from '../../../transport/linkedFiles';
import { asText } from '../../../values/json';
import { documentsOf, fileOf, finalFile, isNotarized } from '../../document/api';
import { retrieveRecord } from '../../notarizationRecord/api';
import { imageFiles, notarizedFiles, recordingFile } from '../../notarizationRecord/files';
import type { Target } from '../api';
import { auditTrailFile, otherFiles } from '../files';
import type { EarlierManifest } from './earlier';
import { JSON_ENDING, receiveJson, withoutLinks } from './jsonFile';
import { lackAfter, lackOf, lateOf, namesOf, type Lack, type Missing } from './missing';

/* Which files belong to a package, whether or not they are there yet. */

/** Receives a file, with a name without the ending of its format. Undefined when there is none after all. */
export type Fetch = <K>(keep: Keep<K>, name: string) => Promise<Received<K> | undefined>;

/** A file that belongs to a package. */
export interface PackageFile {
	kind: string;
	id: string;
	/** What people call it. */
	label: string;
	/** The ending of its name, if it has one that no format gives it. */
	ending: string;
	/** The notarial acts that the service shows for it. */
	acts: string | null;
	/** What it means if there is none. */
	lack: Lack;
	/** Looks for it. Undefined while there is none. */
	find(): Promise<Fetch | undefined>;
}

/** What belongs to a package. */
export interface Contents {
	transaction: TransactionAnswer;
	files: PackageFile[];
	/** What can't be looked up, and what has to exist and isn't shown. */
	missing: Missing[];
}

/** Kinds that stand in notarization records. */
const OF_RECORD = ['notarized_document', 'notarization_record', 'recording', 'identity_image'];

/** What each notarization leaves behind (docs/service/notarization.md#notarization-record). */
const OF_NOTARIZATION = OF_RECORD.filter((kind) => kind !== 'identity_image');

/** What people call files that have no names of their own. */
const LABELS: Record<string, string> = {
	audit_trail: 'Audit trail',
	charge_statement: 'Charge statement',
	identity_image: 'Identity images',
	identity_report: 'Identity report',
	notarization_record: 'Notarization record',
	notarized_document: 'Notarized documents',
	recording: 'Recording',
};

/**
 * Finds out what belongs to the package of a transaction.
 * @param kinds of files that are wanted
 * @param earlier what is there from an earlier run
 * @throws ServiceFailure when the transaction can't be retrieved
 */
export async function findContents(
	call: OperationCall,
	{ transactionId, platform }: Target,
	kinds: ReadonlySet<string>,
	earlier: EarlierManifest,
	situation: Situation,
): Promise<Contents> {
	const { service } = call;
	const shown: TransactionAnswer[] = [];
	const own = await findFiles(service, async () => {
		const now = await retrieveTransaction(service, transactionId, platform);
		shown.push(now);
		const documents = ['document', 'enote'].some((kind) => kinds.has(kind))
			? documentsOf(now).map((document) => finalFile(service, platform, now, document))
			: [];
		const all: LinkedFile[] = [...documents, auditTrail(call, now), ...otherFiles(now)];
		return all.filter(({ kind }) => kinds.has(kind));
	});
	const [transaction] = shown;
	const files = own.list.map((file) => packageFile(own, file, lackOf(file.kind, transaction)));
	const missing: Missing[] = [];
	const ofRecord = OF_RECORD.filter((kind) => kinds.has(kind));
	if (ofRecord.length > 0)
		for (const id of recordIdsOf(transaction))
			try {
				const retrieve = async () => await retrieveRecord(service, id, platform);
				files.push(...(await recordFiles(call, retrieve, transaction, kinds)));
			} catch (thrown) {
				const lack = lackAfter(call, thrown, situation);
				for (const kind of ofRecord) missing.push({ kind, id, label: LABELS[kind], ...lack });
			}
	const settled = [...files, ...missing, ...earlier.values()].map(({ kind }) => kind);
	const late = unshownIn(transaction).filter(
		({ kind }) => kinds.has(kind) && !settled.includes(kind),
	);
	return { transaction, files, missing: [...missing, ...late] };
}

/**
 * What has to exist, for transactions of which the service shows none of it: a transaction has
 * documents, and a notarization leaves a record with a recording.
 */
function unshownIn(transaction: TransactionAnswer): Missing[] {
	const documents = transaction.documents ?? [];
	const late = (kind: string, ...words: Words) => ({
		kind,
		id: transaction.id,
		label: LABELS[kind] ?? 'Documents',
		...lateOf(transaction, words),
	});
	if (documents.length === 0) return [late('document', 'The service shows no documents', LATER)];
	const { transaction_type: type, detailed_status: detailed } = transaction;
	const isOnPaper = [type, detailed].some((word) => ON_PAPER.test(String(word)));
	const notarized = documents.filter(
		(document) => isNotarized(document) && asText(document.rejection_reason) === undefined,
	);
	if (isOnPaper || notarized.length === 0) return [];
	const names = namesOf(notarized.map((document) => ({ label: fileOf(document).name })));
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
function auditTrail({ service }: OperationCall, transaction: TransactionAnswer): LinkedFile {
	const trail = auditTrailFile(service, transaction);
	if (hasEnded(transaction) !== false) return trail;
	return { ...trail, link: async () => await Promise.resolve(undefined), open: undefined };
}

/** The files of a notarization record. */
async function recordFiles(
	{ service }: OperationCall,
	retrieve: () => Promise<IDataObject>,
	transaction: TransactionAnswer,
	kinds: ReadonlySet<string>,
): Promise<PackageFile[]> {
	const shown: IDataObject[] = [];
	const own = await findFiles(service, async () => {
		const now = await retrieve();
		shown.push(now);
		const all = [...notarizedFiles(now), recordingFile(now), ...imageFiles(now)];
		return all.filter(({ kind }) => kinds.has(kind));
	});
	const [record] = shown;
	const files = own.list.map((file) =>
		packageFile(own, file, lackOf(file.kind, transaction), file.shown),
	);
	return kinds.has('notarization_record')
		? [...files, recordFile(service.hide(withoutLinks(record)), transaction)]
		: files;
}

/** A record itself, as the service answers it. */
function recordFile(record: IDataObject, transaction: TransactionAnswer): PackageFile {
	const kind = 'notarization_record';
	return {
		kind,
		id: String(record.id),
		label: LABELS[kind],
		ending: JSON_ENDING,
		acts: null,
		lack: lackOf(kind, transaction),
		find: async () =>
			await Promise.resolve(
				async <K>(keep: Keep<K>, name: string) => await receiveJson(record, keep, name),
			),
	};
}

function packageFile<T extends LinkedFile>(
	list: LinkedFiles<T>,
	file: T,
	lack: Lack,
	shown: IDataObject = {},
): PackageFile {
	const { kind, id, name, mimeType } = file;
	// What isn't recognized keeps the ending that it has.
	const [ending = ''] = (mimeType === ANY_FILE && /\.[a-z0-9]{1,10}$/i.exec(name)) || [];
	return {
		kind,
		id,
		label: labelOf(kind, withoutEnding(name.slice(0, name.length - ending.length)), shown),
		ending,
		acts: actsIn(shown.notarial_acts),
		lack,
		async find() {
			const link = await file.link();
			if (link === undefined && file.open === undefined) return undefined;
			return async <K>(keep: Keep<K>, as: string) => await list.receive(file, link, keep, as);
		},
	};
}

function labelOf(kind: string, name: string, { signer, side, document_name }: IDataObject): string {
	if (kind === 'identity_image')
		return `Signer ${String(signer)} ${String(side).replaceAll('_', ' ')}`;
	if (kind === 'notarized_document') return document_name === null ? 'Notarized document' : name;
	return LABELS[kind] ?? name;
}

/** Notarial acts as one text. What they are isn't documented (docs/service/notarization.md#notarial-acts). */
function actsIn(acts: unknown): string | null {
	if (acts === undefined || acts === null) return null;
	const list: unknown[] = Array.isArray(acts) ? acts : [acts];
	return list.map((act) => (typeof act === 'string' ? act : JSON.stringify(act))).join(', ');
}
