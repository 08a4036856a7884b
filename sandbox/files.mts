import { createHash } from 'node:crypto';

import type { FastifyInstance } from 'fastify';

import type { Links, StoredFile } from './links.mts';
import type { Transaction, World } from './world.mts';

/** What is stored under a key of a link. */
export function findFile(world: World, key: string): StoredFile | undefined {
	const [kind, id, name] = key.split('/');
	const transactions = [...world.transactions.values()];
	if (kind === 'final') {
		const document = transactions.flatMap(({ documents }) => documents).find((entry) => entry.id === id);
		return document?.final && { name: `${document.name}.pdf`, mimeType: 'application/pdf', bytes: document.final };
	}
	if (kind === 'audit') {
		const bytes = world.transactions.get(id)?.auditTrail;
		return bytes && { name: 'audit_trail.pdf', mimeType: 'application/pdf', bytes };
	}
	const bytes = world.records.get(id)?.pictures[name];
	return bytes && { name: `${name}.png`, mimeType: 'image/png', bytes };
}

export interface HeldFile {
	kind: 'document' | 'auditTrail' | 'video' | 'identityImage';
	name: string;
	bytes: number;
	sha256: string;
}

/** Everything a completed transaction leaves behind, to compare an archive with. */
export function heldFiles(world: World, transaction: Transaction): HeldFile[] {
	const describe = (kind: HeldFile['kind'], name: string, bytes: Buffer | undefined): HeldFile[] =>
		bytes === undefined ? [] : [{ kind, name, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }];
	const record = transaction.recordId === undefined ? undefined : world.records.get(transaction.recordId);
	return [
		...transaction.documents.flatMap((document) => describe('document', document.name, document.final)),
		...describe('auditTrail', 'audit trail', transaction.auditTrail),
		...describe('video', 'recording', record?.video),
		...Object.entries(record?.pictures ?? {}).flatMap(([name, bytes]) => describe('identityImage', name, bytes)),
	];
}

/** Serves signed links the way storage services do: no key wanted, XML when a link is too old. */
export function registerFiles(app: FastifyInstance, world: World, links: Links): void {
	app.get<{ Params: { key: string }; Querystring: { expires?: string; signature?: string } }>('/files/:key', async (request, reply) => {
		const { key } = request.params;
		const refused = links.check(key, request.query.expires, request.query.signature);
		if (refused !== undefined) {
			const text = refused === 'expired' ? 'Request has expired' : 'The signature does not match';
			return await reply.status(403).type('application/xml').send(`<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>${text}</Message></Error>`);
		}
		const file = findFile(world, key);
		if (file === undefined) return await reply.status(404).type('application/xml').send('<Error><Code>NoSuchKey</Code></Error>');
		return await reply.type(file.mimeType).header('content-disposition', `attachment; filename="${file.name.replace(/[^\x20-\x7e]|"/g, '_')}"`).send(file.bytes);
	});
}
