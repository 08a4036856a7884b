import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { CANARIES, formsOf, numberForms, type Canary } from './canaries.mts';

/** What the service answers. */
export type Manner =
	/** Its own answers, those of success with everything that it was sent in each object. */
	| 'echo'
	/** A refusal that repeats what it was sent, in each form. */
	| 'refuse'
	/** Good answers to reads and a refusal of each write. */
	| 'refuseWrites'
	/** A refusal whose text is cut in the middle of a secret when it is shown. */
	| 'refuseAtLength'
	/** A success that complains at length instead of showing anything. */
	| 'complain'
	/** A web page with the key. */
	| 'page'
	/** A plain text. */
	| 'text'
	/** A redirect to another host, with the key in the address. */
	| 'redirect';

/** Texts of the longest message, so that a cut comes in the middle of what follows. */
const LONG = 'x'.repeat(575);

const LINK = `https://sign.example.com/s/1?token=${CANARIES.accessToken}`;
/** How a refusal may show what lets a signer in. */
const ACCESS = [
	`Could not open ${LINK}`,
	`sdk_token: ${CANARIES.accessToken}`,
	JSON.stringify({ transaction_access_link: [`https://sign.example.com/${CANARIES.accessToken}`] }),
];

/** A service that repeats what it is sent, in front of a sandbox, and another host. */
export interface EchoingService {
	url: string;
	manner: Manner;
	/** Everything that the other host was sent. */
	elsewhere: string[];
	close(): Promise<void>;
}

/**
 * Starts a service that repeats secrets wherever it can.
 * @param sandbox does the work; gets its own key in place of the canary
 */
export async function startEchoingService(sandbox: {
	url: string;
	keys: { full: string };
}): Promise<EchoingService> {
	const elsewhere: string[] = [];
	const other = await listen(
		createServer((request, response) => {
			elsewhere.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
			response.end('{}');
		}),
	);
	const front = await listen(
		createServer((request, response) => {
			void answer(request).then(
				({ status, headers = {}, body }) => response.writeHead(status, headers).end(body),
				(error) => response.writeHead(599).end(String(error)),
			);
		}),
	);
	const service: EchoingService = {
		url: urlOf(front),
		manner: 'echo',
		elsewhere,
		close: async () => {
			for (const server of [front, other]) {
				server.closeAllConnections();
				server.close();
				await once(server, 'close');
			}
		},
	};

	async function answer(request: IncomingMessage): Promise<Answer> {
		const sent = await bodyOf(request);
		const known = sentCanaries(`${JSON.stringify(request.headers)}${sent.toString('utf8')}`);
		// A test that can't change the manner in between asks for something with this name.
		const manner = request.url?.includes('refused') ? 'refuse' : service.manner;
		const isRead = request.method === 'GET';
		if (manner === 'echo' || (manner === 'refuseWrites' && isRead))
			return await echo(request, sent, known);
		return { headers: { 'x-echo': CANARIES.apiKey }, ...badAnswer(manner, known) };
	}

	function badAnswer(manner: Manner, known: Canary[]): Answer {
		const echoed = Object.values(echoOf(known)).map((forms) => Object.values(forms).map(String));
		const texts = [...echoed.flat(), ...ACCESS];
		switch (manner) {
			case 'refuseAtLength':
				return json(422, { errors: known.map((name) => `${LONG}${CANARIES[name]}`) });
			case 'complain':
				return json(200, { errors: known.map((name) => `${LONG}${CANARIES[name]}`) });
			case 'page':
				return { status: 200, body: `<html><p>${texts.join('</p><p>')}</p></html>` };
			case 'text':
				return { status: 400, body: texts.join(' ') };
			case 'redirect':
				return {
					status: 302,
					headers: { location: `${urlOf(other)}/?key=${encodeURIComponent(CANARIES.apiKey)}` },
				};
			default:
				return json(422, {
					errors: { field: echoed.map((forms) => forms.join(' ')), request: ACCESS },
				});
		}
	}

	async function echo(request: IncomingMessage, sent: Buffer, known: Canary[]): Promise<Answer> {
		const headers = Object.entries(request.headers).filter(
			([name]) => !['connection', 'host', 'content-length'].includes(name),
		);
		const answered = await fetch(`${sandbox.url}${request.url}`, {
			method: request.method,
			headers: {
				...(Object.fromEntries(headers) as Record<string, string>),
				apikey: sandbox.keys.full,
			},
			body: sent.length === 0 ? undefined : new Uint8Array(sent),
			redirect: 'manual',
		});
		const body = Buffer.from(await answered.arrayBuffer());
		const type = answered.headers.get('content-type') ?? '';
		const shown = { 'content-type': type, 'x-echo': CANARIES.apiKey };
		// With all that, a refusal would be cut before it could be read.
		if (!type.includes('json') || body.length === 0 || !answered.ok)
			return { status: answered.status, headers: shown, body };
		const own = body.toString('utf8').replaceAll(sandbox.url, service.url);
		const echoed = JSON.stringify(decorate(JSON.parse(own), echoOf(known)));
		return { status: answered.status, headers: shown, body: echoed };
	}

	return service;
}

interface Answer {
	status: number;
	headers?: Record<string, string>;
	body?: string | Buffer;
}

const json = (status: number, body: object): Answer => ({
	status,
	headers: { 'content-type': 'application/json' },
	body: JSON.stringify(body),
});

/** What the service knows: the key, the secret with which it signs, and what a request has. */
function sentCanaries(text: string): Canary[] {
	const entered = (
		['enteredKey', 'clientSecret', 'headerValue', 'authorizationHeader', 'callbackSecret'] as const
	).filter((name) => text.includes(JSON.stringify(CANARIES[name]).slice(1, -1)));
	const { socialSecurityNumber: ssn } = CANARIES;
	const number = [ssn, ssn.replace(/-/g, '')].some((form) => text.includes(form))
		? (['socialSecurityNumber'] as const)
		: [];
	return ['apiKey', 'signingSecret', ...entered, ...number];
}

function echoOf(known: Canary[]): Record<string, Record<string, unknown>> {
	return Object.fromEntries(
		known.map((name) => [
			`echo_${name}`,
			name === 'socialSecurityNumber' ? numberForms() : formsOf(CANARIES[name]),
		]),
	);
}

/**
 * Adds to each object what was sent and fields that are secret by their names. The value of a
 * custom header, which may be any word, isn't added to good answers.
 */
function decorate(value: unknown, { echo_headerValue: _left, ...echoed }: object & Echo): unknown {
	if (Array.isArray(value)) return value.map((entry) => decorate(entry, echoed));
	if (typeof value !== 'object' || value === null) return value;
	return {
		...Object.fromEntries(
			Object.entries(value).map(([name, entry]) => [name, decorate(entry, echoed)]),
		),
		echoed: {
			...echoed,
			[CANARIES.apiKey]: [{ deep: [CANARIES.apiKey] }],
			client_secret: CANARIES.clientSecret,
			authorization_header: `Authorization:${CANARIES.authorizationHeader}`,
			signing_key: CANARIES.signingSecret,
			transaction_access_link: LINK,
			sdk_token: CANARIES.accessToken,
			borrowers: [{ ssn: CANARIES.socialSecurityNumber }, { ssn: 912837465 }],
		},
	};
}

type Echo = { echo_headerValue?: unknown };

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks);
}

async function listen(server: Server): Promise<Server> {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return server;
}

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
