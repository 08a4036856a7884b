import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import MailComposer from 'nodemailer/lib/mail-composer';
import { SMTPServer } from 'smtp-server';

import type { N8nClient } from '../clients/n8n/client.mts';
import type { CredentialReference } from '../clients/n8n/types.mts';
import { samplePdf, SAMPLE_PAPERS } from '../../sandbox/data/samples.mts';
import { Inbox, startImap } from './imap.mts';
import { readMail, type Mail } from './mime.mts';
import { startPage, type NewMail } from './page.mts';

/** Where mails come in, and what workflows send from. */
export const OFFICE_MAIL = 'closings@example.com';

/** The people whom workflows write to. */
export const TEAM_MAIL = 'closing.team@example.com';

/**
 * The mailboxes of an office, without a mail server: what workflows send is kept and delivered to
 * nobody, and what's written to the office comes in.
 */
export interface Mailbox {
	/** The page that shows everything. */
	url: string;
	/** Takes what a workflow posts to a chat. */
	chatUrl: string;
	/** What was posted to the chat, the latest last. */
	chatMessages: string[];
	/** Sent mails as somebody reads them: some headers, an empty line, the text. The latest last. */
	emails: string[];
	/** Writes a mail to the office. @throws when there's no such paper */
	write(mail: NewMail): Promise<void>;
	/** Saves the credentials that send and receive mails. */
	saveCredentials(api: N8nClient): Promise<Record<'smtp' | 'imap', CredentialReference>>;
	close(): Promise<void>;
}

/** @param port of the page; a free one when left out */
export async function startMailbox(port = 0): Promise<Mailbox> {
	const inbox = new Inbox();
	const emails: string[] = [];
	const chatMessages: string[] = [];
	const sent: Mail[] = [];
	const smtp = await startSmtp((raw, recipients) => {
		const mail = readMail(raw);
		sent.push(mail);
		emails.push(describeMail(mail));
		if (recipients.includes(OFFICE_MAIL)) inbox.add(raw);
	});
	const imap = await startImap(inbox);
	const write = async ({ from, subject, text: words, papers }: NewMail) => {
		const attachments = papers.map(async (fileName) => {
			const name = SAMPLE_PAPERS.find((paper) => paper.fileName === fileName)?.name ?? '';
			const content = await samplePdf(name);
			if (content === undefined) throw new Error(`There is no sample paper '${fileName}'`);
			return { filename: fileName, content, contentType: 'application/pdf' };
		});
		const mail = { from, to: OFFICE_MAIL, subject, text: words };
		const composer = new MailComposer({ ...mail, attachments: await Promise.all(attachments) });
		inbox.add((await composer.compile().build()).toString('latin1'));
	};
	const page = await startPage(port, {
		write,
		post: (message) => chatMessages.push(message),
		show: () => ({
			office: OFFICE_MAIL,
			ports: { smtp: smtp.port, imap: imap.port },
			papers: SAMPLE_PAPERS.map(({ fileName }) => fileName),
			received: inbox.mails.map(({ raw, flags }) => ({
				...readMail(raw),
				isRead: flags.has('\\seen'),
			})),
			sent,
			chat: chatMessages,
		}),
	});
	return {
		url: page.url,
		chatUrl: `${page.url}/chat`,
		chatMessages,
		emails,
		write,
		async saveCredentials(api) {
			const login = { user: 'office', password: 'office', host: '127.0.0.1', secure: false };
			return {
				smtp: await api.credentials.save('Mail of the office', 'smtp', {
					...login,
					user: '',
					password: '',
					port: smtp.port,
					disableStartTls: true,
					hostName: '',
				}),
				imap: await api.credentials.save('Mailbox of the office', 'imap', {
					...login,
					port: imap.port,
					allowUnauthorizedCerts: false,
				}),
			};
		},
		async close() {
			await Promise.all([smtp.close(), imap.close(), page.close()]);
		},
	};
}

const describeMail = ({ from, to, subject, text: words, html }: Mail) =>
	`From: ${from}\nTo: ${to}\nSubject: ${subject}\n\n${html || words}`;

/** The text of one of `emails`, without its headers. */
export const bodyOf = (email: string): string => email.slice(email.indexOf('\n\n') + 2);

/** Takes mails on a free port of 127.0.0.1. */
async function startSmtp(
	take: (raw: string, recipients: string[]) => void,
): Promise<{ port: number; close: () => Promise<void> }> {
	const server = new SMTPServer({
		authOptional: true,
		disabledCommands: ['STARTTLS', 'AUTH'],
		onData: (stream, { envelope }, done) => {
			stream.setEncoding('latin1');
			void text(stream).then((raw) => {
				take(
					raw,
					envelope.rcptTo.map(({ address }) => address.toLowerCase()),
				);
				done();
			}, done);
		},
	});
	const port = await new Promise<number>((ready) => {
		const listening = server.listen(0, '127.0.0.1', () =>
			ready((listening.address() as AddressInfo).port),
		);
	});
	return {
		port,
		close: async () => await new Promise<void>((closed) => server.close(closed)),
	};
}
