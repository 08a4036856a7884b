/** Serves the samples at /samples, so that workflows can take them by URL, and a list of them. */

import type { FastifyInstance } from 'fastify';

import { SAMPLE_ENOTE, SAMPLE_PAPERS, samplePdf } from '../data/samples.mts';

/** The page that lists the samples, each with the link that a workflow takes. */
function listPage(origin: string): string {
	const names = [...SAMPLE_PAPERS.map(({ name }) => `${name}.pdf`), 'enote.xml'];
	const rows = names.map((name) => {
		const link = `${origin}/samples/${name}`;
		return `<li><a href="${link}">${link}</a></li>`;
	});
	return `<!doctype html>
<html lang="en">
<meta charset="utf-8" />
<title>Sample papers</title>
<link rel="stylesheet" href="/console/page.css" />
<body><header><div class="brand"><h1>Sample papers</h1>
<p>Papers of an imaginary refinance. Copy a link into a field such as "File URL"</p></div></header>
<main><ul>${rows.join('\n')}</ul></main></body>
</html>`;
}

export function registerSamples(app: FastifyInstance): void {
	app.get(
		'/samples',
		async (_request, reply) => await reply.type('text/html').send(listPage(app.listeningOrigin)),
	);
	app.get<{ Params: { name: string } }>('/samples/:name', async (request, reply) => {
		const { name } = request.params;
		if (name === 'enote.xml') return await reply.type('application/xml').send(SAMPLE_ENOTE);
		const pdf = await samplePdf(name.replace(/\.pdf$/, ''));
		return pdf === undefined
			? await reply.status(404).send({ message: 'No such sample' })
			: await reply.type('application/pdf').send(pdf);
	});
}
