import { readFileSync } from 'node:fs';

import fastify from 'fastify';

import { isLocalRequest } from '../../sandbox/http/server.mts';

/** A mail that somebody writes to the office. */
export interface NewMail {
	from: string;
	subject: string;
	text: string;
	/** The file names of sample papers. */
	papers: string[];
}

/** What the page does and shows. */
interface PageParts {
	write(mail: NewMail): Promise<void>;
	/** Takes a message to the chat. */
	post(message: string): void;
	show(): object;
}

/** It looks like the sandbox's console, and is built as that is. */
const CONSOLE = new URL('../../sandbox/console/', import.meta.url);
const CONSOLE_FILES = {
	'page.css': 'text/css',
	'cards.css': 'text/css',
	'elements.mjs': 'text/javascript',
};

/** Serves the mailbox page on 127.0.0.1. Only this machine may use it. */
export async function startPage(
	port: number,
	{ write, post, show }: PageParts,
): Promise<{ url: string; close: () => Promise<void> }> {
	const app = fastify({ forceCloseConnections: true });
	app.addHook('onRequest', async (request, reply) => {
		if (!isLocalRequest(request.headers.host, request.headers['sec-fetch-site']))
			return await reply.status(403).send({ message: 'Only from this machine' });
	});
	app.get(
		'/',
		async (_request, reply) =>
			await reply.type('text/html').send(readFileSync(new URL('page.html', import.meta.url))),
	);
	for (const [name, type] of Object.entries(CONSOLE_FILES))
		app.get(
			`/${name}`,
			async (_request, reply) => await reply.type(type).send(readFileSync(new URL(name, CONSOLE))),
		);
	app.get('/mails', async () => show());
	app.post<{ Body: NewMail }>('/mails', async (request) => {
		await write(request.body);
		return {};
	});
	app.post<{ Body: { text: string } }>('/chat', async (request) => {
		post(request.body.text);
		return {};
	});
	const url = await app.listen({ port, host: '127.0.0.1' });
	return { url, close: async () => await app.close() };
}
