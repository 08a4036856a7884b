import { randomUUID } from 'node:crypto';

import { waitUntil } from '../../run/patience.mts';

interface Owner {
	email: string;
	password: string;
	firstName: string;
	lastName: string;
}

/** The owner of the n8n that this project starts. That n8n listens on this machine only. */
export const OWNER: Owner = {
	email: 'owner@example.com',
	password: 'SignAndClose1',
	firstName: 'Olivia',
	lastName: 'Owner',
};

/** n8n answered with a status of 400 or more. */
export class N8nRequestError extends Error {
	readonly status: number;
	readonly body: unknown;

	constructor(request: string, status: number, body: unknown) {
		const message = (body as { message?: unknown } | undefined)?.message;
		super(
			`n8n answered ${status} to ${request}: ${typeof message === 'string' ? message : JSON.stringify(body)}`,
		);
		this.name = 'N8nRequestError';
		this.status = status;
		this.body = body;
	}
}

/** A session with n8n's internal REST interface, the one the editor uses. */
export class Session {
	readonly url: string;
	/** n8n binds the session to this value and expects it with every request. */
	readonly browserId = randomUUID();
	cookie = '';

	constructor(url: string) {
		this.url = url.replace(/\/$/, '');
	}

	/**
	 * Sends one request as the editor does, again while n8n's database is not ready.
	 * @returns the `data` of the answer when it has one, else the whole answer
	 * @throws N8nRequestError when the status is 400 or more
	 */
	async send<T = unknown>(
		method: string,
		path: string,
		body?: unknown,
		headers: Record<string, string> = {},
	): Promise<T> {
		const ask = async () =>
			await fetch(`${this.url}${path}`, {
				method,
				headers: {
					'browser-id': this.browserId,
					...(this.cookie === '' ? {} : { cookie: this.cookie }),
					...(body === undefined ? {} : { 'content-type': 'application/json' }),
					...headers,
				},
				body: body === undefined ? undefined : JSON.stringify(body),
			});
		// On a busy machine n8n's database may not answer in time, and n8n then refuses all calls.
		const response = await waitUntil(
			async () => {
				const answer = await ask().catch(async (thrown: unknown) => {
					// n8n closes a connection that nobody used for a while, perhaps just as it's used again.
					if (method !== 'GET') throw thrown;
					return await ask();
				});
				if (answer.status !== 503) return answer;
				await answer.body?.cancel();
				return undefined;
			},
			() => `n8n answers 503 to ${method} ${path.split('?')[0]}`,
			{ pauseMs: 500 },
		);
		const newCookie = response.headers
			.getSetCookie()
			.find((cookie) => cookie.startsWith('n8n-auth='));
		if (newCookie !== undefined) this.cookie = newCookie.split(';')[0];
		const text = await response.text();
		const answer = parse(text);
		if (!response.ok)
			throw new N8nRequestError(`${method} ${path.split('?')[0]}`, response.status, answer);
		const hasData = typeof answer === 'object' && answer !== null && 'data' in answer;
		return (hasData ? (answer as { data: unknown }).data : answer) as T;
	}

	/** Signs the owner in. On a fresh n8n, which refuses that, creates the owner first. */
	async signIn(owner: Owner = OWNER): Promise<void> {
		try {
			const { email: emailOrLdapLoginId, password } = owner;
			await this.send('POST', '/rest/login', { emailOrLdapLoginId, password });
		} catch (error) {
			if (!(error instanceof N8nRequestError && error.status === 401)) throw error;
			await this.send('POST', '/rest/owner/setup', owner);
		}
	}
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}
