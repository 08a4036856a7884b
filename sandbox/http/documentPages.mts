/** What the console needs to show the pages of a document: the document, and pdf.js. */

import { readdirSync, readFileSync } from 'node:fs';

import type { FastifyInstance } from 'fastify';

import type { World } from '../world/world.mts';

const PDFJS = new URL('../../', import.meta.resolve('pdfjs-dist/legacy/build/pdf.mjs'));
/** The files of pdf.js that a browser may load. */
const PDFJS_FILES = new Set(
	['legacy/build', 'cmaps', 'standard_fonts', 'wasm'].flatMap((folder) =>
		readdirSync(new URL(folder, PDFJS)).map((name) => `${folder}/${name}`),
	),
);
const UNKNOWN = { message: 'The sandbox does not know this' };

export function registerDocumentPages(app: FastifyInstance, world: World): void {
	app.get<{ Params: { '*': string } }>('/console/pdfjs/*', async ({ params }, reply) => {
		const name = params['*'];
		if (!PDFJS_FILES.has(name)) return await reply.status(404).send(UNKNOWN);
		const type = name.endsWith('.mjs') ? 'text/javascript' : 'application/octet-stream';
		return await reply.type(type).send(readFileSync(new URL(name, PDFJS)));
	});
	app.get<{ Params: { id: string; document: string } }>(
		'/sandbox/transactions/:id/documents/:document',
		async ({ params }, reply) => {
			const { documents } = world.transactions.get(params.id) ?? { documents: [] };
			const found = documents.find(({ id }) => id === params.document);
			if (found === undefined) return await reply.status(404).send(UNKNOWN);
			const { name, designations, uploaded } = found;
			return { name, designations, pdf: uploaded.toString('base64') };
		},
	);
}
