import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { PDFDocument } from '@cantoo/pdf-lib';

import type { ServiceFile } from '../clients/sandboxConsole.mts';
import { findMp4Problem } from './mp4.mts';

export interface ArchivedFile {
	name: string;
	bytes: number;
	sha256: string;
	kind: ServiceFile['kind'];
	/** What was found when the file was opened, e.g. "PDF, 3 pages". */
	content: string;
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

/** How the name of the file ends that lists all others. It's the node's, so the service has none. */
const MANIFEST = ' Manifest.json';

/**
 * Compares the archived files of a transaction with those of the service, byte for byte, and opens
 * each of them. A manifest has to list these files with the hashes of the service.
 * @returns the files that are right, and a sentence for each problem
 */
export async function checkArchive(
	folder: string,
	transactionId: string,
	serviceFiles: ServiceFile[],
): Promise<{ files: ArchivedFile[]; problems: string[] }> {
	const problems: string[] = [];
	const files: ArchivedFile[] = [];
	const missing = [...serviceFiles];
	const names = readdirSync(folder)
		.filter((entry) => entry.startsWith(transactionId))
		.sort();
	for (const name of names.filter((one) => !one.endsWith(MANIFEST))) {
		const bytes = readFileSync(join(folder, name));
		const sha256 = createHash('sha256').update(bytes).digest('hex');
		const match = missing.findIndex((entry) => entry.sha256 === sha256);
		if (match < 0) {
			problems.push(`${name} differs from every file of the service`);
			continue;
		}
		const [{ kind }] = missing.splice(match, 1);
		try {
			const content = await describeContent(kind, bytes);
			files.push({ name, bytes: bytes.length, sha256, kind, content });
		} catch (error) {
			problems.push(
				`${name} can't be opened: ${error instanceof Error ? error.message : String(error)}`,
			);
		}
	}
	for (const { kind, name } of missing) problems.push(`${kind} '${name}' isn't in the archive`);
	for (const name of names.filter((one) => one.endsWith(MANIFEST)))
		problems.push(...findManifestProblems(readFileSync(join(folder, name), 'utf8'), files));
	if (serviceFiles.length === 0) problems.push('The service has no files of this transaction');
	return { files, problems };
}

/** Where a manifest says something else than what is in the archive. */
function findManifestProblems(text: string, files: ArchivedFile[]): string[] {
	const { manifest } = JSON.parse(text) as {
		manifest: Array<{ file_name: string; bytes: number; sha256: string }>;
	};
	const listed = new Map(manifest.map((row) => [row.file_name, row]));
	const wrong = files.filter(({ name, bytes, sha256 }) => {
		const row = listed.get(name);
		return row?.bytes !== bytes || row.sha256 !== sha256;
	});
	return [
		...wrong.map(({ name }) => `The manifest has no '${name}', or another file of that name`),
		...(manifest.length === files.length
			? []
			: [`The manifest lists ${manifest.length} files instead of ${files.length}`]),
	];
}

/** @throws when the file isn't what its kind says */
async function describeContent(kind: ServiceFile['kind'], bytes: Buffer): Promise<string> {
	if (kind === 'video') {
		const problem = findMp4Problem(bytes);
		if (problem !== undefined) throw new Error(problem);
		return 'MP4';
	}
	if (kind === 'identityImage') {
		if (![PNG, JPEG].some((start) => bytes.subarray(0, start.length).equals(start)))
			throw new Error('it is neither PNG nor JPEG');
		return 'picture';
	}
	const pages = (await PDFDocument.load(bytes, { updateMetadata: false })).getPageCount();
	return `PDF, ${pages} page${pages === 1 ? '' : 's'}`;
}
