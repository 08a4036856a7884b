/** Serves the samples at /samples, so that workflows can take them by URL. */

import type { FastifyInstance } from 'fastify';

import { SAMPLE_ENOTE, samplePdf } from '../data/samples.mts';

export function registerSamples(app: FastifyInstance): void {
	app.get<{ Params: { name: string } }>('/samples/:name', async (request, reply) => {
		const { name } = request.params;
		if (name === 'enote.xml') return await reply.type('application/xml').send(SAMPLE_ENOTE);
		const pdf = await samplePdf(name.replace(/\.pdf$/, ''));
		return pdf === undefined
			? await reply.status(404).send({ message: 'No such sample' })
			: await reply.type('application/pdf').send(pdf);
	});
}
