import { createHash } from 'node:crypto';

import type { FastifyInstance } from 'fastify';

import type { Links } from './signedLinks.mts';
import type { Transaction, World } from '../state/world.mts';

export interface StoredFile {
	name: string;
	mimeType: string;
	bytes: Buffer;
}

/** What is stored under a key of a link. */
export function findFile(world: World, key: string): StoredFile | undefined {
	const [kind, id, name] = key.split('/');
	if (kind === 'final') {
		const document = [...world.transactions.values()]
			.flatMap(({ documents }) => documents)
			.find((entry) => entry.id === id);
		return (
			document?.final && {
				name: `${document.name}.pdf`,
				mimeType: 'application/pdf',
				bytes: document.final,
			}
		);
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

interface LinkQuery {
	expires?: string;
	nonce?: string;
	signature?: string;
}

/**
 * Serves signed links the way storage services do: no key wanted, XML when a link is refused
 * (gaps.md §2, §9).
 */
export function registerFiles(app: FastifyInstance, world: World, links: Links): void {
	app.get<{ Params: { key: string }; Querystring: LinkQuery }>(
		'/files/:key',
		async (request, reply) => {
			const { key } = request.params;
			const { expires, nonce, signature } = request.query;
			const refused = links.check(key, expires, nonce, signature);
			if (refused === 'expired')
				return await reply
					.status(403)
					.type('application/xml')
					.send(xml('AccessDenied', 'Request has expired'));
			if (refused === 'forged')
				return await reply
					.status(403)
					.type('application/xml')
					.send(xml('SignatureDoesNotMatch', 'The signature does not match the link'));
			const file = findFile(world, key);
			if (file === undefined)
				return await reply
					.status(404)
					.type('application/xml')
					.send(xml('NoSuchKey', 'The file does not exist'));
			const name = file.name.replace(/[^\x20-\x7e]|["\\]/g, '_');
			return await reply
				.type(file.mimeType)
				.header(
					'content-disposition',
					`inline; filename="${name}"; filename*=UTF-8''${encodeURIComponent(file.name)}`,
				)
				.send(file.bytes);
		},
	);
}

function xml(code: string, message: string): string {
	return `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
}
