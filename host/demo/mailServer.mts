import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { SMTPServer } from 'smtp-server';

import type { N8nClient } from '../clients/n8n/client.mts';
import type { CredentialReference } from '../clients/n8n/types.mts';

/** A server that receives the emails of workflows and delivers none. */
export interface MailServer {
	/** Received emails, with long lines put together again. */
	emails: string[];
	/** Saves a credential for it. */
	saveCredential(api: N8nClient): Promise<CredentialReference>;
	close(): Promise<void>;
}

export async function startMailServer(): Promise<MailServer> {
	const emails: string[] = [];
	const server = new SMTPServer({
		authOptional: true,
		disabledCommands: ['STARTTLS', 'AUTH'],
		onData: (stream, _session, done) =>
			void text(stream).then((email) => {
				// Long lines are wrapped (quoted-printable).
				emails.push(email.replace(/=\r?\n/g, ''));
				done();
			}, done),
	});
	const port = await new Promise<number>((ready) => {
		const listening = server.listen(0, '127.0.0.1', () =>
			ready((listening.address() as AddressInfo).port),
		);
	});
	return {
		emails,
		saveCredential: async (api) =>
			await api.credentials.save('Mail of the office', 'smtp', {
				user: '',
				password: '',
				host: '127.0.0.1',
				port,
				secure: false,
				disableStartTls: true,
				hostName: '',
			}),
		close: async () => await new Promise<void>((closed) => server.close(closed)),
	};
}

/** The HTML of an email that has nothing else. */
export function htmlOf(email: string): string {
	const bytes = email
		.slice(email.search(/\r?\n\r?\n/))
		.replace(/=\r?\n/g, '')
		.replace(/=([0-9A-F]{2})/g, (_match, code: string) => String.fromCharCode(parseInt(code, 16)));
	return Buffer.from(bytes, 'latin1').toString();
}
