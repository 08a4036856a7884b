import { randomUUID } from 'node:crypto';

/** A signed-in session with n8n's internal REST interface, the one the editor uses. */

export interface Owner {
	email: string;
	password: string;
	firstName: string;
	lastName: string;
}
/** The owner of the n8n that this project starts: it listens on this machine only. */
export const OWNER: Owner = {
	email: 'owner@example.com',
	password: 'SignAndClose1',
	firstName: 'Olivia',
	lastName: 'Owner',
};

/** What n8n answered when it refused. */
export class N8nRefusal extends Error {
	readonly status: number;
	readonly body: unknown;

	constructor(what: string, status: number, body: unknown) {
		const message = (body as { message?: unknown } | undefined)?.message;
		super(
			`n8n answered ${status} to ${what}: ${typeof message === 'string' ? message : JSON.stringify(body)}`,
		);
		this.name = 'N8nRefusal';
		this.status = status;
		this.body = body;
	}
}

export class Session {
	readonly url: string;
	/** n8n binds the session to this: the same value with every request. */
	readonly browserId = randomUUID();
	cookie = '';

	constructor(url: string) {
		this.url = url.replace(/\/$/, '');
	}

	/**
	 * One request of the editor's kind.
	 * @returns the `data` of the answer when it has one, else the whole answer
	 * @throws N8nRefusal on any status from 400 on
	 */
	async send<T = unknown>(
		method: string,
		path: string,
		body?: unknown,
		headers: Record<string, string> = {},
	): Promise<T> {
		const response = await fetch(`${this.url}${path}`, {
			method,
			headers: {
				'browser-id': this.browserId,
				...(this.cookie === '' ? {} : { cookie: this.cookie }),
				...(body === undefined ? {} : { 'content-type': 'application/json' }),
				...headers,
			},
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		const issued = response.headers.getSetCookie().find((cookie) => cookie.startsWith('n8n-auth='));
		if (issued !== undefined) this.cookie = issued.split(';')[0];
		const text = await response.text();
		const answer = parse(text);
		if (!response.ok)
			throw new N8nRefusal(`${method} ${path.split('?')[0]}`, response.status, answer);
		const hasData = typeof answer === 'object' && answer !== null && 'data' in answer;
		return (hasData ? (answer as { data: unknown }).data : answer) as T;
	}

	/** Sets the owner up on a fresh n8n, signs in on one that has its owner. */
	async signIn(owner: Owner = OWNER): Promise<void> {
		const settings = await this.send<{ userManagement?: { showSetupOnFirstLoad?: boolean } }>(
			'GET',
			'/rest/settings',
		);
		if (settings.userManagement?.showSetupOnFirstLoad === true)
			await this.send('POST', '/rest/owner/setup', owner);
		else
			await this.send('POST', '/rest/login', {
				emailOrLdapLoginId: owner.email,
				password: owner.password,
			});
	}
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}
