import type { IBinaryData } from 'n8n-workflow';

import type { Situation } from '../../../messages/situation';
import type { OperationCall } from '../../../run/operation';
import type { TransactionAnswer } from '../../../transport/answers/answers';
import { inStore, type FileFacts } from '../../../transport/download';
import type { Target } from '../api';
import { findContents, type Fetch, type PackageFile } from './contents';
import { keyOf, type ManifestRow } from './earlier';
import type { Wanted } from './form';
import { lackAfter, lackFailure, type Lack, type Missing } from './missing';
import { nameFiles } from './names';

/* Collects the files of a package. */

/** A file that came in this run. */
export interface Fetched {
	row: ManifestRow;
	binary: IBinaryData;
}

/** What there is of a package. */
export interface Collected {
	transaction: TransactionAnswer;
	/** All files that are there, from this run and from earlier ones. */
	manifest: ManifestRow[];
	fetched: Fetched[];
	missing: Missing[];
	/** How many files the package has if it's complete. */
	total: number;
	/** The name of the manifest as a file. */
	manifestName: string;
}

/** What became of a file: it came, it's there from an earlier run, or it's missing. */
type Outcome = Fetched | { row: ManifestRow } | Lack;

/**
 * Collects the files of a package: looks for all of them, and receives side by side what isn't there
 * from an earlier run. A file that can't be read is missing, and keeps no other one from coming.
 * @throws ServiceFailure when the transaction can't be retrieved
 * @throws ExplainedFailure when files are missing and nothing would come out for that reason
 */
export async function collect(
	call: OperationCall,
	target: Target,
	wanted: Wanted,
	situation: Situation,
): Promise<Collected> {
	const { context, service } = call;
	const contents = await findContents(call, target, wanted.kinds, wanted.earlier, situation);
	const { transaction, files } = contents;
	const total = files.length + contents.missing.length;
	const earlierOf = (file: PackageFile) => wanted.earlier.get(keyOf(file));
	const names = nameFiles(
		wanted.pattern,
		service.hide(transaction),
		files,
		(file) => earlierOf(file)?.file_name ?? undefined,
	);

	/** What becomes of a file if nothing fails; otherwise, it's missing. */
	const settled = async <T>(work: () => Promise<T>): Promise<T | Lack> =>
		await work().catch((thrown: unknown) => lackAfter(call, thrown, situation));
	const look = async (file: PackageFile): Promise<Outcome | Fetch> => {
		const row = earlierOf(file);
		if (row !== undefined) return { row };
		return await settled(async () => (await file.find()) ?? file.lack);
	};
	const receive = async (file: PackageFile, fetch: Fetch): Promise<Outcome> => {
		const received = await fetch(inStore(context), names.of.get(file)!);
		if (received === undefined) return file.lack;
		return { row: rowOf(target, file, received.facts), binary: received.kept };
	};

	const looked = new Map(
		await Promise.all(files.map(async (file) => [file, await look(file)] as const)),
	);
	const lacking = [...missingIn(looked), ...contents.missing];
	// Nothing comes out of the item, so that downloads would be in vain.
	if (wanted.failsIfMissing && lacking.length > 0) throw lackFailure(lacking, total);
	const signal = context.getExecutionCancelSignal();
	const settle = async (file: PackageFile, seen: Outcome | Fetch) =>
		typeof seen === 'function'
			? await service.inFileTurn(
					async () => await settled(async () => await receive(file, seen)),
					signal,
				)
			: seen;
	const ended = new Map(
		await Promise.all(
			biggestFirst(looked).map(async ([file, seen]) => [file, await settle(file, seen)] as const),
		),
	);
	const outcomes = new Map(files.map((file) => [file, ended.get(file)!]));
	const rows = [...outcomes.values()].flatMap((outcome) => ('row' in outcome ? outcome.row : []));
	const listed = new Set(files.map(keyOf));
	return {
		transaction,
		// What the service doesn't show any more is still there.
		manifest: [...rows, ...[...wanted.earlier.values()].filter((row) => !listed.has(keyOf(row)))],
		fetched: [...outcomes.values()].filter((outcome) => 'binary' in outcome),
		missing: [...missingIn(outcomes), ...contents.missing],
		total,
		manifestName: names.manifest,
	};
}

/** Recordings are much bigger than other files, and what takes longest has to begin first. */
function biggestFirst<T>(files: ReadonlyMap<PackageFile, T>): Array<[PackageFile, T]> {
	const rank = ([{ kind }]: [PackageFile, T]) => (kind === 'recording' ? 0 : 1);
	return [...files].sort((one, other) => rank(one) - rank(other));
}

function missingIn(outcomes: ReadonlyMap<PackageFile, Outcome | Fetch>): Missing[] {
	return [...outcomes].flatMap(([{ kind, id, label }, outcome]) =>
		'why' in outcome ? [{ kind, id, label, ...outcome }] : [],
	);
}

function rowOf({ transactionId }: Target, { kind, id, acts }: PackageFile, facts: FileFacts) {
	return { transaction_id: transactionId, kind, id, ...facts, notarial_acts: acts };
}
