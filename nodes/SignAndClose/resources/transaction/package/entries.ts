import type { IBinaryData } from 'n8n-workflow';

import type { OperationCall } from '../../../run/operation';
import type { FileFacts, Received } from '../../../transport/fileDownload/download';
import { findContents, type Fetch, type PackageFile } from './contents';
import { buildFileKey, type ManifestRow, type PackageForm } from './form';
import { buildLackFailure, describeMissingFile } from './missingFiles';
import { nameFiles } from './fileNames';

/* Collects the files of a package. */

/** A file of a package, and how far it is. It's missing if it has neither a row nor a fetch. */
interface PackageEntry extends PackageFile {
	/** What the manifest says about it, once it's there from this run or an earlier one. */
	row?: ManifestRow;
	/** Downloads it, until that has ended. */
	fetch?: Fetch;
	/** What came in this run. */
	file?: Received<IBinaryData>;
}

/**
 * Collects the files of a package: looks for all of them, and receives side by side what isn't there
 * from an earlier run. A file that can't be read is missing, and keeps no other one from coming.
 * @returns what there is of a package, with how many files it has in all
 * @throws ServiceFailure when the transaction can't be retrieved
 * @throws ExplainedFailure when files are missing and nothing would come out for that reason
 */
export async function collectPackage(call: OperationCall, form: PackageForm) {
	const { context, service } = call;
	const { transaction, files, unlisted } = await findContents(call, form);
	const entries = files.map((file): PackageEntry => ({
		...file,
		row: form.earlier.get(buildFileKey(file)),
	}));
	const names = nameFiles(form.pattern, service.hide(transaction), entries);
	const total = files.length + unlisted.length;
	const listMissing = () => {
		const missing = [...entries.filter(({ row, fetch }) => !row && !fetch), ...unlisted];
		if (form.failsIfMissing && missing.length > 0) throw buildLackFailure(missing, total);
		return missing;
	};
	const tryEntry = async (entry: PackageEntry, work: (entry: PackageEntry) => Promise<void>) =>
		await work(entry).catch((thrown: unknown) => {
			entry.lack = describeMissingFile(call, thrown);
			entry.fetch = undefined;
		});
	const receive = async (entry: PackageEntry) => {
		entry.file = await entry.fetch?.(names.files.get(entry)!);
		entry.fetch = undefined;
		if (entry.file !== undefined) entry.row = buildRow(form, entry, entry.file.facts);
	};

	await Promise.all(entries.map(async (entry) => await tryEntry(entry, findFile)));
	// Nothing comes out of an item that fails, so that downloads would be in vain.
	listMissing();
	const signal = context.getExecutionCancelSignal();
	const open = entries.filter(({ fetch }) => fetch !== undefined).sort(compareSizes);
	await Promise.all(
		open.map(
			async (entry) =>
				await service.receiveInTurn(async () => await tryEntry(entry, receive), signal),
		),
	);
	return {
		transaction,
		manifest: listManifest(entries, form.earlier),
		received: entries.flatMap(({ row, file }) => (row && file ? [{ row, file }] : [])),
		missing: listMissing(),
		total,
		manifestName: names.manifest,
	};
}

/** What there is of a package. */
export type CollectedPackage = Awaited<ReturnType<typeof collectPackage>>;

/** Lists all files that are there, from this run and from earlier ones. */
function listManifest(entries: PackageEntry[], earlier: PackageForm['earlier']): ManifestRow[] {
	const keys = new Set(entries.map(buildFileKey));
	// What the service doesn't show any more is still there.
	const former = [...earlier.values()].filter((row) => !keys.has(buildFileKey(row)));
	return [...entries.flatMap(({ row }) => row ?? []), ...former];
}

/** Finds the file of an entry, unless it's there from an earlier run. */
async function findFile(entry: PackageEntry): Promise<void> {
	if (entry.row === undefined) entry.fetch = await entry.find();
}

/** Recordings are much bigger than other files, and what takes longest has to begin first. */
const compareSizes = (a: PackageFile, b: PackageFile): number =>
	Number(b.kind === 'recording') - Number(a.kind === 'recording');

const buildRow = (
	{ transactionId }: PackageForm,
	{ kind, id, acts }: PackageFile,
	facts: FileFacts,
): ManifestRow => ({ transaction_id: transactionId, kind, id, ...facts, notarial_acts: acts });
