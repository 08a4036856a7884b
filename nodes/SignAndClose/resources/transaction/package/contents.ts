import type { IDataObject } from 'n8n-workflow';

import type { Situation } from '../../../messages/situation';
import type { OperationCall } from '../../../run/operation';
import type { TransactionAnswer } from '../../../transport/answers/answers';
import { retrieveTransaction } from '../../../transport/answers/retrieveTransaction';
import { hasEnded, recordIdsOf } from '../../../transport/answers/transactionState';
import type { Keep, Received } from '../../../transport/download';
import { withoutEnding } from '../../../transport/files/fileNames';
import { ANY_FILE } from '../../../transport/files/formats';
import { findFiles, type LinkedFile, type LinkedFiles } from '../../../transport/linkedFiles';
import { documentsOf, finalFile } from '../../document/api';
import { retrieveRecord } from '../../notarizationRecord/api';
import { imageFiles, notarizedFiles, recordingFile } from '../../notarizationRecord/files';
import type { Target } from '../api';
import { auditTrailFile, otherFiles } from '../files';
import { JSON_ENDING, receiveJson, withoutLinks } from './jsonFile';
import { lackAfter, lackOf, type Lack, type Missing } from './missing';

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

/** What belongs to a package, and what of it couldn't be looked up. */
export interface Contents {
	transaction: TransactionAnswer;
	files: PackageFile[];
	missing: Missing[];
}

/** Kinds that stand in notarization records. */
const OF_RECORD = ['notarized_document', 'notarization_record', 'recording', 'identity_image'];

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
 * @throws ServiceFailure when the transaction can't be retrieved
 */
export async function findContents(
	call: OperationCall,
	{ transactionId, platform }: Target,
	kinds: ReadonlySet<string>,
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
	return { transaction, files, missing };
}

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
