/** Which files a completed transaction leaves behind. */

import { createHash } from 'node:crypto';

import type { Transaction, World } from '../world/world.mts';

interface FinishedFile {
	kind: 'document' | 'auditTrail' | 'video' | 'identityImage';
	name: string;
	bytes: number;
	sha256: string;
}

/** The files of a completed transaction with their hashes, to compare an archive with. */
export function finishedFiles(world: World, transaction: Transaction): FinishedFile[] {
	const describe = (
		kind: FinishedFile['kind'],
		name: string,
		bytes: Buffer | undefined,
	): FinishedFile[] =>
		bytes === undefined
			? []
			: [
					{
						kind,
						name,
						bytes: bytes.length,
						sha256: createHash('sha256').update(bytes).digest('hex'),
					},
				];
	const record =
		transaction.recordId === undefined ? undefined : world.records.get(transaction.recordId);
	return [
		...transaction.documents.flatMap((document) =>
			describe('document', document.name, document.final),
		),
		...describe('auditTrail', 'audit trail', transaction.auditTrail),
		...describe('video', 'recording', record?.video),
		...Object.entries(record?.pictures ?? {}).flatMap(([name, bytes]) =>
			describe('identityImage', name, bytes),
		),
	];
}
