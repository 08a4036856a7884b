import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { PDFDocument } from '@cantoo/pdf-lib';

import { whyNotMp4 } from './mp4.mts';

/** What lies in the archive folder, against what the service holds. */

/** A file of a completed transaction, as the sandbox tells of it (GET /sandbox/files/:id). */
export interface HeldFile {
	kind: 'document' | 'auditTrail' | 'video' | 'identityImage';
	name: string;
	bytes: number;
	sha256: string;
}

export interface ArchivedFile {
	name: string;
	bytes: number;
	sha256: string;
	kind: HeldFile['kind'];
	/** That it opens, in words: "opens with 3 pages". */
	opens: string;
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

/**
 * Compares every file byte for byte; PDFs must open, pictures and the recording must be what they
 * say. Complaints are sentences.
 */
export async function checkArchive(
	folder: string,
	transactionId: string,
	held: HeldFile[],
): Promise<{ files: ArchivedFile[]; complaints: string[] }> {
	const complaints: string[] = [];
	const files: ArchivedFile[] = [];
	const waiting = [...held];
	for (const name of readdirSync(folder)
		.filter((entry) => entry.startsWith(transactionId))
		.sort()) {
		const bytes = readFileSync(join(folder, name));
		const sha256 = createHash('sha256').update(bytes).digest('hex');
		const match = waiting.findIndex((entry) => entry.sha256 === sha256);
		if (match < 0) {
			complaints.push(`${name} is not what the service holds`);
			continue;
		}
		const [{ kind }] = waiting.splice(match, 1);
		try {
			files.push({ name, bytes: bytes.length, sha256, kind, opens: await open(kind, bytes) });
		} catch (thrown) {
			complaints.push(
				`${name} does not open: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
			);
		}
	}
	for (const { kind, name } of waiting) complaints.push(`${kind} '${name}' is not in the archive`);
	if (held.length === 0) complaints.push('the service holds no files of this transaction');
	return { files, complaints };
}

async function open(kind: HeldFile['kind'], bytes: Buffer): Promise<string> {
	if (kind === 'video') {
		const why = whyNotMp4(bytes);
		if (why !== undefined) throw new Error(why);
		return 'whole MP4';
	}
	if (kind === 'identityImage') {
		if (![PNG, JPEG].some((start) => bytes.subarray(0, start.length).equals(start)))
			throw new Error('it is neither PNG nor JPEG');
		return 'picture';
	}
	const pages = (await PDFDocument.load(bytes, { updateMetadata: false })).getPageCount();
	return `opens, ${pages} page${pages === 1 ? '' : 's'}`;
}
