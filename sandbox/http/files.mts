/** Serves the files that signed links lead to (docs/service/documents.md#links). */

import type { FastifyInstance } from 'fastify';

import type { Links } from './signedLinks.mts';
import type { World } from '../world/world.mts';

interface StoredFile {
	name: string;
	mimeType: string;
	bytes: Buffer;
}

/** The file that the key of a link names. */
function findFile(world: World, key: string): StoredFile | undefined {
	const [kind, id, name] = key.split('/');
	if (kind === 'final') {
		const document = [...world.transactions.values()]
			.flatMap(({ documents }) => documents)
			.find((entry) => entry.id === id);
		return pdf(`${document?.name}.pdf`, document?.final);
	}
	const transaction = world.transactions.get(id);
	if (kind === 'audit') return pdf('audit_trail.pdf', transaction?.auditTrail);
	if (kind === 'charges') return pdf('charge_statement.pdf', transaction?.chargeStatement);
	if (kind === 'attachment') return pdf('receipt.pdf', transaction?.attachment);
	if (kind === 'identity') return pdf('identity_report.pdf', transaction?.identityReport);
	const bytes = world.records.get(id)?.pictures[name];
	return bytes && { name: `${name}.png`, mimeType: 'image/png', bytes };
}

function pdf(name: string, bytes: Buffer | undefined): StoredFile | undefined {
	return bytes && { name, mimeType: 'application/pdf', bytes };
}

interface LinkQuery {
	expires?: string;
	nonce?: string;
	signature?: string;
}

/** Answers as storage services do: no API key is needed, and a refusal is XML. */
export function registerFiles(app: FastifyInstance, world: World, links: Links): void {
	app.get<{ Params: { key: string }; Querystring: LinkQuery }>(
		'/files/:key',
		async (request, reply) => {
			const { key } = request.params;
			const { expires, nonce, signature } = request.query;
			const reason = links.check(key, expires, nonce, signature);
			if (reason === 'expired')
				return await reply
					.status(403)
					.type('application/xml')
					.send(xml('AccessDenied', 'Request has expired'));
			if (reason === 'forged')
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
